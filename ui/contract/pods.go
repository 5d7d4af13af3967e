package contract

import (
	"cmp"

	"kardia/model"
	"kardia/model/explain/departure"
	"kardia/ui/topics"
)

// Pods is every pod at a time, by namespace and name.
type Pods struct {
	At Stamp `json:"at"`
	Caveats
	Pods []Pod `json:"pods"`
}

// Pod is one pod.
type Pod struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Node is "" for a pod that is not bound.
	Node              string       `json:"node"`
	Phase             *string      `json:"phase"`
	Ready             *string      `json:"ready"`
	DeletionTimestamp Stamp        `json:"deletionTimestamp"`
	Tolerations       []Toleration `json:"tolerations"`
	DisruptionTarget  *Disruption  `json:"disruptionTarget"`
	Departure         *Departure   `json:"endedBy"`
	Priority          *int64       `json:"priority"`
	// LastKnownSince is since when nothing is known of the pod; null if it is known.
	LastKnownSince Stamp `json:"lastKnownSince"`
}

// Toleration is one toleration of a pod. TolerationSeconds is nil for "forever".
type Toleration struct {
	Key               string `json:"key"`
	Operator          string `json:"operator"`
	Value             string `json:"value"`
	Effect            string `json:"effect"`
	TolerationSeconds *int64 `json:"tolerationSeconds"`
}

// Disruption is a DisruptionTarget condition that is True.
type Disruption struct {
	Since  Stamp  `json:"since"`
	Reason string `json:"reason"`
}

// Departure is the component that removes the pod, and how. Reason is its kubelet's reason in the pod's status.
type Departure struct {
	Kind   string  `json:"kind"`
	Says   string  `json:"text"`
	Reason *string `json:"reason"`

	word string
}

// PodsAt reports the pods in scope.
func PodsAt(c *model.Cluster, s Scope) Pods {
	out := Pods{Caveats: s.Caveats, At: Stamp(s.At), Pods: []Pod{}}
	for _, p := range c.Pods() {
		if s.keepsPod(c, p) {
			row := pod(p)
			if v, ok := s.Unwatched.Pod(p, s.At); ok {
				row.LastKnownSince = Stamp(v.Earliest)
			}
			out.Pods = append(out.Pods, row)
		}
	}
	return out
}

func pod(p *model.Pod) Pod {
	out := Pod{
		Namespace:         p.Namespace,
		Name:              p.Name,
		Node:              p.Node,
		Phase:             text(p.Phase.String()),
		Ready:             text(p.Ready.String()),
		DeletionTimestamp: Stamp(p.Deletion),
		Tolerations:       []Toleration{},
	}
	for _, t := range p.Tolerations.List() {
		operator := cmp.Or(t.Operator, "Equal") // the API's default
		out.Tolerations = append(out.Tolerations, Toleration{t.Key, operator, t.Value, t.Effect.String(), known(t.Seconds.Known, t.Seconds.Value)})
	}
	if n, ok := p.Priority(); ok {
		out.Priority = &n
	}
	if k := departure.Of(p); k != departure.Stays {
		e, _ := p.Ending()
		out.Departure = &Departure{k.String(), topics.Departure(p).String(), text(e.Reason), topics.DepartureWord(p)}
	}
	if p.Disrupted.Known() {
		out.DisruptionTarget = &Disruption{Stamp(p.Disrupted), p.DisruptionReason}
	}
	return out
}
