// Package controllers reads off a Judgement, in one pass, what the fleet, node and zones
// views say of what the controllers think and of what comes: an entry per zone and per
// threatened node. It concludes nothing that the models have not said.
package controllers

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/verdict"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// View is what the models say at one instant. It is made by Read.
type View struct {
	// Judged says that models run at all; State and Forecast are theirs, nil while that is
	// being worked out, or cannot be.
	Judged bool
	// Pending says that what is missing is being worked out, and will come.
	Pending  bool
	State    *infer.State
	Forecast *forecast.Forecast
	// Verdicts are whose fault it is, the most urgent first; none where nothing is wrong, or State is nil.
	Verdicts []verdict.Verdict
	// Marked are the pods that are still not Ready, though their nodes are Ready again: see impact.Marked.
	Marked []*model.Pod
	// Master says that the controller is in master disruption.
	Master bool
	// Armed counts the pods whose countdown runs, Next is when the first of them is deleted;
	// unknown where Armed is 0.
	Armed int
	Next  model.Interval
	// Queued counts the nodes that wait for a taint that they do not have. Anew counts those that stand in the queues beside
	// them: after master disruption, or a start of the controller, also who has its taint waits, and gets it anew.
	Queued, Anew int
	// Total is all pods that go for a taint as things stand, those too whose nodes are still to be tainted.
	Total Total

	// Restart is when the controllers began anew last, if that was lately; nil where it was not.
	Restart *why.Restart

	// Zones are those that the controller knows, in the order of screens; none where Unsettled.
	Zones []Zone
	// Unsettled says that what the controller thinks of zones rests on what nobody watched.
	Unsettled bool
	nodes     []Node
	index     map[string]int32 // of nodes, by name
	zones     map[model.ZoneKey]int

	// darkens says that every zone will be dark, as it is foreseen.
	darkens bool

	from   source
	status string
}

// stale is how far the models' instant may be from the one shown, as far as they have come:
// further away, their answer is not yet about what is on the screen.
const stale = 30 * time.Second

// source is what a View was made from.
type source struct {
	result   *infer.Result
	state    *infer.State
	forecast *forecast.Forecast
	missing  string
	progress float64
	judged   bool
	// unsettled: what the controller thinks of zones rests on what nobody watched.
	unsettled bool
}

// Read is what a Judgement says of an instant; of none, that no models run. before is the View of another instant, which
// is taken where the same is said; nil for none. A View is not modified after that. unsettled says that what the
// controller thinks of zones rests on what nobody watched.
func Read(j *Judgement, at model.Instant, unsettled bool, before *View) *View {
	from := source{judged: j != nil, unsettled: unsettled}
	if j != nil {
		from.result, from.missing, from.progress = j.Result, j.Missing, j.Progress
		about := at // beyond Until the models have heard nobody, and do not speak
		if j.Until.Known() {
			about = min(about, j.Until)
		}
		if j.State != nil && j.State.At.Sub(about).Abs() <= stale && supported(j) {
			from.state = j.State
		}
		if from.state != nil && j.Forecast != nil && j.Forecast.At.Sub(about).Abs() <= stale {
			from.forecast = j.Forecast
		}
	}
	made := []*View{before}
	if j != nil {
		made = append(made, j.View)
	}
	for _, v := range made {
		if v != nil && v.from == from {
			return v
		}
	}
	o := &View{Judged: j != nil, State: from.state, Forecast: from.forecast, from: from, status: status(j, from), Unsettled: unsettled, index: map[string]int32{}, zones: map[model.ZoneKey]int{}}
	o.Pending = o.Judged && o.Forecast == nil && supported(j) && (j.Progress < 1 || j.Missing == "")
	if o.State != nil {
		o.Verdicts, o.Marked = j.Verdicts, j.Marked
	}
	if o.State != nil && !o.State.Arrived && !unsettled {
		o.readZones()
	}
	if o.Forecast != nil {
		for i := range o.Forecast.Coming {
			o.darkens = o.darkens || o.Forecast.Coming[i].Decision.Kind == model.EnterMasterDisruption
		}
		o.readEvictions()
	}
	if o.State != nil {
		o.readRestart(j.Decisions())
	}
	return o
}

// lately is for how long it is known that the controllers began anew.
const lately = time.Hour

// readRestart finds when the controllers began anew, and which countdowns with them.
func (o *View) readRestart(decisions []model.Decision) {
	due := map[model.Key]model.Instant{}
	if o.Forecast != nil {
		for i := range o.Forecast.Evictions {
			if e := &o.Forecast.Evictions[i]; e.State == forecast.Due {
				due[e.Pod] = e.Window.Earliest
			}
		}
	}
	o.Restart = why.LastRestart(decisions, o.State.At.Add(-lately), o.State.At, due)
}

