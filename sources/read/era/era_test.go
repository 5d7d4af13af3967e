package era

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/sources/read/object"
)

func in(year int) model.Instant { return model.At(time.Date(year, 11, 20, 12, 0, 0, 0, time.UTC)) }

// The era with the most timestamps is believed, the earlier of two, in whatever order they come.
func TestTheMainEra(t *testing.T) {
	for _, c := range []struct{ years, main []int }{
		{nil, nil}, {[]int{2026}, []int{2026, 2026}}, {[]int{2016, 2026, 2021}, []int{2016, 2026}},
		{[]int{3000, 2026, 9999}, []int{2026, 2026}}, {[]int{2100, 2026}, []int{2026, 2026}}, {[]int{1971, 2026, 2200, 2027, 1971}, []int{1971, 1971}},
	} {
		rapid.Check(t, func(r *rapid.T) {
			var e Eras
			for _, year := range rapid.Permutation(c.years).Draw(r, "order") {
				e.Add(in(year))
			}
			want := model.Interval{}
			if c.main != nil {
				want = model.Interval{Earliest: in(c.main[0]), Latest: in(c.main[1])}
			}
			if got := e.Main(); got != want {
				r.Fatalf("%v: %v, want %v", c.years, got, want)
			}
		})
	}
}

// Each timestamp that is far outside becomes unknown, and no other; shared objects stay as they are.
func TestWhatIsFarOutsideIsSetAside(t *testing.T) {
	for _, far := range []model.Instant{in(9999), in(3000), in(2200), in(1971), in(1600), -5} {
		var e Eras
		good := &model.Change{Kind: model.KindNode, Node: &model.Node{Created: in(2020), Conditions: []model.Condition{{Transition: in(2025), Heartbeat: in(2026)}}}}
		e.Count(good, &object.Stamps{Created: in(2020)})
		for _, ch := range []model.Change{
			{Kind: model.KindNode, Node: &model.Node{Created: far}},
			{Kind: model.KindNode, Node: &model.Node{Deleted: far}},
			{Kind: model.KindNode, Node: &model.Node{Conditions: []model.Condition{{Transition: far}}}},
			{Kind: model.KindNode, Node: &model.Node{Conditions: []model.Condition{{Heartbeat: far}}}},
			{Kind: model.KindNode, Node: &model.Node{Taints: []model.Taint{{Added: far}}}},
			{Kind: model.KindPod, Pod: &model.Pod{Created: far}}, {Kind: model.KindPod, Pod: &model.Pod{ReadySince: far}},
			{Kind: model.KindPod, Pod: &model.Pod{Disrupted: far}}, {Kind: model.KindPod, Pod: &model.Pod{Deletion: far, GraceSeconds: 30}},
			{Kind: model.KindEvent, Event: &model.Event{First: far}}, {Kind: model.KindEvent, Event: &model.Event{Last: far}},
			{Kind: model.KindNodeLease, Lease: model.Lease{Renewed: far}}, {Kind: model.KindNodeLease, Lease: model.Lease{Acquired: far}},
			{Kind: model.KindVolumeAttachment, Related: &model.Related{Created: far}},
			{Kind: model.KindNode, Arrival: far}, {Kind: model.KindNode, Quality: model.ByServer, Time: model.Exactly(far)},
		} {
			shared, deleted := ch.Node, model.Instant(0)
			if shared != nil {
				deleted = shared.Deleted
			}
			var aside Aside
			if aside.Clear(&ch, nil, e.Believed()); aside.N != 1 || aside.First == "" {
				t.Errorf("%s in %+v: %+v", far, ch, aside)
			}
			if again := (Aside{}); true {
				if again.Clear(&ch, nil, e.Believed()); again.N != 0 {
					t.Errorf("%s in %+v: not set aside", far, ch)
				}
			}
			if shared != nil && shared.Deleted != deleted {
				t.Error("a shared node was changed")
			}
		}
		var aside Aside
		was := slices.Clone(good.Node.Conditions)
		if aside.Clear(good, nil, e.Believed()); aside.N != 0 || !slices.Equal(was, good.Node.Conditions) {
			t.Errorf("%+v of what is true", aside)
		}
	}
}

// A pod whose grace is longer than an era is asked to go now, and is known to go.
func TestALongGraceIsTrue(t *testing.T) {
	var e Eras
	e.Add(in(2026))
	ch := model.Change{Kind: model.KindPod, Pod: &model.Pod{Deletion: in(2026).Add(40 * 365 * 24 * time.Hour), GraceSeconds: 40 * 365 * 24 * 3600}}
	var aside Aside
	if aside.Clear(&ch, nil, e.Believed()); aside.N != 0 || !ch.Pod.Deletion.Known() {
		t.Errorf("%+v", aside)
	}
}
