package zones

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/forecast"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/decision"
	"kardia/ui/paint"
)

// queueAndPods is who waits for a taint in the zone under the cursor, and when its armed
// pods are deleted. The two share the height; what has no room is counted.
func (c *canvas) queueAndPods(z *controllers.Zone, w, h int) []paint.Row {
	deletions := len(z.Deletions)
	below := min(deletions, max(h/3, 1)) + 1
	if z.Forever > 0 {
		below++
	}
	rows := c.queue(z, w, max(h-below-1, 3))
	if h-len(rows) < 3 {
		return rows[:min(len(rows), h)]
	}
	if !c.compact {
		rows = append(rows, paint.Row{})
	}
	rows = append(rows, c.armed(z, w, h-len(rows))...)
	if note := "NOTE  taint eviction is a plain DELETE; it asks no PodDisruptionBudget"; h-len(rows) > 2 {
		rows = append(rows, paint.Row{})
		for _, part := range paint.Fold(note, w-2) {
			rows = append(rows, c.p.Line(w).Skip(1).Put(themes.Faint, part).Row())
		}
	}
	return rows
}

// heading is the title of a pane: what it is, of what, and how that is known.
func (c *canvas) heading(w int, title, note, glyph, word string) paint.Row {
	l := c.p.Line(w).Skip(1).Put(themes.Text, title)
	if note != "" {
		l.Skip(2).Put(themes.Dim, note)
	}
	if end := w - paint.Width(word) - 3; end > l.Width() {
		l.To(end).Glyph(themes.Faint, glyph).Skip(1).Put(themes.Faint, word)
	}
	return l.Row()
}

// queue is the nodes that wait for a taint and within which bounds each gets it. It has no
// order: whoever waits may get the next token.
func (c *canvas) queue(z *controllers.Zone, w, h int) []paint.Row {
	name := c.p.Text(c.nodes.Zones[c.place].Short)
	note := strconv.Itoa(len(z.Waiting)) + " wait"
	if z.Rate == 0 {
		note += ", halted"
	}
	rows := []paint.Row{c.heading(w, "QUEUE "+name, note, c.p.Glyphs.Inferred, "inferred")}
	long, short := z.Tokens(c.s.From())
	if paint.Width(long)+3 > w {
		long = short
	}
	rows = append(rows, c.p.Line(w).Skip(2).Put(themes.Text, c.p.Text(long)).Row())
	if len(z.Waiting) == 0 || h < 4 {
		return rows
	}
	if h < 6 && len(z.Waiting) > 1 {
		token, text := c.within(z.Waiting)
		if token == themes.Predicted {
			text = "each tainted in " + text
			rows = append(rows, c.p.Line(w).Skip(2).Glyph(token, c.p.Glyphs.Predicted).Skip(1).Put(token, text).Row())
		}
		return rows
	}
	since, pods, tainted := 7, 5, 13
	node := min(max(w-2-since-pods-tainted-4, 6), 40)
	head := c.p.Line(w).Skip(2).Left(themes.Faint, "NODE", node).Skip(1).Left(themes.Faint, "SINCE", since).Skip(1).Left(themes.Faint, "PODS", pods).Skip(1)
	rows = append(rows, head.Put(themes.Predicted, c.p.Glyphs.Predicted+" TAINTED IN").Row())
	room := h - len(rows)
	shown := len(z.Waiting)
	if shown > room {
		shown = max(room-1, 0)
	}
	for _, name := range z.Waiting[:shown] {
		l := c.p.Line(w).Skip(2).Left(themes.Text, c.p.Middle(c.p.Text(c.nodes.Label(name)), node), node).Skip(1)
		l.Left(themes.Dim, c.since(name), since).Skip(1).Left(themes.Dim, c.threatened(name), pods).Skip(1)
		rows = append(rows, l.Put(c.within([]string{name})).Row())
	}
	if hidden := z.Waiting[shown:]; len(hidden) > 0 {
		l := c.p.Line(w).Skip(2).Left(themes.Faint, fmt.Sprintf("%s %d more", c.p.Glyphs.Ellipsis, len(hidden)), node+since+pods+2).Skip(1)
		rows = append(rows, l.Put(c.within(hidden)).Row())
	}
	return rows
}

// since is how long a node has waited.
func (c *canvas) since(node string) string {
	if v, ok := c.controllers.State.Nodes.Node(node, c.controllers.State.Cache); ok && c.s.Judged.Index != nil {
		if d := c.s.Judged.Index.Decision(v.Queued); d != nil {
			return paint.Duration(c.s.At.Sub(d.Time))
		}
	}
	return "?"
}

