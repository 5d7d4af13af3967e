package infer

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kardia/model"
)

// A node that says itself that it is not ready is queued by a pass that leaves no trace. Where its taint shows that the pass
// has come, the models do not let it come later, and say that it tainted a second time.
func TestAPassQueuedWhoIsTainted(t *testing.T) {
	for i := range 25 {
		s := newStory(standard)
		for k := range 4 {
			s.node(fmt.Sprintf("a%02d", k), "a", model.FarFuture, model.FarFuture, 60)
		}
		said := after(100 + float64(i)*0.41)
		s.status("a01", said, model.StatusFalse)
		told := s.tell(after(240))
		res := ran(t, byWatches(t, told), Options{})
		clean(t, res)
		for k := range res.Decisions {
			d := &res.Decisions[k]
			if d.Kind == model.TaintNoExecute && (slices.Contains(d.Why.Also[:], model.WhyStampedAgain) || d.Window.Width() == 0 || d.Window.Earliest > said.Add(5100*time.Millisecond)) {
				t.Errorf("said at %v: %s at %v: %s", said.Sub(noon), d.Kind, d.Window, d.Why.Code)
			}
		}
	}
}
