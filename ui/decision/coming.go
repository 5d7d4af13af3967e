package decision

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// group is what comes at one time and says the same.
type group struct {
	*forecast.Coming // the first
	// first is its window, when the hull of all.
	first, when model.Interval
	n           int
	nodes       map[string]bool
	// named says that its zone is told: the tokens of several come.
	named bool
	// among is how many nodes may be those whose pods go, where it is a race who is tainted in time; 0 where it is not.
	among int
	// deleted is how many pods go where a race decides whose; it has none where that is known.
	deleted forecast.Deleted
}

// Coming is what a forecast says comes, the soonest first, in at most h rows, without what only goes along with something
// else, and without what the Cluster, or the state in which the controllers have a zone, shows to be done already: what says
// the same at the same time is one row that counts it. The last row counts what has no room, and names the key that shows
// it. is and c may be nil.
func Coming(f *forecast.Forecast, is *outlook.Outlook, c *model.Cluster, now model.Instant, p *paint.Painter, width, h int) []paint.Row {
	if f == nil || h < 1 {
		return nil
	}
	groups := grouped(f, is, c, now, nil)
	// By all of them, so that what W shows is in the words of the fleet.
	short := slices.ContainsFunc(groups, func(g *group) bool { return !g.fits(p, width) })
	more := ""
	if len(groups) > h {
		more = p.Glyphs.Ellipsis + " " + words.Of("forecast.whom.more", "n", len(groups)-h+1).In(p)
		groups = groups[:h-1]
	}
	var rows []paint.Row
	for _, g := range groups {
		rows = append(rows, g.row(now, p, width, short))
	}
	if more != "" {
		rows = append(rows, p.Line(width).Skip(2).Put(themes.Faint, more).Row())
	}
	return rows
}

// grouped is what a forecast says comes and the Cluster does not show to be done, in the order in which it is told: the soonest first and, of the same second, what
// leads to the rest before it. of is of which decisions; nil for all.
func grouped(f *forecast.Forecast, is *outlook.Outlook, c *model.Cluster, now model.Instant, of func(*model.Decision) bool) (groups []*group) {
	type key struct {
		what string
		sure bool
		zone model.ZoneKey // whose token it is
	}
	at, zones := map[key][]*group{}, map[model.ZoneKey]bool{}
	var list []*forecast.Coming
	for i := range f.Coming {
		if d := &f.Coming[i].Decision; d.Window.Latest >= now && !Minor(d) && !open(f, &f.Coming[i]) && !done(d, c) {
			list = append(list, &f.Coming[i])
		}
	}
	marks := marksOf(list)
	if of != nil {
		list = slices.DeleteFunc(list, func(c *forecast.Coming) bool { return !of(&c.Decision) })
	}
	races, deleted := raced(f, c, now, of)
	list = append(list, races...)
	marks.sort(list, now)
	list = withoutPassed(list, is)
	for _, next := range list {
		d := &next.Decision
		k := key{what: topics.What(d), sure: next.Sure}
		if len(next.Among) > 0 {
			k.zone = d.Zone.Value
			zones[k.zone] = true
		}
		when := marks.window(next)
		n := deleted[next]
		g := alike(at[k], when)
		if g == nil || n.Of > 0 {
			g = &group{Coming: next, first: when, when: when, nodes: map[string]bool{}, deleted: n}
			groups = append(groups, g)
			if n.Of == 0 {
				at[k] = append(at[k], g)
			}
		}
		g.when = model.Interval{Earliest: min(g.when.Earliest, when.Earliest), Latest: max(g.when.Latest, when.Latest)}
		g.n++
		if d.Node != "" {
			g.nodes[d.Node] = true
		}
	}
	waiting := map[string]bool{}
	for i := range f.Waits {
		if w := &f.Waits[i]; w.Window.Bounded() {
			waiting[w.Node] = true
		}
	}
	for _, g := range groups {
		g.named = len(zones) > 1
		if g.Decision.Kind == model.EvictPod && waiting[g.Decision.Node] && len(zones) == 1 {
			g.among = len(waiting)
		}
	}
	return groups
}

// First is the window of the first row of Coming that tells of a kind of decision, and whether that surely comes: a sentence
// says of it what the list does. Of a race that is when the first of many gets something, which none of their own windows
// tells. ok is false where nothing of the kind comes.
func First(f *forecast.Forecast, is *outlook.Outlook, c *model.Cluster, now model.Instant, kind model.DecisionKind) (window model.Interval, sure, ok bool) {
	groups := grouped(f, is, c, now, func(d *model.Decision) bool { return d.Kind == kind })
	if len(groups) == 0 {
		return window, false, false
	}
	return groups[0].when, groups[0].Sure, true
}

