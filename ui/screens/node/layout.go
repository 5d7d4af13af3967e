package node

import (
	"fmt"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screens/remedy"
	"kardia/ui/widget"
)

// part is what a pane holds.
type part struct {
	pane        pane
	title, note string
	widget.List
}

// standard stacks the header and the conditions above two columns: taints, facts and
// events at the left, pods and the reasons at the right.
func (c *rendering) standard(h int) []paint.Row {
	rows := []paint.Row{c.header(), c.leaseLine()}
	rows = append(rows, c.paneRows(c.conditions(c.w-4), c.w, max(h/2-1, 6), 0, len(rows))...)
	room, top, left := h-len(rows), len(rows), c.w/2
	if room < 3 {
		return rows
	}
	rows = append(rows, c.p.Beside(c.stack(left, room, top), left, c.podsAndWhy(c.w-left, room, left, top), c.w, false)...)
	rows = append(rows, c.lately(h-len(rows))...)
	return append(rows, c.remedies(h-len(rows))...)
}

// remedies are the ways to remove the stuck pods of a node that is not Ready, and the other actors on it, beside each
// other if the rest has left room for them.
func (c *rendering) remedies(room int) []paint.Row {
	const least = 8
	if h := c.row.Health(); room < least || h == model.HealthReady || h == model.HealthUnseen {
		return nil
	}
	left := c.w / 2
	part := func(title, key string, w int, read func(*screen.Snapshot, *paint.Painter, *model.NodeRow, int) []paint.Row) []paint.Row {
		pane := widget.Pane{Title: title, Note: key + ": all of it"}
		inner, h := pane.Inner(w, room)
		text := read(c.s, c.p, c.row, inner)
		if len(text) <= h {
			pane.Note = ""
		}
		return pane.Rows(c.p, text[:min(len(text), h)], w, pane.Outer(min(len(text), h)))
	}
	return c.p.Beside(part("Recovery", "R", left, remedy.Recovery), left, part("Who else acts", "A", c.w-left, remedy.Actors), c.w, false)
}

// lately is the last decisions about the node and its pods, if the rest has left room for them.
func (c *rendering) lately(room int) []paint.Row {
	const least = 4
	pane := widget.Pane{Title: "Decided lately"}
	if room < least {
		return nil
	}
	w, h := pane.Inner(c.w, room)
	rows := decision.Lately(c.s.Judged, c.s.At, func(d *model.Decision) bool { return d.Node == c.name }, c.p, w, h)
	if len(rows) == 0 {
		return nil
	}
	return pane.Rows(c.p, rows, c.w, pane.Outer(len(rows)))
}

// podsAndWhy is the pods and, below them, why they go or stay: that is the question, so the
// pods give way to it.
func (c *rendering) podsAndWhy(w, room, x, top int) []paint.Row {
	pods, reasons := c.podsPane(w-4), c.why(w-4)
	if reasons.N == 0 {
		return c.paneRows(pods, w, room, x, top)
	}
	below := min(reasons.N+2, max(room/2, room-8, room-pods.N-len(pods.Head)-2))
	rows := c.paneRows(pods, w, room-below, x, top)
	return append(rows, c.paneRows(reasons, w, below, x, top+len(rows))...)
}

// stack is taints, facts and events above each other.
func (c *rendering) stack(w, room, top int) (rows []paint.Row) {
	taints, facts, events := c.taints(w-4), c.facts(w-4), c.events(w-4)
	add := func(l part, h int) {
		if h > 2 {
			rows = append(rows, c.paneRows(l, w, h, 0, top+len(rows))...)
		}
	}
	add(taints, min(taints.N+len(taints.Head)+2, max(room/3, 3)))
	add(facts, min(facts.N+2, room-len(rows)-min(max(events.N, 1)+2, room/3)))
	add(events, room-len(rows))
	return rows
}

