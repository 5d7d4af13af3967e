package app

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/ui/nodes"
	"kardia/ui/session"
)

// unwell is five nodes that beat and read Ready: two are well, one has a full disk, one is being removed, one
// is cordoned.
func unwell() *history.Memory {
	var changes []model.Change
	with := func(name string, f func(*model.Node)) {
		ch := nodeIn(0, name, "a", "True")
		f(ch.Node)
		changes = append(changes, ch)
	}
	with("well-1", func(*model.Node) {})
	with("well-2", func(*model.Node) {})
	with("full", func(n *model.Node) {
		n.Conditions = append(n.Conditions, model.Condition{Type: model.ConditionDiskPressure, Status: model.StatusTrue, Transition: sec(0).Add(-14 * time.Minute)})
	})
	with("leaving", func(n *model.Node) {
		n.Taints = []model.Taint{{Key: "aws-node-termination-handler/spot-itn", Effect: model.NoSchedule, Added: sec(10)}}
	})
	with("shut-out", func(n *model.Node) {
		n.Unschedulable = true
		n.Taints = []model.Taint{{Key: model.TaintUnschedulable, Effect: model.NoSchedule, Added: sec(0).Add(-76 * time.Hour)}}
	})
	for s := 5.0; s < 60; s += 10 {
		for _, name := range []string{"well-1", "well-2", "full", "leaving", "shut-out"} {
			changes = append(changes, lease(s, name))
		}
	}
	return history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(60)}, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 5, model.KindNodeLease: 30}}})
}

// Ready is not all there is to a node: the headline counts those that are not well or about to disappear, and
// the fleet lists them, the most urgent first, with what it is and since when.
func TestReadyIsNotAll(t *testing.T) {
	s := newClock()
	s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: session.Replay(unwell(), session.Options{Now: s.time, Start: sec(50), Judging: session.AtOnce})}, 120, 36)
	s.shows("all 5 nodes renew, 1 leaving, 1 degraded; the oldest heartbeat is 5s old")
	s.row("leaving").has("Ready", "40s", "spot notice, gone by 12:02:10Z").isSelected()
	s.row("full").has("Ready", "14m50s", "DiskPressure=True")
	s.row("shut-out").has("Ready", "3d4h", "cordoned")
	s.row("well-1").isGone()
	s.keys("/").types("state:leaving").keys("enter").row("full").isGone()
	s.keys("esc", "/").types("state:degraded").keys("enter").row("leaving").isGone()
	s.row("full").has("DiskPressure")
}

// w says more of it, and the node's own screen begins with it.
func TestWhatReadyDoesNotTell(t *testing.T) {
	s := newClock()
	s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: session.Replay(unwell(), session.Options{Now: s.time, Start: sec(50), Judging: session.AtOnce})}, 80, 24)
	s.row("full").has("DiskPressure")
	s.keys("w").shows("ABOUT TO DISAPPEAR", "the provider takes the machine back, gone by 12:02:10Z", "taint aws-node-termination-handler/spot-itn", "assumes a notice of 2m")
	s.keys("esc", "enter").shows("Who removes it?", "1 ● the provider takes the machine back, gone by 12:02:10Z")
	s.keys("n").shows("What is wrong with it?", "1 ● DiskPressure=True")
	s.keys("w").shows("DEGRADED", "DiskPressure=True, since 2026-08-21 11:46:00Z, for 14m50s")
}

// What counts as late is the person's to say: it is said alike in the headline, of the zone and of the node.
func TestLateIsAThreshold(t *testing.T) {
	for _, late := range []time.Duration{0, 45 * time.Second} {
		changes := []model.Change{nodeIn(0, "a", "z", "True"), nodeIn(0, "b", "z", "True"), lease(10, "a"), lease(10, "b"), lease(40, "b")}
		h := history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(50)}, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 2, model.KindNodeLease: 3}}})
		s := newClock()
		s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: session.Replay(h, session.Options{Now: s.time, Start: sec(45), Judging: session.AtOnce, Thresholds: nodes.Thresholds{Late: late}})}, 120, 36)
		if late == 0 {
			s.shows("a in z is late", "1 late", "late, 2 missed")
			continue
		}
		s.shows("all 2 nodes renew", "no node needs attention").hides("1 late")
	}
}
