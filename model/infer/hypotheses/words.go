package hypotheses

import (
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/processes"
)

// hypothesis puts a trial into words; before is what was known without it.
func hypothesis(t *trial, before *infer.Result) Hypothesis {
	h := Hypothesis{Kind: kinds[t.Kind], Window: t.window, Writes: t.settled, What: what(t, before)}
	if h.Kind != Flag {
		h.Time = h.Window.Earliest.Add(h.Window.Width() / 2)
	}
	h.For = append(h.For, "it explains "+counts(before, t.settled)+", which nothing else does")
	if gone := before.Findings() - t.result.Findings() - len(t.settled); gone > 0 {
		h.For = append(h.For, model.Counted(gone, "effect", "effects")+" that were to be expected without it, and did not come, are not expected with it")
	}
	h.Against = against(t, before)
	return h
}

func what(t *trial, before *infer.Result) string {
	switch t.Kind {
	case infer.Stalled:
		return fmt.Sprintf("the controllers or the API server paused at %s, and continued with the same memory", t.Stopped)
	case infer.Burnt:
		return "a race burnt the token that " + t.Node + " had got: the tick read it in a cache that was behind"
	case infer.OthersWrote:
		return "a person or another controller wrote it: " + t.By
	case infer.Differs:
		return "flags are others than assumed: --" + strings.Join(infer.Differing(&before.Params, &t.result.Params), ", --")
	}
	who := model.ControllerManager
	switch t.Who {
	case processes.NodeLifecycle:
		who = "the node-lifecycle controller, without taint eviction,"
	case processes.TaintEviction:
		who = "the taint-eviction controller, without node-lifecycle,"
	}
	said := who + " restarted"
	if t.Stopped.Known() {
		said += fmt.Sprintf(", after nothing had been done since %s", t.Stopped)
	}
	return said
}

func against(t *trial, before *infer.Result) (list []string) {
	switch t.Kind {
	case infer.Restarted:
		if n := before.Count(model.KindEvent); n > 0 {
			list = append(list, "Events were recorded without RegisteredNode, which a new process emits for every node")
		}
		if before.Count(model.KindLeaderLease) > 0 {
			list = append(list, "leader leases were recorded, without another leader")
		}
		if len(list) == 0 {
			list = append(list, "not recorded, and it could not be: the input has no Events and no leader leases")
		}
		if t.Who != processes.ControllerManager {
			list = append(list, "both controllers run in one process, unless taint eviction was set up separately")
		}
	case infer.Stalled:
		list = append(list, "other requests in that time contradict an API server stall; a restart fits as well if nothing shows the controllers' memory")
	case infer.Burnt:
		list = append(list, "it happens seldom: a tick must fall between a write and its arrival in the cache")
	case infer.OthersWrote:
		list = append(list, "it was written under a controller's identity, or nothing says by whom")
	case infer.Differs:
		if t.Flag != "" {
			list = append(list, "--"+t.Flag+" was stated")
		}
		list = append(list, "fewer than three observations")
	}
	switch {
	case Traces(before, t.settled) < enough:
		list = append(list, "one trace alone: anything may have left it")
	case t.follows:
		list = append(list, "a single trace: if another actor made one of the writes, the others follow from it")
	}
	if n := t.result.Findings(); n > 0 {
		list = append(list, model.Counted(n, "write or effect", "writes and effects")+" still disagree with it")
	}
	return list
}

// counts counts writes by kind, in words.
func counts(r *infer.Result, writes []int) string {
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
