package model

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
	"time"
)

// Decision is an act of a controller, or one that it declined or cancelled: its time, subject, rule, evidence, and
// causes. The same input gives the same Decisions with the same ids. They must not be modified once handed out.
type Decision struct {
	ID DecisionID
	// Time is when the controller decided, as far as known; Window bounds it. For a simulated decision both are Time.
	Time   Instant
	Window Interval
	// ZoneAssumed: Time is of a clock of unknown time zone, taken to be UTC.
	ZoneAssumed bool

	Controller Controller
	Kind       DecisionKind
	Outcome    Outcome

	// Node, Zone and Pod are the subject. Node is empty for decisions about zones or the cluster, Pod unless about one.
	Node   string
	Zone   Maybe[ZoneKey]
	Pod    Key
	PodUID UID

	// Why is the rule's reason in this case. A change of State or Rate needs none.
	Rule Rule
	Why  Reason
	// State is the change by a ZoneState decision, Rate (nodes a second) that by a SetRate decision. A declined
	// decision whose Why names a state or a rate has it on both sides.
	State Shift[DisruptionState]
	Rate  Shift[float32]
	// Checks are the comparisons that led here, in order. Inputs are the facts it rests on, Causes the earlier
	// decisions without which this one would not have been made.
	Checks []Check
	Inputs []Input
	Causes []DecisionID
	// Writes are its effect on objects, in the order sent; empty if only the controller's own state changes.
	Writes []Write

	// LeavesTrace: an input of the given kind could show the effect.
	LeavesTrace bool
	Basis       Basis
	// Observed is where the effect was seen; nil if it was not.
	Observed *Observation
}

type Shift[T comparable] struct{ From, To T }

// Observation is the write by which a Decision's effect was seen.
type Observation struct {
	Time     Interval
	Evidence []Input
}

// DecisionID names a Decision, the same in each run; 0 is none.
type DecisionID uint64

// String is 16 hexadecimal digits, and "" for none.
func (id DecisionID) String() string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf("%016x", uint64(id))
}

// Identify derives the id from the time, the controller, the kind, outcome, subject and rule, the taints written, the
// values compared and the causes. No two decisions of a run share all of these.
func (d *Decision) Identify() DecisionID {
	h := fnv.New64a()
	var fixed [12]byte
	binary.LittleEndian.PutUint64(fixed[:8], uint64(d.Time))
	fixed[8], fixed[9], fixed[10] = byte(d.Controller), byte(d.Kind), byte(d.Outcome)
	if d.Zone.Known {
		fixed[11] = 1
	}
	h.Write(fixed[:])
	text := make([]byte, 0, 96)
	for _, s := range [...]string{d.Node, d.Zone.Value.Region, d.Zone.Value.Zone, d.Pod.Namespace, d.Pod.Name, d.Rule.Spec()} {
		text = append(text, s...)
		text = append(text, 0)
	}
	for i := range d.Writes {
		text = append(text, byte(d.Writes[i].Kind))
		text = append(text, d.Writes[i].Taint.Key...)
		text = append(text, 0)
	}
	for i := range d.Checks {
		text = binary.LittleEndian.AppendUint64(text, uint64(d.Checks[i].Left.Int))
	}
	for _, id := range d.Causes {
		text = binary.LittleEndian.AppendUint64(text, uint64(id))
	}
	h.Write(text)
	return DecisionID(max(h.Sum64(), 1))
}

// Written counts the objects it writes to, without Events.
func (d *Decision) Written() (n int) {
	for i := range d.Writes {
		if w := &d.Writes[i]; w.Kind != WriteEvent {
			n += max(int(w.Pods), 1)
		}
	}
	return n
}

// Length is the first duration in its checks: a counted silence, or a countdown's length. Unknown if there is none.
func (d *Decision) Length() (length Maybe[time.Duration]) {
	for i := range d.Checks {
		if l := d.Checks[i].Left; l.Kind == OperandDuration {
			return Some(time.Duration(l.Int))
		}
	}
	return length
}

// Told reports whether only a component's log shows the decision, at the time of Observed: no rule, no write.
func (d *Decision) Told() bool { return d.Observed != nil && d.Rule == RuleNone }

// Minor reports whether the decision only accompanies another one.
func (d *Decision) Minor() bool {
	switch d.Kind {
	case MarkPodsNotReady, QueueForTaint, DequeueFromTaint, AddNoSchedule, RemoveNoSchedule, ScheduleEviction:
		return true
	}
	return false
}

