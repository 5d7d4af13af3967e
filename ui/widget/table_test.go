package widget

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	lgtable "charm.land/lipgloss/v2/table"
	"pgregory.net/rapid"

	"kardia/themes"
	"kardia/ui/paint"
)

func cell(of func([]string) string) func(*paint.Line, []string, int) {
	return func(l *paint.Line, r []string, w int) { l.Left(themes.Text, of(r), w) }
}

func sample() Table[[]string] {
	return Table[[]string]{Sorted: 2, Columns: []Column[[]string]{
		{Title: "NAME", Width: 6, Sort: 1, Draw: cell(func(r []string) string { return r[0] })},
		{Title: "STATE", Width: 7, Sort: 2, Drop: 1, Draw: cell(func(r []string) string { return r[1] })},
		{Title: "WHAT IS LEFT", Brief: "LEFT", Width: 5, Draw: cell(func(r []string) string { return r[2] })},
		{Title: "N", Width: 3, Right: true, Drop: 2, Draw: func(l *paint.Line, r []string, w int) { l.Right(themes.Dim, r[3], w) }},
	}}
}

// Columns are left out by their Drop if there is no room, the highest first.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{29, "  NAME    STATE ▾  LEFT     N\n▌ a       b        c        7"},
		{25, "  NAME    STATE ▾  LEFT\n▌ a       b        c"},
		{16, "  NAME    LEFT\n▌ a       c"},
	} {
		table := sample()
		table.Fit(c.width)
		got := sgr.ReplaceAllString(table.Titles(p, c.width).Text+"\n"+strings.TrimRight(sgr.ReplaceAllString(table.Row(p, []string{"a", "b", "c", "7"}, c.width, true).Text, ""), " "), "")
		if got != c.want {
			t.Errorf("in %d cells:\n%s\nwant:\n%s", c.width, got, c.want)
		}
	}
}

// A click on a title sorts by the column below it, in any width.
func TestTitlesAreClicked(t *testing.T) {
	table := sample()
	table.Fit(60)
	line := sgr.ReplaceAllString(table.Titles(p, 60).Text, "")
	for title, sort := range map[string]int{"NAME": 1, "STATE": 2, "WHAT": 0} {
		if got := table.SortAt(strings.Index(line, title)); got != sort {
			t.Errorf("%s sorts by %d, want %d", title, got, sort)
		}
	}
}

// The cursor is always in sight, and nothing beyond the rows is.
func TestScroller(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Scroller
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				s.Fit(rapid.IntRange(0, 50).Draw(t, "rows"), rapid.IntRange(0, 20).Draw(t, "page"))
			case 1:
				s.Move(rapid.IntRange(-60, 60).Draw(t, "by"))
			case 2:
				s.Scroll(rapid.IntRange(-60, 60).Draw(t, "by"))
			case 3:
				s.Turn(rapid.SampledFrom([]int{-1, 1}).Draw(t, "turn"))
			}
			s.Fit(s.n, s.Page)
			from, to := s.Shown()
			if from < 0 || to > s.n || s.n > 0 && (s.Cursor < from || s.Cursor >= to) || to-from < min(s.n, s.Page) {
				t.Fatalf("rows %d to %d of %d are in sight on a page of %d, the cursor on %d", from, to, s.n, s.Page, s.Cursor)
			}
		}
	})
}

// A pane fills its room exactly, whatever is in it.
func TestPane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(0, 12).Draw(t, "h")
		f := Pane{Title: rapid.SampledFrom([]string{"", "Pods", "a very long title that has no room"}).Draw(t, "title"),
			Note: rapid.SampledFrom([]string{"", "a note"}).Draw(t, "note"), End: rapid.SampledFrom([]string{"", "1-3 of 9"}).Draw(t, "end"), Focused: rapid.Bool().Draw(t, "focus")}
		inner, _ := f.Inner(w, h)
		rows := make([]paint.Row, rapid.IntRange(0, 20).Draw(t, "rows"))
		for i := range rows {
			rows[i] = p.Line(inner).Put(themes.Text, "text that may be cut").Row()
		}
		got := f.Rows(p, rows, w, h)
		for _, r := range got {
			if w >= 4 && h >= 2 && r.Width != w {
				t.Fatalf("a row of %d cells in a pane of %d: %q", r.Width, w, r.Text)
			}
		}
		if w >= 4 && h >= 2 && len(got) != h {
			t.Fatalf("%d rows in a pane of %d", len(got), h)
		}
	})
}

