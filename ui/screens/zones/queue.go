package zones

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// queueAndPods shows the nodes queued in the selected zone, and when the pods there are deleted. The two share the
// height; the rest is counted.
func (c *rendering) queueAndPods(z *outlook.Zone, w, h int) []paint.Row {
	queue := c.pane(words.Of("pane.queue", "zone", c.p.Text(c.nodes.Zones[c.rows.Cursor].Short)).In(c.p), c.inferred())
	queue.Note = words.Of("queue.n", "n", len(z.Waiting)).In(c.p)
	if z.Rate == 0 {
		queue.Note += ", " + words.Of("zone.halted").In(c.p)
	}
	pods := c.pane(words.Label("Pods to be deleted"), c.predicted())
	unread := c.s.Unread(model.KindPod)
	switch {
	case unread != "":
		pods.Note = words.Label("not known")
	default:
		pods.Note = c.toGo(z, w)
	}
	inner, room := queue.Inner(w, h)
	waves := len(z.Deletions)
	if z.ToTaint.Of > 0 {
		waves++
	}
	below := pods.Outer(min(waves, max(h/3, 1)) + 2)
	rows := c.queue(z, inner, max(room-below, 2))
	above := min(queue.Outer(len(rows)), h)
	out := queue.Rows(c.p, rows, w, above)
	if below = h - above; below < 4 {
		return out
	}
	_, room = pods.Inner(w, below)
	if rows = c.armed(z, inner, room); unread != "" {
		rows = []paint.Row{c.p.Line(inner).Skip(2).Put(themes.Warn, words.Of("zones.pods-unread", "why", unread).In(c.p)).Row()}
	}
	if !c.compact {
		below = min(below, pods.Outer(len(rows)))
	}
	return append(out, pods.Rows(c.p, rows, w, below)...)
}

// toGo counts the pods to be deleted: pending, as in the zone's row, and those whose nodes are still to be tainted.
func (c *rendering) toGo(z *outlook.Zone, w int) string {
	pending, is := words.Of("zones.pending", "k", z.Armed).String(), &z.ToTaint
	waiting := words.Of("zones.once-tainted", "pods", topics.Deleted(&is.Deleted)).In(c.p)
	if w < 80 {
		waiting = words.Of("zones.wait", "n", is.Most).In(c.p)
		if !is.Surely() {
			waiting = c.p.Text(words.Of("zones.wait-most", "most", is.Most, "all", is.Of).In(c.p))
		}
	}
	switch {
	case z.Armed > 0 && is.Of > 0:
		return pending + ", " + waiting
	case z.Armed > 0:
		return pending
	case is.Of > 0:
		return waiting
	}
	return words.Label("none")
}

// pane is a pane with its title, and the evidence of its contents.
func (c *rendering) pane(title, known string) widget.Pane {
	return widget.Pane{Title: title, End: known, Bare: c.compact}
}

// queue shows the queued nodes and the bounds of each one's taint. Any of them may get the next token.
func (c *rendering) queue(z *outlook.Zone, w, h int) []paint.Row {
	rows := []paint.Row{c.p.Line(w).Skip(2).Put(themes.Text, c.p.Text(c.tokens(z, w-3))).Row()}
	if len(z.Waiting) == 0 || h < 2 {
		return rows
	}
	if h < 4 && len(z.Waiting) > 1 {
		token, text := c.within(z.Waiting)
		if token == themes.Predicted {
			rows = append(rows, c.p.Line(w).Skip(2).Glyph(token, c.p.Glyphs.Predicted).Skip(1).Put(token, words.Of("zones.each-tainted", "in", text).In(c.p)).Row())
		}
		return rows
	}
	shown := len(z.Waiting)
	if room := h - len(rows) - 1; shown > room {
		shown = max(room-1, 0)
	}
	hidden := z.Waiting[shown:]
	longest := max(8, paint.Width(c.more(hidden))) // a number that is cut reads as another one
	least := max(w-42, longest)
	for _, name := range z.Waiting {
		longest = max(longest, paint.Width(c.p.Text(c.nodes.Label(name))))
	}
	t := widget.Table[[]string]{Columns: []widget.Column[[]string]{
		{Title: "NODE", Width: min(longest, least, 40), Named: func(names []string) (themes.Token, string, string) {
			if len(names) > 1 {
				return themes.Faint, "", c.more(names)
			}
			return themes.Text, c.p.Text(c.nodes.Label(names[0])), ""
		}},
		{Title: "WAITS FOR", Brief: "FOR", Width: 9, Drop: 1, Cell: c.each(c.since)},
		{Title: "PODS", Width: 4, Drop: 2, Cell: c.each(c.threatened)},
		{Title: "TAINTED IN", Symbol: c.p.Glyphs.Predicted, Token: themes.Predicted, Width: 13, Cell: c.within},
	}}
	t.Fit(w)
	rows = append(rows, t.Titles(c.p, w))
	for i := range z.Waiting[:shown] {
		rows = append(rows, t.Row(c.p, z.Waiting[i:i+1], w, false))
	}
	if len(hidden) > 0 {
		rows = append(rows, t.Row(c.p, hidden, w, false))
	}
	return rows
}

