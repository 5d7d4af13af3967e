package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/model/control/loop"
	"kardia/model/infer"
)

// postsWithin is how long after its first renewal a kubelet that is heard again has posted its status: it does so every ten
// seconds, and tries again where that fails.
// Source: kubernetes: pkg/kubelet, nodeStatusUpdateFrequency, updateNodeStatus.
const postsWithin = 15 * time.Second

// posts are the courses to tell apart where nodes are heard again that are still declared Unknown: their kubelets post that they
// are Ready at once, or as late as they may, or not at all. Each alone would be told as certain, and be wrong seconds later.
func (f *Forecast) posts(s *infer.State, silent func(string) bool) []model.Instant {
	n := len(back(s, silent))
	if n == 0 {
		return []model.Instant{model.FarFuture}
	}
	f.assume(Assumption{Code: MayPost, N: n, Every: postsWithin})
	return []model.Instant{model.FarFuture, s.At, s.At.Add(postsWithin)}
}

// back are the rows of the nodes that are heard, and still declared Unknown.
func back(s *infer.State, silent func(string) bool) []int32 {
	return rows(s, silent, func(silent, declared bool) bool { return !silent && declared })
}

// post has the kubelets of nodes that are heard again post that they are Ready, when the course has it.
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
