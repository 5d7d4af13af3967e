// Package unwrap removes log shippers' wrappers from lines: pieces cut by containerd, and objects in the members and
// texts of others. "2026-08-01T12:00:05.44Z stdout P {" and then "… stdout F }" are one line, and
// {"log":"{\"auditID\":\"1\"}"} has an event in it.
package unwrap

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/input"
	"kardia/sources/read/jsonscan"
)

// MaxPrefix limits the text that a log shipper puts before a line.
const MaxPrefix = 512

// ErrTooLong: pieces are longer together than a line may be, and are dropped.
var ErrTooLong = errors.New("the pieces of a line are too long")

// Pieces joins the pieces of lines. The zero value has none.
type Pieces struct{ held []byte }

// Join is a whole line, with the text before its first piece; nil while more pieces follow.
func (p *Pieces) Join(line []byte) ([]byte, error) {
	piece, last, ok := containerd(line)
	switch {
	case !ok, last && len(p.held) == 0:
		return line, nil
	case len(p.held)+len(line) > input.MaxLine:
		p.held = nil
		return nil, ErrTooLong
	case len(p.held) == 0:
		piece = line
	}
	p.held = append(p.held, piece...)
	if !last {
		return nil, nil
	}
	line, p.held = p.held, nil
	return line, nil
}

// containerd reads "2026-08-01T12:00:05.44Z stdout F " before a line, or P before a piece that is not the last.
func containerd(line []byte) (piece []byte, last, ok bool) {
	_, rest, _ := bytes.Cut(line[:min(len(line), 64)], []byte(" "))
	for _, mark := range [...]string{"stdout F ", "stdout P ", "stderr F ", "stderr P "} {
		if bytes.HasPrefix(rest, []byte(mark)) {
			return line[bytes.IndexByte(line, ' ')+1+len(mark):], mark[7] == 'F', true
		}
	}
	return nil, false, false
}

// Object is a value's object, or that in its text.
func Object(value gjson.Result) (object gjson.Result, ok bool) {
	if text := strings.TrimSpace(value.Str); value.Type == gjson.String && strings.HasPrefix(text, "{") && jsonscan.Valid([]byte(text)) {
		return gjson.Parse(text), true
	}
	return value, value.IsObject()
}

// Time reads a log shipper's time: RFC 3339, or since 1970 in seconds, milli-, micro- or nanoseconds; else unknown.
func Time(v gjson.Result) model.Instant {
	if v.Type == gjson.String {
		if t, err := time.Parse(time.RFC3339Nano, v.Str); err == nil {
			return model.At(t)
		}
	}
	n := v.Float()
	for _, unit := range [...]float64{1e9, 1e6, 1e3, 1} { // of seconds, milliseconds, microseconds, nanoseconds
		if since := n * unit; since > 1e18 && since < 4e18 { // 2001 to 2096
			return model.Instant(int64(math.Round(since/1e3)) * 1e3)
		}
	}
	return 0
}
