package hypotheses

import (
	"kardia/model/infer"
	"kardia/model/infer/processes"
)

// absent adds that taint eviction does not run, if all due deletions are missing. It changes only the forecast.
func (f *Found) absent() {
	u := f.Result.Undeleted()
	if !u.Known() {
		return
	}
	h := Hypothesis{Kind: processes.Absent, What: infer.Note{Code: absent}, For: []infer.Note{{Code: fellDue, N: u.Pods, Counts: [3]int{u.Nodes}, Since: u.Since}}, Against: []infer.Note{{Code: sameSigns}}}
	if u.Nodes < enough {
		h.Against[0].Code = oneNode
	}
	f.add(h, u.Nodes >= enough)
}
