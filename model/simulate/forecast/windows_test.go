package forecast_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// From a state that is known exactly the forecast is what the loop then does.
func TestForecastIsWhatThenHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, until := draw(t)
		l := w.loop(until)
		f := forecast.Run(w.state(l, w.next(second(until))), forecast.Options{Silent: w.falls})
		then := l.Run(f.Until)
		if len(then) != len(f.Coming) {
			t.Fatalf("%d decisions forecast, %d made", len(f.Coming), len(then))
		}
		byTime := map[string][]model.Decision{}
		for _, d := range then {
			byTime[d.Time.String()] = append(byTime[d.Time.String()], d)
		}
		for _, c := range f.Coming {
			d := c.Decision
			if !c.Sure || !slices.ContainsFunc(byTime[d.Time.String()], func(h model.Decision) bool {
				if len(c.Among) > 0 { // whose it is, it leaves open
					h.Node, h.Pod, h.Zone = "", model.Key{}, d.Zone
				}
				return subject(&h) == subject(&d)
			}) {
				t.Fatalf("forecast, and not made: %s %s", d.Time, subject(&d))
			}
			if !d.Window.Contains(d.Time) {
				t.Fatalf("%s %s is outside its own window %v", d.Time, subject(&d), d.Window)
			}
		}
		contained(t, f, then, f.Until)
	})
}

// Nodes that a later pass queues may be in time for the token for which another waits.
func TestLaterOnesMayComeFirst(t *testing.T) {
	w := newWorld([]int{9}, map[string]float64{"a00": 82, "a01": 86, "a02": 90.5, "a03": 90.5})
	const until = 139.36
	l := w.loop(until)
	f := forecast.Run(w.state(l, w.next(second(until))), forecast.Options{Silent: w.falls})
	// The zone's bucket is empty until 145.1. The true clock queues a01 at 140.0, and the others
	// at 145.0; an early one queues the others at 149.8, and a late one at 145.3.
	l.Hidden.Pick = func(_ model.ZoneKey, waiting []string) string { return waiting[len(waiting)-1] }
	var order []string
	end := f.Until.Add(-time.Minute)
	then := l.Run(end)
	for _, d := range then {
		if d.Kind == model.TaintNoExecute {
			order = append(order, d.Node)
		}
	}
	if want := []string{"a03", "a02", "a01"}; !slices.Equal(order, want) {
		t.Fatalf("tainted %q; the test needs %q", order, want)
	}
	contained(t, f, then, end)
}

// The shortcuts change nothing: neither that nodes which keep beating write no renewals, nor
// how two runs are matched, nor that it is left out which pods are marked. Versions of objects that nobody wrote yet say nothing.
func TestStraightAndShortAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, until := draw(t)
		s := w.state(w.loop(until), w.next(second(until)))
		short, long := forecast.Run(s, forecast.Options{Silent: w.falls}), forecast.Straight(s, forecast.Options{Silent: w.falls})
		for _, f := range []*forecast.Forecast{short, long} {
			for i := range f.Coming {
				d := &f.Coming[i].Decision
				for k := range d.Inputs {
					d.Inputs[k].Version = 0
				}
				if d.Kind == model.MarkPodsNotReady {
					d.ID, d.Writes = 0, []model.Write{{Kind: model.WritePodNotReady, Pods: int32(d.Written())}}
				}
			}
		}
		if !reflect.DeepEqual(short.Coming, long.Coming) {
			t.Fatalf("short: %d, long: %d coming", len(short.Coming), len(long.Coming))
		}
		if !reflect.DeepEqual(short.Evictions, long.Evictions) {
			t.Fatalf("short:\n%+v\nlong:\n%+v", short.Evictions, long.Evictions)
		}
	})
}

func subject(d *model.Decision) string {
	return fmt.Sprint(d.Kind, d.Outcome, d.Node, d.Zone, d.Pod)
}

