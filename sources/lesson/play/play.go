// Package play runs a scenario, many times over, and answers queries about it: when something first happened, how
// often, in which state a zone was. Lessons use it. For example: "count TaintNoExecute zone=b before dark+60s" is 3.
package play

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/scenario"
)

// Play is one run of a scenario. All times are from the scenario's start.
type Play struct {
	Scenario *scenario.Scenario
	Events   []Event
	// Nodes are in the scenario's order, Pods in order of appearance.
	Nodes []Node
	Pods  []*Pod

	nodes map[string]*Node
	pods  map[model.Key]*Pod

	reach *time.Duration // the latest time that answers show; nil unless Reach asks
}

// Event is a decision of the control plane, or something that happens.
type Event struct {
	At time.Duration
	// Kind is one of Kinds.
	Kind string
	Node string
	Zone string
	Pod  model.Key
	// Workload is the owner of the pod in the scenario: "shop/web".
	Workload string
	// Decision is set if a controller decided.
	Decision *model.Decision
}

// The kinds of Events that are no decisions.
const (
	Renewal    = "Renewal" // a node's lease was renewed
	podCreated = "PodCreated"
	podBound   = "PodBound"   // to a node
	podReady   = "PodReady"   // its Ready condition turned True
	podUnready = "PodUnready" // it turned False
	podDeleted = "PodDeleted" // its deletion was asked for
	podGone    = "PodGone"    // the object is gone
	podFailed  = "PodFailed"  // its kubelet ended or refused it

	podEvicted      = "PodEvicted"      // by the Eviction API
	evictionRefused = "EvictionRefused" // by the Eviction API
	volumeAttached  = "VolumeAttached"  // to a node
	volumeDetached  = "VolumeDetached"  // from a node
	nodeAdded       = "NodeAdded"       // the object was created
	nodeReady       = "NodeReady"       // its Ready condition turned True
	nodeInitialized = "NodeInitialized" // a cloud controller removed the taint uninitialized
	nodeRemoved     = "NodeRemoved"     // the object was deleted
)

// Kinds are the words for all events in queries: what happens, and what controllers decide.
func Kinds() []string {
	list := []string{Renewal, nodeAdded, nodeReady, nodeInitialized, nodeRemoved, podCreated, podBound, podReady, podUnready, podDeleted, podGone, podFailed, podEvicted, evictionRefused, volumeAttached, volumeDetached}
	for _, k := range model.DecisionKinds {
		list = append(list, k.String())
	}
	return list
}

// Node is the history of a node.
type Node struct {
	Name, Zone string
	// Beats are the arrivals of its renewals. Those before the start are at most one beat at 0.
	Beats []time.Duration
	// States are its object's states, each from its time on.
	States []NodeState
}

type NodeState struct {
	At                    time.Duration
	Gone                  bool
	Ready                 model.Status
	NoSchedule, NoExecute bool // taints of the node-lifecycle controller
	Cordoned              bool
	// Emptied: it has a NoExecute taint of any writer.
	Emptied bool
	// Uninitialized: it has the taint of a kubelet with an external cloud provider.
	Uninitialized bool
}

// Pod is the history of a pod.
type Pod struct {
	Key      model.Key
	Workload string
	States   []PodState
}

type PodState struct {
	At                       time.Duration
	Node                     string
	Gone, Terminating, Ready bool
	Failed, Evicted          bool
}

// Run runs a scenario on a seed; late is scenario.Play's.
func Run(s *scenario.Scenario, seed uint64, late bool) *Play {
	p := &Play{Scenario: s, nodes: map[string]*Node{}, pods: map[model.Key]*Pod{}}
	p.Nodes = make([]Node, len(s.Nodes))
	for i, n := range s.Nodes {
		p.Nodes[i] = Node{Name: n.Name, Zone: n.Zone.String()}
		p.nodes[n.Name] = &p.Nodes[i]
	}
	s.Play(scenario.Play{Seed: seed, Late: late,
		Hear: func(ch *model.Change) bool {
			p.hear(ch.Arrival.Sub(s.Start), ch)
			return true
		},
		Decided: func(d *model.Decision) {
			if d.Outcome == model.Did || d.Outcome == model.Cancelled {
				p.decided(d.Time.Sub(s.Start), *d)
			}
		}})
	slices.SortStableFunc(p.Events, func(a, b Event) int { return int(a.At - b.At) })
	return p
}

