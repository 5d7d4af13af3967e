package report

import (
	"strings"
	"testing"
)

// Prose is folded to the window it is printed in, below where its text begins, and to nothing else.
func TestProseIsFolded(t *testing.T) {
	var p prose
	p.line(0, "ASSUMED    pods tolerate for as long as they were seen to")
	p.line(2, "certain: shop/web-1 shop/web-2 shop/a-name-that-is-longer-than-a-window")
	p.line(0, "short")
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, "ASSUMED    pods tolerate for as long as they were seen to\n    certain: shop/web-1 shop/web-2 shop/a-name-that-is-longer-than-a-window\nshort\n"},
		{40, "ASSUMED    pods tolerate for as long as\n           they were seen to\n    certain: shop/web-1 shop/web-2\n      shop/a-name-that-is-longer-than-a-window\nshort\n"},
		{3, "ASSUMED    pods tolerate for as\n           long as they were\n           seen to\n    certain: shop/web-1\n      shop/web-2\n      shop/a-name-that-is-longer-than-a-window\nshort\n"},
	} {
		var out strings.Builder
		if err := p.printTo(Screen{Writer: &out, Width: c.width}); err != nil || out.String() != c.want {
			t.Errorf("%d cells: %v\n%s", c.width, err, out.String())
		}
	}
	var out strings.Builder
	if err := p.printTo(&out); err != nil || out.String() != p.String() {
		t.Errorf("no window: %v\n%s", err, out.String())
	}
}
