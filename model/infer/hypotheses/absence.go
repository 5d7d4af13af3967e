package hypotheses

import (
	"fmt"

	"kardia/model"
)

// absent supposes that taint eviction does not run where deletions fell due, and none came at all. What it would settle
// stays listed as not seen: only what comes is told otherwise.
func (f *Found) absent() {
	u := f.Result.Undeleted()
	if !u.Known() {
		return
	}
	h := Hypothesis{Kind: Absence, What: "taint eviction does not run (--controllers=-taint-eviction-controller), or its deletions are not seen",
		For: []string{fmt.Sprintf("%s fell due on %s, from %s on, and no deletion for a taint was seen at all", model.Counted(u.Pods, "deletion", "deletions"), model.Counted(u.Nodes, "node", "nodes"), u.Since)}}
	if u.Nodes < enough {
		h.Against = append(h.Against, "the pods of one node alone: the controller may have failed to delete them once, and nothing retries that")
	} else {
		h.Against = append(h.Against, "an API server that takes no DELETE would look alike; and who starts to watch after the deletions sees none")
	}
	f.add(h, u.Nodes >= enough)
}
