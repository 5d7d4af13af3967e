package widget

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
)

var (
	p     = paint.New(themes.NoColour(), themes.Unicode(), nil)
	sgr   = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	noon  = model.At(time.Date(2026, 8, 14, 12, 0, 0, 0, time.UTC))
	grace = 50 * time.Second
)

// drawn is what a widget writes into a line, between bars so that spaces show.
func drawn(width int, draw func(l *paint.Line)) string {
	l := p.Line(width + 1)
	draw(l)
	l.To(width).Put(themes.Text, "|")
	return strings.TrimSuffix(sgr.ReplaceAllString(l.String(), ""), "|")
}

func TestAgeBar(t *testing.T) {
	for _, c := range []struct {
		age  time.Duration
		want string
	}{
		{0, "█░░░░░░░░░ "}, {4 * time.Second, "█░░░░░░░░░ "}, {27 * time.Second, "█████░░░░░ "}, {34 * time.Second, "███████░░░ "},
		{41 * time.Second, "████████░░ "}, {49 * time.Second, "█████████░ "}, {50 * time.Second, "██████████►"}, {time.Hour, "██████████►"},
		{-time.Second, "█░░░░░░░░░ "},
	} {
		if got := drawn(11, func(l *paint.Line) { AgeBar(l, p, c.age, grace, 10, themes.Dim) }); got != c.want {
			t.Errorf("%v: %q, want %q", c.age, got, c.want)
		}
	}
	if got := drawn(11, func(l *paint.Line) { AgeBar(l, p, time.Minute, grace, 10, themes.Unknown) }); got != "▒▒▒▒▒▒▒▒▒▒►" {
		t.Errorf("an Unknown node's bar is not hatched: %q", got)
	}
}

func TestGraceBar(t *testing.T) {
	for _, c := range []struct {
		age   time.Duration
		width int
		want  string
	}{
		{20 * time.Second, 14, "████░░░░░░┊   "}, {50 * time.Second, 14, "██████████┊►  "}, {56 * time.Second, 14, "██████████┊►► "},
		{time.Hour, 14, "██████████┊►►►"}, {20 * time.Second, 5, "█░░┊ "}, {20 * time.Second, 2, "  "},
	} {
		if got := drawn(c.width, func(l *paint.Line) { GraceBar(l, p, c.age, grace, c.width, themes.Dim) }); got != c.want {
			t.Errorf("%v in %d: %q, want %q", c.age, c.width, got, c.want)
		}
	}
}

func TestCells(t *testing.T) {
	for age, want := range map[time.Duration]Cell{
		0: Fresh, 9 * time.Second: Fresh, 10 * time.Second: OK, 20 * time.Second: Late, 30 * time.Second: VeryLate,
		49 * time.Second: VeryLate, 50 * time.Second: PastGrace,
	} {
		if got := AgeCell(age, grace); got != want {
			t.Errorf("%v: %v, want %v", age, got, want)
		}
	}
	if got := AgeCell(25*time.Second, 24*time.Second); got != PastGrace {
		t.Errorf("past a short grace period: %v", got)
	}
}

// A cell that stands for several nodes shows the worst of them.
func TestHeatShowsTheWorst(t *testing.T) {
	cells := []Cell{Fresh, Fresh, NotReady, Fresh, Cordoned, OK, Late, Unknown, Fresh, NoAge}
	for per, want := range map[int]string{1: "▁▁!▁⊘▂▄✕▁·", 2: "▁!⊘✕▁", 3: "!⊘✕·", 100: "✕"} {
		if got := strings.TrimRight(drawn(10, func(l *paint.Line) { Heat(l, p, cells, per) }), " "); got != want {
			t.Errorf("worst of %d: %q, want %q", per, got, want)
		}
	}
}

// As many nodes as there may be, they fit into the rows they are given.
func TestPerCellFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, width, rows := rapid.IntRange(0, 20000).Draw(t, "n"), rapid.IntRange(0, 300).Draw(t, "width"), rapid.IntRange(0, 30).Draw(t, "rows")
		per := PerCell(n, width, rows)
		if got := HeatRows(n, width, per); got > max(rows, 1) {
			t.Fatalf("%d nodes, %d to a cell, take %d rows of %d", n, per, got, width)
		}
		if per > 1 && (n+per-2)/(per-1) <= max(width, 1)*max(rows, 1) {
			t.Fatalf("%d to a cell would do for %d nodes", per-1, n)
		}
	})
}

func span(from, to time.Duration, s model.Status) past.Span {
	return past.Span{From: noon.Add(from), To: noon.Add(to), Status: s}
}

