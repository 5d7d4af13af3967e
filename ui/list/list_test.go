package list

import (
	"slices"
	"strings"
	"testing"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/widget"
)

// sorted is a list of words, in the order of letters or as they come.
func sorted(list *[]string) *List[string, string] {
	l := &List[string, string]{}
	*l = New(Of[string, string]{Title: "Words", Orders: []string{"letters", "length"}, Opens: true,
		Read: func(*screen.Snapshot) (rows []string) {
			for _, w := range *list {
				if l.Match(w) && l.Concerns(w, model.Maybe[model.ZoneKey]{}) {
					rows = append(rows, w)
				}
			}
			return rows
		},
		Compare: func(a, b *string) int {
			if l.Order == 1 && len(*a) != len(*b) {
				return len(*a) - len(*b)
			}
			return strings.Compare(*a, *b)
		},
		Key:     func(w *string) string { return *w },
		Subject: func(w *string) screen.Subject { return screen.Subject{Kind: screen.NodeSubject, Node: *w} },
		Table: func(_ *screen.Snapshot, _ *paint.Painter, width int, _ screen.Tier) widget.Table[*string] {
			t := widget.Table[*string]{Columns: []widget.Column[*string]{{Title: "WORD", Sort: 1, Width: 8, Draw: func(l *paint.Line, w *string, width int) { l.Left(themes.Text, *w, width) }},
				{Title: "LEN", Sort: 2, Width: 3, Draw: func(l *paint.Line, w *string, width int) { l.Skip(width) }}}}
			t.Fit(width)
			return t
		},
		Full: func(_ *screen.Snapshot, p *paint.Painter, w *string, width int) (string, []paint.Row) {
			var rows []paint.Row
			for range 40 {
				rows = append(rows, p.Line(width).Put(themes.Text, "all of "+*w).Row())
			}
			return *w, rows
		},
		Empty: func(*screen.Snapshot, *paint.Painter) string { return "no words" }})
	return l
}

func frame(l *List[string, string], s *screen.Snapshot) string {
	return screentest.Plain(l.Render(s, screentest.Painters()["dark"], screen.Area{W: 60, H: 20, Tier: screen.Compact}))
}

// The cursor stays on its row, wherever that goes; where the row goes away, it stays in its place.
func TestTheCursorStaysOnItsRow(t *testing.T) {
	list := []string{"bee", "ant", "cricket"}
	l, s := sorted(&list), screentest.Incident()
	frame(l, s)
	l.Do(screen.Down, s)
	is := func(want string) {
		t.Helper()
		if got := l.Selected(s).Node; got != want {
			t.Errorf("the cursor is on %q, want %q:\n%s", got, want, frame(l, s))
		}
	}
	is("bee")
	list = append(list, "aphid", "beetle")
	s.Revision++
	is("bee")
	l.Do(screen.Reverse, s)
	is("bee")
	list = slices.DeleteFunc(list, func(w string) bool { return w == "bee" })
	s.Revision++
	is("aphid") // cricket beetle aphid ant
}

// Until the person moves it the cursor is on the first row, whatever sorts the rows again: the models arrive after the
// list.
func TestTheCursorBeginsOnTheFirstRow(t *testing.T) {
	list := []string{"bee", "cricket"}
	l, s := sorted(&list), screentest.Incident()
	first := func(want string) {
		t.Helper()
		if got := l.Selected(s).Node; got != want {
			t.Errorf("the cursor is on %q, want %q:\n%s", got, want, frame(l, s))
		}
	}
	first("bee")
	list = append(list, "ant")
	s.Revision++
	first("ant")
	l.Do(screen.Reverse, s)
	first("cricket")
	l.Do(screen.Open, s)
	l.Do(screen.Reverse, s)
	first("cricket")
}

// Escape takes back one thing at a time: the row in full, the filter, the node.
func TestEscapeTakesBackOneThingAtATime(t *testing.T) {
	list := []string{"bee", "ant", "cricket"}
	l, s := sorted(&list), screentest.Incident()
	l.Visit(screen.Subject{Kind: screen.NodeSubject, Node: "ant"}, screen.OfSelected, s)
	_ = l.SetFilter("a")
	l.Do(screen.Open, s)
	shows := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if text := frame(l, s); !strings.Contains(text, w) {
				t.Errorf("no %q:\n%s", w, text)
			}
		}
	}
	shows("all of ant", "esc closes")
	l.Do(screen.Escape, s)
	if l.Filter() != "a" || strings.Contains(frame(l, s), "esc closes") {
		t.Error("the filter went before the row in full")
	}
	l.Do(screen.Escape, s)
	if l.Filter() != "" || l.Crumb(s) != "ant" {
		t.Error("the node went before the filter")
	}
	if !l.Do(screen.Escape, s) || l.Do(screen.Escape, s) {
		t.Error("then everyone's is shown, and nothing is left to close")
	}
	_ = l.SetFilter("zebra")
	shows("none of 3 matches  zebra   esc clears the filter")
}

// Titles sort, a second click turns the order round; the row in full takes the keys when clicked.
func TestClicks(t *testing.T) {
	list := []string{"bee", "ant", "cricket"}
	l, s := sorted(&list), screentest.Incident()
	frame(l, s)
	l.Click(13, 0, s)
	frame(l, s)
	if l.Order != 1 || l.Reverse {
		t.Error("a click on LEN does not sort by it")
	}
	l.Click(13, 0, s)
	if l.Click(1, 1, s); l.Selected(s).Node != "cricket" {
		t.Errorf("the longest is not first:\n%s", frame(l, s))
	}
	if l.Click(1, 1, s) != screen.Opened || l.Click(1, 3, s) != screen.Moved || l.Selected(s).Node != "ant" {
		t.Errorf("rows do not take clicks:\n%s", frame(l, s))
	}
	l.Click(3, 10, s)
	before := frame(l, s)
	l.Do(screen.Down, s)
	if l.Selected(s).Node != "ant" || frame(l, s) == before {
		t.Errorf("the row in full does not scroll:\n%s", frame(l, s))
	}
}

// A list that is longer than the window shows that: beside its titles, below if they leave no room, in the border if
// there is one.
func TestWhatIsNotInSightIsSaid(t *testing.T) {
	var list []string
	for c := 'a'; c <= 'z'; c++ {
		list = append(list, string(c))
	}
	l, s := sorted(&list), screentest.Incident()
	draw := func(w, h int, tier screen.Tier) string {
		return screentest.Plain(l.Render(s, screentest.Painters()["dark"], screen.Area{W: w, H: h, Tier: tier}))
	}
	for _, is := range []struct {
		w, h int
		tier screen.Tier
		want string
	}{{60, 20, screen.Compact, "WORD ▾    LEN                                   1-19 of 26\n"}, {20, 10, screen.Compact, "  1-8 of 26\n"}, {60, 20, screen.Standard, " 1-11 of 26 ─╮\n"}} {
		if text := draw(is.w, is.h, is.tier); !strings.Contains(text, is.want) {
			t.Errorf("in %d×%d nothing says %q:\n%s", is.w, is.h, is.want, text)
		}
	}
	list = list[:5]
	s.Revision++
	if text := draw(60, 10, screen.Compact); strings.Contains(text, " of 5") {
		t.Errorf("all are in sight:\n%s", text)
	}
}