func (p *Play) add(e Event) {
	if n := p.nodes[e.Node]; n != nil && e.Zone == "" {
		e.Zone = n.Zone
	}
	if pod := p.pods[e.Pod]; pod != nil {
		e.Workload = pod.Workload
	}
	p.Events = append(p.Events, e)
}

func (p *Play) decided(at time.Duration, d model.Decision) {
	e := Event{At: at, Kind: d.Kind.String(), Node: d.Node, Pod: d.Pod, Decision: &d}
	if d.Zone.Known && d.Node == "" {
		e.Zone = d.Zone.Value.String()
	}
	p.add(e)
}

func (p *Play) hear(at time.Duration, ch *model.Change) {
	switch ch.Kind {
	case model.KindNodeLease:
		n := p.nodes[ch.Key.Name]
		if ch.Op == model.OpDelete {
			return
		}
		if ch.Op == model.OpBaseline {
			at = ch.Lease.Renewed.Sub(p.Scenario.Start) // before the start: how old its pulse is then
		}
		n.Beats = append(n.Beats, at)
		if ch.Op != model.OpBaseline {
			p.add(Event{At: at, Kind: Renewal, Node: n.Name})
		}
	case model.KindNode:
		p.hearNode(at, ch)
	case model.KindPod:
		p.hearPod(at, ch)
	case model.KindVolumeAttachment:
		node := ch.Related.Details.Value(model.DetailNode)
		switch {
		case ch.Op == model.OpDelete:
			p.add(Event{At: at, Kind: volumeDetached, Node: node})
		case ch.Op == model.OpModify && !ch.Related.Deleted.Known():
			p.add(Event{At: at, Kind: volumeAttached, Node: node})
		}
	}
}

func (p *Play) hearNode(at time.Duration, ch *model.Change) {
	n := p.nodes[ch.Key.Name]
	was := n.At(at)
	is := stateOf(at, ch)
	n.States = append(n.States, is)
	if ch.Op == model.OpBaseline {
		return
	}
	say := func(kind string, happened bool) {
		if happened {
			p.add(Event{At: at, Kind: kind, Node: n.Name})
		}
	}
	say(nodeAdded, ch.Op == model.OpAdd)
	say(nodeReady, was.Ready != model.StatusTrue && is.Ready == model.StatusTrue)
	say(nodeInitialized, was.Uninitialized && !is.Uninitialized && !is.Gone)
	say(nodeRemoved, is.Gone)
}

func stateOf(at time.Duration, ch *model.Change) NodeState {
	s := NodeState{At: at, Gone: ch.Op == model.OpDelete}
	if ch.Node == nil {
		return s
	}
	s.Cordoned = ch.Node.Unschedulable
	if ready := ch.Node.Ready(); ready != nil {
		s.Ready = ready.Status
	}
	for _, t := range ch.Node.Taints {
		s.Emptied = s.Emptied || t.Effect == model.NoExecute
		s.Uninitialized = s.Uninitialized || t.Key == model.TaintUninitialized
		if t.Key != model.TaintUnreachable && t.Key != model.TaintNotReady {
			continue
		}
		s.NoExecute = s.NoExecute || t.Effect == model.NoExecute
		s.NoSchedule = s.NoSchedule || t.Effect == model.NoSchedule
	}
	return s
}