func TestLanes(t *testing.T) {
	scale := ScaleTo(noon, 100*time.Second, 11) // 11:58:20 to 12:00:10, ten seconds a cell
	gap := []history.Gap{{Interval: model.Interval{Earliest: noon.Add(-35 * time.Second), Latest: noon.Add(-25 * time.Second)}}}
	for _, c := range []struct {
		what, kind string
		spans      []past.Span
		gaps       []history.Gap
		want       string
		watched    model.Instant
	}{
		{"ready, then silent", "Ready", []past.Span{span(-100*time.Second, -50*time.Second, model.StatusTrue), span(-50*time.Second, 0, model.StatusUnknown)}, nil, "━━━━━╍╍╍╍╍ ", 0},
		{"a blip shows", "Ready", []past.Span{span(-100*time.Second, -42*time.Second, model.StatusTrue), span(-42*time.Second, -41*time.Second, model.StatusFalse), span(-41*time.Second, 0, model.StatusTrue)}, nil, "━━━━━▀━━━━ ", 0},
		{"pressure is bad when True", "DiskPressure", []past.Span{span(-100*time.Second, -50*time.Second, model.StatusTrue), span(-50*time.Second, 5*time.Second, model.StatusFalse)}, nil, "▀▀▀▀▀━━━━━━", 0},
		{"nothing known before", "Ready", []past.Span{span(-20*time.Second, 5*time.Second, model.StatusTrue)}, nil, "        ━━━", 0},
		{"long before", "Ready", []past.Span{span(-time.Hour, -time.Minute, model.StatusTrue)}, nil, "━━━━       ", 0},
		{"a gap is drawn", "Ready", []past.Span{span(-100*time.Second, 5*time.Second, model.StatusTrue)}, gap, "━━━━━━┄┄━━━", 0},
		{"no past", "Ready", nil, nil, "           ", 0},
		{"before anybody watched, as a timestamp tells", "Ready", []past.Span{span(-80*time.Second, 5*time.Second, model.StatusTrue)}, gap, "  ◐━━━━━━━━", noon.Add(-20 * time.Second)},
		{"nobody watched, and nothing tells", "Ready", nil, gap, "      ┄┄   ", noon.Add(-10 * time.Second)},
	} {
		got := drawn(11, func(l *paint.Line) {
			Lane(l, p, scale, past.ConditionTrack{Type: c.kind, Spans: c.spans}, c.watched, c.gaps)
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestTicks(t *testing.T) {
	at := func(seconds ...float64) (list []model.Instant) {
		for _, s := range seconds {
			list = append(list, noon.Add(time.Duration(s*float64(time.Second))))
		}
		return list
	}
	for _, c := range []struct {
		what     string
		step     time.Duration
		renewals []model.Instant
		want     string
	}{
		{"regular", 100 * time.Second, at(-100, -90, -80, -70, -60, -50, -40, -30, -20, -10, 0), "╹╹╹╹╹╹╹╹╹╹╹"},
		{"jitter is no miss", 100 * time.Second, at(-100, -90, -80, -70.1, -59.9, -50), "╹╹╹╹╹╹     "},
		{"one missed", 100 * time.Second, at(-100, -90, -70, -60), "╹╹ ╹╹      "},
		{"finer cells than renewals", 50 * time.Second, at(-50, -40, -30, -20), "╹ ╹ ╹ ╹    "},
		{"none", 100 * time.Second, nil, "           "},
	} {
		if got := drawn(11, func(l *paint.Line) { Ticks(l, p, ScaleTo(noon, c.step, 11), c.renewals, nil) }); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// The picture moves by whole cells: within one cell's length it keeps still.
func TestScaleKeepsStill(t *testing.T) {
	a, b, c := ScaleTo(noon, 9*time.Minute, 60), ScaleTo(noon.Add(9*time.Second), 9*time.Minute, 60), ScaleTo(noon.Add(10*time.Second), 9*time.Minute, 60)
	if a != b || a == c || a.Step != 10*time.Second {
		t.Errorf("%+v\n%+v\n%+v", a, b, c)
	}
	if a.Cell(noon) != 59 || a.Cell(a.From) != 0 || a.Cell(a.From-1) != -1 {
		t.Errorf("the present lies in cell %d of %d", a.Cell(noon), a.Cells)
	}
}

func TestAxis(t *testing.T) {
	got := drawn(60, func(l *paint.Line) { ScaleTo(noon, 10*time.Minute, 60).Axis(l, p) })
	if want := " 11:52     "; !strings.Contains(got, want) || !strings.Contains(got, "▼") || len([]rune(got)) != 60 || []rune(got)[59] != '▼' {
		t.Errorf("%q", got)
	}
	if got := drawn(20, func(l *paint.Line) { ScaleTo(0, time.Minute, 20).Axis(l, p) }); strings.TrimSpace(got) != "" {
		t.Errorf("an axis of no time: %q", got)
	}
}

func TestScrub(t *testing.T) {
	coverage := model.Interval{Earliest: noon, Latest: noon.Add(100 * time.Second)}
	gaps := []history.Gap{{Interval: model.Interval{Earliest: noon.Add(40 * time.Second), Latest: noon.Add(50 * time.Second)}}}
	for at, want := range map[time.Duration]string{
		0:                 "12:00:00Z ┃───┄┄───── 12:01:40Z",
		70 * time.Second:  "12:00:00Z ━━━━┄┄━┃─── 12:01:40Z",
		time.Hour:         "12:00:00Z ━━━━┄┄━━━━┃ 12:01:40Z",
		-30 * time.Second: "12:00:00Z ┃───┄┄───── 12:01:40Z",
	} {
		row := (&ScrubBar{Coverage: coverage, Gaps: gaps, At: noon.Add(at)}).Row(p, 31)
		if got := sgr.ReplaceAllString(row.Text, ""); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
	for _, width := range []int{0, 1, 5, 20} {
		if row := (&ScrubBar{Coverage: coverage, Gaps: gaps, At: noon}).Row(p, width); row.Width > width {
			t.Errorf("%d wide in %d", row.Width, width)
		}
	}
}

// The bar rises where something changed, and carries the marks.
func TestScrubOfAnOverview(t *testing.T) {
	coverage := model.Interval{Earliest: noon, Latest: noon.Add(100 * time.Second)}
	o := &past.Overview{}
	var changes []model.Change
	for _, s := range []int{0, 10, 50, 50, 50, 50, 51, 99} {
		changes = append(changes, model.Change{Kind: model.KindEvent, Op: model.OpAdd, Time: model.Exactly(noon.Add(time.Duration(s) * time.Second))})
	}
	if _, err := o.Extend(history.NewMemory(changes, coverage, nil, nil), 100); err != nil {
		t.Fatal(err)
	}
	bar := ScrubBar{Coverage: coverage, At: noon.Add(70 * time.Second), Overview: o, Marks: []past.Bookmark{{At: noon.Add(30 * time.Second), Number: 1}, {At: noon.Add(80 * time.Second), Number: 2}, {At: noon.Add(time.Hour), Number: 3}}}
	if got, want := sgr.ReplaceAllString(bar.Row(p, 31).Text, ""), "12:00:00Z ▄▄━A━█━┃B─▄ 12:01:40Z"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A click on the scrub bar goes where the cursor is then drawn.
func TestScrubThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.IntRange(2, 300).Draw(t, "cells")
		column := rapid.IntRange(0, cells-1).Draw(t, "column")
		coverage := model.Interval{Earliest: noon, Latest: noon.Add(time.Duration(rapid.Int64Range(int64(time.Second), int64(48*time.Hour)).Draw(t, "length")))}
		if got := ScrubColumn(coverage, ScrubInstant(coverage, column, cells), cells); got != column {
			t.Fatalf("column %d of %d comes back as %d", column, cells, got)
		}
	})
}

// The bar reaches the threshold's mark exactly where the share reaches the threshold, and is
// as wide as asked.
func TestThresholdBar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 500).Draw(t, "nodes")
		share := float64(rapid.IntRange(0, nodes).Draw(t, "bad")) / float64(nodes)
		width, threshold := rapid.IntRange(2, 60).Draw(t, "width"), 0.55
		l := p.Line(100)
		ThresholdBar(l, p, share, threshold, width, themes.Text)
		bar := []rune(sgr.ReplaceAllString(l.String(), ""))
		if len(bar) != width {
			t.Fatalf("%d cells, want %d", len(bar), width)
		}
		mark := slices.Index(bar, '┊')
		if full := !slices.Contains(bar[:mark], '░'); full != (share >= threshold) && mark > 0 {
			t.Fatalf("share %.3f draws %s", share, string(bar))
		}
	})
}

// TestFactsAreCleaned: a word may be a name from a cluster, as its value.
func TestFactsAreCleaned(t *testing.T) {
	var f Facts
	f.Add("\x1b[31mred\u200b", "\x1b[2Jgone")
	for _, row := range f.Rows(p, 40) {
		if text := row.Text; strings.Contains(text, "\x1b[31m") || strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\u200b") {
			t.Errorf("%q", text)
		}
	}
}
