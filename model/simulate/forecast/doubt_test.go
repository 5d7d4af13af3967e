package forecast_test

import (
	"testing"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
)

// An audit log of a time in which no Node is written shows nodes by their leases only. Their silence is
// judged all the same; but nobody knows their zones, and so when they are tainted, and none of them is
// missing, so that nobody collects their pods.
func TestNodesThatAreKnownByTheirLeasesOnly(t *testing.T) {
	w := newWorld([]int{4}, map[string]float64{"a00": 70})
	rec := &recording{world: w, from: second(30), by: byAudit, unseen: true}
	w.watch = rec.watch
	j := &judged{world: w, loop: w.loop(100), seen: rec}
	if r := j.result(t); len(r.Decisions) > 0 || !r.Foresees {
		t.Errorf("%d decisions, the first %s; something can be foreseen: %v", len(r.Decisions), subject(&r.Decisions[0]), r.Foresees)
	}
	s := j.state(t)
	f := forecast.Run(s, forecast.Options{Silent: w.falls})
	waiting := 0
	for _, e := range f.Evictions {
		switch {
		case e.Node != "a00" || e.State != forecast.WaitingForTaint && e.State != forecast.Forever:
			t.Errorf("%s: %s", e.Pod, told(e))
		case e.State == forecast.Forever:
		case e.Certain || e.Window.Latest != model.FarFuture || e.Window.Earliest < second(120):
			t.Errorf("%s, certain %v: %s", e.Pod, e.Certain, told(e))
		default:
			waiting++
		}
	}
	if waiting != 3 || len(f.Zones) > 0 {
		t.Errorf("%d pods wait, %d zones", waiting, len(f.Zones))
	}
	untold(t, f)
	held := why.Node(s, "a00")
	if len(held) != 1 || held[0].Decision.Kind != model.MarkUnknown || !held[0].Decision.Window.Contains(second(120.024)) || held[0].Decision.Window.Width() > 2*period {
		t.Errorf("held back: %+v", held)
	}
}

// Where no Node is seen, neither is that one is declared: it comes until it must have come, and is promised no more after that.
func TestADeclarationThatNobodySees(t *testing.T) {
	for at, want := range map[float64]bool{100: true, 122: true, 140: false, 200: false} {
		w := newWorld([]int{4}, map[string]float64{"a00": 70})
		rec := &recording{world: w, from: second(30), by: byAudit, unseen: true}
		w.watch = rec.watch
		s := (&judged{world: w, loop: w.loop(at), seen: rec}).state(t)
		comes := false
		for _, c := range forecast.Run(s, forecast.Options{Silent: w.falls}).Coming {
			comes = comes || c.Decision.Kind == model.MarkUnknown
		}
		if comes != want {
			t.Errorf("+%v: that it is declared comes: %v", at, comes)
		}
	}
}

// A taint that comes before any token is there tells that the zone's bucket is not what the models take
// it for, perhaps since the controller began anew and nobody tells: whoever waits in the zone may get
// a token at once, or much later, and nothing else is said of it.
func TestATaintThatNothingExplains(t *testing.T) {
	w := newWorld([]int{12}, map[string]float64{"a00": 62, "a01": 62, "a02": 62, "a03": 62})
	rec := &recording{world: w, from: second(30), by: byAudit}
	w.watch = rec.watch
	l := w.loop(118.6)
	for _, name := range []string{"a01", "a02", "a03"} {
		if n := l.Cache.Node(name); !n.HasNoExecute() {
			l.EditNode(name, func(n *model.Node) {
				n.Taints = append(n.Taints, model.Taint{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: l.Now()})
			})
			break
		}
	}
	l.Run(second(121))
	s := (&judged{world: w, loop: l, seen: rec}).state(t)
	if len(s.Doubted) != 1 {
		t.Fatalf("doubted zones: %v", s.Doubted)
	}
	f := forecast.Run(s, forecast.Options{Silent: w.falls})
	for _, x := range f.Waits {
		if x.Certain || x.Window != (model.Interval{Earliest: f.At, Latest: model.FarFuture}) {
			t.Errorf("%s gets its taint within %s", x.Node, said(x.Window, true))
		}
	}
	if len(f.Waits) == 0 || len(f.Zones) > 0 {
		t.Errorf("%d wait, %d zones are told", len(f.Waits), len(f.Zones))
	}
	untold(t, f)
	for _, c := range f.Coming { // of each that waits it may be, and of none more than of another
		if d := &c.Decision; (d.Kind == model.EvictPod || d.Kind == model.ScheduleEviction) && s.Cache.Node(d.Node) != nil && !s.Cache.Node(d.Node).HasNoExecute() {
			t.Errorf("%s of %s is told by name", d.Kind, d.Subject())
		}
	}
	for _, e := range f.Evictions {
		if e.State == forecast.WaitingForTaint && !e.Raced() {
			t.Errorf("that it is open whether %s goes is not told", e.Pod)
		}
	}
	if n := f.Deletions(func(e *forecast.Eviction) bool { return e.Raced() }).By(model.FarFuture); n.Least != 0 || n.Most != n.Of || n.Of == 0 {
		t.Errorf("%+v of those go", n)
	}
}

// untold says that what comes promises no more than the pods' windows do: taints by tokens that nobody knows of have no end,
// nor what they lead to, and of a zone of which nobody knows who is in it nothing is told.
func untold(t *testing.T, f *forecast.Forecast) {
	t.Helper()
	ends := map[model.Key]model.Instant{}
	for _, e := range f.Evictions {
		ends[e.Pod] = e.Window.Latest
	}
	tokens := 0
	for _, c := range f.Coming {
		d := &c.Decision
		switch {
		case d.Zone.Value.Zone == "unseen" && (d.Kind == model.ZoneState || d.Kind == model.SetRate):
			t.Errorf("of nowhere: %s", d.Kind)
		case d.Kind == model.TaintNoExecute:
			if tokens++; d.Window.Latest != model.FarFuture {
				t.Errorf("a token by %s", d.Window.Latest)
			}
		case d.Kind == model.EvictPod && len(c.Among) > 0 && d.Window.Latest == model.FarFuture: // of one of several nodes
		case d.Kind == model.EvictPod && d.Window.Latest != ends[d.Pod]:
			t.Errorf("%s deleted by %s, and by %s in the list of deletions", d.Pod, d.Window.Latest, ends[d.Pod])
		}
	}
	if tokens == 0 {
		t.Error("no taint comes")
	}
}
