package why

import (
	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/infer"
)

// Declined is what the controllers leave undone in a state, one decision for each step not
// taken: about the nodes asked for, and about the pods of those that are tainted NoExecute.
// It is made when it is asked for, since every node declines something in every pass.
func Declined(s *infer.State, asked func(*informer.Row) bool) (list []model.Decision) {
	for _, row := range s.Cache.All() {
		if row.Node == nil || !asked(row) {
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
