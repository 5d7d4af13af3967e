package events

import (
	"fmt"
	"strconv"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.update(s)
	v.top, v.fullTop = area.H, -1
	if len(v.rows) == 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, v.empty(s, p)).Row()}, area.H)
	}
	full := 0
	if v.full {
		full = max(min(area.H/2, 14), min(area.H, 3))
	}
	pane := widget.Pane{Title: "Events", Note: "by " + v.sort.String(), Focused: !v.focused, Bare: area.Tier < screen.Standard}
	if pane.Bare {
		pane.Title = ""
	}
	w, room := pane.Inner(area.W, area.H-full)
	x, y := pane.Origin()
	v.table, v.left, v.top = v.columns(s, p, w, area), x, y+1
	v.list.Fit(len(v.rows), max(room-1, 1))
	rows := append([]paint.Row{v.table.Titles(p, w)}, v.table.Rows(p, w, &v.list, !v.focused, func(i int) (*row, string) { return &v.rows[i], "" })...)
	rows = pane.Rows(p, rows, area.W, area.H-full)
	if full > 0 {
		for len(rows) < area.H-full {
			rows = append(rows, paint.Row{})
		}
		v.fullTop = len(rows)
		rows = append(rows, v.inFull(s, p, area.W, full)...)
	}
	return paint.Fill(rows, area.H)
}

// empty says why there is no row.
func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	switch {
	case !s.Has(model.KindEvent):
		return "no Kubernetes Events to be had: the recording holds none, or you may not list them"
	case v.total > 0:
		return fmt.Sprintf("none of %d Events matches  %s   esc clears the filter", v.total, p.Text(v.filter))
	case v.about.Kind != screen.NoSubject:
		return "no Kubernetes Events about " + p.Text(v.Crumb(s)) + "   esc lists everyone's"
	}
	return "no Kubernetes Events about nodes by " + p.Clock(s.At)
}

// columns are those that have room.
func (v *View) columns(s *screen.Snapshot, p *paint.Painter, width int, area screen.Area) widget.Table[*row] {
	reason, about := 8, 8
	for i := range v.rows {
		reason = max(reason, paint.Width(v.rows[i].Reason))
		about = max(about, paint.Width(v.whom(p, &v.rows[i], 1<<10)))
	}
	reason, about = min(reason, max(area.W/5, 12)), min(about, max(area.W/4, 14))
	plain := func(token themes.Token, of func(*row) string) func(*paint.Line, *row, int) {
		return func(l *paint.Line, r *row, w int) { l.Left(token, of(r), w) }
	}
	t := widget.Table[*row]{Sorted: int(v.sort) + 1, Ascending: v.reverse, Columns: []widget.Column[*row]{
		{Title: "AGO", Width: paint.DurationWidth, Sort: int(byTime) + 1, Draw: plain(themes.Dim, func(r *row) string { return ago(s, r.at) })},
		{Title: "TIMES", Width: 5, Right: true, Sort: int(byCount) + 1, Drop: 1, Draw: func(l *paint.Line, r *row, w int) {
			text := ""
			if r.count > 1 {
				text = strconv.Itoa(r.count)
			}
			l.Right(themes.Text, text, w)
		}},
		{Title: "REASON", Width: reason, Sort: int(byReason) + 1, Draw: func(l *paint.Line, r *row, w int) {
			token := themes.Dim
			if r.Warning {
				token = themes.Warn
			}
			l.Left(token, p.Text(r.Reason), w)
		}},
		{Title: "ABOUT", Width: about, Sort: int(byNode) + 1, Draw: func(l *paint.Line, r *row, w int) { l.Left(themes.Text, v.whom(p, r, w), w) }},
		{Title: "FROM", Width: 16, Drop: 2, Draw: plain(themes.Faint, func(r *row) string { return p.Text(r.Component) })},
		{Title: "MESSAGE", Width: 12, Draw: plain(themes.Dim, func(r *row) string {
			if len(r.nodes) > 1 {
				return p.Text(generic(r.Event))
			}
			return p.Text(r.Message)
		})},
	}}
	t.Fit(width)
	return t
}

// whom says which nodes a row is about.
func (v *View) whom(p *paint.Painter, r *row, width int) string {
	first := p.Text(r.nodes[0])
	if len(r.nodes) == 1 {
		return p.Middle(first, width)
	}
	rest := fmt.Sprintf(" and %d more", len(r.nodes)-1)
	return p.Middle(first, max(width-len(rest), 4)) + rest
}

func ago(s *screen.Snapshot, at model.Instant) string {
	if !at.Bounded() || !s.At.Bounded() {
		return "?"
	}
	return paint.Duration(max(s.At.Sub(at), 0))
}

// inFull is the row under the cursor with nothing cut.
func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, w, h int) []paint.Row {
	r := &v.rows[v.list.Cursor]
	pane := widget.Pane{Title: p.Text(r.Reason), Note: "esc closes, tab scrolls", Focused: v.focused}
	inner, page := pane.Inner(w, h)
	var rows []paint.Row
	add := func(word, text string) {
		if text == "" {
			return
		}
		for i, part := range paint.Fold(p.Text(text), max(inner-11, 8)) {
			if i > 0 {
				word = ""
			}
			rows = append(rows, p.Line(inner).Left(themes.Faint, word, 10).Skip(1).Put(themes.Text, part).Row())
		}
	}
	add("message", r.Message)
	kind := "Normal"
	if r.Warning {
		kind = "Warning"
	}
	add("type", kind)
	add("from", r.Component)
	if first := r.First; first.Bounded() && len(r.nodes) == 1 {
		add("first", p.DateTime(first))
	}
	if r.at.Bounded() {
		add("last", p.DateTime(r.at)+", "+ago(s, r.at)+" ago")
	}
	if r.count > 1 {
		add("times", strconv.Itoa(r.count))
	}
	names := ""
	for i, n := range r.nodes {
		if i == 200 {
			names += fmt.Sprintf(" and %d more", len(r.nodes)-i)
			break
		}
		names += " " + n
	}
	add("about", names)
	v.text.Fit(len(rows), page)
	from, to := v.text.Shown()
	if from > 0 || to < len(rows) {
		pane.End = fmt.Sprintf("%d-%d of %d", from+1, to, len(rows))
	}
	return pane.Rows(p, rows[from:to], w, h)
}
