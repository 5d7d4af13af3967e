package render

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAFrameBecomesAPicture(t *testing.T) {
	picture := Frame("plain \x1b[0;1;38;2;255;0;16mred & <bold>\x1b[m end\n\x1b[7mreversed\x1b[0m\n", false)
	for _, want := range []string{`fill="#ff0010"`, `font-weight="bold"`, ">red<", ">&amp;<", "&lt;bold&gt;", `fill="#101014" textLength="67.2">reversed`} {
		if !strings.Contains(picture, want) {
			t.Errorf("no %s in\n%s", want, picture)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
	if strings.Contains(picture, "\x1b") {
		t.Error("an escape sequence reached the picture")
	}
}
