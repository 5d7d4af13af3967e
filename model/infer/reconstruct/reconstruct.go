// Package reconstruct tells what the control plane did before anybody watched, from what a cluster
// still remembers of it: the stamps in its Nodes, Pods and leader leases, and its Events, which stay
// for an hour.
//
// No model runs here. What left no stamp is not told: which node waited for a token, a zone's state,
// its rate, a taint that is gone.
package reconstruct

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

const (
	// stampWidth is how coarse Kubernetes' stamps are: they are cut to whole seconds.
	stampWidth = time.Second
	// writeLag is how long a write may take beside the stamp that its writer made for it.
	writeLag = time.Second
	// sameAct is how far apart two traces of one act can be, where the API server was slow or the
	// controller's client held its writes back. A node is declared Unknown again only after a grace
	// period, and a pod's countdown starts anew only after its taint came anew.
	sameAct = 10 * time.Second
)

// trace is one sign of an act, in an object or an Event.
type trace struct {
	kind   model.DecisionKind
	node   string // "" for what was done to a pod
	pod    model.Key
	uid    model.UID
	taint  model.Taint
	window model.Interval
	why    model.Reason
	inputs []model.Input
}

// Listed is an object or Event as a list showed it.
type Listed struct {
	*model.Change
	// Position is the Change's place in its History, from 0.
	Position int
	// By is when it was listed: what it tells of was before. FarFuture where that is not known.
	By model.Instant
}

// memory is what was found so far.
type memory struct {
	traces []trace
	zones  map[string]model.ZoneKey
	renews map[string]model.Input
	pods   map[model.Key]bound
	// unknown are the nodes that are Unknown when they are listed.
	unknown map[string]bool
	// made is when nodes were; registered are the Events that tell when controllers registered nodes.
	made       map[string]model.Instant
	registered []Listed
}

// bound is a pod that was listed: where it runs, and since when.
type bound struct {
	uid   model.UID
	node  string
	since model.Instant
	// stays is when it was listed, and nobody had asked for its deletion; unknown where somebody had, or
	// where that is not known.
	stays model.Instant
}

// From is what objects and Events that were listed tell of the time before, in order of time. Each
// Decision is Reconstructed; its Window holds the act and its write, and its Time is the Window's start.
//
// Stamps are those of the controllers' clock, and of pods' deletions of the API server's: on a control
// plane whose clocks differ, windows are off by as much.
func From(listed iter.Seq[Listed]) []model.Decision {
	m := &memory{zones: map[string]model.ZoneKey{}, renews: map[string]model.Input{}, pods: map[model.Key]bound{}, made: map[string]model.Instant{}, unknown: map[string]bool{}}
	for l := range listed {
		switch {
		case l.Node != nil:
			m.node(l)
		case l.Pod != nil:
			m.pod(l)
		case l.Event != nil:
			m.event(l)
		case l.Kind == model.KindNodeLease && l.Lease.Renewed.Bounded():
			m.renews[l.Key.Name] = l.input(model.InputRenewal, "", l.Lease.Renewed)
		case l.Kind == model.KindLeaderLease:
			m.leader(l)
		}
	}
	m.starts()
	return m.decisions()
}

// add takes in a trace. A stamp from after the list was made is of another clock, or an error.
func (m *memory) add(l Listed, t trace) {
	if !t.window.Bounded() || t.window.Earliest > l.By {
		return
	}
	t.window.Latest = min(t.window.Latest, l.By)
	m.traces = append(m.traces, t)
}

func (l Listed) input(what model.InputRole, of string, at model.Instant) model.Input {
	return model.Input{What: what, Of: of, Kind: l.Kind, Key: l.Key, Version: l.Version, At: at, Position: l.Position + 1}
}

// decisions puts together the traces of one act, and says what led to what.
func (m *memory) decisions() []model.Decision {
	slices.SortStableFunc(m.traces, func(a, b trace) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), strings.Compare(a.pod.Namespace, b.pod.Namespace), strings.Compare(a.pod.Name, b.pod.Name),
			strings.Compare(a.node, b.node), strings.Compare(a.taint.Key, b.taint.Key), cmp.Compare(a.window.Earliest, b.window.Earliest))
	})
	var acts []trace
	for _, t := range m.traces {
		if last := len(acts) - 1; last >= 0 && acts[last].same(&t) {
			acts[last].join(&t)
		} else {
			acts = append(acts, t)
		}
	}
	out := make([]model.Decision, len(acts))
	for i := range acts {
		out[i] = m.decision(&acts[i])
	}
	slices.SortStableFunc(out, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	link(out, m.unknown)
	return out
}

// same says whether two traces tell of one act. The Events of taint eviction name the pod without its UID.
func (t *trace) same(u *trace) bool {
	return t.kind == u.kind && t.node == u.node && t.pod == u.pod && (t.uid == u.uid || !t.uid.Known() || !u.uid.Known()) &&
		t.taint.Key == u.taint.Key && t.taint.Effect == u.taint.Effect &&
		u.window.Earliest.Sub(t.window.Latest) <= sameAct
}

