package infer

import (
	"fmt"
	"slices"
	"testing"

	"kardia/model"
)

// TestLittleIsTriedWhereLittleWasDone: of a control plane that cannot keep up nothing is inferred, and other instants of
// its passes are not tried: each drive costs most there, and none would explain more.
func TestLittleIsTriedWhereLittleWasDone(t *testing.T) {
	s := newStory(standard)
	for i := range 510 {
		s.node(fmt.Sprintf("a%03d", i), "a", after(60), after(400), 60) // it is not declared, nor its pod marked
	}
	s.node("b000", "b", model.FarFuture, model.FarFuture, 60)
	res := ran(t, stopped(t, s.tell(after(150)), after(70), after(150)), Options{})
	if !res.Undone() || len(res.Unobserved) < 1000 {
		t.Fatalf("%d writes, %d effects were not seen", len(res.Writes), len(res.Unobserved))
	}
	for _, f := range model.Flags {
		if f.From(&res.Params) == model.FromInferred {
			t.Errorf("--%s is inferred", f.Name)
		}
	}
	if r := res.run; r.driven > 2*r.cost {
		t.Errorf("one drive costs %d, and all %d", r.cost, r.driven)
	}
	if !slices.ContainsFunc(res.Assumptions, func(a Note) bool { return a.Code == Swamped }) {
		t.Errorf("assumptions: %v", res.Assumptions)
	}
	state, err := res.At(after(149))
	if err != nil || state.Undone < after(100) || state.Undone > after(120) {
		t.Fatalf("undone since %v, %v", state.Undone, err)
	}
	for _, z := range state.Nodes.Zones(state.At, state.Cache) {
		if len(z.Waiting) > 0 {
			t.Errorf("%d nodes that nobody declared wait for a taint", len(z.Waiting))
		}
	}
}