// compact shows one pane at a time, under tabs.
func (c *rendering) compact(h int) []paint.Row {
	c.bare = true
	reasons := c.why(c.w)
	parts := [paneCount]part{c.conditions(c.w), c.podsPane(c.w), c.taints(c.w), c.events(c.w), c.facts(c.w), reasons}
	l := parts[min(c.focus, paneCount-1)]
	if l.pane != paneWhy {
		l.title = "" // its tab shows it
	}
	room := h - 3 // for header, tabs and lease
	below := 0    // for the reasons, which stay in sight: they are the question
	if reasons.N > 0 && l.pane != paneWhy {
		below = max(min(reasons.N+1, max(room-len(l.Head)-l.N-1, room-8)), 0)
	}
	body := c.paneRows(l, c.w, room-below, 0, 2)
	rows := append([]paint.Row{c.header(), c.tabBar(&parts, 1)}, body...)
	if below > 0 {
		for len(rows) < h-1-below {
			rows = append(rows, paint.Row{})
		}
		rows = append(rows, c.paneRows(reasons, c.w, below, 0, len(rows))...)
	}
	for len(rows) < h-1 {
		rows = append(rows, paint.Row{})
	}
	return append(rows, c.leaseLine())
}

// tabBar names the panes; the one in sight is in brackets.
func (c *rendering) tabBar(lists *[paneCount]part, line int) paint.Row {
	l := c.p.Line(c.w)
	c.tabLine = line
	for i := range lists {
		title := tabTitles[i]
		switch pane(i) {
		case panePods, paneTaints, paneEvents:
			title = lists[i].title // it counts what there is: the list has a line too that reports that there is none
		case paneWhy:
			if lists[i].N == 0 {
				continue
			}
		}
		from := l.Width()
		if i == int(c.focus) {
			l.Skip(1).Put(themes.Accent, "["+title+"]")
		} else {
			l.Skip(2).Put(themes.Dim, title).Skip(1)
		}
		c.tabs[i] = [2]int{from, l.Width()}
	}
	hint := "tab next "
	if from, to := c.scroll[c.focus].Shown(); to-from < lists[c.focus].N {
		hint = fmt.Sprintf("%d-%d of %d  ", from+1, to, lists[c.focus].N) + hint
	}
	if l.Rest() > len(hint)+1 {
		l.To(c.w-len(hint)).Put(themes.Faint, hint)
	}
	return l.Row()
}

var tabTitles = [paneCount]string{"Conditions", "Pods", "Taints", "Events", "Facts", "Why"}

// tiny is what matters most, line by line.
func (c *rendering) tiny() []paint.Row {
	rows := []paint.Row{c.p.Line(c.w).Skip(1).Put(themes.Text, c.p.Text(c.name)).Row(), c.header()}
	l := c.taints(c.w)
	for i := range l.N {
		rows = append(rows, l.Draw(i))
	}
	rows = append(rows, c.leaseLine())
	reasons := c.why(c.w)
	for i := range reasons.N {
		rows = append(rows, reasons.Draw(i))
	}
	return rows
}

// Brief is the node beside the fleet's table: what fits into a column, without tabs.
func (v *View) Brief(s *screen.Snapshot, p *paint.Painter, name string, w, h int) []paint.Row {
	v.Show(name)
	c := v.rendering(s, p, w)
	if c.row == nil {
		return c.absent(h)
	}
	v.focus = paneCount // the keys are the fleet's
	head := widget.Pane{Title: p.Text(name)}
	c.w -= 4
	rows := head.Rows(p, []paint.Row{c.header()}, w, 3)
	add := func(l part, most int) {
		if room := h - len(rows); room > 3 && most > 3 {
			rows = append(rows, c.paneRows(l, w, min(l.N+len(l.Head)+2, room, most), 0, 0)...)
		}
	}
	w -= 4
	conditions, taints, pods, reasons, events := c.conditions(w), c.taints(w), c.podsPane(w), c.why(w), c.events(w)
	w += 4
	add(conditions, max(h/2, 8))
	add(taints, max(h/6, 5))
	add(pods, max(h-len(rows)-8-reasons.N, 6))
	if reasons.N > 0 {
		add(reasons, h)
	}
	add(events, h)
	return rows[:min(len(rows), max(h, 0))]
}

// paneRows is a pane in at most h lines.
func (c *rendering) paneRows(l part, w, h, x, y int) []paint.Row {
	pane := widget.Pane{Title: l.title, Note: l.note, Focused: l.pane == c.focus, Bare: c.bare}
	h = min(h, pane.Outer(len(l.Head)+l.N))
	if h < 1 {
		return nil
	}
	_, top := pane.Origin()
	c.paneRects[l.pane], c.firstRow[l.pane] = screen.Rect{X: x, Y: y, W: w, H: h}, y+top+len(l.Head)
	return pane.List(c.p, l.List, &c.scroll[l.pane], w, h)
}