// tokens words how many nodes wait and when they are tainted, in w cells. The count is left out first.
func (c *rendering) tokens(z *outlook.Zone, w int) string {
	full, brief := topics.Queue(z, c.s.From())
	long, short := c.p.Text(full.In(c.p)), c.p.Text(brief.In(c.p))
	if paint.Width(long) <= w {
		return long
	}
	if _, rest, counted := strings.Cut(short, ", "); counted && len(z.Waiting) > 0 && paint.Width(short) > w {
		return rest
	}
	return short
}

func (c *rendering) more(names []string) string {
	return c.p.Glyphs.Ellipsis + " " + words.Of("more", "n", len(names)).In(c.p)
}

// each is a cell about one node, empty for several.
func (c *rendering) each(of func(node string) string) func([]string) (themes.Token, string) {
	return func(names []string) (themes.Token, string) {
		if len(names) > 1 {
			return themes.Dim, ""
		}
		return themes.Dim, of(names[0])
	}
}

// since is how long a node has waited; at least since the recording's start if it waited then.
func (c *rendering) since(node string) string {
	v, ok := c.outlook.State.Nodes.Node(node, c.outlook.State.Cache)
	if !ok || c.s.Judged.Index == nil {
		return "?"
	}
	if d := c.s.Judged.Index.Decision(v.Queued); d != nil {
		return paint.Duration(c.s.From().Sub(d.Time))
	}
	if covered := c.s.From().Sub(c.s.Coverage.Earliest); v.Waiting && covered > 0 && len(c.s.Gaps) == 0 {
		return c.p.Text("≥" + paint.Duration(covered))
	}
	return "?"
}

// threatened counts a node's pods that the taint would have deleted.
func (c *rendering) threatened(node string) string {
	n := c.outlook.Node(node)
	switch {
	case c.outlook.Forecast == nil:
		return c.unknown()
	case n == nil:
		return "0"
	}
	return strconv.Itoa(n.Ahead + n.Count[forecast.Halted])
}

// within are the bounds within which all named nodes are tainted, or tainted again if they have the taint.
func (c *rendering) within(names []string) (themes.Token, string) {
	var bounds model.Interval
	for _, name := range names {
		n := c.outlook.Node(name)
		if n == nil || n.Wait == nil {
			return themes.Dim, c.unknown()
		}
		w := n.Wait.Window
		if !bounds.Known() {
			bounds = w
		}
		bounds = bounds.Around(w)
	}
	if bounds.Earliest == model.FarFuture {
		if !slices.ContainsFunc(names, func(name string) bool { return !c.outlook.Tainted(name) }) {
			return themes.Dim, words.Label("has its taint")
		}
		return themes.Halted, words.Label("no taint")
	}
	return themes.Predicted, c.p.Ahead(c.s.From(), bounds)
}

// armed shows the pods with a countdown, one bar for pods of a node that go together, then pods of untainted nodes.
func (c *rendering) armed(z *outlook.Zone, w, h int) (rows []paint.Row) {
	if c.outlook.Forecast == nil {
		return append(rows, c.p.Line(w).Skip(2).Put(themes.Dim, c.p.Text(topics.UnjudgedShort(c.outlook.Missing))).Row())
	}
	room := h - len(rows)
	if z.Forever > 0 {
		room--
	}
	waves := c.waves(z.Deletions, room)
	if q := &z.ToTaint; q.Of > 0 {
		of := words.Of("queue.n", "n", q.Waiting).In(c.p)
		if !q.Surely() {
			of = c.p.Text(words.Of("zones.wait-most", "most", q.Tainted, "all", q.Waiting).In(c.p))
		}
		waves = append(waves, wave{q.Window, q.Most, of})
	}
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
	if z.ToTaint.Of > 0 { // how many wait is not cut
		name = max(name, paint.Width(waves[len(waves)-1].of))
	}
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
		rows = append(rows, c.p.Line(w).Skip(2).Put(themes.Faint, c.p.Glyphs.Ellipsis+" "+words.Of("queue.later", "n", pods).In(c.p)).Row())
	}
	if z.Forever > 0 && len(rows) < h {
		rows = append(rows, c.p.Line(w).Skip(2).Right(themes.Dim, words.Label("never"), times).Skip(2).
			Put(themes.Dim, words.Of("queue.forever", "n", z.Forever).In(c.p)).Row())
	}
	return rows
}

// wave is pods that are deleted together: those of one node or, with too many lines, of all nodes in the same second.
type wave struct {
	window model.Interval
	pods   int
	of     string
}

func (c *rendering) waves(deletions []outlook.Deletion, room int) []wave {
	waves := make([]wave, 0, len(deletions))
	nodes := 0
	for _, d := range deletions {
		last := len(waves) - 1
		if len(deletions) > room && last >= 0 && d.Window.Earliest.Sub(waves[last].window.Earliest) < time.Second {
			nodes++
			waves[last].pods += d.Pods
			waves[last].window.Latest = max(waves[last].window.Latest, d.Window.Latest)
			waves[last].of = words.Of("queue.on", "n", nodes).In(c.p)
			continue
		}
		nodes = 1
		waves = append(waves, wave{d.Window, d.Pods, c.p.Text(c.nodes.Label(d.Node))})
	}
	return waves
}
