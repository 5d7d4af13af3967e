package list

import (
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Render implements screen.View.
func (l *List[R, K]) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	l.Update(s)
	var above []paint.Row
	if l.of.Above != nil {
		above = l.of.Above(s, p, area)
	}
	l.above = min(len(above), area.H)
	area.H -= l.above
	return append(paint.Fill(above, l.above), l.body(s, p, area)...)
}

// body is the list itself.
func (l *List[R, K]) body(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	l.top, l.full = area.H, nowhere
	if len(l.rows) == 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, l.empty(s, p)).Row()}, area.H)
	}
	pane := widget.Pane{Title: l.of.Title, Focused: !l.focused, Bare: area.Tier < screen.Standard}
	if len(l.of.Orders) > 0 {
		pane.Note = words.Of("list.by", "order", words.Label(l.of.Orders[l.Order])).In(p)
	}
	if pane.Bare {
		pane.Title = "" // the column titles are enough
	}
	if l.of.Full != nil && area.Tier == screen.Wide {
		return l.sideBySide(s, p, area, &pane)
	}
	need := pane.Outer(len(l.rows) + 1)
	title, text, h := l.below(s, p, area, need)
	above := area.H - h
	if h > 0 && !pane.Bare {
		above = min(above, need)
	}
	rows := l.listed(s, p, &pane, area.W, above, area.Tier)
	if h == 0 {
		return paint.Fill(rows, area.H)
	}
	for len(rows) < above {
		rows = append(rows, paint.Row{})
	}
	l.full = corner{0, len(rows)}
	in := widget.Pane{Title: title, Note: l.hint(), Focused: l.focused, Bare: pane.Bare}
	return paint.Fill(append(rows, in.List(p, widget.List{N: len(text), Draw: func(i int) paint.Row {
		if pane.Bare {
			return p.Line(area.W).Skip(indent).Append(text[i]).Row()
		}
		return text[i]
	}}, &l.text, area.W, h)...), area.H)
}

// sideBySide is the list and the full row at its right, both as high as the window.
func (l *List[R, K]) sideBySide(s *screen.Snapshot, p *paint.Painter, area screen.Area, pane *widget.Pane) []string {
	left := area.W * 2 / 3
	right := area.W - left
	w, _ := pane.Inner(right, area.H)
	title, text := l.of.Full(s, p, l.Chosen(), w)
	in := widget.Pane{Title: title, Note: l.hint(), Focused: l.focused}
	l.full = corner{left, 0}
	full := in.List(p, widget.List{N: len(text), Draw: func(i int) paint.Row { return text[i] }}, &l.text, right, area.H)
	return paint.Fill(p.Beside(l.listed(s, p, pane, left-gap, area.H, area.Tier), left, full, area.W, false), area.H)
}

// listed is the table in its pane.
func (l *List[R, K]) listed(s *screen.Snapshot, p *paint.Painter, pane *widget.Pane, width, height int, tier screen.Tier) []paint.Row {
	w, room := pane.Inner(width, height)
	x, y := pane.Origin()
	l.table, l.left, l.top = l.of.Table(s, p, w, tier), x, y+1
	l.table.Measure(len(l.rows), func(i int) *R { return &l.rows[i] })
	l.table.Only(l.columns)
	l.table.Fit(w)
	l.table.Sorted, l.table.Ascending = l.Order+1, l.Reverse
	l.cursor.Fit(len(l.rows), max(room-1, 1))
	titles := l.table.Titles(p, w)
	in := l.cursor.InSight()
	beside := in != "" && pane.Bare && titles.Width+gap+paint.Width(in) <= w
	last := in != "" && pane.Bare && !beside && room > 3 // without a border, and without room beside the titles
	switch {
	case beside:
		titles = p.Line(w).Append(titles).To(w-paint.Width(in)).Put(themes.Dim, in).Row()
	case last:
		l.cursor.Fit(len(l.rows), room-2)
		in = l.cursor.InSight()
	case !pane.Bare:
		pane.End = in
	}
	rows := append([]paint.Row{titles}, l.table.Rows(p, w, &l.cursor, !l.focused, func(i int) (*R, string) { return &l.rows[i], "" })...)
	if last {
		rows = append(rows, p.Line(w).Skip(widget.Gutter).Put(themes.Dim, in).Row())
	}
	return pane.Rows(p, rows, width, height)
}

// gap is the width between the list and the full row at its right.
const gap = 1

// indent is the width left of a full row without a border.
const indent = 2

// below is the full row, and its height: a third of the window or the lines that the rows leave. It is at least half
// the window if the person opened it. A small window gives it the remaining lines, unless it was opened.
func (l *List[R, K]) below(s *screen.Snapshot, p *paint.Painter, area screen.Area, need int) (title string, text []paint.Row, h int) {
	const least = 4
	if l.of.Full == nil || area.Tier == screen.Tiny && !l.opened {
		return "", nil, 0
	}
	in := widget.Pane{Bare: area.Tier < screen.Standard, Title: "-"}
	w, _ := in.Inner(area.W, area.H)
	if in.Bare {
		w -= indent
	}
	title, text = l.of.Full(s, p, l.Chosen(), w)
	h = max(area.H-need, 0)
	switch {
	case l.opened:
		h = max(h, area.H/2)
	case area.Tier >= screen.Standard:
		h = max(h, area.H/3)
	}
	if h = min(h, in.Outer(len(text))); h < least && !l.opened {
		return "", nil, 0
	}
	return title, text, h
}

// hint names the key that leaves the full row, or reaches it.
func (l *List[R, K]) hint() string {
	switch {
	case l.opened && l.focused:
		return words.Of("list.keys-back").String()
	case l.opened:
		return words.Of("list.keys-scroll").String()
	case l.focused:
		return words.Of("list.keys-close").String()
	}
	return ""
}

func (l *List[R, K]) empty(s *screen.Snapshot, p *paint.Painter) string {
	if l.tried > 0 && l.matched == 0 {
		return words.Of("list.no-match", "n", l.tried, "filter", p.Text(l.filter)).In(p)
	}
	return l.of.Empty(s, p)
}

// Context implements screen.View: the order, the filter, and what the screen adds.
func (l *List[R, K]) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	l.Update(s)
	line := p.Line(width).Skip(1)
	if len(l.of.Orders) > 0 {
		line.Put(themes.Faint, words.Label("by")+" ").Put(themes.Dim, words.Label(l.of.Orders[l.Order]))
	}
	if l.filter != "" {
		line.Skip(3).Put(themes.Faint, words.Label("filter")+" ").Put(themes.Accent, p.Text(l.filter))
	}
	if l.of.Says == nil {
		l.PutMinor(line, p)
	} else {
		l.of.Says(line, s, p)
	}
	return line.String()
}

// PutMinor adds how many minor rows All would show, or that All shows them.
func (l *List[R, K]) PutMinor(line *paint.Line, p *paint.Painter) {
	if line.Width() > 1 && (l.Hidden > 0 || l.All) {
		line.Skip(3)
	}
	switch {
	case l.Hidden > 0:
		line.Put(themes.Dim, words.Of("list.minor-hidden."+l.of.Minor, "n", l.Hidden).In(p)).Put(themes.Faint, words.Of("a-shows").In(p))
	case l.All:
		line.Put(themes.Faint, words.Of("list.minor-shown."+l.of.Minor).In(p))
	}
}