// supported says that the input can support a judgement at all: else what the models have
// to say of silence is invented.
func supported(j *Judgement) bool { return j.Result == nil || len(j.Result.Unsupported) == 0 }

// status says why there is no judgement, or no whole one; "" if there is nothing to say.
func status(j *Judgement, from source) string {
	switch {
	case j == nil:
		return ""
	case j.Missing != "":
		return j.Missing
	case !supported(j):
		return topics.Note(&j.Result.Unsupported[0]).String()
	case from.forecast != nil:
		return ""
	case j.Progress < 1:
		return fmt.Sprintf("being worked out, %d%%", int(j.Progress*100))
	}
	return "being worked out"
}

// Status says why there is no judgement, or no whole one; "" if there is nothing to say. It
// is clean.
func (o *View) Status() string { return paint.Clean(o.status) }

// InShort is Status for screens that stand below the headline, which has it in full: where nothing can be judged it
// points to what says why.
func (o *View) InShort() string {
	if o.from.missing != "" && o.from.progress >= 1 && o.Forecast == nil {
		return "not judged, ! says why"
	}
	return o.Status()
}

// Holding is why no time is known at which the controllers do what comes; false if they act. One look at a cluster may show by
// its lease alone that there is no leader: the verdict says so then, and not since when.
func (o *View) Holding() (is caveat.Caveat, ok bool) {
	is, ok = caveat.Holding(o.State)
	if is.Reason != caveat.NoLeader && len(o.Verdicts) > 0 && o.Verdicts[0].Rule == verdict.NotActing && !o.State.Overdue.Known() {
		return caveat.Caveat{Reason: caveat.NoLeader}, true
	}
	return is, ok
}

// Leaderless says that nobody leads the controllers, so that nothing of what comes does until somebody does.
func (o *View) Leaderless() bool {
	is, ok := o.Holding()
	return ok && is.Reason == caveat.NoLeader
}

// Declared is when a node is declared Unknown, if it stays silent; false where that is not foreseen.
func (o *View) Declared(node string) (w model.Interval, ok bool) {
	if o.Forecast == nil {
		return w, false
	}
	for i := range o.Forecast.Coming {
		if d := &o.Forecast.Coming[i].Decision; d.Kind == model.MarkUnknown && d.Node == node {
			return d.Window, true
		}
	}
	return w, false
}

// Silence is what is foreseen of a node that goes on being silent; zero where nothing is.
func (o *View) Silence(row *model.NodeRow) (is why.Silence) {
	if o.Forecast == nil || row == nil {
		return is
	}
	is.Declared, _ = o.Declared(row.Name)
	is.GraceEnds = o.Forecast.GraceEnds[row.Name]
	return is
}

// Tainted says that a node has a NoExecute taint of the node-lifecycle controller.
func (o *View) Tainted(name string) bool {
	n := o.State.Cache.Node(name)
	return n != nil && n.TaintedAsNotWell()
}

func (o *View) readEvictions() {
	f := o.Forecast
	owner := make([]int32, len(f.Evictions))
	for i := range f.Evictions {
		if i > 0 && f.Evictions[i].Node == f.Evictions[i-1].Node {
			owner[i] = owner[i-1]
		} else {
			owner[i] = o.number(f.Evictions[i].Node)
		}
		o.nodes[owner[i]].Count[f.Evictions[i].State]++
	}
	o.sortOut(owner)
	for i := range f.Waits {
		w := &f.Waits[i]
		o.nodes[o.number(w.Node)].Wait = w
		if z := o.Zone(model.Some(w.Zone)); z != nil {
			if len(z.Waits) == 0 {
				z.Until = w.Window.Latest
			}
			z.Waits = append(z.Waits, *w)
			z.Until = max(z.Until, w.Window.Latest)
			z.Doubted = z.Doubted || !w.Certain
		}
	}
	o.readTaints()
	for name, i := range o.index {
		o.readNode(name, &o.nodes[i])
	}
	o.total()
	for i := range o.Zones {
		slices.SortFunc(o.Zones[i].Deletions, func(a, b Deletion) int {
			return cmp.Or(cmp.Compare(a.Window.Earliest, b.Window.Earliest), cmp.Compare(a.Window.Latest, b.Window.Latest),
				cmp.Compare(a.Node, b.Node))
		})
	}
}
