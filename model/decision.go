package model

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
	"time"
)

// Decision is what a controller did, declined to do, or cancelled: when, to whom, by
// which rule, on which evidence, and because of which earlier decisions.
//
// Decisions are values of a pure computation: the same input gives the same Decisions,
// ids included. They must not be modified once handed out.
type Decision struct {
	// ID comes from the content: who decided what about whom, and when.
	ID DecisionID
	// Time is when the controller decided, as well as it is known; Window bounds it. A
	// simulated decision is exact: both ends are Time.
	Time   Instant
	Window Interval
	// ZoneAssumed says that Time is by a clock whose time zone was not known, and taken to be UTC.
	ZoneAssumed bool

	Controller Controller
	Kind       DecisionKind
	Outcome    Outcome

	// Node, Zone and Pod are the subject; Zone is unknown for decisions that concern
	// no zone, Node is empty for decisions about zones or the whole cluster, and Pod is
	// zero for those about no single pod.
	Node   string
	Zone   Maybe[ZoneKey]
	Pod    Key
	PodUID UID

	// Rule is the rule; Why is its reason in this case. A change of State or Rate needs no Why.
	Rule Rule
	Why  Reason
	// State is what a ZoneState decision changes, and Rate, in nodes a second, what a SetRate decision does. A declined
	// decision whose Why names a state or a rate has it on both sides; zero for all others.
	State Shift[DisruptionState]
	Rate  Shift[float32]
	// Checks are the comparisons that led here, in the order they were made.
	Checks []Check
	// Inputs are the facts the decision rests on.
	Inputs []Input
	// Causes are the earlier decisions without which this one would not have been made.
	Causes []DecisionID
	// Writes are its effect on objects, in the order they are sent; empty for a decision
	// that changes the controller's own mind only.
	Writes []Write

	// LeavesTrace says whether an input of the given kind could show the effect at all.
	LeavesTrace bool
	Basis       Basis
	// Observed is where the effect was seen; nil while it was not.
	Observed *Observation
}

// Shift is what a value was and what it becomes.
type Shift[T comparable] struct{ From, To T }

// Observation is the write by which a Decision's effect was seen.
type Observation struct {
	Time     Interval
	Evidence []Input
}

// DecisionID names a Decision; 0 means none. It is derived from the Decision's content,
// so it is the same from run to run.
type DecisionID uint64

// String is 16 hexadecimal digits, and "" for none.
func (id DecisionID) String() string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf("%016x", uint64(id))
}

// Identify derives the id from the time, the controller, the kind and outcome, the subject,
// the rule, the taints written, what was compared, and the causes: no two decisions of a
// run share all of these.
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

// Written counts the objects that it writes to; Events are not waited for.
func (d *Decision) Written() (n int) {
	for i := range d.Writes {
		n += d.Writes[i].objects()
	}
	return n
}

// Length is the first length of time that its checks compare: the silence that a declaration counted, or how long a
// countdown takes. Unknown where they compare none.
func (d *Decision) Length() (length Maybe[time.Duration]) {
	for i := range d.Checks {
		if l := d.Checks[i].Left; l.Kind == OperandDuration {
			return Some(time.Duration(l.Int))
		}
	}
	return length
}

// Told says that nothing tells of the decision but what a component said: no rule was applied to anything, and no
// write was seen. Its Observed is when that was said.
func (d *Decision) Told() bool { return d.Observed != nil && d.Rule == RuleNone }

// Controller says which real controller a Decision belongs to.
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

// DecisionKind says what was decided.
type DecisionKind uint8

