package recording

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kardia/sources/recording/wire"
)

// TestOtherFormatsAreRefused: with what to do about it.
func TestOtherFormatsAreRefused(t *testing.T) {
	data, _ := variety(t, Options{})
	newer := mcapFile(plainChunk(mcapMessage(channelConfig, 0, fmt.Appendf(nil, `{"format":%d}`, Format+1))))
	if _, err := Bytes(newer, "newer.mcap"); !errors.Is(err, wire.ErrVersion) || !strings.Contains(err.Error(), fmt.Sprintf("its format is %d", Format+1)) {
		t.Error(err)
	}
	older := mcapFile(plainChunk(mcapMessage(channelConfig, 0, []byte(`{"format":1}`))))
	if f, err := Bytes(older, "older.mcap"); err == nil {
		t.Error("a file of an older format is read", f.Problems())
	} else if !strings.Contains(err.Error(), "kardia convert") {
		t.Error(err)
	}
	if !bytes.Contains(data, fmt.Appendf(nil, `"format":%d`, Format)) {
		t.Error("the file does not say its format")
	}
}