// Controller is the real controller of a Decision.
type Controller uint8

const (
	ControllerNone Controller = iota
	NodeLifecycle
	TaintEviction
	PodGC
)

func (c Controller) String() string {
	return [...]string{"", "node-lifecycle", "taint-eviction", "pod-gc"}[min(c, PodGC)]
}

// DecisionKind is the kind of a Decision.
type DecisionKind uint8

const (
	DecisionNone DecisionKind = iota
	// MarkUnknown: a node is declared Unknown for missing heartbeats.
	MarkUnknown
	MarkPodsNotReady
	AddNoSchedule
	RemoveNoSchedule
	// QueueForTaint: the node is queued in its zone for a token.
	QueueForTaint
	DequeueFromTaint
	// TaintNoExecute: a NoExecute taint is written, or written again with a new timeAdded.
	TaintNoExecute
	UntaintNoExecute
	// SwapNoExecute: not-ready becomes unreachable or the reverse, without a token.
	SwapNoExecute
	ZoneState
	// SetRate: the rate changes at which a zone's nodes are tainted.
	SetRate
	EnterMasterDisruption
	ExitMasterDisruption
	ScheduleEviction
	CancelEviction
	// EvictPod: a plain DELETE of the pod because of a NoExecute taint.
	EvictPod
	// CollectPod: the pod garbage collector deletes the pod, without termination grace.
	CollectPod
	// ControllerStart: the controller started, or became leader, with empty memory.
	ControllerStart
	// RegisterNode and ForgetNode: the controller first saw a node in its process, or its removal, as an Event shows.
	RegisterNode
	ForgetNode
	decisionKindCount
)

// DecisionKinds lists every kind, in the order they are printed.
var DecisionKinds = func() (all []DecisionKind) {
	for k := MarkUnknown; k < decisionKindCount; k++ {
		all = append(all, k)
	}
	return
}()

// decisionKinds has the word for each kind, and its function.
var decisionKinds = [decisionKindCount]struct{ word, function string }{
	MarkUnknown:           {"MarkUnknown", "tryUpdateNodeHealth"},
	MarkPodsNotReady:      {"MarkPodsNotReady", "MarkPodsNotReady"},
	AddNoSchedule:         {"AddNoSchedule", "doNoScheduleTaintingPass"},
	RemoveNoSchedule:      {"RemoveNoSchedule", "doNoScheduleTaintingPass"},
	QueueForTaint:         {"QueueForTaint", "processTaintBaseEviction"},
	DequeueFromTaint:      {"DequeueFromTaint", "markNodeAsReachable"},
	TaintNoExecute:        {"TaintNoExecute", "doNoExecuteTaintingPass"},
	UntaintNoExecute:      {"UntaintNoExecute", "markNodeAsReachable"},
	SwapNoExecute:         {"SwapNoExecute", "SwapNodeControllerTaint"},
	ZoneState:             {"ZoneState", "ComputeZoneState"},
	SetRate:               {"SetRate", "setLimiterInZone"},
	EnterMasterDisruption: {"EnterMasterDisruption", "handleDisruption"},
	ExitMasterDisruption:  {"ExitMasterDisruption", "handleDisruption"},
	ScheduleEviction:      {"ScheduleEviction", "processPodOnNode"},
	CancelEviction:        {"CancelEviction", "cancelWorkWithEvent"},
	EvictPod:              {"EvictPod", "addConditionAndDeletePod"},
	CollectPod:            {"CollectPod", "markFailedAndDeletePod"},
	ControllerStart:       {"ControllerStart", "monitorNodeHealth"},
	RegisterNode:          {"RegisterNode", "monitorNodeHealth"},
	ForgetNode:            {"ForgetNode", "monitorNodeHealth"},
}

func (k DecisionKind) String() string { return decisionKinds[min(k, decisionKindCount-1)].word }

// Function is where in Kubernetes' controllers such a decision is made.
func (k DecisionKind) Function() string { return decisionKinds[min(k, decisionKindCount-1)].function }

// Controller is the one that makes such decisions.
func (k DecisionKind) Controller() Controller {
	switch k {
	case ScheduleEviction, CancelEviction, EvictPod:
		return TaintEviction
	case CollectPod:
		return PodGC
	}
	return NodeLifecycle
}

// ParseDecisionKind reads the word of String.
func ParseDecisionKind(s string) (k DecisionKind, ok bool) {
	for _, k := range DecisionKinds {
		if strings.EqualFold(k.String(), s) {
			return k, true
		}
	}
	return DecisionNone, false
}