// contained demands that what happened lies in the windows: each node taint in one of its
// zone's tokens for which the node waits, each deletion of a pod in the pod's window. What is
// to end by an instant must have come.
func contained(t rapid.TB, f *forecast.Forecast, then []model.Decision, until model.Instant) {
	ended := map[model.Key]bool{}
	windows := map[model.Key]forecast.Eviction{}
	for _, e := range f.Evictions {
		if _, twice := windows[e.Pod]; twice {
			t.Fatalf("%s twice", e.Pod)
		}
		windows[e.Pod] = e
	}
	waits := map[string]forecast.Wait{}
	for _, w := range f.Waits {
		waits[w.Node] = w
	}
	for i := range then {
		d := &then[i]
		switch d.Kind {
		case model.MarkUnknown, model.SwapNoExecute, model.ZoneState, model.SetRate, model.EnterMasterDisruption:
			if !slices.ContainsFunc(f.Coming, func(c forecast.Coming) bool {
				return c.Decision.Kind == d.Kind && c.Decision.Node == d.Node && c.Decision.Zone == d.Zone && c.Decision.Window.Contains(d.Time)
			}) {
				text := ""
				for _, c := range f.Coming {
					if c.Decision.Kind == d.Kind {
						text += ", " + subject(&c.Decision) + " " + said(c.Decision.Window, true)
					}
				}
				t.Fatalf("nothing foresaw %s %s%s", d.Time.Sub(epoch), subject(d), text)
			}
		case model.TaintNoExecute:
			if w, ok := waits[d.Node]; ok && d.Outcome == model.Did {
				delete(waits, d.Node) // what it waits for later is another matter
				if !w.Window.Contains(d.Time) {
					t.Fatalf("%s tainted at %s; foreseen [%s, %s]", d.Node, d.Time.Sub(epoch), w.Window.Earliest.Sub(epoch), w.Window.Latest.Sub(epoch))
				}
			}
			if d.Outcome == model.Did && !slices.ContainsFunc(f.Coming, func(c forecast.Coming) bool {
				return c.Decision.Kind == d.Kind && c.Decision.Zone == d.Zone && c.Decision.Window.Contains(d.Time)
			}) {
				t.Fatalf("no token foresaw %s %s", d.Time.Sub(epoch), subject(d))
			}
		case model.EvictPod:
			e, ok := windows[d.Pod]
			if d.Outcome != model.Did || ended[d.Pod] || ok && (e.State == forecast.Terminating || e.State == forecast.Stuck) {
				continue // of several the first counts; for those deleted already the window is that of the object's end
			}
			ended[d.Pod] = true
			if !ok || !e.Window.Contains(d.Time) {
				t.Fatalf("%s deleted at %s; foreseen %s", d.Pod, d.Time.Sub(epoch), told(e))
			}
		case model.CollectPod:
			if e, ok := windows[d.Pod]; !ended[d.Pod] && (!ok || !e.Window.Contains(d.Time)) {
				t.Fatalf("%s collected at %s; foreseen %s", d.Pod, d.Time.Sub(epoch), told(e))
			}
			ended[d.Pod] = true
		}
	}
	came(t, f, then, ended, until)
}

// came demands that what is sure, and the end of pods that has a latest instant, has come by
// an instant if it was to.
func came(t rapid.TB, f *forecast.Forecast, then []model.Decision, ended map[model.Key]bool, until model.Instant) {
	for _, c := range f.Coming {
		foreseen := &c.Decision
		switch foreseen.Kind {
		case model.MarkUnknown, model.SwapNoExecute, model.EnterMasterDisruption:
			if c.Sure && foreseen.Window.Latest <= until && !slices.ContainsFunc(then, func(d model.Decision) bool {
				return d.Kind == foreseen.Kind && d.Node == foreseen.Node && foreseen.Window.Contains(d.Time)
			}) {
				t.Fatalf("not made, and said to be sure: %s within [%s, %s]", subject(foreseen), foreseen.Window.Earliest.Sub(epoch), foreseen.Window.Latest.Sub(epoch))
			}
		}
	}
	for _, e := range f.Evictions {
		if e.Certain && e.State != forecast.Terminating && e.State != forecast.Stuck && e.Window.Latest <= until && !ended[e.Pod] {
			t.Fatalf("%s is not gone by %s; foreseen %s", e.Pod, until.Sub(epoch), told(e))
		}
	}
}

// told is what a forecast says of a pod, in seconds since the epoch.
func told(e forecast.Eviction) string {
	if e.Window.Earliest == model.FarFuture {
		return fmt.Sprintf("%s never: %s", e.State, e.Why.Reason)
	}
	if e.Window.Latest == model.FarFuture {
		return fmt.Sprintf("%s from %s on: %s", e.State, e.Window.Earliest.Sub(epoch), e.Why.Reason)
	}
	return fmt.Sprintf("%s [%s, %s]: %s", e.State, e.Window.Earliest.Sub(epoch), e.Window.Latest.Sub(epoch), e.Why.Reason)
}

// What comes and the list of pods tell of each deletion within the same window.
func TestWhatComesAgreesWithThePods(t *testing.T) {
	w := newWorld([]int{6, 6}, map[string]float64{"a00": 62, "a01": 63, "b02": 64})
	rec := &recording{world: w, from: second(30), by: byOwn}
	w.watch = rec.watch
	f := forecast.Run((&judged{world: w, loop: w.loop(100), seen: rec}).state(t), forecast.Options{Silent: w.falls})
	windows := map[model.Key]model.Interval{}
	for _, e := range f.Evictions {
		windows[e.Pod] = e.Window
	}
	told := 0
	for _, c := range f.Coming {
		if d := &c.Decision; d.Kind == model.EvictPod {
			if told++; windows[d.Pod] != d.Window {
				t.Errorf("%s: deleted within %s, and within %s", d.Pod, said(d.Window, c.Sure), said(windows[d.Pod], c.Sure))
			}
		}
	}
	if told == 0 {
		t.Error("nothing is deleted: nothing was tested")
	}
}
