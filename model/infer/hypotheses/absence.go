package hypotheses

import "kardia/model/infer"

// absent supposes that taint eviction does not run where deletions fell due, and none came at all. What it would settle
// stays listed as not seen: only what comes is told otherwise.
func (f *Found) absent() {
	u := f.Result.Undeleted()
	if !u.Known() {
		return
	}
	h := Hypothesis{Kind: Absence, What: infer.Note{Code: absent}, For: []infer.Note{{Code: fellDue, N: u.Pods, Counts: [3]int{u.Nodes}, Since: u.Since}}, Against: []infer.Note{{Code: sameSigns}}}
	if u.Nodes < enough {
		h.Against[0].Code = oneNode
	}
	f.add(h, u.Nodes >= enough)
}
