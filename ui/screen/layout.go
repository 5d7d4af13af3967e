package screen

import "slices"

// Tier is how much room there is, and so how much is shown.
type Tier uint8

const (
	// Tiny: one line per zone, and part of the table.
	Tiny Tier = iota
	// Compact: one row per zone, panes become tabs.
	Compact
	// Standard: what the screens are designed for.
	Standard
	// Wide: table and detail side by side.
	Wide
)

func (t Tier) String() string {
	return [...]string{"tiny", "compact", "standard", "wide"}[min(t, Wide)]
}

// The sizes at which tiers begin.
const (
	compactWidth, compactHeight   = 60, 16
	standardWidth, standardHeight = 100, 30
	wideWidth                     = 160
)

// headlineLines is one for the trouble and one for the next events, which needs roomForNext lines when Tiny.
const (
	headlineLines = 2
	roomForNext   = 12
)

// Rect is a rectangle of cells. It is empty if H or W is 0.
type Rect struct{ X, Y, W, H int }

// Area is the room a view has, and the tier of the whole screen.
type Area struct {
	W, H int
	Tier Tier
}

// Layout is the place of every part. All rectangles are as wide as the screen, without overlap; H 0 is left out.
type Layout struct {
	Tier Tier
	// Identity is the name, the badge and the clock; Headline the trouble and the next events; Tabs the screens.
	Identity, Headline, Tabs Rect
	// Head and Foot are the thin rules around the body; if its panes have borders, there is none above.
	Head, Body, Foot Rect
	// Message, Context and Keys are the last lines: the last event, the view's own line, the keys.
	Message, Context, Keys Rect
}

// Area is the room of the body.
func (l Layout) Area() Area { return Area{l.Body.W, l.Body.H, l.Tier} }

// TierOf is the tier of a screen.
func TierOf(w, h int) Tier {
	switch {
	case w < compactWidth || h < compactHeight:
		return Tiny
	case w < standardWidth || h < standardHeight:
		return Compact
	case w < wideWidth:
		return Standard
	}
	return Wide
}

// Arrange lays out a screen of w×h cells, both at least 1. The body always has a line; then come, as the height allows,
// the identity, the message and the keys.
func Arrange(w, h int) Layout {
	w, h = max(w, 1), max(h, 1)
	l := Layout{Tier: TierOf(w, h)}
	above, below := l.lines()
	if l.Tier == Tiny {
		for _, r := range []*Rect{&l.Keys, &l.Message, &l.Identity, &l.Headline} {
			if len(above)+len(below) < h {
				break
			}
			is := func(have *Rect) bool { return have == r }
			above, below = slices.DeleteFunc(above, is), slices.DeleteFunc(below, is)
		}
	}
	y := 0
	place := func(r *Rect, height int) {
		*r = Rect{0, y, w, height}
		y += height
	}
	for _, r := range above {
		if r == &l.Headline && (l.Tier > Tiny || h >= roomForNext) {
			place(r, headlineLines)
			continue
		}
		place(r, 1)
	}
	place(&l.Body, h-y-len(below))
	for _, r := range below {
		place(r, 1)
	}
	return l
}

func (l *Layout) lines() (above, below []*Rect) {
	switch l.Tier {
	case Tiny:
		return []*Rect{&l.Identity, &l.Headline}, []*Rect{&l.Message, &l.Keys}
	case Compact:
		return []*Rect{&l.Identity, &l.Headline, &l.Head}, []*Rect{&l.Foot, &l.Message, &l.Keys}
	}
	return []*Rect{&l.Identity, &l.Headline, &l.Tabs}, []*Rect{&l.Foot, &l.Message, &l.Context, &l.Keys}
}