// together is how far apart the ends of two windows may be that read the same: what differs by less is one row, for two
// that say the same look like two things that happen.
const together = time.Second

// alike is the group that is within a second of a window; nil if none is.
func alike(list []*group, when model.Interval) *group {
	for _, g := range list {
		if when.Earliest.Sub(g.first.Earliest).Abs() < together && when.Latest.Sub(g.first.Latest).Abs() < together {
			return g
		}
	}
	return nil
}

// marks is from when on each node may be declared.
type marks map[string]model.Instant

// window is when something comes: nothing befalls a node before it is declared, and a taint's window may begin a tick before
// that one's does.
func (m marks) window(c *forecast.Coming) model.Interval {
	w := c.Decision.Window
	first := m[c.Decision.Node] // unknown of who is declared already
	for i, node := range c.Among {
		if at := m[node]; i == 0 || at < first {
			first = at
		}
	}
	if first.Known() {
		w.Earliest = min(max(w.Earliest, first), w.Latest)
	}
	return w
}

// InTurn puts what comes in the order in which it is told: the soonest first and, of the same second, what leads to the
// rest before it.
func InTurn(list []*forecast.Coming, now model.Instant) { marksOf(list).sort(list, now) }

// marksOf are those of what comes.
func marksOf(list []*forecast.Coming) marks {
	m := marks{}
	for _, c := range list {
		if d := &c.Decision; d.Kind == model.MarkUnknown && (!m[d.Node].Known() || d.Window.Earliest < m[d.Node]) {
			m[d.Node] = d.Window.Earliest
		}
	}
	return m
}

// sort puts what comes in turn: see InTurn.
func (m marks) sort(list []*forecast.Coming, now model.Instant) {
	type turn struct {
		*forecast.Coming
		second time.Duration
	}
	turns := make([]turn, len(list))
	for i, c := range list {
		turns[i] = turn{c, max(m.window(c).Earliest.Sub(now), 0) / time.Second}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.second, b.second), cmp.Compare(stage(a.Decision.Kind), stage(b.Decision.Kind)),
			cmp.Compare(a.Decision.Window.Latest, b.Decision.Window.Latest))
	})
	for i := range turns {
		list[i] = turns[i].Coming
	}
}

// done says that what is to come was seen, or cannot come any more: the forecast is a moment older than the Cluster. A pod that
// was deleted may be deleted once more, which changes nothing.
func done(d *model.Decision, c *model.Cluster) bool {
	switch {
	case c == nil:
		return false
	case d.Kind == model.EvictPod:
		pod := c.PodOn(d.Node, d.Pod)
		return pod == nil || pod.Deletion.Known()
	case d.Kind == model.MarkUnknown && d.Node != "":
		row := c.Node(d.Node)
		ready := (*model.Condition)(nil)
		if row != nil && row.Node != nil {
			ready = row.Node.Ready()
		}
		return ready != nil && ready.Status == model.StatusUnknown
	}
	return false
}

// withoutPassed is what comes, in turn, without a zone's ways out of states in which it is no longer, and the rates that go
// with them: what is known of the whole recording may be further than what was known when the forecast was made, and the
// zone's own row says so.
func withoutPassed(list []*forecast.Coming, is *outlook.Outlook) []*forecast.Coming {
	if is == nil {
		return list
	}
	type reached struct {
		zone model.ZoneKey
		is   any // a state, or a rate
	}
	can, known := map[reached]bool{}, map[model.ZoneKey]bool{}
	for i := range is.Zones {
		z := &is.Zones[i]
		can[reached{z.Zone, z.State}], can[reached{z.Zone, z.Rate}], known[z.Zone] = true, true, true
	}
	var gone []*model.Decision
	return slices.DeleteFunc(list, func(c *forecast.Coming) bool {
		d := &c.Decision
		var from, to any
		switch d.Kind {
		case model.ZoneState:
			from, to = d.State.From, d.State.To
		case model.SetRate: // it goes with the state for which it is set, which stands before it
			if slices.ContainsFunc(gone, func(g *model.Decision) bool { return g.Zone == d.Zone && g.Window == d.Window }) {
				return true
			}
			from, to = d.Rate.From, d.Rate.To
		default:
			return false
		}
		if !known[d.Zone.Value] {
			return false
		}
		if !can[reached{d.Zone.Value, from}] {
			gone = append(gone, d)
			return true
		}
		can[reached{d.Zone.Value, to}] = true
		return false
	})
}

