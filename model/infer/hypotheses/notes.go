package hypotheses

import (
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/processes"
)

// The assumptions.
const (
	restarted      infer.Code = "restarted"       // kube-controller-manager
	nodesRestarted infer.Code = "nodes-restarted" // node-lifecycle, without taint eviction
	podsRestarted  infer.Code = "pods-restarted"  // taint eviction, without node-lifecycle
	idle           infer.Code = "-idle"           // suffix of these three: no effect since Since
	paused         infer.Code = "paused"          // at Since
	burnt          infer.Code = "burnt"           // the token of the node Name
	wrote          infer.Code = "wrote"           // it: Name
	flagsDiffer    infer.Code = "flags-differ"    // Name
	absent         infer.Code = "absent"
)

// The evidence.
const (
	explains      infer.Code = "explains"       // the writes Name
	notExpected   infer.Code = "not-expected"   // N effects, with it
	fellDue       infer.Code = "fell-due"       // N deletions on Counts[0] nodes since Since
	unregistered  infer.Code = "unregistered"   // no Event RegisteredNode
	sameLeader    infer.Code = "same-leader"    // in the leases
	unrecorded    infer.Code = "unrecorded"     // neither Events nor leases
	oneProcess    infer.Code = "one-process"    // for both controllers
	otherRequests infer.Code = "other-requests" // came through
	seldom        infer.Code = "seldom"
	asController  infer.Code = "as-controller" // by its identity
	flagStated    infer.Code = "flag-stated"   // Name
	fewTimes      infer.Code = "few-times"
	oneTrace      infer.Code = "one-trace"
	oneActor      infer.Code = "one-actor" // of one write made the others follow
	disagree      infer.Code = "disagree"  // N findings
	oneNode       infer.Code = "one-node"
	sameSigns     infer.Code = "same-signs" // as other causes
)

// hypothesis is a trial as a Hypothesis; before is the result without it.
func hypothesis(t *trial, before *infer.Result) Hypothesis {
	h := Hypothesis{Kind: t.Kind, Window: t.Within, Writes: t.settled, What: what(t, before), Against: against(t, before)}
	if h.Kind != processes.Differs {
		h.Time = h.Window.Earliest.Add(h.Window.Width() / 2)
	}
	h.For = []infer.Note{{Code: explains, Name: counts(before, t.settled)}}
	if gone := before.Findings() - t.result.Findings() - len(t.settled); gone > 0 {
		h.For = append(h.For, infer.Note{Code: notExpected, N: gone})
	}
	return h
}

func what(t *trial, before *infer.Result) infer.Note {
	switch t.Kind {
	case processes.Stalled:
		return infer.Note{Code: paused, Since: t.Stopped}
	case processes.Burnt:
		return infer.Note{Code: burnt, Name: t.Node}
	case processes.OthersWrote:
		return infer.Note{Code: wrote, Name: t.By}
	case processes.Differs:
		return infer.Note{Code: flagsDiffer, Name: strings.Join(infer.Differing(&before.Params, &t.result.Params), ", --")}
	}
	is := infer.Note{Code: restarted, Since: t.Stopped}
	switch t.Who {
	case processes.NodeLifecycle:
		is.Code = nodesRestarted
	case processes.TaintEviction:
		is.Code = podsRestarted
	}
	if t.Stopped.Known() {
		is.Code += idle
	}
	return is
}

func against(t *trial, before *infer.Result) (list []infer.Note) {
	add := func(n infer.Note) { list = append(list, n) }
	switch t.Kind {
	case processes.Restarted:
		if n := before.Count(model.KindEvent); n > 0 {
			add(infer.Note{Code: unregistered})
		}
		if before.Count(model.KindLeaderLease) > 0 {
			add(infer.Note{Code: sameLeader})
		}
		if len(list) == 0 {
			add(infer.Note{Code: unrecorded})
		}
		if t.Who != processes.ControllerManager {
			add(infer.Note{Code: oneProcess})
		}
	case processes.Stalled:
		add(infer.Note{Code: otherRequests})
	case processes.Burnt:
		add(infer.Note{Code: seldom})
	case processes.OthersWrote:
		add(infer.Note{Code: asController})
	case processes.Differs:
		if t.Flag != "" {
			add(infer.Note{Code: flagStated, Name: t.Flag})
		}
		add(infer.Note{Code: fewTimes})
	}
	switch {
	case Traces(before, t.settled) < enough:
		add(infer.Note{Code: oneTrace})
	case t.follows:
		add(infer.Note{Code: oneActor})
	}
	if n := t.result.Findings(); n > 0 {
		add(infer.Note{Code: disagree, N: n})
	}
	return list
}

// counts lists writes by kind: "3 × EvictPod".
func counts(r *infer.Result, writes []int) string {
	n, by := map[model.DecisionKind]int{}, byNumber(r)
	for _, i := range writes {
		n[by[i].Kind]++
	}
	var parts []string
	for _, k := range model.DecisionKinds {
		if n[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", n[k], k))
		}
	}
	return strings.Join(parts, ", ")
}
