package screen

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// picture draws a layout: a letter for every line of the screen.
func picture(l Layout) string {
	var lines []string
	for _, part := range []struct {
		name string
		r    Rect
	}{{"identity", l.Identity}, {"headline", l.Headline}, {"tabs", l.Tabs}, {"rule", l.Head}, {"body", l.Body},
		{"rule", l.Foot}, {"message", l.Message}, {"context", l.Context}, {"keys", l.Keys}} {
		if part.r.H > 0 {
			lines = append(lines, fmt.Sprintf("%2d %-8s %d", part.r.Y, part.name, part.r.H))
		}
	}
	return l.Tier.String() + "\n" + strings.Join(lines, "\n") + "\n"
}

func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{120, 36, `standard
 0 identity 1
 1 headline 2
 3 tabs     1
 4 body     28
32 rule     1
33 message  1
34 context  1
35 keys     1
`},
		{200, 60, `wide
 0 identity 1
 1 headline 2
 3 tabs     1
 4 body     52
56 rule     1
57 message  1
58 context  1
59 keys     1
`},
		{80, 24, `compact
 0 identity 1
 1 headline 2
 3 rule     1
 4 body     17
21 rule     1
22 message  1
23 keys     1
`},
		{40, 10, `tiny
 0 identity 1
 1 headline 1
 2 body     6
 8 message  1
 9 keys     1
`},
		{80, 3, `tiny
 0 identity 1
 1 headline 1
 2 body     1
`},
		{80, 2, `tiny
 0 headline 1
 1 body     1
`},
		{1, 1, `tiny
 0 body     1
`},
	} {
		if got := picture(Arrange(c.w, c.h)); got != c.want {
			t.Errorf("%dx%d:\n%swant\n%s", c.w, c.h, got, c.want)
		}
	}
}

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want Tier
	}{
		{59, 50, Tiny}, {200, 15, Tiny}, {60, 16, Compact}, {99, 60, Compact}, {200, 29, Compact},
		{100, 30, Standard}, {159, 60, Standard}, {160, 30, Wide}, {300, 100, Wide},
	} {
		if got := TierOf(c.w, c.h); got != c.want {
			t.Errorf("%dx%d is %v, want %v", c.w, c.h, got, c.want)
		}
	}
}

// The lines of any screen are covered exactly once, and the body has at least one.
func TestLayoutCoversTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 300).Draw(t, "w"), rapid.IntRange(1, 100).Draw(t, "h")
		l := Arrange(w, h)
		next := 0
		for _, r := range []Rect{l.Identity, l.Headline, l.Tabs, l.Head, l.Body, l.Foot, l.Message, l.Context, l.Keys} {
			if r.H == 0 {
				continue
			}
			if r.Y != next || r.X != 0 || r.W != w {
				t.Fatalf("%+v begins wrong, want line %d", r, next)
			}
			next += r.H
		}
		if next != h || l.Body.H < 1 {
			t.Fatalf("%d of %d lines are used, the body has %d", next, h, l.Body.H)
		}
	})
}
