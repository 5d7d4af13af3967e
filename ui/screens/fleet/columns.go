package fleet

import (
	"fmt"
	"strconv"

	"kardia/model"
	"kardia/model/forecast"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// column is one column of the table.
type column struct {
	title, brief string
	sort         SortKey
	sorts        bool
	// width is the least width; the last column takes what is left.
	width int
	// drop is the order in which columns go where there is no room, the highest first; 0 stays.
	drop  int
	right bool
	draw  func(c *canvas, l *paint.Line, e *nodes.Entry, width int)
}

// evictTitle heads the column of what is predicted.
const evictTitle = "EVICT IN"

const (
	gutter = 2 // the cursor and the mark
	gap    = 2 // between columns
)

// columns are the columns that fit into a width, in declared order, and their widths.
func (c *canvas) columns(width int) []column {
	bar, reason, taint, evict, since := 10, 28, 20, 0, len("STATE FOR")
	if c.area.Tier == screen.Compact {
		bar, reason, since = 8, 20, paint.DurationWidth
	}
	title := "OBSERVED"
	if c.controllers.Judged {
		title, reason, taint, evict = "WHY", 16, 18, 16
		if c.area.Tier == screen.Compact {
			bar, reason, evict = 6, 10, 13
		}
	}
	zone := 2
	for i := range c.nodes.Zones {
		zone = max(zone, paint.Width(c.nodes.Zones[i].Short))
	}
	if c.area.Tier != screen.Compact {
		zone = max(zone, 4)
	}
	name := min(max(c.nodes.LongestName, 12), max(width/5, 12))
	all := []column{
		{title: "NODE", sort: ByName, sorts: true, width: name, draw: (*canvas).drawName},
		{title: "ZONE", brief: "ZN", sort: ByZone, sorts: true, width: min(zone, 12), drop: 1, draw: (*canvas).drawZone},
		{title: "READY", sort: ByState, sorts: true, width: 8, draw: (*canvas).drawReady},
		{title: "SILENT FOR", sort: ByHeartbeat, sorts: true, width: bar + 1 + 1 + paint.DurationWidth, draw: (*canvas).drawHeartbeat},
		{title: "STATE FOR", brief: "STATE", sort: ByFor, sorts: true, width: since, drop: 2, draw: (*canvas).drawFor},
		{title: "NOEXECUTE TAINT", sort: ByTaint, sorts: true, width: taint, drop: 4, draw: (*canvas).drawTaint},
		{title: "PODS", sort: ByPods, sorts: true, width: 4, drop: 3, right: true, draw: (*canvas).drawPods},
		{title: evictTitle, sort: ByEvict, sorts: true, width: evict, draw: (*canvas).drawEvict},
		{title: "KUBELET", width: 9, drop: 6, draw: (*canvas).drawKubelet},
		{title: "SKEW", width: 7, drop: 5, right: true, draw: (*canvas).drawSkew},
		{title: title, width: reason, draw: (*canvas).drawReason},
	}
	if !c.controllers.Judged {
		all = without(all, evictTitle)
	}
	if !c.s.Has(model.KindPod) {
		all = without(all, "PODS")
	}
	for total(all) > width {
		worst := 0
		for i := range all {
			if all[i].drop > all[worst].drop {
				worst = i
			}
		}
		if all[worst].drop == 0 {
			break
		}
		all = without(all, all[worst].title)
	}
	last := &all[len(all)-1]
	last.width = max(last.width+width-total(all), 0)
	if spare := min(last.width-40, c.nodes.LongestName-name); spare > 0 {
		all[0].width += spare
		last.width -= spare
	}
	return all
}

func total(columns []column) int {
	n := gutter - gap
	for i := range columns {
		n += columns[i].width + gap
	}
	return n
}

func without(columns []column, title string) []column {
	kept := make([]column, 0, len(columns))
	for _, col := range columns {
		if col.title != title {
			kept = append(kept, col)
		}
	}
	return kept
}

func (c *canvas) drawName(l *paint.Line, e *nodes.Entry, width int) {
	token := themes.Text
	if e.Class == nodes.Fine {
		token = themes.Dim
	}
	name := c.p.Text(c.nodes.Label(e.Row.Name))
	if n := len(c.together); n > 0 {
		last := c.p.Text(c.nodes.Label(c.nodes.Entries[c.together[n-1]].Row.Name))
		count := fmt.Sprintf(", %d", n)
		name += " " + c.p.Glyphs.Ellipsis + " " + last
		if paint.Width(name+count) > width { // how many matters more than which
			name = strconv.Itoa(n) + " nodes"
			count = ""
		}
		name += count
	}
	l.Left(token, c.p.Middle(name, width), width)
}

func (c *canvas) drawZone(l *paint.Line, e *nodes.Entry, width int) {
	l.Left(themes.Dim, c.p.Text(c.nodes.Zones[e.Zone].Short), width)
}

func (c *canvas) drawReady(l *paint.Line, e *nodes.Entry, width int) {
	word, token := readyWord(e)
	end := l.Width() + width
	l.Put(token, word)
	if e.Row.Node != nil && e.Row.Node.Unschedulable && l.Width() < end-1 {
		l.Skip(1).Glyph(themes.Cordoned, c.p.Glyphs.Cordoned)
	}
	l.To(end)
}

func (c *canvas) drawHeartbeat(l *paint.Line, e *nodes.Entry, width int) {
	end := l.Width() + width
	bar := width - 2 - paint.DurationWidth
	token := themes.Dim
	switch {
	case !e.Ages.Age.Known:
	case e.Ages.From == model.AgeStatus:
		l.Repeat(themes.Rule, c.p.Glyphs.Empty, bar) // too coarse to draw to scale
	default:
		token = widget.Level(e.Ages.Age.Value, c.grace, e.Health == model.HealthUnknown)
		widget.AgeBar(l, c.p, e.Ages.Age.Value, c.grace, bar, token)
	}
	if token == themes.Unknown {
		token = themes.Text
	}
	l.To(end-paint.DurationWidth).Right(token, c.p.AgeOf(e.Ages, paint.DurationWidth), paint.DurationWidth)
}

func (c *canvas) drawFor(l *paint.Line, e *nodes.Entry, width int) {
	text := ""
	if t := since(e); t.Bounded() && c.s.At.Bounded() {
		text = paint.Duration(c.s.At.Sub(t))
	}
	l.Left(themes.Dim, text, width)
}

func (c *canvas) drawTaint(l *paint.Line, e *nodes.Entry, width int) {
	end := l.Width() + width
	t := taint(e)
	if t == nil {
		l.To(end)
		return
	}
	key := c.p.Text(shortKey(t.Key))
	if e.Taints > 1 {
		key += " +" + strconv.Itoa(int(e.Taints)-1)
	}
	l.Left(themes.Text, key, width-1-paint.DurationWidth).Skip(1)
	if t.Added.Bounded() && c.s.At.Bounded() {
		l.Put(themes.Dim, paint.Duration(c.s.At.Sub(t.Added)))
	}
	l.To(end)
}

func (c *canvas) drawPods(l *paint.Line, e *nodes.Entry, width int) {
	pods := e.Row.PodCount()
	if len(c.together) > 0 {
		pods = 0
		for _, i := range c.together {
			pods += c.nodes.Entries[i].Row.PodCount()
		}
	}
	l.Right(themes.Dim, strconv.Itoa(pods), width)
}

func (c *canvas) drawKubelet(l *paint.Line, e *nodes.Entry, width int) {
	text := "?"
	if e.Row.Node != nil {
		text = c.p.Text(e.Row.Node.KubeletVersion)
	}
	l.Left(themes.Dim, text, width)
}

func (c *canvas) drawSkew(l *paint.Line, e *nodes.Entry, width int) {
	text := ""
	if e.Ages.Skew.Known {
		text = paint.Offset(e.Ages.Skew.Value)
	}
	l.Right(themes.Dim, text, width)
}

// drawEvict is when the node's pods go: a countdown and how many, or a word.
func (c *canvas) drawEvict(l *paint.Line, e *nodes.Entry, width int) {
	if c.controllers.Forecast == nil {
		word := c.p.Glyphs.Ellipsis
		switch {
		case e.Class == nodes.Fine:
			word = ""
		case !c.controllers.Pending:
			word = "?"
		}
		l.Left(themes.Faint, word, width)
		return
	}
	n := c.controllers.Node(e.Row.Name)
	text, pods := n.EvictIn(c.p, c.s.From())
	if len(c.together) > 0 {
		pods = 0
		for _, i := range c.together {
			_, each := c.controllers.Node(c.nodes.Entries[i].Row.Name).EvictIn(c.p, c.s.From())
			pods += each
		}
	}
	if long := text + " " + decision.Counted(pods, "pod"); pods > 0 && paint.Width(long) <= width {
		text = long
	}
	token := themes.Dim
	switch {
	case n == nil:
	case n.Ahead > 0:
		token = themes.Predicted
	case n.Count[forecast.Halted] > 0:
		token = themes.Halted
	case n.Count[forecast.Stuck]+n.Count[forecast.Terminating] > 0:
		token = themes.Evict
	}
	l.Left(token, text, width)
}

// observed is what has been observed of a node, with its taint where no column shows it.
func (c *canvas) observed(e *nodes.Entry, short bool) string {
	text := facts(e, c.p, c.grace, short)
	t := taint(e)
	if t == nil || c.tainted || c.controllers.Judged || !t.Added.Bounded() || !c.s.At.Bounded() {
		return text
	}
	if text != "" {
		text += ", "
	}
	return text + "taint " + paint.Duration(c.s.At.Sub(t.Added))
}

// drawReason is why the node is as it is: what the model says holds it back, else what has
// been observed.
func (c *canvas) drawReason(l *paint.Line, e *nodes.Entry, width int) {
	if held, short := c.controllers.Held(c.controllers.Node(e.Row.Name), c.p.Text(c.nodes.Zones[e.Zone].Short), c.s.From()); held != "" {
		if paint.Width(held) > width-2 {
			held = short
		}
		l.Glyph(themes.Faint, c.p.Glyphs.Inferred).Skip(1).Left(themes.Text, c.p.Text(held), width-2)
		return
	}
	text := c.observed(e, false)
	if paint.Width(text) > width {
		text = c.observed(e, true)
	}
	token := themes.Dim
	switch e.Class {
	case nodes.Past, nodes.Late:
		token = themes.Warn
	case nodes.NotReady, nodes.Impaired:
		token = themes.Text
	}
	l.Left(token, text, width)
}
