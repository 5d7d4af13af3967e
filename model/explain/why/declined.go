package why

import (
	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/infer"
)

// Declined lists the decisions not taken in a state: about the nodes asked for, and about pods on those with NoExecute
// taints. It is built on request, since each pass declines something for every node.
func Declined(s *infer.State, asked func(*informer.Row) bool) (list []model.Decision) {
	for row := range s.Cache.Nodes() {
		if !asked(row) {
			continue
		}
		for _, h := range Node(s, row.Name) {
			list = append(list, h.Decision)
		}
		for _, p := range row.Pods() {
			if held, ok := Pod(s, p.Key); ok && held[0].Decision.Rule != model.RuleTaintsGone {
				list = append(list, held[0].Decision)
			}
		}
	}
	return list
}
