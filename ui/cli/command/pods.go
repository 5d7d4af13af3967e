package command

import (
	"context"

	"kardia/model"
	"kardia/ui/report"
)

// The nodes of a live cluster whose pods are counted.
const (
	podsAuto = "auto"
	podsAll  = "all"
	podsBad  = "bad"
	podsOff  = "off"
	// manyPods is up to how many pods all are listed to be counted: half a second's work. In larger
	// clusters those of the nodes that need attention are.
	manyPods = 2000
	// manyBad is how many nodes are asked about one by one at most.
	manyBad = 100
)

// allPods reports whether all pods are to be listed.
func (r *run) allPods(ctx context.Context, which string) (bool, error) {
	if which != podsAuto {
		return which == podsAll, nil
	}
	n, err := r.Kube.Pods(ctx, thisBuild().Version, "")
	return n <= manyPods && err == nil, err
}

// podsOfBad counts the pods of the nodes that need attention.
func (r *run) podsOfBad(ctx context.Context, s *state) map[string]int {
	counts := map[string]int{}
	var bad []string
	s.cluster.Nodes(func(row *model.NodeRow) bool {
		if report.NeedsAttention(row, s.scope) {
			bad = append(bad, row.Name)
		}
		return true
	})
	if len(bad) > manyBad {
		r.say("pods are counted of the first %d of %d nodes that need attention: --pods=all counts all", manyBad, len(bad))
		bad = bad[:manyBad]
	}
	for _, name := range bad {
		n, err := r.Kube.Pods(ctx, thisBuild().Version, name)
		if err != nil {
			r.note(Partial)
			r.say("pods of %s and others are not counted: %v", name, err)
			break
		}
		counts[name] = n
	}
	return counts
}
