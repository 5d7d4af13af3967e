package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/model/control/loop"
	"kardia/model/infer"
)

// postsWithin is the longest time from a kubelet's first renewal to its status, which it tries every ten seconds.
// Source: kubernetes: pkg/kubelet, nodeStatusUpdateFrequency, updateNodeStatus.
const postsWithin = 15 * time.Second

// posts are when renewing nodes that are still Unknown post Ready: never, at once, or as late as possible. One course
// alone would be certain, and wrong seconds later.
func (f *Forecast) posts(s *infer.State, silent func(string) bool) []model.Instant {
	n := len(back(s, silent))
	if n == 0 {
		return []model.Instant{model.FarFuture}
	}
	f.assume(Assumption{Code: MayPost, N: n, Every: postsWithin})
	return []model.Instant{model.FarFuture, s.At, s.At.Add(postsWithin)}
}

// back are the rows of nodes that renew and are still declared Unknown.
func back(s *infer.State, silent func(string) bool) []int32 {
	return rows(s, silent, func(silent, declared bool) bool { return !silent && declared })
}

func (c *course) post(l *loop.Loop) {
	if c.posts == model.FarFuture {
		return
	}
	list := back(c.s, c.o.Silent)
	l.At(c.posts, func(l *loop.Loop) {
		for _, row := range list {
			l.EditNode(c.s.Cache.Row(row).Name, func(n *model.Node) { kubelet.Well(n, l.Now()) })
		}
	})
}
