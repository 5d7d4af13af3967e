package node

import (
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screens/remedy"
	"kardia/ui/widget"
	"kardia/ui/words"
)

type part struct {
	pane        pane
	title, note string
	widget.List
}

// standard stacks the header, the reasons and the conditions above two columns: taints and facts at the left, pods at
// the right. The events are below them.
func (c *rendering) standard(h int) []paint.Row {
	rows := []paint.Row{c.header(), c.leaseLine()}
	add := func(l part, most int) {
		if most = min(most, h-len(rows)); most >= 3 {
			rows = append(rows, c.paneRows(l, c.w, most, 0, len(rows))...)
		}
	}
	if reasons := c.why(c.w - 4); reasons.N > 0 {
		add(reasons, max(h/3, 8))
	}
	add(c.conditions(c.w-4), max(h/3, 6))
	events := c.events(c.w - 4)
	top, left := len(rows), c.w/2
	if room := h - top - min(events.N+2, max((h-top)/3, 3)); room >= 3 {
		rows = append(rows, c.p.Beside(c.stack(left, room, top), left, c.paneRows(c.podsPane(c.w-left-4), c.w-left, room, left, top), c.w, false)...)
	}
	add(events, h)
	rows = append(rows, c.lately(h-len(rows))...)
	return append(rows, c.remedies(h-len(rows))...)
}

// remedies are the ways to remove the stuck pods of a node that is not Ready, and the other actors on it. They are side
// by side, if there is room.
func (c *rendering) remedies(room int) []paint.Row {
	const least = 8
	if h := c.row.Health(); room < least || h == model.HealthReady || h == model.HealthUnseen {
		return nil
	}
	left := c.w / 2
	part := func(title, key string, w int, read func(*screen.Snapshot, *paint.Painter, *model.NodeRow, int) []paint.Row) []paint.Row {
		pane := widget.Pane{Title: title, Note: words.Of("node.all-of-it", "key", key).In(c.p)}
		inner, h := pane.Inner(w, room)
		text := read(c.s, c.p, c.row, inner)
		if len(text) <= h {
			pane.Note = ""
		}
		return pane.Rows(c.p, text[:min(len(text), h)], w, pane.Outer(min(len(text), h)))
	}
	return c.p.Beside(part("Recovery", "R", left, remedy.Recovery), left, part("Other actors", "A", c.w-left, remedy.Actors), c.w, false)
}

// lately is the last decisions about the node and its pods, if there is room.
func (c *rendering) lately(room int) []paint.Row {
	return c.s.LatelyIn(widget.Pane{Title: "Decided lately"}, func(d *model.Decision) bool { return d.Node == c.name }, c.p, c.w, room)
}

func (c *rendering) stack(w, room, top int) []paint.Row {
	taints := c.taints(w - 4)
	rows := c.paneRows(taints, w, max(min(taints.N+len(taints.Head)+2, room-3), room/2, 3), 0, top)
	if room -= len(rows); room < 3 {
		return rows
	}
	return append(rows, c.paneRows(c.facts(w-4), w, room, 0, top+len(rows))...)
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
	rows := []paint.Row{c.header()}
	if reasons.N > 0 && l.pane != paneWhy { // the reasons stay in sight: they are the question
		rows = append(rows, c.paneRows(reasons, c.w, min(reasons.N+1, max(room-len(l.Head)-l.N-1, room-8)), 0, 1)...)
	}
	body := c.paneRows(l, c.w, room+1-len(rows), 0, len(rows)+1) // before the tabs, which name the part of it in sight
	rows = append(append(rows, c.tabBar(&parts, len(rows))), body...)
	for len(rows) < h-1 {
		rows = append(rows, paint.Row{})
	}
	return append(rows, c.leaseLine())
}

