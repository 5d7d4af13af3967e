package open

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// TestARefusedTryDatesTheDecision: a taint that was refused for a conflict, and written by the second try later than a
// write takes, was decided before the first.
func TestARefusedTryDatesTheDecision(t *testing.T) {
	const later = 1300 * time.Millisecond
	h := incident(t, "node-loss", auditLog).History
	list := changesOf(t, h)
	i := slices.IndexFunc(list, func(ch model.Change) bool { return ch.Node != nil && ch.Node.HasNoExecute() })
	try := list[i]
	try.Op, try.Node, try.Code = model.OpAttempt, nil, 409
	ch := &list[i]
	ch.Time, ch.At = model.Interval{Earliest: ch.Time.Earliest.Add(later), Latest: ch.Time.Latest.Add(later)}, ch.Effective().Add(later)
	for name, changes := range map[string][]model.Change{"refused first": append(list, try), "late": list} {
		changes = slices.Clone(changes)
		slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
		_, v := shadowed(t, history.NewMemory(changes, h.Coverage(), nil, h.Sources()), flags)
		if n := v.ByKind[model.TaintNoExecute]; n.Observed != 1 || (n.Explained == 1) != (name == "refused first") {
			t.Errorf("%s: %+v taints", name, n)
		}
	}
}
