package infer

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
)

// Where a list does not hold all leases, the models begin with the passes just before it, and find there what it holds: a
// renewal that came after those passes was not counted by them. A grace period of 20 s is over too early else.
func TestNoPassCountsWhatComesLater(t *testing.T) {
	p := standard
	p.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 20 * time.Second, From: model.FromFlag}
	s := newStory(p)
	for i := range 60 {
		back := model.FarFuture
		if i%7 == 0 {
			back = after(200)
		}
		silent := model.FarFuture
		if i%7 == 0 {
			silent = after(60)
		}
		s.node(fmt.Sprintf("a%02d", i), "a", silent, back, 60)
	}
	h := only(t, s.tell(after(300)), after(300), func(ch *model.Change) bool {
		return ch.Kind != model.KindNodeLease || ch.Op != model.OpBaseline || ch.Key.Name != "a01"
	})
	res := ran(t, h, Options{Params: p})
	if res.run.evidence.KnownStart {
		t.Error("the list is taken to hold all leases")
	}
	clean(t, res)
}