// stage is how far along the way from a silent node to a deleted pod a decision is.
func stage(kind model.DecisionKind) int {
	way := [...]model.DecisionKind{model.MarkUnknown, model.MarkPodsNotReady, model.AddNoSchedule, model.ZoneState, model.EnterMasterDisruption,
		model.ExitMasterDisruption, model.SetRate, model.UntaintNoExecute, model.QueueForTaint, model.TaintNoExecute, model.ScheduleEviction,
		model.CancelEviction, model.EvictPod, model.CollectPod}
	if i := slices.Index(way[:], kind); i >= 0 {
		return i
	}
	return len(way)
}

// The columns of a row: what is decided has room for the words of a taint, and that it may not come.
const (
	aheadWidth = 12
	whatWidth  = 36
)

func whomWidth(width int) int { return max(min(width/3, width-2-aheadWidth-1-1-whatWidth), 12) }

// fits says that a row has room for what is decided, in the words that there are everywhere.
func (g *group) fits(p *paint.Painter, width int) bool {
	return FitsAhead(p, width, topics.What(&g.Decision)+g.doubt())
}

// FitsAhead says that a row of what comes has room for what is told in it.
func FitsAhead(p *paint.Painter, width int, what string) bool {
	return paint.Width(p.Text(what)) <= width-2-aheadWidth-1-whomWidth(width)-1
}

// doubt is said of what may not come at all.
func (g *group) doubt() string {
	if g.Sure {
		return ""
	}
	return words.Of("forecast.doubt").String()
}

// row is in how long it comes, to whom, and what, and that it is not certain. short takes shorter words for a zone's states,
// so that the same state has one name in all rows.
func (g *group) row(now model.Instant, p *paint.Painter, width int, short bool) paint.Row {
	d := &g.Decision
	token := themes.Predicted
	if d.Kind == model.EvictPod || d.Kind == model.CollectPod {
		token = themes.Evict
	}
	what := p.Text(topics.What(d))
	if short {
		what = shortly(d, p)
	}
	return Ahead(now, g.when, g.whom(), what, g.doubt(), token, p, width)
}

// Ahead is a row of what comes: in how long, to whom, and what, in the columns in which what the controllers decide
// stands; doubt is said after it.
func Ahead(now model.Instant, window model.Interval, whom, what, doubt string, token themes.Token, p *paint.Painter, width int) paint.Row {
	l := p.Line(width).Glyph(themes.Predicted, p.Glyphs.Predicted).Skip(1).Left(token, p.Ahead(now, window), aheadWidth).Skip(1)
	l.Left(themes.Text, p.Middle(p.Text(whom), whomWidth(width)), whomWidth(width)).Skip(1)
	return l.Put(token, what).Put(themes.Dim, doubt).Row()
}

// whom is whom it befalls.
func (g *group) whom() string {
	d := &g.Decision
	zone := cmp.Or(d.Zone.Value.Zone, d.Zone.Value.String())
	nodes := func(n int) words.Say { return words.Of("forecast.nodes", "n", n) }
	say := nodes(g.n)
	switch {
	case len(g.Among) > 0 && g.named:
		say = words.Of("forecast.whom.of-zone", "n", g.n, "nodes", nodes(len(g.Among)), "zone", zone)
	case len(g.Among) > 0:
		say = words.Of("forecast.whom.of", "n", g.n, "nodes", nodes(len(g.Among)))
	case g.deleted.Of > 1 && g.named:
		say = words.Of("forecast.whom.deleted", "pods", g.deleted, "zone", zone)
	case g.deleted.Of > 1:
		return g.deleted.String()
	case g.n == 1:
		return d.Subject()
	case d.Pod != (model.Key{}) && g.among > len(g.nodes):
		say = words.Of("forecast.whom.pods-on", "n", g.n, "of", len(g.nodes), "nodes", nodes(g.among))
	case d.Pod != (model.Key{}) && len(g.nodes) == 1:
		say = words.Of("forecast.whom.pods-of", "n", g.n, "whose", d.Node)
	case d.Pod != (model.Key{}):
		say = words.Of("forecast.whom.pods-of", "n", g.n, "whose", nodes(len(g.nodes)))
	case d.Node == "" && d.Zone.Known:
		say = words.Of("forecast.zones", "n", g.n)
	}
	return say.String()
}
