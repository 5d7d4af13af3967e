package postmortem

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/impact"
	"kardia/model/explain/recovery"
	"kardia/model/history"
	"kardia/model/simulate/forecast"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/report"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Standing is what is not as it should be where the report ends.
type Standing struct {
	At    report.Stamp   `json:"at"`
	Nodes []StandingNode `json:"nodes"`
	// Stuck are pods that were deleted, whose grace is over, and that are still there; Exits are the ways by which
	// those go whose node is not heard.
	Stuck []StuckPod `json:"stuck"`
	Exits []string   `json:"exits"`
	// StillMarked are the pods that the controller marked not Ready when their nodes were lost, and that are so still though
	// these are Ready again: see impact.Marked.
	StillMarked []MarkedPod `json:"stillMarked"`
	// Actors are who acted on nodes then beside the controllers, or waited to.
	Actors []report.Actor `json:"actors"`
	// Clocks are the kubelets', as the last renewals tell of them.
	Clocks Clocks `json:"clocks"`
	// Caveats are why not all nodes may be known.
	report.Caveats
	// Coming are the pods that were to be deleted then, or held back, if silent nodes stayed silent and nobody changed
	// anything, as 'get evictions' has them; null where that is not known.
	Coming *report.Evictions `json:"coming"`

	unlisted bool // there may be nodes that the input does not show
}

// StandingNode is a node that is not Ready, that takes no pods, that somebody takes away, or that is not well.
type StandingNode struct {
	Node string   `json:"node"`
	Zone *string  `json:"zone"`
	Is   []string `json:"is"`
	// LastKnownSince is since when nothing is known of the node; null where it is.
	LastKnownSince report.Stamp `json:"lastKnownSince"`
	// Checks are what must be so before it is declared out of service: of a node that is not heard.
	Checks []StandingCheck `json:"checks"`
}

// MarkedPod is one of them, since it is not Ready.
type MarkedPod struct {
	Pod   string       `json:"pod"`
	Node  string       `json:"node"`
	Since report.Stamp `json:"since"`
}

// StuckPod is one of them, since its grace was over. Heard says that its node is heard: its kubelet has not ended it.
type StuckPod struct {
	Pod   string       `json:"pod"`
	Node  string       `json:"node"`
	Since report.Stamp `json:"since"`
	Heard bool         `json:"renewing"`
}

// standing looks at the state where the report ends.
func (r *Report) standing(in *Input, scope Scope) (*Standing, error) {
	if !scope.To.Bounded() {
		return nil, nil
	}
	cursor := history.NewCursor(in.History)
	if err := cursor.Seek(scope.To); err != nil {
		return nil, err
	}
	asOf, params := history.AsOf(in.History, scope.To), in.Found.Result.Params
	unwatched := history.UnwatchedIn(in.History)
	list := nodes.Read(cursor.State(), nodes.AsOf{Now: asOf, Confirmed: asOf, Grace: params.NodeMonitorGracePeriod.Value}, unwatched, nil)
	out := &Standing{At: report.Stamp(scope.To), Nodes: []StandingNode{}, Stuck: []StuckPod{}, Exits: []string{}, StillMarked: []MarkedPod{}}
	out.Clocks, out.Actors = r.clocks(list), report.ActorsOf(cursor.State(), scope.To)
	claims := caveat.Beating | caveat.Ready
	if !r.pods {
		claims |= caveat.PodCount
	}
	if history.ByName(in.History.Sources(), model.KindNode) {
		claims |= caveat.NodeCount
	}
	out.Caveats = report.CaveatsOf(caveat.Of(caveat.View{History: in.History, State: cursor.State(), At: scope.To, Unwatched: unwatched}).Forbids(claims))
	out.unlisted = !caveat.Listed(in.History.Sources(), model.KindNode)
	for i := range list.Entries {
		e := &list.Entries[i]
		if e.Row.Node == nil || !scope.about(e.Row.Name, e.Row.Zone()) {
			continue
		}
		found := recovery.Of(e.Row, asOf, scope.To, params, recovery.Attached{Unread: "see 'get evictions'"})
		is := r.isNot(e)
		at := report.Scope{At: scope.To, Read: asOf, Unwatched: unwatched}
		if ages := e.Row.AgesAsOf(asOf); e.Row.Node.IsReady() && at.Late(e.Row, ages) {
			is = append([]string{"silent for " + model.Length(ages.Age.Value.Round(time.Second)) + ", and still Ready"}, is...)
		}
		if len(is) > 0 {
			node := StandingNode{e.Row.Name, known(true, e.Row.Node.Zone.String()), is, report.Stamp(e.LastKnown), []StandingCheck{}}
			if ready := e.Row.Node.Ready(); len(found.Exits) > 0 && (ready == nil || ready.Status != model.StatusTrue) {
				node.Checks = checksOf(found.Checks)
			}
			out.Nodes = append(out.Nodes, node)
		}
		for _, s := range found.Stuck {
			out.Stuck = append(out.Stuck, StuckPod{s.Pod.Key.String(), e.Row.Name, report.Stamp(s.Since), len(found.Exits) == 0})
		}
		if len(out.Exits) == 0 {
			for _, x := range found.Exits {
				says := topics.ExitSay(&x).String()
				if len(x.Commands) > 0 {
					says += "; " + topics.Twice().String()
				}
				out.Exits = append(out.Exits, says)
			}
		}
	}
	for _, p := range impact.Marked(cursor.State(), r.result.Decisions, scope.To) {
		if r.scan.aboutNode(p.Node) {
			out.StillMarked = append(out.StillMarked, MarkedPod{p.Key.String(), p.Node, report.Stamp(p.ReadySince)})
		}
	}
	out.Coming = r.coming(scope)
	return out, nil
}

