package whatif

import (
	"kardia/model"
)

// Assumption is one that an answer depends on: a code with its values, worded in ui/words.
type Assumption struct {
	What Assumed
	// At is a time, Until the end of what lasts from then.
	At, Until model.Instant
	Node      string
	Zone      model.ZoneKey
	// N is a number of runs, seconds or pods. Pods are the names of open ones.
	N    int
	Pods []string
}

// Assumed is the code of an Assumption; for edits that of their kind.
type Assumed string

func (b *Base) assumptions(branch *Branch, h *hull, a *Answer) (list []Assumption) {
	add := func(is Assumption) { list = append(list, is) }
	if b.From < b.recordedUntil {
		add(Assumption{What: "recorded", At: b.From})
	}
	b.assumeUnchanged(add)
	if b.Fit.Since.Known() {
		add(Assumption{What: "compared", At: b.Fit.Since})
	}
	if branch.Params != b.Params {
		add(Assumption{What: "memory", At: b.From})
	}
	if b.Until > b.recordedUntil {
		add(Assumption{What: "goes-on", At: b.recordedUntil})
	} else {
		add(Assumption{What: "ends", At: b.Until})
	}
	add(Assumption{What: "runs", N: h.courses})
	if h.sampled {
		add(Assumption{What: "sampled"})
	}
	if t := branch.Tolerations; t != nil {
		add(Assumption{What: "tolerations", N: int(t.Seconds)})
	}
	for _, e := range branch.Edits {
		add(Assumption{What: Assumed(e.Kind.String()), At: e.At, Node: e.Node, Zone: e.Zone})
	}
	b.assumePods(a, add)
	return list
}

// assumePods adds what the recording does not show of pods: their replacement and placement.
func (b *Base) assumePods(a *Answer, add func(Assumption)) {
	lost, ownerless := append(append([]Pod{}, a.Pods.Lost.Certain...), a.Pods.Lost.Possible...), 0
	for _, p := range lost {
		if p.Owner == (model.Owner{}) {
			ownerless++
		}
	}
	if len(lost) > 0 {
		add(Assumption{What: "no-room"})
	}
	if ownerless > 0 {
		add(Assumption{What: "no-owner", N: ownerless})
	}
	if b.world.replaced > 0 {
		add(Assumption{What: "replaced", N: b.world.replaced})
	}
	if len(a.Pods.Open) == 0 {
		return
	}
	open := Assumption{What: "open-unchanged", At: b.Until, N: len(a.Pods.Open)}
	if b.From < b.recordedUntil { // the future has no record
		open.What = "open-recorded"
	}
	for _, p := range a.Pods.Open {
		open.Pods = append(open.Pods, p.Key.String())
	}
	add(open)
}
