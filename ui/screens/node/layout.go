package node

import (
	"fmt"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// list is what a pane holds: a title, and rows that are drawn only when in sight.
type list struct {
	pane  pane
	title string
	// note is said beside the title.
	note string
	// head are rows that do not scroll: column titles, an axis.
	head []paint.Row
	n    int
	draw func(i int) paint.Row
	// cursor is the row that must be in sight, where there is one.
	cursor    int
	hasCursor bool
}

// standard stacks the header and the conditions above two columns: taints, facts and
// events at the left, pods at the right.
func (c *canvas) standard(h int) []paint.Row {
	rows := []paint.Row{c.header(), c.leaseLine(), {}}
	conditions := c.conditions(c.w)
	rows = append(rows, c.box(conditions, c.w, min(len(conditions.head)+conditions.n, max(h/2-3, 4)), 0, len(rows))...)
	rows = append(rows, c.p.Rule(c.w))
	room := h - len(rows)
	if room < 3 {
		return rows
	}
	left := c.w / 2
	top := len(rows)
	right := c.podsAndWhy(c.w-left-2, room, left+2, top)
	for i := range right {
		right[i] = c.p.Line(c.w - left - 1).Skip(1).Append(right[i]).Row()
	}
	return append(rows, c.p.Beside(c.stack(left-1, room, top), left, right, c.w)...)
}

// podsAndWhy is the pods and, below them, why they go or stay: that is the question, so the
// pods give way to it.
func (c *canvas) podsAndWhy(w, room, x, top int) []paint.Row {
	pods, reasons := c.podsPane(w), c.why(w)
	if reasons.n == 0 {
		return c.box(pods, w, room, x, top)
	}
	below := min(reasons.n+1, max(room/2, room-7, room-pods.n-len(pods.head)-2))
	rows := c.box(pods, w, room-below-1, x, top)
	rows = append(rows, paint.Row{})
	return append(rows, c.box(reasons, w, below, x, top+len(rows))...)
}

// stack is taints, facts and events above each other.
func (c *canvas) stack(w, room, top int) []paint.Row {
	taints, facts, events := c.taints(w), c.facts(w), c.events(w)
	var rows []paint.Row
	add := func(l list, h int) {
		if h < 2 {
			return
		}
		if len(rows) > 0 {
			rows = append(rows, paint.Row{})
		}
		rows = append(rows, c.box(l, w, h, 0, top+len(rows))...)
	}
	add(taints, min(taints.n+1, max(room/3, 2)))
	add(facts, min(facts.n+1, room-len(rows)-1-min(max(events.n, 1)+2, room/3)))
	add(events, room-len(rows)-1)
	return rows
}

// compact shows one pane at a time, under tabs.
func (c *canvas) compact(h int) []paint.Row {
	reasons := c.why(c.w)
	lists := [paneCount]list{c.conditions(c.w), c.podsPane(c.w), c.taints(c.w), c.events(c.w), c.facts(c.w), reasons}
	rows := []paint.Row{c.header(), c.tabBar(&lists, 1)}
	l := lists[min(c.focus, paneCount-1)]
	room := h - len(rows) - 1
	below := 0 // for the reasons, which stay in sight: they are the question
	if reasons.n > 0 && l.pane != paneWhy {
		below = max(min(reasons.n+1, max(room-len(l.head)-l.n-1, room-8)), 0)
	}
	rows = append(rows, c.body(l, c.w, room-below, 0, len(rows))...)
	if below > 0 {
		for len(rows) < h-1-below {
			rows = append(rows, paint.Row{})
		}
		rows = append(rows, c.box(reasons, c.w, below, 0, len(rows))...)
	}
	for len(rows) < h-1 {
		rows = append(rows, paint.Row{})
	}
	return append(rows, c.leaseLine())
}

// tabBar names the panes; the one in sight stands in brackets.
func (c *canvas) tabBar(lists *[paneCount]list, line int) paint.Row {
	l := c.p.Line(c.w)
	c.tabLine = line
	for i := range lists {
		title := tabTitles[i]
		switch pane(i) {
		case panePods, paneTaints, paneEvents:
			title += " " + itoa(lists[i].n)
		case paneWhy:
			if lists[i].n == 0 {
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
	if hint := "tab next "; l.Rest() > len(hint)+1 {
		l.To(c.w-len(hint)).Put(themes.Faint, hint)
	}
	return l.Row()
}

var tabTitles = [paneCount]string{"Conditions", "Pods", "Taints", "Events", "Facts", "Why"}

// tiny is what matters most, line by line.
func (c *canvas) tiny() []paint.Row {
	rows := []paint.Row{c.p.Line(c.w).Skip(1).Put(themes.Text, c.p.Text(c.name)).Row(), c.header()}
	l := c.taints(c.w)
	for i := range l.n {
		rows = append(rows, l.draw(i))
	}
	rows = append(rows, c.leaseLine())
	reasons := c.why(c.w)
	for i := range reasons.n {
		rows = append(rows, reasons.draw(i))
	}
	return rows
}

// Brief is the node beside the fleet's table: what fits into a column, without tabs.
func (v *View) Brief(s *screen.Snapshot, p *paint.Painter, name string, w, h int) []paint.Row {
	v.Show(name)
	c := v.canvas(s, p, w)
	if c.row == nil {
		return []paint.Row{c.absent()}
	}
	focus := v.focus
	v.focus = paneCount // nothing here has the focus
	defer func() { v.focus = focus }()
	rows := []paint.Row{p.Line(w).Skip(1).Put(themes.Text, p.Text(name)).Row(), c.header(), {}}
	add := func(l list, most int) {
		if room := h - len(rows); room >= 3 && most >= 1 {
			rows = append(rows, c.box(l, w, min(l.n+len(l.head)+1, room, most), 0, 0)...)
			rows = append(rows, paint.Row{})
		}
	}
	add(c.conditions(w), max(h/2, 8))
	add(c.taints(w), max(h/6, 3))
	reasons := c.why(w)
	add(c.podsPane(w), max(h-len(rows)-8-reasons.n, 6))
	if reasons.n > 0 {
		add(reasons, h)
	}
	add(c.events(w), h)
	return rows[:min(len(rows), max(h, 0))]
}

// box is a pane with its title, in at most h lines. It says what is out of sight.
func (c *canvas) box(l list, w, h, x, y int) []paint.Row {
	if h < 1 {
		return nil
	}
	if l.title == "" {
		return c.body(l, w, h, x, y) // its head is its title
	}
	line := c.p.Line(w).Skip(1)
	token := themes.Faint
	if l.pane == c.focus {
		token = themes.Accent
	}
	line.Put(token, l.title)
	if l.note != "" {
		line.Skip(3).Put(themes.Dim, l.note)
	}
	return append([]paint.Row{line.Row()}, c.body(l, w, h-1, x, y+1)...)
}

// body is what a pane shows below its title, in at most h lines.
func (c *canvas) body(l list, w, h, x, y int) []paint.Row {
	rows := append([]paint.Row{}, l.head[:min(len(l.head), max(h, 0))]...)
	room := h - len(rows)
	if room <= 0 {
		return rows
	}
	page := room
	if l.n > room {
		page = max(room-1, 1)
	}
	c.rows[l.pane], c.page[l.pane] = l.n, page
	c.boxes[l.pane] = screen.Rect{X: x, Y: y - 1, W: w, H: h + 1}
	from := min(c.scroll[l.pane], max(l.n-page, 0))
	if l.hasCursor {
		from = min(max(from, l.cursor-page+1), l.cursor)
	}
	c.firstRow[l.pane] = y + len(rows)
	c.scroll[l.pane] = from
	to := min(from+page, l.n)
	for i := from; i < to; i++ {
		rows = append(rows, l.draw(i))
	}
	if l.n > room && room > 1 {
		text := fmt.Sprintf("%s %d more", c.p.Glyphs.Ellipsis, l.n-to)
		if from > 0 {
			text = fmt.Sprintf("%s %d above, %d more", c.p.Glyphs.Ellipsis, from, l.n-to)
		}
		rows = append(rows, c.p.Line(w).Skip(2).Put(themes.Faint, text).Row())
	}
	return rows
}

// header is the state, since when, and the heartbeat's age against the grace period.
func (c *canvas) header() paint.Row {
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
		}
		if n.Deleted.Known() {
			l.Skip(2).Put(themes.Text, "being deleted")
		}
	}
	l.Skip(3).Put(themes.Faint, "HEARTBEAT ")
	if !c.ages.Age.Known {
		return l.Put(themes.Dim, "none known").Row()
	}
	age := c.ages.Age.Value
	if c.ages.From == model.AgeStatus {
		return l.Put(themes.Dim, paint.Duration(age)+"  from the node's status, up to 5 min coarse").Row()
	}
	level := widget.Level(age, c.grace, c.row.Health() == model.HealthUnknown)
	l.Left(level, paint.Duration(age), paint.DurationWidth+1)
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

// graceText says how the age stands to the grace period.
func (c *canvas) graceText(age duration) string {
	grace := "grace " + paint.Duration(c.grace)
	if c.w < 100 && age >= c.grace {
		return "grace out " + c.p.Clock(c.s.At.Add(c.grace-age))
	}
	if age < c.grace {
		return grace
	}
	return grace + " ran out " + c.p.Clock(c.s.At.Add(c.grace-age))
}

// state is the node's Ready condition as glyph, word and colour.
func (c *canvas) state() (glyph, word string, token themes.Token) {
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
