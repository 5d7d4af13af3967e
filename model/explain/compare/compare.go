// Package compare answers how two incidents differ: the decisions of both from the first loss on, and how long each
// step took. For example: A declares its first node after 42 s and B after 51 s, so Later is 9 s.
package compare

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/model/history"
	"kardia/model/infer"
)

// Comparison is the comparison of two incidents, A and B.
type Comparison struct {
	A, B Side
	// ByHeartbeat: both start at the last heartbeat of the node that fell silent first, as in loss.Begin. Else they
	// start at the first declaration, because one shows no such heartbeat.
	ByHeartbeat bool
	// ByName: rows pair decisions on one subject. Else few subjects are common, and rows pair the n-th of each kind.
	ByName bool
	// Lost are the declarations, Deleted the deletions of pods by taint eviction; Flags are those that differ.
	Lost, Deleted Kind
	Flags         []Flag
	Kinds         []Kind
	Delays        []Delay
	Rows          []Row
}

// Side is the start of one incident.
type Side struct {
	// Start is unknown if no node was declared Unknown: nothing is compared.
	Start model.Instant
	Node  string
	// Untold: it is not known whether a node was declared.
	Untold bool
}

type Flag struct{ Name, A, B string }

// Kind counts the decisions of a kind, with the first and the last time since the start.
type Kind struct {
	Kind model.DecisionKind
	A, B Count
}

// Count is for one side. The times are unknown if N is 0; N is unknown unless Known: the input lacks such decisions.
type Count struct {
	N           int
	Nodes       int // distinct nodes: one may be declared or tainted again
	Known       bool
	First, Last time.Duration
}

type Step string

type Delay struct {
	Step Step
	A, B Spread
}

// Spread sums up N durations. Unless Known, the input does not show the decisions at their ends.
type Spread struct {
	N             int
	Known         bool
	Min, P50, Max time.Duration
}

// Row is a decision of either side, or of both.
type Row struct {
	Kind model.DecisionKind
	A, B *model.Decision
}

var shown = []model.DecisionKind{model.MarkUnknown, model.MarkPodsNotReady, model.AddNoSchedule, model.RemoveNoSchedule, model.TaintNoExecute, model.UntaintNoExecute,
	model.SwapNoExecute, model.ZoneState, model.SetRate, model.EnterMasterDisruption, model.ExitMasterDisruption, model.CancelEviction, model.EvictPod, model.ControllerStart}

// Incident is the input for one side. Losses are the last heartbeats of declared nodes. The last field reports whether
// the input would show decisions of a kind.
type Incident struct {
	Decisions []*model.Decision
	Losses    []loss.Loss
	Params    model.Params
	Tells     func(model.DecisionKind) bool
}

// Judged is an incident by the models. Errors are those of reading the History.
func Judged(h history.History, r *infer.Result) (Incident, error) {
	done := r.Done()
	losses, err := loss.Of(h, done)
	return Incident{done, losses, r.Params, r.Tells}, err
}

// Of compares two incidents.
func Of(first, second Incident) *Comparison {
	a, b := made(first.Decisions), made(second.Decisions)
	c := &Comparison{}
	for i := range model.Flags {
		f := &model.Flags[i]
		if x, y := f.Value(&first.Params), f.Value(&second.Params); x != y {
			c.Flags = append(c.Flags, Flag{f.Name, x, y})
		}
	}
	c.A, c.B = declared(a), declared(b)
	heardA, knownA := heard(first.Losses)
	heardB, knownB := heard(second.Losses)
	c.ByHeartbeat = knownA && knownB
	noneA, noneB := c.A.Start == 0, c.B.Start == 0
	if knownA && (knownB || noneB) {
		c.A = heardA
	}
	if knownB && (knownA || noneA) {
		c.B = heardB
	}
	c.A.Untold, c.B.Untold = noneA && !first.Tells(model.MarkUnknown), noneB && !second.Tells(model.MarkUnknown)
	if !c.A.Start.Bounded() || !c.B.Start.Bounded() {
		return c
	}
	of := func(kind model.DecisionKind) Kind {
		return Kind{kind, count(a, kind, c.A.Start, first.Tells), count(b, kind, c.B.Start, second.Tells)}
	}
	c.Lost, c.Deleted = of(model.MarkUnknown), of(model.EvictPod)
	for _, kind := range shown {
		k := of(kind)
		if k.A.N+k.B.N > 0 {
			c.Kinds = append(c.Kinds, k)
		}
	}
	delaysA, delaysB := delays(a, first.Losses), delays(b, second.Losses)
	for i, step := range steps {
		if d := (Delay{step.step, spread(delaysA[i], first.tells(step.needs)), spread(delaysB[i], second.tells(step.needs))}); d.A.N+d.B.N > 0 {
			c.Delays = append(c.Delays, d)
		}
	}
	c.ByName = shareNames(a, b)
	c.rows(a, b)
	return c
}