func TestPaneLooks(t *testing.T) {
	f := Pane{Title: "Pods", Note: "two", End: "1-1 of 2", Focused: true}
	var lines []string
	for _, r := range f.Rows(p, []paint.Row{p.Line(26).Put(themes.Text, "default/app-0").Row()}, 30, 3) {
		lines = append(lines, sgr.ReplaceAllString(r.Text, ""))
	}
	want := "╭─ Pods  two ───── 1-1 of 2 ─╮\n│ default/app-0              │\n╰────────────────────────────╯"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What 60 rows cost by hand and by lipgloss's table: why Table paints its own cells.
func BenchmarkTable(b *testing.B) {
	rows := make([][]string, 60)
	for i := range rows {
		rows[i] = []string{"b-003", "Unknown", "2 pods deleted in 0:07", "3"}
	}
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table := sample()
			table.Fit(120)
			for _, r := range rows {
				table.Row(p, r, 120, false)
			}
		}
	})
	b.Run("lipgloss", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = lgtable.New().Width(120).Border(lipgloss.HiddenBorder()).Rows(rows...).Render()
		}
	})
}

// What a pane of 40×20 costs by hand and by lipgloss's borders.
func BenchmarkPane(b *testing.B) {
	rows := make([]paint.Row, 18)
	text := make([]string, 18)
	for i := range rows {
		rows[i] = p.Line(36).Put(themes.Text, "default/app-b-003-0  60s").Row()
		text[i] = rows[i].Text
	}
	b.Run("by hand", func(b *testing.B) {
		f := Pane{Title: "Pods"}
		for b.Loop() {
			f.Rows(p, rows, 40, 20)
		}
	})
	b.Run("lipgloss", func(b *testing.B) {
		style := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Padding(0, 1).Width(40)
		for b.Loop() {
			_ = style.Render(strings.Join(text, "\n"))
		}
	})
}

// TestNamesInSightStayApart: names that differ only where one by itself would be cut are not cut to the same; the text
// behind a name stays whole.
func TestNamesInSightStayApart(t *testing.T) {
	names := []string{"ip-10-0-17-201.eu-west-1.compute.internal", "ip-10-0-18-201.eu-west-1.compute.internal", "ip-10-0-18-202.eu-west-1.compute.internal", "b"}
	table := Table[string]{Columns: []Column[string]{{Title: "NODE", Width: 24, Named: func(r string) (themes.Token, string, string) {
		if r == "b" {
			return themes.Text, names[0], " and 12 more"
		}
		return themes.Text, r, ""
	}}, {Title: "LAST", Width: 1, Draw: func(l *paint.Line, _ string, w int) { l.Left(themes.Text, "x", w) }}}}
	s := Scroller{}
	s.Fit(len(names), len(names))
	seen := map[string]bool{}
	for i, row := range table.Rows(p, 40, &s, true, func(i int) (string, string) { return names[i], "" }) {
		text := sgr.ReplaceAllString(row.Text, "")
		name, rest, _ := strings.Cut(text[len(text)-len(strings.TrimLeft(text, "▌ ")):], "  x")
		if seen[name] = true; len([]rune(name)) != 24 || strings.TrimSpace(rest) != "" || i == 3 && !strings.HasSuffix(name, " and 12 more") {
			t.Errorf("%q", text)
		}
	}
	if len(seen) != len(names) {
		t.Errorf("%d of %d names are to be told apart: %v", len(seen), len(names), seen)
	}
	if one := sgr.ReplaceAllString(table.Row(p, names[1], 40, false).Text, ""); !strings.HasPrefix(strings.TrimSpace(one), "ip-10-0-18-201 ") {
		t.Errorf("%q", one)
	}
	if _, cells := table.Cells(p, len(names), func(i int) string { return names[i] }); cells[0][0] != names[0] || cells[3][0] != names[0]+" and 12 more" {
		t.Errorf("%q", cells)
	}
}