// forecast is what lay ahead where the report ends; nil where that is not known.
func (r *Report) forecast(in *Input, scope Scope) (*forecast.Forecast, error) {
	if r.undecided != "" || !r.pods || !scope.To.Bounded() {
		return nil, nil
	}
	state, err := in.Found.Result.Known(scope.To)
	if err != nil {
		return nil, err
	}
	if r.unled = state.Unled; r.unled.Known() {
		for i := range int32(state.Cache.Rows()) {
			row := state.Cache.Row(i)
			if n := row.Node; n != nil && scope.about(row.Name, model.Some(n.Zone)) && forecast.Silent(state, row.Name) && (n.Ready() == nil || n.Ready().Status != model.StatusUnknown) {
				r.undeclared++
			}
		}
	}
	return forecast.Run(state, forecast.Options{}), nil
}

// coming are the pods whose deletion lay ahead; nil where that is not known.
func (r *Report) coming(scope Scope) *report.Evictions {
	if r.ahead == nil {
		return nil
	}
	var list []forecast.Eviction
	for _, e := range r.ahead.Evictions {
		ahead := e.State.Ahead() || e.State == forecast.Halted
		if ahead && r.scan.aboutNode(e.Node) {
			list = append(list, e)
		}
	}
	out := report.EvictionsAt(scope.To, list, report.Assumed(r.ahead))
	return &out
}

// ahead is between which times something comes.
func ahead(from, to model.Instant) string {
	switch {
	case !to.Bounded():
		return coarse(from) + " at the earliest"
	case coarse(from) == coarse(to):
		return coarse(from)
	}
	return coarse(from) + " to " + coarse(to)
}

// isNot is what of a node is not as it should be, in words.
func (r *Report) isNot(e *nodes.Entry) (is []string) {
	since := func(text string, at model.Instant) string {
		if at.Bounded() {
			text += " since " + stamp(at)
		}
		return text
	}
	n := e.Row.Node
	if ready := n.Ready(); ready == nil {
		is = append(is, "has posted no status yet")
	} else if ready.Status != model.StatusTrue {
		is = append(is, since("Ready "+ready.Status.String()+" ("+ready.Reason+")", ready.Transition))
	}
	for i := range n.Taints {
		t := &n.Taints[i]
		if t.Effect != model.NoExecute {
			continue
		}
		text, at := "tainted "+t.Key+":"+t.Effect.String(), n.TaintSince(t)
		if at.Width() > 0 && at.Latest.Bounded() {
			is = append(is, text+", by "+stamp(at.Latest)+" at the latest")
		} else {
			is = append(is, since(text, at.Latest))
		}
	}
	if n.Unschedulable {
		is = append(is, r.cordoned(n, e.Row.Name))
	}
	if x := e.Leaving; x != nil {
		is = append(is, topics.ActorSays(x).String())
	}
	for i := range e.Problems {
		text := topics.Problem(&e.Problems[i]).String()
		if at := e.Problems[i].Since; at.Bounded() {
			text += " (since " + stamp(at) + ")"
		}
		is = append(is, text)
	}
	return is
}

// cordoned says since when a node takes no pods, and by whom.
func (r *Report) cordoned(n *model.Node, name string) string {
	text := "cordoned"
	track := r.scan.nodes[name]
	if track != nil && track.cordonedAt.Bounded() {
		text += " since " + stamp(track.cordonedAt)
		if who := decision.Who(track.cordonedBy.writer, track.cordonedBy.by); who != "" {
			return text + " by " + who
		}
		return text + ", by an actor that the input does not name"
	}
	for i := range n.Taints {
		if t := &n.Taints[i]; t.Key == model.TaintUnschedulable && t.Added.Bounded() {
			text += " since " + stamp(t.Added)
		}
	}
	return text + ", before the input shows it"
}