// made are the decisions carried out, of the compared kinds. The start of a process before the watch does not count.
func made(all []*model.Decision) (out []model.Decision) {
	for _, d := range all {
		longAgo := d.Kind == model.ControllerStart && d.Basis == model.Reconstructed
		if (d.Outcome == model.Did || d.Kind == model.CancelEviction) && slices.Contains(shown, d.Kind) && !longAgo {
			out = append(out, *d)
		}
	}
	return out
}

// heard starts a side at the last heartbeat of the node that fell silent first; ok is false if that is unknown.
func heard(losses []loss.Loss) (s Side, ok bool) {
	first, ok := loss.Begin(losses)
	if ok {
		s = Side{Start: first.Last.At(), Node: first.Declared.Node}
	}
	return s, ok
}

func declared(all []model.Decision) Side {
	for i := range all {
		if d := &all[i]; d.Kind == model.MarkUnknown {
			return Side{Start: d.Time, Node: d.Node}
		}
	}
	return Side{}
}

func (i *Incident) tells(kinds []model.DecisionKind) bool {
	return !slices.ContainsFunc(kinds, func(k model.DecisionKind) bool { return !i.Tells(k) })
}

func count(all []model.Decision, kind model.DecisionKind, start model.Instant, tells func(model.DecisionKind) bool) (c Count) {
	c.Known = tells(kind)
	type pod struct {
		key model.Key
		uid model.UID
	}
	deleted, nodes := map[pod]bool{}, map[string]bool{}
	for i := range all {
		if all[i].Kind != kind {
			continue
		}
		if is := (pod{all[i].Pod, all[i].PodUID}); kind == model.EvictPod {
			if deleted[is] {
				continue // it was being deleted already
			}
			deleted[is] = true
		}
		after := all[i].Time.Sub(start)
		if c.N == 0 {
			c.First = after
		}
		c.N, c.Last, c.Known = c.N+1, after, true
		if all[i].Node != "" {
			nodes[all[i].Node] = true
		}
	}
	c.Nodes = len(nodes)
	return c
}

var steps = []struct {
	step  Step
	needs []model.DecisionKind
}{
	{"heartbeat-unknown", []model.DecisionKind{model.MarkUnknown}},
	{"unknown-tainted", []model.DecisionKind{model.MarkUnknown, model.TaintNoExecute}},
	{"tainted-deleted", []model.DecisionKind{model.TaintNoExecute, model.EvictPod}},
	{"heartbeat-deleted", []model.DecisionKind{model.MarkUnknown, model.EvictPod}},
	{"unknown-untainted", []model.DecisionKind{model.MarkUnknown, model.UntaintNoExecute}},
}

