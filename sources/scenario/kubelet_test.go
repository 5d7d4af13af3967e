package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// ended prints what the kubelet of a machine does that shuts down, each with its time since then: the post of the node,
// the ends of its pods, and the end of the machine.
func ended(s *Scenario) string {
	type happening struct {
		at   time.Duration
		what string
	}
	var list []happening
	since := s.Start.Add(s.Faults[0].At)
	seen := map[string]bool{}
	tell := func(at model.Instant, what string) {
		if !seen[what] {
			seen[what] = true
			list = append(list, happening{at.Sub(since).Round(time.Second), what})
		}
	}
	w := newWorld(s, func(ch *model.Change) bool {
		switch {
		case ch.Kind == model.KindNode && ch.Op == model.OpModify && ch.Node.ReadyStatus() == model.StatusFalse:
			tell(ch.Arrival, "Ready=False")
		case ch.Kind == model.KindPod && ch.Op == model.OpModify && ch.Pod.Phase == model.PhaseFailed:
			why, _ := ch.Pod.Ending()
			tell(ch.Arrival, ch.Key.Name+" Failed "+why.Reason)
		}
		return true
	})
	for at := since; at < s.End(); at = at.Add(100 * time.Millisecond) {
		w.at(at, func() {
			if !w.machines[0].on {
				tell(w.now(), "off")
			}
		})
	}
	w.run()
	slices.SortStableFunc(list, func(a, b happening) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.what, b.what))
	})
	var out strings.Builder
	for _, h := range list {
		fmt.Fprintf(&out, "%6s %s\n", h.at, h.what)
	}
	return out.String()
}

// evicted prints the pods that a kubelet evicts, each with its time since the first.
func evicted(s *Scenario) string {
	var out strings.Builder
	first := model.Instant(0)
	for ch := range s.Changes() {
		if ch.Kind == model.KindPod && ch.Op == model.OpModify && ch.Pod.Phase == model.PhaseFailed {
			first = cmp.Or(first, ch.Arrival)
			fmt.Fprintf(&out, "%6s %s\n", ch.Arrival.Sub(first).Round(time.Second), ch.Key.Name)
		}
	}
	return out.String()
}
