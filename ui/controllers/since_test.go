package controllers_test

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/controllers"
	"kardia/ui/screen/screentest"
)

// While the models of a live session rest, what is to be seen since is said as if they had read it: who waits, whose countdown
// runs and within when it ends, who is still to be declared.
func TestSince(t *testing.T) {
	for _, path := range []string{"demo:zone-outage", "demo:node-loss", "scenario:small-zone-partial"} {
		tainted := 0
		for after := 30 * time.Second; after < 6*time.Minute; after += 7 * time.Second {
			read, now := screentest.Recorded(t, path, after), screentest.Recorded(t, path, after+9*time.Second)
			fresh := now.Controllers()
			rested := *read.Judged
			rested.Until = now.At
			is := controllers.Read(&rested, now.Cluster, now.At, false, nil)
			if is.Forecast == nil || fresh.Forecast == nil {
				t.Fatalf("%s +%v: no forecast", path, after)
			}
			for i := range is.Zones {
				for _, name := range is.Zones[i].Waiting {
					if row := now.Cluster.Node(name); row != nil && row.Node != nil && row.Node.TaintedAsNotWell() && !slices.Contains(fresh.Zones[i].Waiting, name) {
						t.Errorf("%s +%v: %s waits, and has its taint", path, after, name)
					}
				}
			}
			for i := range is.Forecast.Evictions {
				e := &is.Forecast.Evictions[i]
				if (e.State == forecast.Terminating || e.State == forecast.Stuck) && now.Cluster.PodOn(e.Node, e.Pod) == nil {
					t.Errorf("%s +%v: %s is %s, and gone", path, after, e.Pod, e.State)
				}
				truth := fresh.Forecast.Pod(e.Pod)
				if truth == nil || truth.State != forecast.Due {
					continue
				}
				was := read.Judged.Forecast.Pod(e.Pod)
				switch {
				case e.State != forecast.Due:
					t.Errorf("%s +%v: %s %s, and its countdown runs until %v", path, after, e.Pod, e.State, truth.Window)
				case was.State == forecast.WaitingForTaint:
					tainted++
					if !e.Window.Overlaps(truth.Window) || e.Window.Width() > 10*time.Second {
						t.Errorf("%s +%v: %s is deleted within %v, want within %v", path, after, e.Pod, e.Window, truth.Window)
					}
				}
			}
			for _, name := range is.Forecast.Nodes() {
				if row := now.Cluster.Node(name); row != nil && row.Health() == model.HealthUnknown {
					if w, ok := is.Declared(name); ok {
						t.Errorf("%s +%v: %s is Unknown, and declared in %v", path, after, name, w)
					}
				}
			}
		}
		if tainted == 0 {
			t.Errorf("%s: no node got its taint while the models rested", path)
		}
	}
}

// A node that is back, and whose taint is taken off, loses no pod any more, whether or not it has beaten since the models read;
// and of its pods those are under way that are still there.
func TestBackSince(t *testing.T) {
	const flapping, inTime = "scenario:flapping", "testdata/back-in-time.scenario"
	raced := 0
	for healed, path := range map[time.Duration]string{330 * time.Second: flapping, 720 * time.Second: flapping, 158 * time.Second: inTime} {
		for after := healed - 3*time.Second; after < healed+12*time.Second; after += 500 * time.Millisecond {
			read, now := screentest.Recorded(t, path, after), screentest.Recorded(t, path, after+4*time.Second)
			rested := *read.Judged
			rested.Until = now.At
			is := controllers.Read(&rested, now.Cluster, now.At, false, nil)
			if is.Forecast == nil {
				continue
			}
			for i := range is.Forecast.Evictions {
				e := &is.Forecast.Evictions[i]
				row, pod := now.Cluster.Node(e.Node), now.Cluster.PodOn(e.Node, e.Pod)
				switch {
				case row != nil && row.Health() == model.HealthReady && row.Node.HasNoExecute() && e.State.Ahead():
					raced++
					if e.Certain || e.Window.Earliest > now.At.Add(7*time.Second) {
						t.Errorf("%s +%v: %s of %s, which is Ready, is deleted in %v, certain %v", path, after, e.Pod, e.Node, e.Window.Earliest.Sub(now.At), e.Certain)
					}
				case row == nil || row.Health() != model.HealthReady || row.Node.HasNoExecute() || !read.Cluster.Node(e.Node).Node.HasNoExecute():
				case e.State.Ahead():
					t.Errorf("%s +%v: %s of %s, which is back, is to be deleted", path, after, e.Pod, e.Node)
				case pod == nil || e.State == forecast.Stuck:
					t.Errorf("%s +%v: %s of %s, which is back, is %s", path, after, e.Pod, e.Node, e.State)
				}
			}
		}
	}
	if raced == 0 {
		t.Error("of no node that is Ready, and has its taint, a countdown may end before")
	}
}
