package evictions

import (
	"fmt"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.update(s)
	v.top = area.H
	if len(v.rows) == 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, v.empty(s, p)).Row()}, area.H)
	}
	pane := widget.Pane{Title: "Evictions", Note: "by " + v.group.String(), Focused: true, Bare: area.Tier < screen.Standard}
	if pane.Bare {
		pane.Title = ""
	}
	w, room := pane.Inner(area.W, area.H)
	_, y := pane.Origin()
	table := v.columns(s, p, w)
	v.top = y + 1
	v.list.Fit(len(v.rows), max(room-1, 1))
	rows := append([]paint.Row{table.Titles(p, w)}, table.Rows(p, w, &v.list, true, func(i int) (*row, string) { return &v.rows[i], "" })...)
	return paint.Fill(pane.Rows(p, rows, area.W, area.H), area.H)
}

// empty says why there is no row.
func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	c := s.Controllers()
	switch {
	case !s.Has(model.KindPod):
		return "no pods to be had: which are deleted is not known"
	case c.Forecast == nil && c.Status() != "":
		return "what comes is not known: " + c.Status()
	case c.Forecast == nil:
		return "what comes is being worked out"
	case v.total > v.hidden:
		return fmt.Sprintf("none of %d pods matches  %s   esc clears the filter", v.total, p.Text(v.filter))
	case v.hidden > 0:
		return fmt.Sprintf("no pod is to be deleted; %d stay on silent nodes, for they tolerate it for ever: a shows them", v.hidden)
	case v.about.Kind != screen.NoSubject:
		return "no pod of " + p.Text(v.Crumb(s)) + " is to be deleted as things stand   esc lists everyone's"
	}
	return "no pod is to be deleted as things stand: no node is silent or tainted"
}

// columns are those that have room.
func (v *View) columns(s *screen.Snapshot, p *paint.Painter, width int) widget.Table[*row] {
	names, about := 8, 6
	for i := range v.rows {
		names = max(names, paint.Width(v.named(p, &v.rows[i], 1<<10)))
		about = max(about, paint.Width(v.where(p, &v.rows[i])))
	}
	names, about = min(names, max(width*3/10, 22)), min(about, max(width/5, 15))
	columns := []widget.Column[*row]{
		{Title: "IN", Width: 11, Mark: p.Glyphs.Predicted, Draw: func(l *paint.Line, r *row, w int) {
			token, text := when(s, p, r)
			l.Left(token, text, w)
		}},
		{Title: "PODS", Width: names, Draw: func(l *paint.Line, r *row, w int) { l.Left(themes.Text, v.named(p, r, w), w) }},
		{Title: strings.ToUpper(v.whereTitle()), Width: about, Draw: func(l *paint.Line, r *row, w int) { l.Left(themes.Dim, p.Middle(v.where(p, r), w), w) }},
	}
	if width >= 110 {
		columns = append(columns, widget.Column[*row]{Title: v.axis(s, p), Width: width / 5, Drop: 2, Draw: func(l *paint.Line, r *row, w int) { v.waterfall(l, p, s, r, w) }})
	}
	if width >= 100 && !s.Curtain && !s.Mode.Watches() {
		columns = append(columns, widget.Column[*row]{Title: "LATER", Mark: p.Glyphs.Later, Width: 14, Drop: 3, Draw: func(l *paint.Line, r *row, w int) {
			l.Left(themes.Dim, became(p, r), w)
		}})
	}
	columns = append(columns, widget.Column[*row]{Title: "WHY NOT YET", Width: 16, Drop: 1, Draw: func(l *paint.Line, r *row, w int) {
		l.Left(themes.Dim, p.Text(v.whyNotYet(r)), w)
	}})
	t := widget.Table[*row]{Columns: columns}
	t.Fit(width)
	return t
}

func (v *View) whereTitle() string {
	if v.group != byZone && v.group != byWorkload {
		return "node"
	}
	return v.group.String()
}

// where is what the pods of a row share.
func (v *View) where(p *paint.Painter, r *row) string {
	switch v.group {
	case byZone:
		if !r.place.Known {
			return "?"
		}
		return p.Text(r.place.Value.String())
	case byWorkload:
		return p.Text(r.owner)
	}
	if n := len(r.nodes); n > 1 {
		return fmt.Sprintf("%d nodes, %s", n, p.Text(r.nodes[0]))
	}
	return p.Text(r.Node)
}