// The kinds, in the order they are printed.
const (
	DecisionNone DecisionKind = iota
	// MarkUnknown: the control plane declares that it does not hear the kubelet.
	MarkUnknown
	// MarkPodsNotReady: the pods of a silent node are marked not ready.
	MarkPodsNotReady
	AddNoSchedule
	RemoveNoSchedule
	// QueueForTaint: the node waits in its zone's queue for a token.
	QueueForTaint
	DequeueFromTaint
	// TaintNoExecute: a NoExecute taint is written, or written again with a new timeAdded.
	TaintNoExecute
	UntaintNoExecute
	// SwapNoExecute: not-ready becomes unreachable or the reverse, without a token.
	SwapNoExecute
	// ZoneState: a zone is judged anew.
	ZoneState
	// SetRate: the rate at which a zone's nodes are tainted changes.
	SetRate
	EnterMasterDisruption
	ExitMasterDisruption
	// ScheduleEviction: a pod's countdown starts.
	ScheduleEviction
	CancelEviction
	// EvictPod: the pod is deleted by a plain DELETE because of a NoExecute taint.
	EvictPod
	// CollectPod: the pod is deleted by the pod garbage collector, without grace.
	CollectPod
	// ControllerStart: the controller started, or became leader, and knows nothing yet.
	ControllerStart
	// RegisterNode and ForgetNode: the controller saw a node for the first time in its
	// life, or saw it go. They leave an Event, and nothing in the Node.
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

func (k DecisionKind) String() string {
	return [...]string{"", "MarkUnknown", "MarkPodsNotReady", "AddNoSchedule", "RemoveNoSchedule",
		"QueueForTaint", "DequeueFromTaint", "TaintNoExecute", "UntaintNoExecute", "SwapNoExecute",
		"ZoneState", "SetRate", "EnterMasterDisruption", "ExitMasterDisruption",
		"ScheduleEviction", "CancelEviction", "EvictPod", "CollectPod", "ControllerStart",
		"RegisterNode", "ForgetNode"}[min(k, decisionKindCount-1)]
}

// ParseDecisionKind reads the word that String prints.
func ParseDecisionKind(s string) (k DecisionKind, ok bool) {
	for _, k := range DecisionKinds {
		if strings.EqualFold(k.String(), s) {
			return k, true
		}
	}
	return DecisionNone, false
}

// Outcome says whether something was done.
type Outcome uint8

const (
	Did Outcome = iota
	// Declined: the checks were made and held it back.
	Declined
	// Cancelled: what had been decided earlier was taken back.
	Cancelled
	// Failed: it was tried, and did not come through; who tried does not try again.
	Failed
)

func (o Outcome) String() string {
	return [...]string{"did", "declined", "cancelled", "failed"}[min(o, Failed)]
}

// Basis says how a Decision is known.
type Basis uint8

const (
	// Simulated: the model decided, and its effects were applied (scenario, forecast).
	Simulated Basis = iota
	// Inferred: the model decides so from what was observed; no object shows it (yet).
	Inferred
	// Observed: the effect was seen.
	Observed
	// Reconstructed: nobody watched, and stamps in objects or Events still tell of it.
	Reconstructed
)

func (b Basis) String() string {
	return [...]string{"simulated", "inferred", "observed", "reconstructed"}[min(b, Reconstructed)]
}

// WriteKind says what is written to which object.
type WriteKind uint8

const (
	// WriteConditions replaces the named conditions in the node's status.
	WriteConditions WriteKind = iota + 1
	// WriteTaint puts a taint on the node, replacing one of the same key and effect.
	WriteTaint
	// WriteUntaint takes every taint of the key and effect off the node.
	WriteUntaint
	// WritePodNotReady sets the pod's Ready condition to False; reason and message stay.
	WritePodNotReady
	// WriteDisruption sets the pod's condition DisruptionTarget, with the reason in Reason.
	WriteDisruption
	// WriteDelete is a plain DELETE of a pod; WriteForceDelete one with grace 0, after the
	// phase was set to Failed.
	WriteDelete
	WriteForceDelete
	// WriteEvent is a Kubernetes Event about the node, or about the pod where one is named.
	WriteEvent
)

func (k WriteKind) String() string {
	return [...]string{"", "conditions", "taint", "untaint", "pod not ready", "disruption", "delete", "force delete", "event"}[min(k, WriteEvent)]
}

// Write is one request to the API server. Of the fields after At, each kind uses its own.
type Write struct {
	Kind WriteKind
	// Pods is how many pods of the Node it is of, where which they are is left out; 0 where it is of one object.
	Pods int32
	Node string
	Pod  Key
	At   Instant
	// Conditions as they are written: those that change, and no others.
	Conditions []Condition
	Taint      Taint
	// RefreshesTime: the Taint stood there, and gets a new time only.
	RefreshesTime bool
	// Reason is the Event's reason, or DisruptionTarget's.
	Reason string
}

// objects counts those that it writes to but Events.
func (w *Write) objects() int {
	if w.Kind == WriteEvent {
		return 0
	}
	return max(int(w.Pods), 1)
}

// String is the write in words, for people.
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

// Subject names what the decision is about, most particular first: a pod, a node, a zone, or
// "cluster". It is not cleaned for a screen.
func (d *Decision) Subject() string {
	switch {
	case d.Pod != Key{}:
		return d.Pod.String()
	case d.Node != "":
		return d.Node
	case d.Zone.Known:
		return d.Zone.Value.String()
	}
	return "cluster"
}