// Outcome is whether a decision was carried out.
type Outcome uint8

const (
	Did Outcome = iota
	// Declined: the checks failed, so it was not done.
	Declined
	// Cancelled: an earlier decision was revoked.
	Cancelled
	// Failed: it was tried without success, and is not retried.
	Failed
)

func (o Outcome) String() string {
	return [...]string{"did", "declined", "cancelled", "failed"}[min(o, Failed)]
}

// Basis is how a Decision is known.
type Basis uint8

const (
	// Simulated: the model decided, and its effects were applied (scenario, forecast).
	Simulated Basis = iota
	// Inferred: the model decides so from observed data; no object shows it yet.
	Inferred
	Observed
	// Reconstructed: not watched, but timestamps in objects or Events show it.
	Reconstructed
)

func (b Basis) String() string {
	return [...]string{"simulated", "inferred", "observed", "reconstructed"}[min(b, Reconstructed)]
}

// WriteKind is the kind of a Write.
type WriteKind uint8

const (
	// WriteConditions replaces the named conditions in the node's status.
	WriteConditions WriteKind = iota + 1
	// WriteTaint puts a taint on the node, replacing one of the same key and effect.
	WriteTaint
	// WriteUntaint removes every taint of the key and effect from the node.
	WriteUntaint
	// WritePodNotReady sets the pod's Ready condition to False; reason and message stay.
	WritePodNotReady
	// WriteDisruption sets the pod's condition DisruptionTarget, with the reason in Reason.
	WriteDisruption
	// WriteDelete is a plain DELETE of a pod; WriteForceDelete has grace 0, after the phase was set to Failed.
	WriteDelete
	WriteForceDelete
	// WriteEvent is a Kubernetes Event about the node, or about the pod if one is named.
	WriteEvent
)

func (k WriteKind) String() string {
	return [...]string{"", "conditions", "taint", "untaint", "pod not ready", "disruption", "delete", "force delete", "event"}[min(k, WriteEvent)]
}

// Write is one request to the API server. Each kind uses its own fields after At.
type Write struct {
	Kind WriteKind
	// Pods counts the written pods of the Node if they are not listed; 0 for a write to one object.
	Pods int32
	Node string
	Pod  Key
	At   Instant
	// Conditions are the changed ones, as written.
	Conditions []Condition
	Taint      Taint
	// RefreshesTime: the Taint exists, and only gets a new time.
	RefreshesTime bool
	// Reason is the Event's reason, or DisruptionTarget's.
	Reason string
}

// String is the write in words.
func (w *Write) String() string {
	subject := w.Node
	switch {
	case w.Pods > 0:
		subject = fmt.Sprintf("%d pods of %s", w.Pods, w.Node)
	case w.Pod != (Key{}):
		subject = w.Pod.String()
	}
	switch w.Kind {
	case WriteConditions:
		var b strings.Builder
		fmt.Fprintf(&b, "%s:", subject)
		for i := range w.Conditions {
			c := &w.Conditions[i]
			fmt.Fprintf(&b, " %s=%s (%s)", c.Type, c.Status, c.Reason)
		}
		return b.String()
	case WriteTaint:
		return fmt.Sprintf("%s: taint %s:%s", subject, w.Taint.Key, w.Taint.Effect)
	case WriteUntaint:
		return fmt.Sprintf("%s: remove taint %s:%s", subject, w.Taint.Key, w.Taint.Effect)
	case WritePodNotReady:
		return subject + ": Ready=False"
	case WriteDisruption:
		return subject + ": DisruptionTarget (" + w.Reason + ")"
	case WriteDelete:
		return "DELETE " + subject
	case WriteForceDelete:
		return "DELETE " + subject + " with grace 0"
	case WriteEvent:
		return "event " + w.Reason + " on " + subject
	}
	return subject
}

// Subject names the most specific subject: a pod, a node, a zone, or "cluster". It is not cleaned for a screen.
func (d *Decision) Subject() string { return SubjectOf(d.Pod, d.Node, d.Zone) }

// SubjectOf is the most specific of those that are known, or "cluster".
func SubjectOf(pod Key, node string, zone Maybe[ZoneKey]) string {
	switch {
	case pod != Key{}:
		return pod.String()
	case node != "":
		return node
	case zone.Known:
		return zone.Value.String()
	}
	return "cluster"
}
