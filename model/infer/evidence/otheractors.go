package evidence

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
)

const (
	// actsWithin is the longest time between a write and an Event about it, which is cut to the second.
	actsWithin = 5 * time.Second
	// maxActs bounds the kept Events of other components.
	maxActs = 10_000
)

// act is an Event of a component that is not modelled, about a node or pod.
type act struct {
	at  model.Interval
	who string
	of  model.Reference
}

// ownComponents are those whose Events show no other actor: kubelets and the control plane.
var ownComponents = []string{"", "kubelet", model.ComponentNodeLifecycle, "taint-eviction-controller", "default-scheduler", "kube-scheduler", "cloud-node-lifecycle-controller"}

// actOf keeps the Event of another component.
func (s *survey) actOf(ch *model.Change) {
	e := ch.Event
	if e == nil || len(s.acts) == maxActs || slices.Contains(ownComponents, e.Component) || strings.HasPrefix(e.Component, "kwok") ||
		e.Regarding.Kind != "Node" && e.Regarding.Kind != "Pod" {
		return
	}
	at := ch.Time
	if e.Last.Known() {
		at = model.Interval{Earliest: e.Last, Latest: e.Last.Add(time.Second)}
	}
	s.acts = append(s.acts, act{at, "an Event says " + e.Reason + ", by " + e.Component, e.Regarding})
}

// tellActs finds Events of other components for writes whose request does not name another writer.
func (s *survey) tellActs() {
	for w := range model.Each(s.out) {
		near := model.Interval{Earliest: w.Time.Earliest.Add(-actsWithin), Latest: w.Time.Latest.Add(actsWithin)}
		k := slices.IndexFunc(s.acts, func(a act) bool {
			if w.Pod != (model.Key{}) {
				return a.of.Kind == "Pod" && a.of.Key == w.Pod && a.at.Overlaps(near)
			}
			return a.of.Kind == "Node" && a.of.Name == w.Node && a.at.Overlaps(near)
		})
		if w.By == "" && k >= 0 {
			w.By = s.acts[k].who
		}
	}
	s.acts = nil
}

const maxAgent = 120

// foreignAgent is the user agent of a request under a controller's identity, if no program with these controllers sent
// it. Such programs name the controller at the end of their user agent, unless it is cut short.
func foreignAgent(ch *model.Change) string {
	by := ch.Requester
	if by == nil || by.Program() == model.ControllerManager || by.Client() != "" {
		return ""
	}
	switch ch.Writer {
	case model.WriterNodeLifecycle, model.WriterTaintEviction, model.WriterPodGC:
		return "the user agent is " + by.Agent[:min(len(by.Agent), maxAgent)]
	}
	return ""
}