// threatened counts a node's pods that the taint would have deleted.
func (c *canvas) threatened(node string) string {
	n := c.controllers.Node(node)
	switch {
	case c.controllers.Forecast == nil:
		return c.unknown()
	case n == nil:
		return "0"
	}
	return strconv.Itoa(n.Ahead + n.Count[forecast.Halted])
}

// within is the bounds within which all of some nodes are tainted.
func (c *canvas) within(names []string) (themes.Token, string) {
	var bounds model.Interval
	for _, name := range names {
		n := c.controllers.Node(name)
		if n == nil || n.Wait == nil {
			return themes.Dim, c.unknown()
		}
		w := n.Wait.Window
		if !bounds.Known() {
			bounds = w
		}
		bounds = model.Interval{Earliest: min(bounds.Earliest, w.Earliest), Latest: max(bounds.Latest, w.Latest)}
	}
	if bounds.Earliest == model.FarFuture {
		return themes.Halted, "no taint"
	}
	return themes.Predicted, c.p.Ahead(c.s.From(), bounds)
}

// armed is the pods with a countdown, a bar for those of a node that go together.
func (c *canvas) armed(z *controllers.Zone, w, h int) []paint.Row {
	note := "none"
	if z.Armed > 0 {
		note = strconv.Itoa(z.Armed) + ", by deletion time"
	}
	rows := []paint.Row{c.heading(w, "PODS TO BE DELETED", note, c.p.Glyphs.Predicted, "predicted")}
	if c.controllers.Forecast == nil {
		return append(rows, c.p.Line(w).Skip(2).Put(themes.Dim, c.p.Text(c.controllers.Status())).Row())
	}
	room := h - len(rows)
	if z.Forever > 0 {
		room--
	}
	waves := c.waves(z.Deletions, room)
	most, times := 1, 5
	for i := range waves {
		most = max(most, waves[i].pods)
		times = max(times, paint.Width(c.p.Ahead(c.s.From(), waves[i].window)))
	}
	times = min(times, 15)
	shown := len(waves)
	if shown > room {
		shown = max(room-1, 0)
	}
	name := min(max(w/3, 8), 24)
	bar := min(max(w-2-times-2-4-1-name-1, 3), 40)
	for _, d := range waves[:shown] {
		l := c.p.Line(w).Skip(2).Right(themes.Predicted, c.p.Ahead(c.s.From(), d.window), times).Skip(2)
		full := d.pods // a cell is a pod, unless that is too wide
		if most > bar {
			full = max(d.pods*bar/most, 1)
		}
		l.Repeat(themes.Evict, c.p.Glyphs.Full, full).Skip(bar - full)
		l.Right(themes.Text, strconv.Itoa(d.pods), 4).Skip(1)
		rows = append(rows, l.Left(themes.Dim, c.p.Middle(d.of, name), name).Row())
	}
	if rest := waves[shown:]; len(rest) > 0 && room > 0 {
		pods := 0
		for i := range rest {
			pods += rest[i].pods
		}
		rows = append(rows, c.p.Line(w).Skip(2).Put(themes.Faint, c.p.Glyphs.Ellipsis+" "+decision.Counted(pods, "pod")+" later").Row())
	}
	if z.Forever > 0 && len(rows) < h {
		rows = append(rows, c.p.Line(w).Skip(2).Right(themes.Dim, "never", times).Skip(2).
			Put(themes.Dim, decision.Counted(z.Forever, "pod")+" tolerating forever").Row())
	}
	return rows
}

// wave is pods that are deleted together: those of one node or, where that makes too many
// lines, of all nodes whose pods go in the same second.
type wave struct {
	window model.Interval
	pods   int
	of     string
}

// waves are deletions in at most room lines, if that can be.
func (c *canvas) waves(deletions []controllers.Deletion, room int) []wave {
	waves := make([]wave, 0, len(deletions))
	nodes := 0
	for _, d := range deletions {
		last := len(waves) - 1
		if len(deletions) > room && last >= 0 && d.Window.Earliest.Sub(waves[last].window.Earliest) < time.Second {
			nodes++
			waves[last].pods += d.Pods
			waves[last].window.Latest = max(waves[last].window.Latest, d.Window.Latest)
			waves[last].of = "on " + decision.Counted(nodes, "node")
			continue
		}
		nodes = 1
		waves = append(waves, wave{d.Window, d.Pods, c.p.Text(c.nodes.Label(d.Node))})
	}
	return waves
}