func (r *Report) tellStanding() chapter {
	c := chapter{title: "How it stood at the end"}
	is := r.Standing
	if is == nil {
		c.say("Not known: the input does not show when it ends.")
		return c
	}
	nodes, pods := "all nodes were Ready and healthy, and took pods", "no pod in the input was still there after its termination grace"
	if n := len(is.Nodes); n > 0 {
		nodes = were(n, "node") + " silent, not Ready, cordoned, leaving or degraded"
	} else if is.unlisted {
		nodes = "all nodes in the input were Ready and healthy, and took pods"
	}
	if len(is.Nodes) == 0 && len(is.NotKnown) > 0 {
		nodes = "no node in the input was seen to be silent or not Ready"
	}
	if doubt := is.Caveats.Says(); doubt != "" {
		nodes += ". Not known: " + doubt
	}
	if n := len(is.Stuck); n > 0 {
		pods = were(n, "deleted pod") + " still there after the grace"
	} else if !r.pods {
		pods = "of pods nothing is known"
	}
	if n := len(is.StillMarked); n > 0 {
		pods += "; " + topics.Marked(n).String()
	}
	c.say(fmt.Sprintf("At %s %s; %s.", stamp(model.Instant(is.At)), nodes, pods))
	c.put(is.nodes())
	stuck := &table{head: []string{"Deleted, and still there", "Node", "Grace over", "Waits for"}}
	for i := range is.Stuck[:min(len(is.Stuck), most)] {
		s := &is.Stuck[i]
		stuck.add(s.Pod, s.Node, cmp.Or(stamp(model.Instant(s.Since)), "not known"), map[bool]string{true: "its kubelet, which is heard", false: "its node, which is not heard"}[s.Heard])
	}
	c.put(stuck)
	if more := max(len(is.Nodes), len(is.Stuck)) - most; more > 0 {
		c.say("More are in the JSON.")
	}
	if len(is.Exits) > 0 {
		c.say("Pods on silent nodes are removed in one of these ways:")
		c.items(is.Exits)
	}
	others := &table{head: []string{"Who else acts", "Does", "When", "Why not yet", "Nodes", "Known from"}}
	for i := range is.Actors[:min(len(is.Actors), most)] {
		a := &is.Actors[i]
		others.add(a.Who, a.Does, cmp.Or(a.Time(), "not known"), cmp.Or(a.Halts, "–"), a.Named(), strings.Join(a.Because, "; "))
	}
	c.put(others)
	is.tellChecks(&c)
	is.Clocks.tell(&c)
	r.tellComing(&c)
	return c
}

// nodes are those that are not as they should be: those of one zone of which the same is said are one row.
func (is *Standing) nodes() *table {
	t := &table{head: []string{"Nodes", "Zone", "Are", "Known"}}
	type same struct{ zone, are, seen string }
	named := map[same][]string{}
	var order []same
	for i := range is.Nodes {
		n := &is.Nodes[i]
		k := same{or(n.Zone, "not known"), strings.Join(n.Is, "; "), "then"}
		if at := model.Instant(n.LastKnownSince); at.Known() {
			k.seen = "last, at " + stamp(at)
		}
		if named[k] == nil {
			order = append(order, k)
		}
		named[k] = append(named[k], n.Node)
	}
	for _, k := range order[:min(len(order), most)] {
		t.add(names(named[k], mostNames), k.zone, k.are, k.seen)
	}
	return t
}

// tellComing tells which pods were still to be deleted.
func (r *Report) tellComing(c *chapter) {
	if r.Standing.Coming == nil {
		if r.pods {
			c.say("Which pods were to be deleted next is not known: " + cmp.Or(r.undecided, "nobody watched") + ".")
		}
		return
	}
	list := r.Standing.Coming.Evictions
	if len(list) == 0 {
		c.say(words.Of("forecast.report.none").String())
		return
	}
	c.say(words.Of("forecast.report.pods", "n", len(list)).String())
	t := &table{head: []string{"Pod", "Node", "To be deleted", "T+", "Certain", "Why"}}
	for i := range list[:min(len(list), most)] {
		e := &list[i]
		from, to := model.Instant(e.Earliest), model.Instant(e.Latest)
		when, sure := "not in that state", "–"
		if from.Bounded() {
			when, sure = ahead(from, to), "no"
			if e.Certain != nil && *e.Certain {
				sure = "yes"
			}
		}
		t.add(model.Key{Namespace: e.Namespace, Name: e.Pod}.String(), e.Node, when, r.relative(from), sure, e.Why)
	}
	c.put(t)
}
