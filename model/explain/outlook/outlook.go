// Package outlook answers what the models predict at one time, by zone and by threatened node.
//
// For us-east-1b it has the state FullDisruption, 3 queued nodes and the window of the next taint. For b-006 it has 5 pods
// and the window of their first deletion. It concludes nothing beyond its Judgement.
package outlook

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/verdict"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// Outlook is the models' result at one time. Read makes it; it is not modified after that.
type Outlook struct {
	Basis
	// Verdicts and Marked are those of the Judgement; none without a State.
	Verdicts []verdict.Verdict
	Marked   []*model.Pod
	// Master reports master disruption.
	Master bool
	// Armed counts the pods with a running countdown, Next is when the first of them is deleted; unknown if Armed is 0.
	Armed int
	Next  model.Interval
	// Queued counts the queued nodes without a NoExecute taint, Requeued those with one: after master disruption, or a
	// restart of the controller, they get it again.
	Queued, Requeued int
	// Total is all pods that taint eviction deletes as things are, also those of nodes that are not tainted yet.
	Total Total

	// Restart is the last restart of the controllers within an hour; nil if there was none.
	Restart *why.Restart

	// Zones are those that the controller knows, in the order of screens; none if Unsettled.
	Zones []Zone
	nodes map[string]*Node
	zones map[model.ZoneKey]int // indexes of Zones

	// darkens reports that master disruption is predicted.
	darkens bool
}

// Basis is what an Outlook was read from. Outlooks with the same Basis are the same.
type Basis struct {
	// Judged reports that models run at all. State and Forecast are theirs, nil if they are missing.
	Judged   bool
	Missing  Missing
	State    *infer.State
	Forecast *forecast.Forecast
	// Unsettled reports that the controller's judgement of zones rests on unseen facts.
	Unsettled bool
	result    *infer.Result
}

// stale is how far the models' time may be from the time shown; a result further away is not shown.
const stale = 30 * time.Second

// basis is the part of a Judgement that holds for a time.
func (j *Judgement) basis(at model.Instant, unsettled bool) Basis {
	b := Basis{Judged: j != nil, Unsettled: unsettled}
	if j == nil {
		b.Missing.Reason = NoModels
		return b
	}
	b.result, b.Missing = j.Result, j.Missing
	if b.Missing.Reason == "" && j.Result != nil && len(j.Result.Unsupported) > 0 {
		b.Missing = Missing{Reason: Unsupported, Result: j.Result}
	}
	if b.Missing.Reason != "" {
		return b
	}
	if j.Until.Known() {
		at = min(at, j.Until)
	}
	if j.State != nil && j.State.At.Sub(at).Abs() <= stale {
		b.State = j.State
		if j.Forecast != nil && j.Forecast.At.Sub(at).Abs() <= stale {
			b.Forecast = j.Forecast
		}
	}
	if b.Forecast == nil {
		b.Missing.Reason = Computing
	}
	return b
}

// Read reads a Judgement at a time. The Judgement is nil if no models run. before may be nil; it is returned if it has
// the same Basis.
func Read(j *Judgement, at model.Instant, unsettled bool, before *Outlook) *Outlook {
	basis := j.basis(at, unsettled)
	switch {
	case before != nil && before.Basis == basis:
		return before
	case j != nil && j.Outlook != nil && j.Outlook.Basis == basis:
		return j.Outlook
	}
	o := &Outlook{Basis: basis, nodes: map[string]*Node{}, zones: map[model.ZoneKey]int{}}
	if o.State == nil {
		return o
	}
	o.Verdicts, o.Marked = j.Verdicts, j.Marked
	if !o.State.Arrived && !unsettled {
		o.readZones()
	}
	if o.Forecast != nil {
		o.readForecast()
	}
	o.readRestart(j.Decisions())
	return o
}

const lately = time.Hour

func (o *Outlook) readRestart(decisions []model.Decision) {
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

// Holding is why the controllers act at no known time; ok is false if they act. One capture may show by the lease alone
// that there is no leader, but not since when: then only the verdict has it.
func (o *Outlook) Holding() (is caveat.Caveat, ok bool) {
	is, ok = caveat.Holding(o.State)
	if is.Reason != caveat.NoLeader && len(o.Verdicts) > 0 && o.Verdicts[0].Rule == verdict.NotActing && !o.State.Overdue.Known() {
		return caveat.Caveat{Reason: caveat.NoLeader}, true
	}
	return is, ok
}

// Leaderless reports that the controllers have no leader: nothing predicted happens until there is one.
func (o *Outlook) Leaderless() bool {
	is, ok := o.Holding()
	return ok && is.Reason == caveat.NoLeader
}

// Declared is when a node is declared Unknown if it stays silent; ok is false if that is not predicted.
func (o *Outlook) Declared(node string) (w model.Interval, ok bool) {
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

// Silence is the forecast for a node that stays silent; zero if there is none.
func (o *Outlook) Silence(row *model.NodeRow) (is why.Silence) {
	if o.Forecast == nil || row == nil {
		return is
	}
	is.Declared, _ = o.Declared(row.Name)
	is.GraceEnds = o.Forecast.GraceEnds[row.Name]
	return is
}

// Tainted reports that a node has a NoExecute taint of the node-lifecycle controller.
func (o *Outlook) Tainted(name string) bool {
	n := o.State.Cache.Node(name)
	return n != nil && n.TaintedAsNotWell()
}

// readForecast sorts the Forecast by node and zone.
func (o *Outlook) readForecast() {
	f := o.Forecast
	for i := range f.Coming {
		d := &f.Coming[i].Decision
		o.darkens = o.darkens || d.Kind == model.EnterMasterDisruption
		// The zone's next token alone would not do: its rate may change before the token is there.
		if z := o.Zone(d.Zone); d.Kind == model.TaintNoExecute && f.Coming[i].Sure && z != nil && (!z.Next.Known() || d.Window.Latest < z.Next.Latest) {
			z.Next = d.Window
		}
	}
	for i := range f.Evictions {
		e := &f.Evictions[i]
		n := o.node(e.Node)
		n.Evictions = append(n.Evictions, e)
		n.Count[e.State]++
	}
	for i := range f.Waits {
		w := &f.Waits[i]
		o.node(w.Node).Wait = w
		if z := o.Zone(model.Some(w.Zone)); z != nil {
			if len(z.Waits) == 0 {
				z.Until = w.Window.Latest
			}
			z.Waits = append(z.Waits, *w)
			z.Until = max(z.Until, w.Window.Latest)
			z.Doubted = z.Doubted || !w.Certain
		}
	}
	for name, n := range o.nodes {
		o.readNode(name, n)
	}
	o.total()
	for i := range o.Zones {
		slices.SortFunc(o.Zones[i].Deletions, func(a, b Deletion) int { return cmp.Or(a.Window.Compare(b.Window), cmp.Compare(a.Node, b.Node)) })
	}
}
