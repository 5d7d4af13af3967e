package informer

import (
	"testing"
	"time"

	"kardia/model"
)

func change(kind model.Kind, op model.Op, name string, version uint64) *model.Change {
	return &model.Change{Kind: kind, Op: op, Key: model.Key{Name: name}, Version: version, Time: model.Exactly(noon)}
}

// Nodes come, change and go; an older version and a deletion of what is not there are no
// events.
func TestFoldNodes(t *testing.T) {
	c := New()
	fold := func(op model.Op, version uint64) Event {
		ch := change(model.KindNode, op, "a", version)
		ch.Node = &model.Node{}
		return c.Fold(ch, int(version), nil, 0)
	}
	if e := fold(model.OpDelete, 1); e != (Event{}) {
		t.Errorf("deleting nothing is %+v", e)
	}
	if e := fold(model.OpAdd, 5); e.Node != "a" || e.Gone || c.Find("a").Version != 5 || c.Find("a").Position != 5 {
		t.Errorf("adding is %+v, row %+v", e, c.Find("a"))
	}
	if e := fold(model.OpModify, 4); e != (Event{}) || c.Find("a").Version != 5 {
		t.Errorf("an older version is %+v", e)
	}
	for _, op := range []model.Op{model.OpAttempt, model.OpRepeat, model.OpPatch} {
		if e := fold(op, 5); e != (Event{}) || c.Find("a").Version != 5 {
			t.Errorf("%v is %+v", op, e)
		}
	}
	if e := fold(model.OpDelete, 6); e.Node != "a" || !e.Gone || c.Node("a") != nil {
		t.Errorf("deleting is %+v", e)
	}
}

// A renewal of which only the request is known is later than the one before, whatever the
// kubelet's clock said then.
func TestFoldLeases(t *testing.T) {
	c := New()
	ch := change(model.KindNodeLease, model.OpModify, "a", 1)
	ch.Lease.Renewed = noon.Add(time.Hour) // a clock that is ahead
	c.Fold(ch, 1, nil, 0)
	first := c.Find("a").Lease.Renewed
	c.Fold(change(model.KindNodeLease, model.OpModify, "a", 2), 2, nil, 0)
	if second := c.Find("a").Lease; second.Renewed <= first || second.Version != 2 || second.Position != 2 {
		t.Errorf("renewed %v, then %+v", first, second)
	}
	older := change(model.KindNodeLease, model.OpModify, "a", 1)
	if c.Fold(older, 3, nil, 0); c.Find("a").Lease.Version != 2 {
		t.Error("an older version replaces a newer one")
	}
	if c.Fold(change(model.KindNodeLease, model.OpDelete, "a", 3), 4, nil, 0); c.Find("a").Lease.Exists {
		t.Error("a deleted lease is still there")
	}
}

// Pods hang on their node, and move with their binding.
func TestFoldPods(t *testing.T) {
	c := New()
	pod := func(op model.Op, node string) *model.Change {
		ch := change(model.KindPod, op, "p", 1)
		ch.Pod = &model.Pod{Key: ch.Key, Node: node}
		return ch
	}
	unbound, bound := pod(model.OpAdd, ""), pod(model.OpModify, "a")
	if e := c.Fold(unbound, 1, nil, 0); e.Old != nil || e.Pod != unbound.Pod {
		t.Errorf("adding is %+v", e)
	}
	if e := c.Fold(bound, 2, unbound.Pod, 0); e.Old != unbound.Pod || e.Pod != bound.Pod {
		t.Errorf("binding is %+v", e)
	}
	if len(c.Find("").Pods()) != 0 || len(c.Find("a").Pods()) != 1 {
		t.Error("a bound pod hangs on its node, and there only")
	}
	if e := c.Fold(pod(model.OpDelete, "a"), 3, bound.Pod, 0); e.Old != bound.Pod || e.Pod != nil || len(c.Find("a").Pods()) != 0 {
		t.Errorf("deleting is %+v", e)
	}
}

// Renewals folded into the state that is shown and into what the controllers see, with a
// pass's share of the work left out: it is measured in nodelifecycle.
func BenchmarkFoldRenewals(b *testing.B) {
	c, cluster := New(), model.NewCluster()
	changes := make([]model.Change, 5000)
	for i := range changes {
		name := "node-" + string(rune('a'+i%26)) + string(rune('0'+i/26%10)) + string(rune('A'+i/260))
		changes[i] = model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(noon)}
		c.Fold(&changes[i], 1, nil, 0)
		cluster.Fold(&changes[i])
	}
	b.ReportAllocs()
	i, version, now := 0, uint64(1), noon
	for b.Loop() {
		ch := &changes[i]
		version++
		now += 2_000_000
		ch.Version, ch.Lease.Renewed, ch.Time = version, now, model.Exactly(now)
		cluster.Fold(ch)
		c.Fold(ch, int(version), nil, 0)
		if i++; i == len(changes) {
			i = 0
		}
	}
}