func (p *Play) hearPod(at time.Duration, ch *model.Change) {
	pod := p.pods[ch.Key]
	if pod == nil {
		pod = &Pod{Key: ch.Key, Workload: p.workloadOf(ch.Key)}
		p.pods[ch.Key] = pod
		p.Pods = append(p.Pods, pod)
	}
	was := PodState{Gone: true}
	if n := len(pod.States); n > 0 {
		was = pod.States[n-1]
	}
	if ch.Op == model.OpAttempt {
		p.add(Event{At: at, Kind: evictionRefused, Node: was.Node, Pod: ch.Key})
		return
	}
	is := was
	is.At, is.Gone = at, ch.Op == model.OpDelete
	if ch.Pod != nil && !is.Gone {
		is.Node, is.Terminating, is.Ready = ch.Pod.Node, ch.Pod.Deletion.Known(), ch.Pod.Ready == model.StatusTrue
		is.Failed, is.Evicted = ch.Pod.Phase == model.PhaseFailed, ch.Pod.DisruptionReason == model.DisruptedByEviction
	}
	pod.States = append(pod.States, is)
	if ch.Op == model.OpBaseline {
		return
	}
	say := func(kind string, happened bool) {
		if happened {
			p.add(Event{At: at, Kind: kind, Node: is.Node, Pod: ch.Key})
		}
	}
	say(podCreated, was.Gone && !is.Gone)
	say(podBound, was.Node == "" && is.Node != "")
	say(podReady, !was.Ready && is.Ready && !is.Gone)
	say(podUnready, was.Ready && !is.Ready && !is.Gone)
	say(podDeleted, !was.Terminating && is.Terminating)
	say(podFailed, !was.Failed && is.Failed)
	say(podEvicted, !was.Evicted && is.Evicted)
	say(podGone, is.Gone)
}

// workloadOf is the owner of a pod in the scenario: the longest name that the pod's starts with.
func (p *Play) workloadOf(pod model.Key) (name string) {
	for _, w := range p.Scenario.Workloads {
		if w.Key.Namespace == pod.Namespace && (pod.Name == w.Key.Name || strings.HasPrefix(pod.Name, w.Key.Name+"-")) && len(w.Key.String()) > len(name) {
			name = w.Key.String()
		}
	}
	return name
}

// At is the state of a node's object at a time.
func (n *Node) At(at time.Duration) NodeState {
	i, _ := slices.BinarySearchFunc(n.States, at+1, func(s NodeState, at time.Duration) int { return cmp.Compare(s.At, at) })
	if i == 0 {
		return NodeState{Gone: true}
	}
	return n.States[i-1]
}

// Silence is how long a node's lease has not been renewed.
func (n *Node) Silence(at time.Duration) time.Duration {
	i, _ := slices.BinarySearch(n.Beats, at+1)
	if i == 0 {
		return 0
	}
	return at - n.Beats[i-1]
}

// At is the state of a pod's object at a time.
func (p *Pod) At(at time.Duration) PodState {
	i, _ := slices.BinarySearchFunc(p.States, at+1, func(s PodState, at time.Duration) int { return cmp.Compare(s.At, at) })
	if i == 0 {
		return PodState{Gone: true}
	}
	return p.States[i-1]
}

// Zone is a zone's state at a time, and how many of its nodes are tainted a second.
func (p *Play) Zone(zone string, at time.Duration) (state model.DisruptionState, rate float32) {
	state, rate = model.ZoneNormal, p.Scenario.Params.NodeEvictionRate.Value
	for i := range p.Events {
		switch e := &p.Events[i]; {
		case e.At > at:
			return state, rate
		case e.Decision == nil || e.Zone != zone || e.Node != "":
		case e.Decision.Kind == model.ZoneState:
			state = e.Decision.State.To
		case e.Decision.Kind == model.SetRate:
			rate = e.Decision.Rate.To
		}
	}
	return state, rate
}

// Zones are the zones of the scenario, in the order of its nodes.
func (p *Play) Zones() (list []string) {
	for i := range p.Nodes {
		if !slices.Contains(list, p.Nodes[i].Zone) {
			list = append(list, p.Nodes[i].Zone)
		}
	}
	return list
}

// Nth is the nth possible run of a scenario. The first, n 0, has its own seed; in some others ticks read an old cache.
func Nth(s *scenario.Scenario, n int) *Play { return Run(s, s.Seed+uint64(n), n%6 == 5) }
