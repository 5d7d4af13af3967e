// Package reconstruct finds what the control plane did before the observation. Its sources are the timestamps in Nodes,
// Pods and leader leases, and the Events, which stay for an hour.
//
// No model runs here. Acts without a timestamp are missing: waiting for a token, a zone's state and rate, a removed
// taint.
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
	// stampWidth is the precision of Kubernetes' timestamps.
	stampWidth = time.Second
	// writeLag is how long a write may take around the timestamp that its writer set.
	writeLag = time.Second
	// sameAct is how far apart two traces of one act can be, with a slow API server or a throttled client. A node is
	// declared again only after a grace period, and a countdown restarts only after a new taint.
	sameAct = 10 * time.Second
)

// trace is one sign of an act, in an object or an Event.
type trace struct {
	kind   model.DecisionKind
	node   string // "" for a pod
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
	Position int
	// By is when it was listed, after all that it shows; FarFuture if not known.
	By model.Instant
}

type memory struct {
	traces []trace
	zones  map[string]model.ZoneKey
	renews map[string]model.Input
	pods   map[model.Key]bound
	// unknown are the nodes listed as Unknown.
	unknown map[string]bool
	// made are creation times; registered are the Events of registered nodes.
	made       map[string]model.Instant
	registered []Listed
}

type bound struct {
	uid   model.UID
	node  string
	since model.Instant
	// stays is when it was listed without a deletion; unknown if it has one, or the time is not known.
	stays model.Instant
}

// From is what listed objects and Events show of the time before, in order of time. Each Decision is Reconstructed. Its
// Window holds the act and its write, and its Time is the Window's start. Differences of clocks shift both.
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

// add adds a trace. A timestamp after the list is of another clock, or an error.
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

// decisions joins the traces of one act, and links causes.
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

// same reports whether two traces are of one act. The Events of taint eviction name the pod without its UID.
func (t *trace) same(u *trace) bool {
	return t.kind == u.kind && t.node == u.node && t.pod == u.pod && (t.uid == u.uid || !t.uid.Known() || !u.uid.Known()) &&
		t.taint.Key == u.taint.Key && t.taint.Effect == u.taint.Effect &&
		u.window.Earliest.Sub(t.window.Latest) <= sameAct
}

// join adds another trace of the act: both hold, and without an overlap the write took long.
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

// rules are those that the trace of an act shows. A taint does not show whether it is from the queue or swapped in a
// pass. A pod does not show whether it was deleted at once.
var rules = map[model.DecisionKind]model.Rule{model.MarkUnknown: model.RuleSilentPastGrace, model.AddNoSchedule: model.RuleConditionTaints,
	model.CollectPod: model.RulePodCollection, model.ControllerStart: model.RuleNewToProcess, model.ForgetNode: model.RuleNodeGone}

func (m *memory) decision(t *trace) model.Decision {
	d := model.Decision{Time: t.window.Earliest, Window: t.window, Controller: t.kind.Controller(), Kind: t.kind, Rule: rules[t.kind], Node: t.node, Pod: t.pod, PodUID: t.uid,
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
		if heard, ok := m.renews[t.node]; ok && heard.At < t.window.Latest {
			d.Inputs = append(d.Inputs, heard)
		}
		d.Writes = []model.Write{{Kind: model.WriteConditions, Node: t.node, At: at, Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusUnknown, Reason: model.ReasonUnknown}}}}
	case model.AddNoSchedule, model.TaintNoExecute:
		d.Writes = []model.Write{{Kind: model.WriteTaint, Node: t.node, At: at, Taint: t.taint}}
	case model.EvictPod:
		if stays {
			d.Outcome = model.Failed
			d.Why = d.Why.And(model.WhyStillThere)
			break
		}
		d.Writes = []model.Write{{Kind: model.WriteDelete, Node: d.Node, Pod: t.pod, At: at}}
	case model.CancelEviction:
		d.Outcome = model.Cancelled
	case model.CollectPod:
		d.Writes = []model.Write{{Kind: model.WriteForceDelete, Node: d.Node, Pod: t.pod, At: at}}
	}
	d.ID = d.Identify()
	return d
}

// link sets causes of decisions, which are in order of time. A node's taint follows its declaration, except not-ready.
// Its pods' deletion follows the taint, or without one the declaration of a node that is still Unknown.
func link(decisions []model.Decision, unknown map[string]bool) {
	declared, tainted := map[string]model.DecisionID{}, map[string]model.DecisionID{}
	for d := range model.Each(decisions) {
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
