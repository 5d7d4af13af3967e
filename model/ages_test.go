package model_test

import (
	"testing"
	"time"

	"kardia/model"
)

// Of a dump without leases a status heartbeat tells little: of who was declared Unknown it is known that it has been silent
// since then at least, by the stamp of the condition.
func TestAgeOfWhoWasDeclaredInADump(t *testing.T) {
	posted := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	at := posted.Add(3 * time.Minute)
	c := model.NewCluster()
	for name, status := range map[string]model.Status{"well": model.StatusTrue, "lost": model.StatusUnknown} {
		c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, Node: &model.Node{Conditions: []model.Condition{
			{Type: model.ConditionReady, Status: status, Reason: model.ReasonUnknown, Heartbeat: posted, Transition: posted.Add(100 * time.Second)}}}})
	}
	dumped := model.AsOf{At: at, Statuses: model.ReadUpTo{Instant: posted.Add(time.Second), AtLeast: true}}
	for name, want := range map[string]time.Duration{"well": time.Second, "lost": 80 * time.Second} {
		if is := c.Node(name).AgesAsOf(dumped); is.Age != model.Some(want) || !is.AtLeast || is.Declared != (name == "lost") {
			t.Errorf("%s: %+v, want at least %v", name, is, want)
		}
	}
	if is := c.Node("lost").Ages(at); is.Age != model.Some(3*time.Minute) || is.Declared {
		t.Errorf("watched: %+v, want the status's age at most", is)
	}
}

// A renewTime that lies far after when it was read is by a clock that is ahead: it tells neither since when the kubelet is
// silent nor that it is not. When the lease was written does, where that is known.
func TestAgeByAClockThatIsAhead(t *testing.T) {
	at := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	written := at.Add(-3 * time.Second)
	for name, c := range map[string]struct {
		renewed model.Instant
		written model.Interval
		read    model.ReadUpTo
		age     model.Maybe[time.Duration]
		from    model.AgeFrom
		ahead   model.Maybe[time.Duration]
	}{
		"a capture":                          {at.Add(time.Hour), model.Interval{Earliest: written, Latest: model.FarFuture}, model.ReadUpTo{Instant: at, AtLeast: true}, model.Maybe[time.Duration]{}, model.AgeUnknown, model.Some(time.Hour)},
		"a capture, and none knows better":   {at.Add(time.Hour), model.Always, model.ReadUpTo{Instant: at}, model.Maybe[time.Duration]{}, model.AgeUnknown, model.Some(time.Hour)},
		"it was written a moment before":     {at.Add(time.Hour), model.Interval{Earliest: written, Latest: at}, model.ReadUpTo{Instant: at}, model.Some(3 * time.Second), model.AgeWritten, model.Maybe[time.Duration]{}},
		"it was written within half an hour": {at.Add(time.Hour), model.Interval{Earliest: at.Add(-30 * time.Minute), Latest: at}, model.ReadUpTo{Instant: at}, model.Maybe[time.Duration]{}, model.AgeUnknown, model.Some(time.Hour)},
		"a little":                           {at.Add(9 * time.Second), model.Always, model.ReadUpTo{Instant: at, AtLeast: true}, model.Some(time.Duration(0)), model.AgeRenewTime, model.Maybe[time.Duration]{}},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := model.NewCluster()
			cluster.Fold(&model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: "a"}, Time: c.written, Lease: model.Lease{Renewed: c.renewed}})
			is := cluster.Row("a").AgesAsOf(model.AsOf{At: at, Leases: c.read, Statuses: c.read})
			if is.Age != c.age || is.From != c.from || is.Ahead != c.ahead {
				t.Errorf("%+v", is)
			}
		})
	}
}
