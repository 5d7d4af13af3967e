package conformance

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	coordv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
)

// Actor is who made a request.
type Actor uint8

const (
	// People and kubelets: everything a scenario does by itself.
	World Actor = iota
	// The loops of the real node-lifecycle controller.
	Pass
	Tick
	NoSchedule
	Labels
	PodWorker
	// The real taint-eviction controller.
	Eviction
	// The real pod garbage collector.
	Collector
	// A controller's request from a place this file does not know: a failure of the harness.
	Stray
)

func (a Actor) String() string {
	return [...]string{"world", "pass", "tick", "noschedule", "labels", "podworker", "eviction", "podgc", "stray"}[a]
}

// loops names the functions that tell a loop by its stack, innermost first.
var loops = []struct {
	function string
	actor    Actor
}{
	{"nodelifecycle.(*Controller).doNoScheduleTaintingPass", NoSchedule},
	{"nodelifecycle.(*Controller).reconcileNodeLabels", Labels},
	{"nodelifecycle.(*Controller).doNoExecuteTaintingPass", Tick},
	{"nodelifecycle.(*Controller).monitorNodeHealth", Pass},
	{"nodelifecycle.(*Controller).processPod", PodWorker},
	{"tainteviction.", Eviction},
	{"podgc.(*PodGCController)", Collector},
}

// actors remembers what a program counter says, Stray for "nothing".
var actors sync.Map

// caller says which loop of a real controller is calling.
func caller() Actor {
	var pcs [40]uintptr
	for _, pc := range pcs[:runtime.Callers(3, pcs[:])] {
		known, ok := actors.Load(pc)
		if !ok {
			known = actorOf(pc)
			actors.Store(pc, known)
		}
		if known.(Actor) != Stray {
			return known.(Actor)
		}
	}
	return Stray
}

func actorOf(pc uintptr) Actor {
	frames := runtime.CallersFrames([]uintptr{pc})
	for {
		frame, more := frames.Next()
		for _, l := range loops {
			if strings.Contains(frame.Function, l.function) {
				return l.actor
			}
		}
		if !more {
			return Stray
		}
	}
}

// Step is one entry of a Trace. Exactly one of its parts is set.
type Step struct {
	At time.Time
	By Actor
	// Node, Lease and Pod: an object was written (or removed: New is nil).
	Node *Written[v1.Node]
	Pod  *Written[v1.Pod]
	// Lease: a kubelet renewed its lease, or it was removed.
	Lease *Written[coordv1.Lease]
	// Snapshot: a monitor pass has listed the nodes.
	Snapshot *Snapshot
	// Took is the node at the head of a queue that got a token in a tick.
	Took string
	// Looked is the node as the NoSchedule worker read it.
	Looked *v1.Node
	// PodLooked is the pod as the pod worker read it; nil where it has gone.
	PodLooked *v1.Pod
	// Delete is the pod whose deletion was requested, whether or not that changed anything;
	// Force says that no grace was granted.
	Delete string
	Force  bool
	// Collects: the pod garbage collector has listed the pods.
	Collects bool
	// Broken: the controllers' requests that name a node fail from now on, or no more.
	Broken *Broken
	// Refused names a request that the API server answered with an error.
	Refused string
	// Conflict names the object of a write that met a conflict of the scenario.
	Conflict string
	// Judged: a pass has evaluated the nodes and judges the zones.
	Judged bool
	// Log is a line of a controller's log that tells of a decision.
	Log *Line
	// Started and Stopped: a controller began or ceased to work; Memory is what the
	// node-lifecycle controller remembered in the end.
	Started, Stopped Process
	Memory           *Memory
}

// Broken says whether requests that name a node fail.
type Broken struct {
	Node string
	Now  bool
}

// Process is one of the three real controllers; they are separate processes to a scenario.
type Process string

const (
	NodeLifecycle Process = "node-lifecycle"
	TaintEviction Process = "taint-eviction"
	PodGC         Process = "pod-gc"
)

// Written is a version of an object and the one before it; either may be nil.
type Written[T any] struct {
	Name     string
	Old, New *T
}

// Line is a log line: its message, and the fields as text.
type Line struct {
	Message string
	Fields  map[string]string
}

// Trace is everything that happened in a run, in the order in which it happened.
type Trace struct {
	mu    sync.Mutex
	Zero  time.Time
	Steps []Step
	// Forged is the write that was forged; nil where none was.
	Forged *Forged
}

func (t *Trace) add(s Step) {
	s.At = time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Steps = append(t.Steps, s)
}

// withoutLeases are the steps that are no renewals: what is known of those a pass has seen.
func (t *Trace) withoutLeases() []Step {
	return slices.DeleteFunc(slices.Clone(t.Steps), func(s Step) bool { return s.Lease != nil })
}

// nodeAt is the version of a node that was current at an instant; nil where it had been
// removed, and known is false where it had not been made yet, or is current still.
func (t *Trace) nodeAt(name string, at time.Time) (node *v1.Node, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.Steps) - 1; i >= 0; i-- {
		s := &t.Steps[i]
		if s.Node == nil || s.Node.Name != name {
			continue
		}
		if !s.At.After(at) {
			return node, known
		}
		node, known = s.Node.Old, s.Node.Old != nil
	}
	return node, known
}

// Writes counts the writes of the controllers.
func (t *Trace) Writes() (n int) {
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.By != World && (s.Node != nil || s.Pod != nil || s.Delete != "") {
			n++
		}
	}
	return n
}

// String prints the trace, one line a step, for a person who looks for the reason of
// a disagreement. Heartbeats are left out.
func (t *Trace) String() string { return t.Between(0, math.MaxFloat64) }

// Between prints the trace between two seconds since the start.
func (t *Trace) Between(from, to float64) string {
	var b strings.Builder
	for i := range t.Steps {
		s := &t.Steps[i]
		if at := s.At.Sub(t.Zero).Seconds(); at < from || at > to {
			continue
		}
		for _, line := range s.lines() {
			fmt.Fprintf(&b, "%9.3f %-10s %s\n", s.At.Sub(t.Zero).Seconds(), s.By, line)
		}
	}
	return b.String()
}

func (s *Step) lines() []string {
	switch {
	case s.Node != nil:
		return NodeEffects(s.Node)
	case s.Pod != nil:
		return PodEffects(s.Pod)
	case s.Lease != nil:
		return nil
	case s.Snapshot != nil:
		return []string{fmt.Sprintf("lists %d nodes", len(s.Snapshot.Nodes))}
	case s.Took != "":
		return []string{"takes " + s.Took}
	case s.Delete != "":
		return []string{s.Delete + " DELETE"}
	case s.Collects:
		return []string{"lists pods"}
	case s.Refused != "":
		return []string{"refused: " + s.Refused}
	case s.Conflict != "":
		return []string{"conflict: " + s.Conflict}
	case s.Judged:
		return []string{"judges the zones"}
	case s.Log != nil:
		return []string{fmt.Sprintf("log %q %v", s.Log.Message, s.Log.Fields)}
	case s.Started != "":
		return []string{string(s.Started) + " starts"}
	case s.Stopped != "":
		return []string{string(s.Stopped) + " stops"}
	}
	return nil
}