// header is the state, since when, and the heartbeat's age against the grace period.
func (c *rendering) header() paint.Row {
	l := c.p.Line(c.w).Skip(1)
	glyph, word, token := c.state()
	if glyph != "" {
		l.Glyph(token, glyph).Skip(1)
	}
	l.Put(token, word)
	if n := c.row.Node; n != nil {
		if since := c.row.ReadySince(); since.Bounded() {
			between := " for "
			if c.w < 100 {
				between = " "
			}
			l.Put(token, between+c.since(since))
		}
		if n.Unschedulable {
			l.Skip(2).Glyph(themes.Cordoned, c.p.Glyphs.Cordoned).Skip(1).Put(themes.Cordoned, "cordoned")
			if who, last := n.CordonedBy(); who != "" {
				l.Put(themes.Dim, " by "+c.p.Text(who)+" "+c.since(last)+" ago")
			}
		}
		if n.Deleted.Known() {
			l.Skip(2).Put(themes.Text, "being deleted")
		}
	}
	if c.lastKnown.Known() {
		l.Skip(2).Put(themes.Gap, c.p.Glyphs.LastKnown+" last known "+c.p.Clock(c.lastKnown))
	}
	l.Skip(3).Put(themes.Faint, "SILENT FOR ")
	if c.ages.Ahead.Known {
		return l.Put(themes.Warn, "not known: its renewTime is "+paint.Duration(c.ages.Ahead.Value)+" ahead").Row()
	}
	if !c.ages.Age.Known {
		return l.Put(themes.Dim, "none known").Row()
	}
	age := c.ages.Age.Value
	if c.ages.From == model.AgeStatus {
		return l.Put(themes.Dim, c.p.AgeOf(c.ages, paint.DurationWidth+1)+"  from the node's status, up to 5 min coarse").Row()
	}
	level := widget.Level(age, c.grace, c.row.Health() == model.HealthUnknown)
	l.Left(level, c.p.AgeOf(c.ages, paint.DurationWidth+1), paint.DurationWidth+1)
	if c.ages.AtMost {
		return l.Put(themes.Gap, "not watched meanwhile").Row()
	}
	text := c.graceText(age)
	if room := l.Rest() - len(text) - 3; room < 4 {
		if room > -3 {
			l.Put(themes.Dim, text)
		}
		return l.Row()
	}
	widget.GraceBar(l, c.p, age, c.grace, l.Rest()-len(text)-3, level)
	l.Skip(2).Put(themes.Dim, text)
	return l.Row()
}

// graceText compares the age with the grace period, which ends as the controller counts. It does not end when the
// kubelet has been silent for so long, but that long after the pass that counted its last sign of life.
func (c *rendering) graceText(age duration) string {
	grace := "grace " + paint.Duration(c.grace)
	ends := c.controllers.Silence(c.row).GraceEnds
	switch ready := c.row.Health(); {
	case ready == model.HealthUnknown && c.w >= 100:
		return grace + ", declared " + c.clock(c.row.ReadySince())
	case ready == model.HealthUnknown:
		return "declared " + c.clock(c.row.ReadySince())
	case c.controllers.Leaderless():
		return grace + ", restarts with a leader"
	case ends.Known() && ends.Latest <= c.s.From():
		return grace + " over"
	case ends.Known():
		return grace + " ends " + c.p.In(c.s.From(), ends)
	case age >= c.grace:
		return "longer than grace " + paint.Duration(c.grace)
	}
	return grace
}

// state is the node's Ready condition as glyph, word and colour.
func (c *rendering) state() (glyph, word string, token themes.Token) {
	g := &c.p.Glyphs
	switch c.row.Health() {
	case model.HealthUnknown:
		return g.Unknown, "Unknown", themes.Unknown
	case model.HealthNotReady:
		return g.NotReady, "NotReady", themes.NotReady
	case model.HealthReady:
		return "", "Ready", themes.Text
	case model.HealthNever:
		return g.New, "never posted a status", themes.Text
	}
	return g.Unseen, "Node object not seen", themes.Text
}