// join takes another trace of the act in: both hold, and where they do not meet the write took long.
func (t *trace) join(u *trace) {
	if !t.uid.Known() {
		t.uid = u.uid
	}
	if both, ok := t.window.Intersect(u.window); ok {
		t.window = both
	} else {
		t.window.Latest = u.window.Latest
	}
	t.why = t.why.Then(u.why)
	for _, in := range u.inputs {
		if !slices.ContainsFunc(t.inputs, func(had model.Input) bool {
			return had.What == in.What && had.Of == in.Of && had.N == in.N && had.At == in.At
		}) {
			t.inputs = append(t.inputs, in)
		}
	}
}

// decision is an act as a Decision.
func (m *memory) decision(t *trace) model.Decision {
	d := model.Decision{Time: t.window.Earliest, Window: t.window, Kind: t.kind, Node: t.node, Pod: t.pod, PodUID: t.uid,
		Why: t.why, Inputs: t.inputs, LeavesTrace: true, Basis: model.Reconstructed}
	stays := false
	if p, ok := m.pods[t.pod]; ok && (p.uid == t.uid || !t.uid.Known() && p.since <= t.window.Latest) {
		d.Node, d.PodUID = p.node, p.uid
		stays = p.stays > t.window.Latest
	}
	if zone, ok := m.zones[d.Node]; ok {
		d.Zone = model.Some(zone)
	}
	at := t.window.Earliest
	switch t.kind {
	case model.MarkUnknown:
		d.Controller, d.Rule = model.NodeLifecycle, model.RuleSilentPastGrace
		if heard, ok := m.renews[t.node]; ok && heard.At < t.window.Latest {
			d.Inputs = append(d.Inputs, heard)
		}
		d.Writes = []model.Write{{Kind: model.WriteConditions, Node: t.node, At: at, Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusUnknown, Reason: model.ReasonUnknown}}}}
	case model.AddNoSchedule:
		d.Controller, d.Rule = model.NodeLifecycle, model.RuleConditionTaints
		d.Writes = []model.Write{{Kind: model.WriteTaint, Node: t.node, At: at, Taint: t.taint}}
	case model.TaintNoExecute: // from the queue, or swapped in the pass: the taint does not tell
		d.Controller = model.NodeLifecycle
		d.Writes = []model.Write{{Kind: model.WriteTaint, Node: t.node, At: at, Taint: t.taint}}
	case model.EvictPod: // its toleration had run out, or it had none: neither does the pod
		d.Controller = model.TaintEviction
		if stays {
			d.Outcome = model.Failed
			d.Why = d.Why.And(model.WhyStillThere)
			break
		}
		d.Writes = []model.Write{{Kind: model.WriteDelete, Node: d.Node, Pod: t.pod, At: at}}
	case model.CancelEviction:
		d.Controller, d.Outcome = model.TaintEviction, model.Cancelled
	case model.CollectPod:
		d.Controller, d.Rule = model.PodGC, model.RulePodCollection
		d.Writes = []model.Write{{Kind: model.WriteForceDelete, Node: d.Node, Pod: t.pod, At: at}}
	case model.ControllerStart:
		d.Controller, d.Rule = model.NodeLifecycle, model.RuleNewToProcess
	case model.ForgetNode:
		d.Controller, d.Rule = model.NodeLifecycle, model.RuleNodeGone
	}
	d.ID = d.Identify()
	return d
}

// link says what led to what, where both are known: a node's taint was written because it had been
// declared, unless it is that of a kubelet which says itself that it is not ready, and its pods are deleted for the taint; or, where that was written anew since, or taken off, and the node has
// been Unknown all the time, because it was declared. decisions are in order of time.
func link(decisions []model.Decision, unknown map[string]bool) {
	declared, tainted := map[string]model.DecisionID{}, map[string]model.DecisionID{}
	for i := range decisions {
		d := &decisions[i]
		var cause model.DecisionID
		switch d.Kind {
		case model.AddNoSchedule, model.TaintNoExecute:
			if len(d.Writes) == 0 || d.Writes[0].Taint.Key != model.TaintNotReady {
				cause = declared[d.Node]
			}
		case model.EvictPod, model.CancelEviction:
			if cause = tainted[d.Node]; cause == 0 && unknown[d.Node] {
				cause = declared[d.Node]
			}
		}
		if cause != 0 && d.Node != "" {
			d.Causes = []model.DecisionID{cause}
			d.ID = d.Identify()
		}
		switch d.Kind {
		case model.MarkUnknown:
			declared[d.Node] = d.ID
		case model.TaintNoExecute:
			tainted[d.Node] = d.ID
		}
	}
}