func (c *rendering) tabBar(lists *[paneCount]part, line int) paint.Row {
	l := c.p.Line(c.w)
	c.tabLine = line
	titles := tabTitles()
	for i := range lists {
		title := titles[i]
		switch pane(i) {
		case panePods, paneTaints, paneEvents:
			title = lists[i].title // counts the items: an empty list has a line too, which reports that
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
	hint := words.Label("tab next") + " "
	if in := c.scroll[c.focus].InSight(); in != "" {
		hint = in + "  " + hint
	}
	if l.Rest() > paint.Width(hint)+1 {
		l.To(c.w-paint.Width(hint)).Put(themes.Faint, hint)
	}
	return l.Row()
}

func tabTitles() [paneCount]string {
	return [paneCount]string{words.Label("Conditions"), words.Label("Pods"), words.Label("Taints"), words.Label("Events"), words.Label("Facts"), words.Label("Why")}
}

func (c *rendering) tiny() []paint.Row {
	rows := []paint.Row{c.p.Line(c.w).Skip(1).Put(themes.Text, c.p.Text(c.name)).Row(), c.header()}
	for _, l := range []part{c.why(c.w), c.taints(c.w)} {
		for i := range l.N {
			rows = append(rows, l.Draw(i))
		}
	}
	return append(rows, c.leaseLine())
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
	if reasons.N > 0 {
		add(reasons, max(h/3, 8))
	}
	add(conditions, max(h/2, 8))
	add(taints, max(h/6, 5))
	add(pods, max(h-len(rows)-6, 6))
	add(events, h)
	return rows[:min(len(rows), max(h, 0))]
}

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

func (c *rendering) header() paint.Row {
	l := c.p.Line(c.w).Skip(1)
	glyph, word, token := c.state()
	if glyph != "" {
		l.Glyph(token, glyph).Skip(1)
	}
	l.Put(token, word)
	if n := c.row.Node; n != nil {
		if since := c.row.ReadySince(); since.Bounded() {
			is := words.Text(" " + c.since(since))
			if c.w >= 100 {
				is = words.Of("node.state-for", "for", c.since(since))
			}
			l.Put(token, is.In(c.p))
		}
		if n.Unschedulable {
			l.Skip(2).Glyph(themes.Cordoned, c.p.Glyphs.Cordoned).Skip(1).Put(themes.Cordoned, words.Of("node.cordoned").In(c.p))
			if who, last := n.CordonedBy(); who != "" {
				l.Put(themes.Dim, words.Of("node.cordoned-last", "who", c.p.Text(who), "ago", c.since(last)).In(c.p))
			}
		}
		if n.Deleted.Known() {
			l.Skip(2).Put(themes.Text, words.Label("being deleted"))
		}
	}
	if c.lastKnown.Known() {
		l.Skip(2).Put(themes.Gap, c.p.Glyphs.LastKnown+" "+words.Of("fleet.last-known", "at", c.lastKnown).In(c.p))
	}
	l.Skip(3).Put(themes.Faint, "SILENT FOR ")
	if c.ages.Ahead.Known {
		return l.Put(themes.Warn, words.Of("node.age-ahead", "ahead", c.ages.Ahead.Value).In(c.p)).Row()
	}
	if !c.ages.Age.Known {
		return l.Put(themes.Dim, words.Of("fleet.ages.none").In(c.p)).Row()
	}
	age := c.ages.Age.Value
	if c.ages.From == model.AgeStatus {
		return l.Put(themes.Dim, c.p.AgeOf(c.ages, paint.DurationWidth+1)+"  "+words.Of("node.age-coarse").In(c.p)).Row()
	}
	level := widget.Level(age, c.grace, c.row.Health() == model.HealthUnknown)
	l.Left(level, c.p.AgeOf(c.ages, paint.DurationWidth+1), paint.DurationWidth+1)
	if c.ages.AtMost {
		return l.Put(themes.Gap, words.Label("not watched meanwhile")).Row()
	}
	text := c.graceText(age)
	if room := l.Rest() - paint.Width(text) - 3; room < 4 {
		if room > -3 {
			l.Put(themes.Dim, text)
		}
		return l.Row()
	}
	widget.GraceBar(l, c.p, age, c.grace, l.Rest()-paint.Width(text)-3, level)
	l.Skip(2).Put(themes.Dim, text)
	return l.Row()
}

// graceText compares the age with the grace period as the controller counts it. It counts from the pass that saw the
// last sign of life, not from the kubelet's last renewal.
func (c *rendering) graceText(age time.Duration) string {
	grace := words.Of("fleet.grace", "grace", words.Setting(c.grace)).In(c.p)
	ends := c.outlook.Silence(c.row).GraceEnds
	switch ready := c.row.Health(); {
	case ready == model.HealthUnknown && c.w >= 100:
		return words.Of("node.grace.then-declared", "grace", grace, "at", c.clock(c.row.ReadySince())).In(c.p)
	case ready == model.HealthUnknown:
		return words.Of("node.grace.declared", "at", c.clock(c.row.ReadySince())).In(c.p)
	case c.outlook.Leaderless():
		return words.Of("node.grace.leader", "grace", grace).In(c.p)
	case ends.Known() && ends.Latest <= c.s.From():
		return words.Of("node.grace.over", "grace", grace).In(c.p)
	case ends.Known():
		return words.Of("node.grace.ends", "grace", grace, "in", c.p.In(c.s.From(), ends)).In(c.p)
	case age >= c.grace:
		return words.Of("node.grace.longer", "grace", grace).In(c.p)
	}
	return grace
}

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
		return g.New, words.Of("fleet.never").In(c.p), themes.Text
	}
	return g.Unseen, words.Of("fleet.unseen").In(c.p), themes.Text
}
