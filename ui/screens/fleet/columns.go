package fleet

import (
	"fmt"
	"strconv"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// row is one line of the table: a node, or several with one cause, represented by the first.
type row struct {
	*nodes.Entry
	// all are the nodes of a row of several.
	all []int32
	// below reports that the row is below an open row of several, which shows their common facts.
	below bool
}

func (c *rendering) longest(e row) *nodes.Entry {
	longest := e.Entry
	for _, i := range e.all {
		if x := &c.nodes.Entries[i]; x.Ages.Age.Known && x.Ages.Age.Value > longest.Ages.Age.Value {
			longest = x
		}
	}
	return longest
}

const evictTitle = "EVICT IN"

// barGap is the mark at the end of a bar that goes beyond it, and a space.
const barGap = 2

func (c *rendering) tableOf(width int) widget.Table[row] {
	bar, reason, taint, evict, since := 10, 28, 20, 0, len("STATE FOR")
	if c.area.Tier == screen.Compact {
		bar, reason, since = 8, 20, paint.DurationWidth
	}
	title := "OBSERVED"
	if c.outlook.Judged {
		title, reason, taint, evict = "WHY", 16, 18, 16
		if c.area.Tier == screen.Compact {
			bar, reason, evict = 0, 18, 13                                  // the cells above draw the ages; why a node is degraded is shown nowhere else
			if f := c.outlook.Forecast; f != nil && len(f.Evictions) == 0 { // there is nothing to show in it
				evict = paint.Width(evictTitle) + 2
			}
		}
	}
	zone := 2
	for i := range c.nodes.Zones {
		zone = max(zone, paint.Width(c.nodes.Zones[i].Short))
	}
	if c.area.Tier != screen.Compact {
		zone = max(zone, 4)
	}
	if len(c.nodes.Zones) == 1 { // no such column, so WHY has its room
		reason += min(zone, 12) + 2
	}
	silent := paint.DurationWidth
	if bar > 0 {
		silent += bar + barGap
	}
	name := min(max(c.nodes.LongestName, 12), max(width/5, 12))
	by := func(key SortKey) int { return int(key) + 1 }
	t := widget.Table[row]{Sorted: by(c.sort), Ascending: c.reverse, Columns: []widget.Column[row]{
		{Title: "NODE", Sort: by(ByName), Width: name, Named: c.name, Text: func(e row) string { return c.p.Text(e.Row.Name) }},
		{Title: "ZONE", Brief: "ZN", Sort: by(ByZone), Width: min(zone, 12), Drop: 1, Cell: c.zoneOf},
		{Title: "READY", Sort: by(ByState), Width: c.readyWidth(), Draw: c.drawReady},
		{Title: "SILENT FOR", Brief: "SILENT", Sort: by(ByHeartbeat), Width: silent, Draw: c.drawHeartbeat, Text: func(e row) string { return c.p.AgeOf(e.Ages, paint.DurationWidth) }},
		{Title: "STATE FOR", Brief: "STATE", Sort: by(ByFor), Width: since, Drop: 2, Cell: c.stateFor},
		{Title: "NOEXECUTE TAINT", Sort: by(ByTaint), Width: taint, Drop: 4, Draw: c.drawTaint},
		{Title: "PODS", Sort: by(ByPods), Width: 4, Drop: 3, Right: true, Cell: c.pods},
		{Title: evictTitle, Sort: by(ByEvict), Width: evict, Draw: c.drawEvict, Symbol: c.p.Glyphs.Predicted, Token: themes.Predicted},
		{Title: "KUBELET", Width: 9, Drop: 6, Cell: c.kubelet},
		{Title: "SKEW", Width: 7, Drop: 5, Right: true, Cell: c.skew},
		{Title: title, Called: "WHY", Width: reason, Draw: c.drawReason},
	}}
	if !c.outlook.Judged {
		t.Without(evictTitle)
	}
	if !c.s.Has(model.KindPod) {
		t.Without("PODS")
	}
	if len(c.nodes.Zones) == 1 { // it would be the same in all rows
		t.Without("ZONE")
	}
	t.Only(c.columns)
	t.Fit(width)
	if n := len(t.Columns); n > 1 {
		c.spans = t.Columns[n-2].Title == evictTitle && t.Columns[n-1].Called == "WHY"
	}
	if t.Columns[0].Title == "NODE" {
		t.Lend(40, c.nodes.LongestName)
	}
	return t
}

func (c *rendering) name(e row) (token themes.Token, name, rest string) {
	token = themes.Dim.If(e.Class == nodes.Fine, themes.Text)
	if n := len(e.all); n > 0 {
		return token, "", words.Of("count.nodes", "n", n).In(c.p)
	}
	return token, c.p.Text(c.nodes.Label(e.Row.Name)), ""
}

func (c *rendering) zoneOf(e row) (themes.Token, string) {
	if e.below {
		return themes.Dim, ""
	}
	return themes.Dim, c.p.Text(c.nodes.Zones[e.Zone].Short)
}

// readyWidth is that of the longest state, and of the sign for a last known state.
func (c *rendering) readyWidth() int {
	w := len("NotReady")
	for i := range c.nodes.Entries {
		switch e := &c.nodes.Entries[i]; {
		case e.Health == model.HealthUnseen:
			return len(e.Health.String()) + 1
		case e.LastKnown.Known():
			w = len("NotReady") + 2
		}
	}
	return w
}

func (c *rendering) drawReady(l *paint.Line, e row, width int) {
	end := l.Width() + width
	l.Put(healthTokens[e.Health], e.Health.String())
	if e.LastKnown.Known() && l.Width() < end-1 {
		l.Skip(1).Glyph(themes.Gap, c.p.Glyphs.LastKnown)
	}
	if e.Row.Node != nil && e.Row.Node.Unschedulable && l.Width() < end-1 {
		l.Skip(1).Glyph(themes.Cordoned, c.p.Glyphs.Cordoned)
	}
	l.To(end)
}

func (c *rendering) drawHeartbeat(l *paint.Line, e row, width int) {
	e.Entry = c.longest(e)
	end := l.Width() + width
	bar := width - barGap - paint.DurationWidth
	token := themes.Dim
	switch {
	case !e.Ages.Age.Known:
	case e.Ages.From == model.AgeStatus:
		l.Repeat(themes.Rule, c.p.Glyphs.Empty, bar) // too coarse to draw to scale
	default:
		token = widget.Level(e.Ages.Age.Value, c.grace, e.Health == model.HealthUnknown)
		if bar > 0 {
			widget.AgeBar(l, c.p, e.Ages.Age.Value, c.grace, bar, token)
		}
	}
	if token == themes.Unknown {
		token = themes.Text
	}
	l.To(end-paint.DurationWidth).Right(token, c.p.AgeOf(e.Ages, paint.DurationWidth), paint.DurationWidth)
}

func (c *rendering) stateFor(e row) (themes.Token, string) {
	if t := since(e.Entry); t.Bounded() && c.s.At.Bounded() && t <= c.s.From() { // one by another's clock may be ahead
		return themes.Dim, paint.Duration(c.s.From().Sub(t))
	}
	return themes.Dim, ""
}

func (c *rendering) drawTaint(l *paint.Line, e row, width int) {
	end := l.Width() + width
	t := taint(e.Entry)
	if t == nil {
		l.To(end)
		return
	}
	key := c.p.Text(shortKey(t.Key))
	if e.Taints > 1 {
		key += " +" + strconv.Itoa(int(e.Taints)-1)
	}
	l.Left(themes.Text, key, width-1-paint.DurationWidth).Skip(1)
	if at := e.Row.Node.TaintSince(t); at.Latest.Bounded() && c.s.At.Bounded() {
		l.Put(themes.Dim, c.p.AgeOf(model.Ages{Age: model.Some(max(c.s.From().Sub(at.Latest), 0)), AtLeast: at.Width() > 0}, paint.DurationWidth))
	}
	l.To(end)
}

func (c *rendering) pods(e row) (themes.Token, string) {
	pods := e.Row.PodCount()
	if len(e.all) > 0 {
		pods = 0
		for _, i := range e.all {
			pods += c.nodes.Entries[i].Row.PodCount()
		}
	}
	return themes.Dim, strconv.Itoa(pods)
}

func (c *rendering) kubelet(e row) (themes.Token, string) {
	if e.Row.Node == nil {
		return themes.Dim, "?"
	}
	return themes.Dim, c.p.Text(e.Row.Node.KubeletVersion)
}

func (c *rendering) skew(e row) (themes.Token, string) {
	if !e.Ages.Skew.Known {
		return themes.Dim, ""
	}
	return themes.Dim, paint.Offset(e.Ages.Skew.Value)
}

// comes is the forecast for the pods of a row's nodes; nil if nothing threatens them.
func (c *rendering) comes(e row) *outlook.Node {
	if len(e.all) == 0 {
		return c.outlook.Node(e.Row.Name)
	}
	var sum *outlook.Node
	for _, i := range e.all {
		n := c.outlook.Node(c.nodes.Entries[i].Row.Name)
		switch {
		case n == nil:
		case sum == nil:
			first := *n
			sum = &first
		default:
			sum.Add(n)
		}
	}
	return sum
}

func (c *rendering) drawEvict(l *paint.Line, e row, width int) {
	if c.outlook.Forecast == nil {
		word := c.p.Glyphs.Ellipsis
		switch {
		case e.Class == nodes.Fine:
			word = ""
		case !c.outlook.Missing.Pending():
			word = "?"
		}
		l.Left(themes.Faint, word, width)
		return
	}
	if e.Class != nodes.Fine && !c.s.Has(model.KindPod) {
		l.Left(themes.Faint, "?", width)
		return
	}
	n := c.comes(e)
	if turns, rest := c.turns(e, n); turns != "" {
		l.Put(ahead(n), turns).Put(themes.Warn, rest)
		return
	}
	text, first, pods := topics.EvictIn(n, c.p, c.s.From())
	of := func(all string) string {
		return words.Of("fleet.first-of", "when", text, "k", first, "all", all).In(c.p)
	}
	switch all := words.Of("count.pods", "n", pods).In(c.p); {
	case pods == 0:
	case first < pods:
		text = paint.FirstFit(width, of(all), of(strconv.Itoa(pods)), text)
	default:
		text = paint.FirstFit(width, text+" "+all, text)
	}
	token := themes.Dim
	switch {
	case n == nil:
	case n.Ahead > 0:
		token = ahead(n)
	case n.Count[forecast.Halted] == 0 && n.Count[forecast.Unseen] > 0: // the glyph shows it without colour
		l.Glyph(themes.Warn, c.p.Glyphs.LastKnown).Skip(1).Left(themes.Warn, text, width-2)
		return
	case n.Count[forecast.Halted] > 0:
		token = themes.Halted
	case n.Count[forecast.Stuck]+n.Count[forecast.Terminating] > 0:
		token = themes.Warn
	}
	l.Left(token, text, width)
}

func ahead(n *outlook.Node) themes.Token { return themes.Evict.If(n.Sure, themes.Predicted) }

// turns names the first and last node to lose pods in a row of several, and counts nodes without deletions. It is "" if
// all go together or there is no room; it uses the room of the reason too.
func (c *rendering) turns(e row, sum *outlook.Node) (turns, rest string) {
	if !c.spans || len(e.all) == 0 || sum == nil || sum.Ahead == 0 {
		return "", ""
	}
	var first, last *outlook.Node
	var firstName, lastName string
	for _, i := range e.all {
		name := c.nodes.Entries[i].Row.Name
		n := c.outlook.Node(name)
		if n == nil || n.Ahead == 0 {
			continue
		}
		if first == nil || n.Next.Compare(first.Next) < 0 {
			first, firstName = n, name
		}
		if last == nil || last.Next.Compare(n.Next) < 0 {
			last, lastName = n, name
		}
	}
	in := func(n *outlook.Node, name string) string {
		text, _, _ := topics.EvictIn(n, c.p, c.s.From())
		return text + " " + c.p.Text(c.nodes.Label(name))
	}
	turns = in(first, firstName)
	for _, state := range [...]forecast.State{forecast.Stuck, forecast.Terminating, forecast.Halted} {
		if n := sum.Count[state]; n > 0 {
			rest += fmt.Sprintf("; %d %s", n, topics.EvictionState(state))
		}
	}
	switch alike := first.Next.Alike(last.Next); {
	case alike && rest == "":
		return "", ""
	case !alike:
		turns += " " + c.p.Glyphs.Ellipsis + " " + in(last, lastName)
	}
	return turns, rest
}

// observed is the observed facts of a node, with its taint if no column shows it.
func (c *rendering) observed(e row, short bool) string {
	text := facts(e.Entry, c.p, c.grace, short)
	t := taint(e.Entry)
	if t == nil || c.tainted || c.outlook.Judged || !t.Added.Bounded() || !c.s.At.Bounded() {
		return text
	}
	if text != "" {
		text += ", "
	}
	return text + words.Of("fleet.taint-for", "for", c.s.From().Sub(t.Added)).In(c.p)
}

// drawReason draws the cause of a delay by the models, else the observed facts.
func (c *rendering) drawReason(l *paint.Line, e row, width int) {
	if turns, _ := c.turns(e, c.comes(e)); turns != "" {
		return // its place is taken
	}
	if held, short, predicted := topics.Held(c.outlook, c.outlook.Node(e.Row.Name), c.p.Text(c.nodes.Zones[e.Zone].Short), c.s.From()); !held.Missing() {
		text := paint.FirstFit(width-2, c.p.Text(held.In(c.p)), c.p.Text(short.In(c.p)))
		glyph := c.p.Glyphs.Inferred
		if predicted {
			glyph = c.p.Glyphs.Predicted
		}
		l.Glyph(themes.Faint, glyph).Skip(1).Left(themes.Text, text, width-2)
		return
	}
	if n := c.outlook.Node(e.Row.Name); n != nil && n.Ahead == 0 && n.Count[forecast.Unseen] > 0 {
		l.Left(themes.Warn, topics.EvictionWhyShort(&forecast.Why{Reason: forecast.DueInGap}).In(c.p), width)
		return
	}
	if e.below {
		return
	}
	text := c.observed(e, false)
	if paint.Width(text) > width {
		text = c.observed(e, true)
	}
	token := themes.Dim
	switch e.Class {
	case nodes.PastGrace, nodes.Late:
		token = themes.Warn
	case nodes.NotReady, nodes.Impaired:
		token = themes.Text
	}
	l.Left(token, text, width)
}
