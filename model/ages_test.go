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
