package contract

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/problem"
	"kardia/ui/topics"
)

// Nodes is every node at a time, by name.
type Nodes struct {
	At Stamp `json:"at"`
	Caveats
	Nodes []Node `json:"nodes"`
}

// Node is one node.
type Node struct {
	Name   string  `json:"name"`
	UID    *string `json:"uid"`
	Zone   *string `json:"zone"`
	Region *string `json:"region"`

	Ready         *string `json:"ready"`
	ReadySince    Stamp   `json:"readySince"`
	ReadyObserved *Window `json:"readyObserved"`
	ReadyReason   *string `json:"readyReason"`
	ReadyMessage  *string `json:"readyMessage"`

	AgeSeconds   Seconds `json:"ageSeconds"`
	AgeAtLeast   bool    `json:"ageAtLeast"`
	AgeAtMost    bool    `json:"ageAtMost"`
	AgeFrom      *string `json:"ageFrom"`
	HeardSeconds Seconds `json:"lastSeenSeconds"`
	SaysSeconds  Seconds `json:"renewTimeSeconds"`
	SkewSeconds  Seconds `json:"skewSeconds"`

	RenewTime            Stamp   `json:"renewTime"`
	LeaseDurationSeconds *int32  `json:"leaseDurationSeconds"`
	Holder               *string `json:"holder"`

	Unschedulable *bool       `json:"unschedulable"`
	Taints        []Taint     `json:"taints"`
	Conditions    []Condition `json:"conditions"`
	// Problems are others than being silent or not Ready, the most serious first.
	Problems []NodeProblem `json:"problems"`

	Pods           *int    `json:"pods"`
	KubeletVersion *string `json:"kubeletVersion"`
	Created        Stamp   `json:"created"`
	// Details are labels, what the machine runs, its addresses and capacity.
	Details map[string]string `json:"details" schema:"nullable"`

	// LastKnownSince is since when nothing is known of the Node object; null if it is known.
	LastKnownSince Stamp `json:"lastKnownSince"`

	health model.Health
	since  Stamp // of ready, and no earlier than it was seen
	// atLeast: the time of the capture is not known, so since may be longer ago.
	atLeast bool
	zone    model.Maybe[model.ZoneKey]
}

// Taint is one taint of a node.
type Taint struct {
	Key       string `json:"key"`
	Value     string `json:"value"`
	Effect    string `json:"effect"`
	TimeAdded Stamp  `json:"timeAdded"`
}

// Condition is one condition of a node.
type Condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	// Sense is the meaning of the status for the node. Owner is the component that posts the condition. StaleSeconds is
	// how far its heartbeat is behind the others', nil if it is not.
	Sense         string  `json:"sense"`
	Owner         *string `json:"owner"`
	StaleSeconds  Seconds `json:"staleSeconds"`
	Since         Stamp   `json:"since"`
	LastHeartbeat Stamp   `json:"lastHeartbeat"`
	Reason        string  `json:"reason"`
	Message       string  `json:"message"`
}

// NodeProblem is a problem that Ready does not show. Since is when it started, or was reported last.
type NodeProblem struct {
	Kind  string `json:"kind"`
	Says  string `json:"text"`
	Since Stamp  `json:"since"`
}

// NodesAt reports the nodes in scope.
func NodesAt(c *model.Cluster, s Scope) Nodes {
	out := Nodes{Caveats: s.Caveats, At: Stamp(s.At), Nodes: []Node{}}
	around := problem.AroundOf(c, s.asOf())
	around.Unheard = s.Unwatched.Leases()
	c.Nodes(func(r *model.NodeRow) bool {
		if s.keeps(r) {
			out.Nodes = append(out.Nodes, node(r, s, &around))
		}
		return true
	})
	slices.SortFunc(out.Nodes, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func node(r *model.NodeRow, s Scope, around *problem.Around) Node {
	ages := r.AgesAsOf(s.asOf())
	out := Node{
		Name:          r.Name,
		ReadyObserved: window(r.ReadySet),
		AgeSeconds:    Seconds(ages.Age),
		AgeAtLeast:    ages.AtLeast,
		AgeFrom:       text(ages.Measured()),
		HeardSeconds:  Seconds(ages.Heard),
		SaysSeconds:   Seconds(ages.Says),
		SkewSeconds:   Seconds(ages.Skew),
		Taints:        []Taint{},
		Conditions:    []Condition{},
		Problems:      []NodeProblem{},
		Pods:          s.podsOf(r),
		health:        r.Health(),
		zone:          r.Zone(),
		since:         Stamp(r.ReadySince()),
		atLeast:       s.asOf().Statuses.AtLeast,
	}
	v, lastKnown := s.Unwatched.Node(r, s.At)
	if lastKnown {
		out.LastKnownSince = Stamp(v.Earliest)
	}
	for _, p := range problem.Of(r, ages, around, lastKnown) {
		out.Problems = append(out.Problems, NodeProblem{p.Kind.String(), topics.Problem(&p).String(), Stamp(p.Since)})
	}
	out.AgeAtMost = s.atMost(r, ages)
	if l := &r.Lease; l.Seen && !l.Gone {
		out.RenewTime = Stamp(l.Renewed)
		out.LeaseDurationSeconds = known(l.Seconds != 0, l.Seconds)
		out.Holder = text(l.Holder)
	}
	if r.Node != nil {
		out.object(r.Node)
	}
	return out
}

func (out *Node) object(n *model.Node) {
	out.UID = text(n.UID.String())
	out.Zone, out.Region = &n.Zone.Zone, &n.Zone.Region
	out.Ready = text(readyWord[out.health])
	if ready := n.Ready(); ready != nil {
		out.ReadySince = Stamp(ready.Transition)
		out.ReadyReason, out.ReadyMessage = &ready.Reason, &ready.Message
	}
	out.Unschedulable = &n.Unschedulable
	out.Taints = each(n.Taints, func(t model.Taint) Taint { return Taint{t.Key, t.Value, t.Effect.String(), Stamp(t.Added)} })
	for _, c := range n.Conditions {
		out.Conditions = append(out.Conditions, Condition{c.Type, c.Status.String(), model.SenseOf(c.Type, c.Status).String(), text(model.ConditionOwner(c.Type)),
			Seconds(stale(n, &c)), Stamp(c.Transition), Stamp(c.Heartbeat), c.Reason, c.Message})
	}
	out.KubeletVersion = text(n.KubeletVersion)
	if n.Details != (model.NodeDetails{}) {
		out.Details = maps.Collect(n.Details.All)
	}
	out.Created = Stamp(n.Created)
}

// readyWord is the status of the Ready condition; "NoStatus" if there is none.
var readyWord = map[model.Health]string{
	model.HealthNever:    "NoStatus",
	model.HealthReady:    "True",
	model.HealthNotReady: "False",
	model.HealthUnknown:  "Unknown",
}

func stale(n *model.Node, c *model.Condition) model.Maybe[time.Duration] {
	behind := n.StaleBy(c)
	return model.Maybe[time.Duration]{Value: behind, Known: behind > 0}
}

// NeedsAttention reports whether a node is not Ready, has a NoExecute taint, or is late.
func NeedsAttention(r *model.NodeRow, s Scope) bool {
	return r.Node == nil || r.Health() != model.HealthReady || r.Node.HasNoExecute() || s.Late(r, r.AgesAsOf(s.asOf()))
}
