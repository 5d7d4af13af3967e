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

// Actor is the source of a request.
type Actor uint8

const (
	// World is people and kubelets: all that a scenario does by itself.
	World Actor = iota
	// Pass and the next four are the loops of the real node-lifecycle controller.
	Pass
	Tick
	NoSchedule
	Labels
	PodWorker
	Eviction
	Collector
	// Stray is a controller's request from an unknown function: a failure of the harness.
	Stray
)

func (a Actor) String() string {
	return [...]string{"world", "pass", "tick", "noschedule", "labels", "podworker", "eviction", "podgc", "stray"}[a]
}

// loops are the functions that identify a loop by its stack, innermost first.
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

// actors caches the Actor of each program counter; Stray for none.
var actors sync.Map

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
	// Node and Pod: an object was written, or removed: New is nil.
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
	// PodLooked is the pod as the pod worker read it; nil if it is gone.
	PodLooked *v1.Pod
	// Delete is the pod of a DELETE, even if that changed nothing. Force: without termination grace.
	Delete string
	Force  bool
	// Collects: the pod garbage collector has listed the pods.
	Collects bool
	// Broken: from now on requests of controllers that name an object fail, or no more.
	Broken *Broken
	// Refused names a request that the API server answered with an error.
	Refused string
	// Conflict names the object of a write that met a conflict of the scenario.
	Conflict string
	// Judged: a pass has evaluated the nodes and judges the zones.
	Judged bool
	// Log is a line of a controller's log about a decision.
	Log *Line
	// Started and Stopped: a controller started or ended. Memory is what the node-lifecycle controller then remembered.
	Started, Stopped Process
	Memory           *Memory
}

// Broken sets whether requests that name an object fail.
type Broken struct {
	Node string
	Now  bool
}

// Process is one of the three real controllers; a scenario runs them as separate processes.
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

// Line is a log line, with its fields as text.
type Line struct {
	Message string
	Fields  map[string]string
}

// Trace is everything that happened in a run, in order.
type Trace struct {
	mu    sync.Mutex
	Zero  time.Time
	Steps []Step
	// Forged is the write that was forged; nil if there is none.
	Forged *Forged
}

func (t *Trace) add(s Step) {
	s.At = time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Steps = append(t.Steps, s)
}

// withoutLeases leaves out renewals: the models get the leases that a pass has seen.
func (t *Trace) withoutLeases() []Step {
	return slices.DeleteFunc(slices.Clone(t.Steps), func(s Step) bool { return s.Lease != nil })
}

// nodeAt is a node's version at a time; nil if it had been removed. known: it is another than the current one.
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

// String prints the trace, one line a step, without heartbeats.
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
