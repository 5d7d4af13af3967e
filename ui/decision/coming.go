package decision

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
)

// group is what comes at one time and says the same.
type group struct {
	*forecast.Coming // the first
	n                int
	nodes            map[string]bool
	// named says that its zone is told: the tokens of several come.
	named bool
	// among is how many nodes may be those whose pods go, where it is a race who is tainted in time; 0 where it is not.
	among int
}

// Coming is what a forecast says comes, the soonest first, in at most h rows, without what only goes along with something
// else, and without what the Cluster shows to be done already: what says the same at the same time is one row that
// counts it. The last row counts what has no room, and names the key that shows it.
func Coming(f *forecast.Forecast, c *model.Cluster, now model.Instant, p *paint.Painter, width, h int) []paint.Row {
	if f == nil || h < 1 {
		return nil
	}
	groups := grouped(f, c, now)
	more := ""
	if len(groups) > h {
		more = fmt.Sprintf("%s %d more   W shows all", p.Glyphs.Ellipsis, len(groups)-h+1)
		groups = groups[:h-1]
	}
	var rows []paint.Row
	short := slices.ContainsFunc(groups, func(g *group) bool { return !g.fits(p, width) })
	for _, g := range groups {
		rows = append(rows, g.row(now, p, width, short))
	}
	if more != "" {
		rows = append(rows, p.Line(width).Skip(2).Put(themes.Faint, more).Row())
	}
	return rows
}

// grouped is what a forecast says comes and the Cluster does not show to be done, in the order in which it is told: the soonest first and, of the same second, what
// leads to the rest before it.
func grouped(f *forecast.Forecast, c *model.Cluster, now model.Instant) (groups []*group) {
	type key struct {
		what     string
		from, to model.Instant
		zone     model.ZoneKey // whose token it is
	}
	at, zones := map[key]*group{}, map[model.ZoneKey]bool{}
	var list []*forecast.Coming
	for i := range f.Coming {
		if d := &f.Coming[i].Decision; d.Window.Latest >= now && !Minor(d) && !done(d, c) {
			list = append(list, &f.Coming[i])
		}
	}
	InTurn(list, now)
	for _, next := range list {
		d := &next.Decision
		k := key{what: What(d), from: d.Window.Earliest.Truncate(time.Second), to: d.Window.Latest.Truncate(time.Second)}
		if len(next.Among) > 0 {
			k.zone = d.Zone.Value
			zones[k.zone] = true
		}
		g := at[k]
		if g == nil {
			g = &group{Coming: next, nodes: map[string]bool{}}
			at[k], groups = g, append(groups, g)
		}
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

// InTurn puts what comes in the order in which it is told: the soonest first and, of the same second, what leads to the
// rest before it. Nothing befalls a node before it is declared: a taint's window may begin a tick before that one's does.
func InTurn(list []*forecast.Coming, now model.Instant) {
	marks := map[string]model.Instant{}
	for _, c := range list {
		if d := &c.Decision; d.Kind == model.MarkUnknown && (!marks[d.Node].Known() || d.Window.Earliest < marks[d.Node]) {
			marks[d.Node] = d.Window.Earliest
		}
	}
	second := func(c *forecast.Coming) time.Duration {
		return max(max(c.Decision.Window.Earliest, marks[c.Decision.Node]).Sub(now), 0) / time.Second
	}
	slices.SortStableFunc(list, func(a, b *forecast.Coming) int {
		return cmp.Or(cmp.Compare(second(a), second(b)), cmp.Compare(stage(a.Decision.Kind), stage(b.Decision.Kind)),
			cmp.Compare(a.Decision.Window.Latest, b.Decision.Window.Latest))
	})
}

// done says that what is to come was seen: the forecast is a moment older than the Cluster. A pod that was deleted may
// be deleted once more, which changes nothing.
func done(d *model.Decision, c *model.Cluster) bool {
	switch {
	case c == nil:
		return false
	case d.Kind == model.EvictPod:
		pod := c.PodOn(d.Node, d.Pod)
		return pod != nil && pod.Deletion.Known()
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
	return FitsAhead(p, width, What(&g.Decision)+g.doubt())
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
	return "  perhaps"
}

// row is in how long it comes, to whom, and what, and that it is not certain. short takes shorter words for a zone's states,
// so that the same state has one name in all rows.
func (g *group) row(now model.Instant, p *paint.Painter, width int, short bool) paint.Row {
	d := &g.Decision
	token := themes.Predicted
	if d.Kind == model.EvictPod || d.Kind == model.CollectPod {
		token = themes.Evict
	}
	what := p.Text(What(d))
	if short {
		what = shortly(d, p)
	}
	return Ahead(now, d.Window, g.whom(), what, g.doubt(), token, p, width)
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
	switch {
	case len(g.Among) > 0 && g.named:
		return fmt.Sprintf("%d of %s of %s", g.n, Counted(len(g.Among), "node"), cmp.Or(d.Zone.Value.Zone, d.Zone.Value.String()))
	case len(g.Among) > 0:
		return fmt.Sprintf("%d of %s", g.n, Counted(len(g.Among), "node"))
	case g.n == 1:
		return d.Subject()
	case d.Pod != (model.Key{}) && g.among > len(g.nodes):
		return fmt.Sprintf("%d pods of %d of %s", g.n, len(g.nodes), Counted(g.among, "node"))
	case d.Pod != (model.Key{}) && len(g.nodes) == 1:
		return fmt.Sprintf("%d pods of %s", g.n, d.Node)
	case d.Pod != (model.Key{}):
		return fmt.Sprintf("%d pods of %s", g.n, Counted(len(g.nodes), "node"))
	}
	if d.Node == "" && d.Zone.Known {
		return Counted(g.n, "zone")
	}
	return Counted(g.n, "node")
}
