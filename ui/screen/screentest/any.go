package screentest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// Moves are the actions that every view has, in one form or another.
var Moves = []screen.Action{screen.Up, screen.Down, screen.HalfUp, screen.HalfDown, screen.First, screen.Last,
	screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse, screen.MarkRow, screen.Attention, screen.Escape}

// Frame is what AnyFrame has drawn.
type Frame struct {
	Snapshot *screen.Snapshot
	Painter  *paint.Painter
	Area     screen.Area
	Lines    []string
}

// filters are filters that a view may be given.
var filters = []string{"", "ip", "state:late", "zone:1a", "pod:a", "-taint:x", "zzz"}

// AnyFrame draws a view of any Snapshot, with and without a judgement, at any size, after any actions. The frame fits,
// holds no control character, and is the same when drawn again. So is the line about the view. view makes the view,
// check looks at the rest.
func AnyFrame[V screen.View](t *testing.T, view func(*rapid.T, *screen.Snapshot) V, check func(*rapid.T, V, Frame)) {
	painters := Painters()
	rapid.Check(t, func(t *rapid.T) {
		s := Random(t)
		v := view(t, s)
		p := painters[rapid.SampledFrom([]string{"dark", "no-colour", "ascii"}).Draw(t, "look")]
		w, h := rapid.IntRange(1, 300).Draw(t, "w"), rapid.IntRange(1, 100).Draw(t, "h")
		area := screen.Arrange(w, h).Area()
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			v.Render(s, p, area)
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				v.Click(rapid.IntRange(0, w).Draw(t, "x"), rapid.IntRange(0, h).Draw(t, "y"), s)
			case 1:
				if f, ok := screen.View(v).(screen.Filterer); ok {
					_ = f.SetFilter(rapid.SampledFrom(filters).Draw(t, "filter"))
				}
			default:
				v.Do(rapid.SampledFrom(Moves).Draw(t, "action"), s)
			}
		}
		lines := v.Render(s, p, area)
		CheckFrame(t, lines, p, area.W, area.H)
		if again := v.Render(s, p, area); !slices.Equal(lines, again) {
			t.Fatalf("drawn again it differs:\n%s\n%s", Plain(lines), Plain(again))
		}
		CheckFrame(t, []string{v.Context(s, p, w)}, p, w, 1)
		v.Selected(s)
		check(t, v, Frame{s, p, area, lines})
	})
}