// named names the pod, or says how many and as many of their names as have room.
func (v *View) named(p *paint.Painter, r *row, width int) string {
	if len(r.pods) == 1 {
		return p.Middle(p.Text(r.Pod.String()), width)
	}
	text := strconv.Itoa(len(r.pods)) + " pods: "
	for i, k := range r.pods {
		name := p.Text(k.Name)
		if rest := width - paint.Width(text); i > 0 && paint.Width(name)+2 > rest {
			return text + p.Glyphs.Ellipsis
		}
		text += name + " "
	}
	return strings.TrimSuffix(text, " ")
}

// when says in how long, or the word for what is held back, under way, or stays.
func when(s *screen.Snapshot, p *paint.Painter, r *row) (themes.Token, string) {
	switch {
	case r.ahead() && !r.Certain:
		return themes.Predicted, p.Ahead(s.From(), r.Window) + "?"
	case r.ahead():
		return themes.Evict, p.Ahead(s.From(), r.Window)
	case r.State == forecast.Terminating:
		return themes.Dim, "ending"
	case r.State == forecast.Halted:
		return themes.Halted, "halted"
	case r.State == forecast.Stuck:
		return themes.Warn, "stuck"
	}
	return themes.Dim, "stays"
}

// whyNotYet is what holds the deletion back, and whether it is sure to come.
func (v *View) whyNotYet(r *row) string {
	text, _, _ := strings.Cut(r.Why, ";")
	if r.State == forecast.Due {
		text = "its countdown runs"
		if r.Seconds.Known {
			text = "tolerates it for " + strconv.FormatInt(r.Seconds.Value, 10) + "s"
		}
	}
	if r.ahead() && !r.Certain {
		return "may come: " + text
	}
	return text
}

// became is what the recording knows of later: when the first of the pods was deleted, where that was
// not foreseen how far off, or the word for what has not come.
func became(p *paint.Painter, r *row) string {
	var first *forecast.Ahead
	for _, a := range r.later {
		if first == nil || a.Later != nil && (first.Later == nil || a.Later.Time < first.Later.Time) {
			first = a
		}
	}
	switch {
	case first == nil || !r.ahead() && first.Later == nil:
		return ""
	case first.Later == nil:
		return first.Fate.String()
	case first.Off.Known && first.Off.Value > 0:
		return p.Clock(first.Later.Time) + " +" + paint.Duration(first.Off.Value)
	case first.Off.Known:
		return p.Clock(first.Later.Time) + " " + paint.Duration(first.Off.Value)
	case first.Fate != forecast.CameTrue:
		return p.Clock(first.Later.Time) + " " + first.Fate.String()
	}
	return p.ClockTenths(first.Later.Time)
}

// horizon is how far the waterfall reaches: to the last end of a window that is bounded.
func (v *View) horizon(s *screen.Snapshot) model.Instant {
	last := s.From()
	for i := range v.rows {
		if r := &v.rows[i]; r.ahead() && r.Window.Latest.Bounded() {
			last = max(last, r.Window.Latest)
		} else if r.ahead() && r.Window.Earliest.Bounded() {
			last = max(last, r.Window.Earliest)
		}
	}
	return last
}

// axis is the waterfall's title: from now to its end.
func (v *View) axis(s *screen.Snapshot, p *paint.Painter) string {
	return "NOW " + p.Glyphs.Right + " " + p.Clock(v.horizon(s))
}

// waterfall draws a window in the time from now to the horizon: full where the pods are sure to be
// deleted within it, shaded where they may be.
func (v *View) waterfall(l *paint.Line, p *paint.Painter, s *screen.Snapshot, r *row, width int) {
	now, end := s.From(), v.horizon(s)
	if !r.ahead() || !r.Window.Earliest.Bounded() || end <= now || width < 4 {
		return
	}
	cell := func(t model.Instant) int {
		return min(max(int(float64(t.Sub(now))/float64(end.Sub(now))*float64(width-1)), 0), width-1)
	}
	from, to := cell(r.Window.Earliest), width-1
	if r.Window.Latest.Bounded() {
		to = cell(r.Window.Latest)
	}
	token, glyph := themes.Predicted, p.Glyphs.Hatch
	if r.Certain {
		token, glyph = themes.Evict, p.Glyphs.Full
	}
	l.Skip(from).Repeat(token, glyph, to-from+1)
}
