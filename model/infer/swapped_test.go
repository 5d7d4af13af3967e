package infer

import (
	"fmt"
	"testing"

	"kardia/model"
)

// A swap is two writes: the pod of a node that has both taints for a moment has the shorter of its tolerations, and keeps it,
// also where stamps date both writes to the same second.
func TestASwapIsTwoWrites(t *testing.T) {
	s := newStory(standard)
	for i := range 4 {
		silent := model.FarFuture
		if i == 1 {
			silent = after(110)
		}
		s.node(fmt.Sprintf("a%02d", i), "a", silent, model.FarFuture, 75)
	}
	pod := s.pods[model.Key{Namespace: "shop", Name: "web-a01"}]
	pod.Tolerations = &model.Tolerations{
		{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Seconds: model.Some(int64(20))},
		{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Seconds: model.Some(int64(75))},
	}
	s.status("a01", after(100), model.StatusFalse)
	res := ran(t, byWatches(t, s.tell(after(300))), Options{})
	clean(t, res)
	swapped := false
	for i := range res.Decisions {
		d := &res.Decisions[i]
		if swapped = swapped || d.Kind == model.SwapNoExecute; d.Why.Code == model.WhyEvaluatedTwice {
			t.Errorf("%s %s at %v: %s", d.Kind, d.Subject(), d.Time.Sub(noon), d.Why.Code)
		}
	}
	if !swapped {
		t.Error("nothing is swapped")
	}
}
