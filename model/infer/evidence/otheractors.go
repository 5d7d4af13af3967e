package evidence

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
)

const (
	// actsWithin is how far from a write the Event may be that tells of it: it is written before or after,
	// and its time is cut to the second.
	actsWithin = 5 * time.Second
	// maxActs bounds how many Events of others are kept.
	maxActs = 10_000
)

// act is what an Event tells that somebody else than the controllers did.
type act struct {
	at  model.Interval
	who string
	of  model.Reference
}

// ownComponents are those whose Events tell of no one else: who reports for a node, and the control plane.
var ownComponents = []string{"", "kubelet", model.ComponentNodeLifecycle, "taint-eviction-controller", "default-scheduler", "kube-scheduler", "cloud-node-lifecycle-controller"}

// actOf notes what an Event of somebody else tells.
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

// tellActs finds, for writes of which the request does not tell it, an Event of somebody else.
func (s *survey) tellActs() {
	for i := range s.out {
		w := &s.out[i]
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

// maxAgent is how much of a user agent is told.
const maxAgent = 120

// foreignAgent is the user agent of a request under a controller's identity, where it is not that of a
// program which has these controllers. They name themselves at the end of the user agent in every program
// that runs them, unless it is cut short.
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
