package infer

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// withLeader is a History in which the leader's lease is listed at its beginning as it was renewed last, and renewed again
// at some instants.
func withLeader(t *testing.T, h *history.Memory, holder string, renewed model.Instant, again ...model.Instant) *history.Memory {
	t.Helper()
	from := h.Coverage().Earliest
	key := model.Key{Namespace: "kube-system", Name: model.ControllerManager}
	lease := model.Lease{Holder: holder, Acquired: noon.Add(-time.Hour), Renewed: renewed, Seconds: 15}
	changes := []model.Change{{Kind: model.KindLeaderLease, Op: model.OpBaseline, Key: key, Time: model.Interval{Earliest: lease.Acquired, Latest: from}, At: from, Lease: lease}}
	for _, at := range again {
		lease.Renewed = at
		changes = append(changes, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: key, Time: model.Exactly(at), At: at, Arrival: at, Lease: lease})
	}
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		changes = append(changes, *ch)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
	return history.NewMemory(changes, h.Coverage(), nil, h.Sources())
}

// That nobody leads is known to who watches the lease: once it has run out for as long again, and was watched for as long
// as it lasts; at once where it was given up. Where nobody watches it, where there is none, or somebody has written
// since, it is not.
func TestThatNobodyLeadsIsKnown(t *testing.T) {
	whole := outage(12, 0).tell(after(300))
	from := after(100)
	calm := listed(t, whole, from)
	every := func(to model.Instant) (at []model.Instant) {
		for x := from.Add(time.Second); x < to; x = x.Add(2 * time.Second) {
			at = append(at, x)
		}
		return at
	}
	writes := listed(t, outage(12, 4).tell(after(300)), after(80)) // nodes are declared at +108 s or so
	for name, is := range map[string]struct {
		h       *history.Memory
		watched bool
		at      model.Instant
		want    model.Instant
	}{
		"it ran out before":             {withLeader(t, calm, "cp-1_a", after(40)), true, after(120), after(55)},
		"it was not watched for long":   {withLeader(t, calm, "cp-1_a", after(40)), true, after(110), 0},
		"nobody watches":                {withLeader(t, calm, "cp-1_a", after(40)), false, after(120), 0},
		"there is none":                 {calm, true, after(120), 0},
		"it is renewed":                 {withLeader(t, calm, "cp-1_a", after(99), every(after(200))...), true, after(150), 0},
		"it is not renewed any more":    {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(190), after(164)},
		"it may be renewed late":        {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(170), 0},
		"before that it was renewed":    {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(140), 0},
		"it was given up":               {withLeader(t, calm, "", after(97)), true, after(102), after(97)},
		"somebody writes all the same":  {withLeader(t, writes, "cp-1_a", after(30)), true, after(140), 0},
		"and nobody has written so far": {withLeader(t, writes, "cp-1_a", after(30)), true, after(100), after(45)},
	} {
		s, err := ran(t, is.h, Options{Mode: Causal, Watched: is.watched, Until: is.at}).Known(is.at)
		if err != nil {
			t.Fatal(err)
		}
		if supposed := name == "there is none"; s.Supposed != supposed {
			t.Errorf("%s: that the controllers run is supposed: %v", name, s.Supposed)
		}
		if s.Unled != is.want {
			t.Errorf("%s: nobody leads since %v, want %v", name, s.Unled.Sub(noon), is.want.Sub(noon))
		}
		for _, o := range []*State{s.Otherwise, s.Before} {
			if o != nil && o.Unled != is.want {
				t.Errorf("%s: otherwise nobody leads since %v", name, o.Unled.Sub(noon))
			}
		}
	}
}