// delays are the durations of each step, one for each declaration. If a taint is removed and added again, as in master
// disruption, deletions count from the new one, and only the last removal counts.
func delays(all []model.Decision, losses []loss.Loss) (out [5][]time.Duration) {
	type course struct {
		heard, declared, tainted, untainted model.Instant // untainted: for good, so far
		first, deleted                      bool          // the first taint, and the first pod
	}
	type declaration struct {
		node string
		at   model.Instant
	}
	heard := map[declaration]model.Instant{}
	for i := range losses {
		if is := &losses[i]; is.Declared.Basis != model.Reconstructed {
			heard[declaration{is.Declared.Node, is.Declared.Time}] = is.Last.At()
		}
	}
	lost := map[string]*course{}
	var courses []*course
	for i := range all {
		d := &all[i]
		l := lost[d.Node]
		switch {
		case d.Kind == model.MarkUnknown:
			l = &course{heard: heard[declaration{d.Node, d.Time}], declared: d.Time}
			lost[d.Node], courses = l, append(courses, l)
			if l.heard.Bounded() {
				out[0] = append(out[0], d.Time.Sub(l.heard))
			}
		case l == nil || d.Node == "":
		case d.Kind == model.TaintNoExecute:
			if !l.first {
				out[1] = append(out[1], d.Time.Sub(l.declared))
			}
			if !l.tainted.Known() { // else it is written again, and its countdowns continue
				l.tainted = d.Time
			}
			l.first, l.untainted = true, 0
		case d.Kind == model.EvictPod && !l.deleted:
			l.deleted = true
			if l.tainted.Known() {
				out[2] = append(out[2], d.Time.Sub(l.tainted))
			}
			if l.heard.Bounded() {
				out[3] = append(out[3], d.Time.Sub(l.heard))
			}
		case d.Kind == model.UntaintNoExecute:
			l.tainted, l.untainted = 0, d.Time
		}
	}
	for _, l := range courses {
		if l.untainted.Known() {
			out[4] = append(out[4], l.untainted.Sub(l.declared))
		}
	}
	return out
}

func spread(list []time.Duration, known bool) Spread {
	if len(list) == 0 {
		return Spread{Known: known}
	}
	slices.Sort(list)
	return Spread{len(list), true, list[0], list[(len(list)-1)/2], list[len(list)-1]}
}

type subject struct {
	kind model.DecisionKind
	name string
	nth  int
}

// shareNames reports whether at least half of the nodes of the smaller side are also in the other.
func shareNames(a, b []model.Decision) bool {
	names := func(all []model.Decision) map[string]bool {
		out := map[string]bool{}
		for i := range all {
			if all[i].Node != "" {
				out[all[i].Node] = true
			}
		}
		return out
	}
	inA, inB := names(a), names(b)
	both := 0
	for n := range inA {
		if inB[n] {
			both++
		}
	}
	return both > 0 && 2*both >= min(len(inA), len(inB))
}

// rows pairs the decisions: those of one kind and one subject, or the n-th of each kind.
func (c *Comparison) rows(a, b []model.Decision) {
	keys := func(all []model.Decision) []subject {
		nth, out := map[subject]int{}, make([]subject, len(all))
		for i := range all {
			s := subject{kind: all[i].Kind}
			if c.ByName {
				s.name = all[i].Subject()
			}
			out[i] = subject{s.kind, s.name, nth[s]}
			nth[s]++
		}
		return out
	}
	at := map[subject]int{}
	for i, key := range keys(a) {
		at[key] = len(c.Rows)
		c.Rows = append(c.Rows, Row{Kind: a[i].Kind, A: &a[i]})
	}
	for i, key := range keys(b) {
		if n, ok := at[key]; ok {
			c.Rows[n].B = &b[i]
			continue
		}
		c.Rows = append(c.Rows, Row{Kind: b[i].Kind, B: &b[i]})
	}
	slices.SortStableFunc(c.Rows, func(x, y Row) int { return cmp.Compare(c.After(x), c.After(y)) })
}

// After is the time of a row since the start, in A if A has it.
func (c *Comparison) After(r Row) time.Duration {
	if r.A != nil {
		return r.A.Time.Sub(c.A.Start)
	}
	return r.B.Time.Sub(c.B.Start)
}

// Later is how much later a row came in B than in A; unknown unless both have it.
func (c *Comparison) Later(r Row) model.Maybe[time.Duration] {
	if r.A == nil || r.B == nil {
		return model.Maybe[time.Duration]{}
	}
	return model.Some(r.B.Time.Sub(c.B.Start) - r.A.Time.Sub(c.A.Start))
}
