package infer

import (
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/shadow"
)

// hypothesis puts a trial into words; before is what was known without it.
func hypothesis(t *trial, before *shadow.Result) Hypothesis {
	h := Hypothesis{Window: t.window, Writes: t.settled, What: what(t)}
	h.Time = h.Window.Earliest.Add(h.Window.Width() / 2)
	h.For = append(h.For, "it explains "+counts(before, t.settled)+", which nothing else does")
	if gone := before.Findings() - t.result.Findings() - len(t.settled); gone > 0 {
		h.For = append(h.For, counted(gone, "effect", "effects")+" that were to be expected without it, and did not come, are not expected with it")
	}
	h.Against = against(t, before)
	return h
}

func what(t *trial) string {
	who := "kube-controller-manager"
	switch t.Who {
	case shadow.NodeLifecycle:
		who = "the node-lifecycle controller, without taint eviction,"
	case shadow.TaintEviction:
		who = "the taint-eviction controller, without node-lifecycle,"
	}
	said := who + " started anew"
	if t.Stopped.Known() {
		said += fmt.Sprintf(", after nothing had been done since %s", t.Stopped)
	}
	return said
}

func against(t *trial, before *shadow.Result) (list []string) {
	if t.Kind == shadow.Restarted {
		if n := before.Count(model.KindEvent); n > 0 {
			list = append(list, "Events were recorded, and no RegisteredNode tells of it, as there would be for every node")
		}
		if before.Count(model.KindLeaderLease) > 0 {
			list = append(list, "leader leases were recorded, and none tells of another leader")
		}
		if len(list) == 0 {
			list = append(list, "nothing tells of it, but nothing here could: there are no Events and no leader leases")
		}
		if t.Who != shadow.ControllerManager {
			list = append(list, "both controllers run in one process, unless somebody runs taint eviction apart")
		}
	}
	if t.traces(before) < enough {
		list = append(list, "one trace alone: anything may have left it")
	}
	if n := t.result.Findings(); n > 0 {
		list = append(list, counted(n, "write or effect", "writes and effects")+" still disagree with it")
	}
	return list
}

// counts counts writes by kind, in words.
func counts(r *shadow.Result, writes []int) string {
	n, open := map[model.DecisionKind]int{}, unexplained(r)
	for _, i := range writes {
		n[open[i].Kind]++
	}
	var parts []string
	for _, k := range model.DecisionKinds {
		if n[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", n[k], k))
		}
	}
	return strings.Join(parts, ", ")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
