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
	// manyPods is up to how many pods all are listed, in half a second. In larger clusters --pods=auto is podsBad.
	manyPods = 2000
	// manyBad is the most nodes that are asked about one by one.
	manyBad = 100
)

func (r *run) allPods(ctx context.Context, which string) (bool, error) {
	if which != podsAuto {
		return which == podsAll, nil
	}
	n, err := r.Kube.Pods(ctx, thisBuild().Version, "")
	return n <= manyPods && err == nil, err
}

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
