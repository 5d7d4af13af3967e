package controllers_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/controllers"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
)

// Whatever a forecast says, its pods and nodes are counted once each, and nothing is lost.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		o := s.Controllers()
		if o.Forecast == nil {
			if o.Armed != 0 || o.Node("node-1") != nil {
				t.Fatal("something comes of nothing")
			}
			return
		}
		armed, byNode := 0, map[string]int{}
		for _, e := range o.Forecast.Evictions {
			byNode[e.Node]++
			if e.State == forecast.Due {
				armed++
			}
		}
		if armed != o.Armed {
			t.Fatalf("%d armed, want %d", o.Armed, armed)
		}
		for name, n := range byNode {
			if got := len(o.Node(name).Evictions); got != n {
				t.Fatalf("%s has %d evictions, want %d", name, got, n)
			}
		}
		queued, deletions := 0, 0
		for i := range o.Zones {
			queued += len(o.Zones[i].Waiting)
			pods := 0
			for _, d := range o.Zones[i].Deletions {
				pods += d.Pods
			}
			if pods != o.Zones[i].Armed {
				t.Fatalf("%d pods in deletions, want %d", pods, o.Zones[i].Armed)
			}
			deletions += pods
		}
		if queued != o.Queued || deletions > armed {
			t.Fatalf("%d queued, want %d; %d of %d armed are in zones", queued, o.Queued, deletions, armed)
		}
	})
}

// What is not known yet, or cannot be, is said to be so.
func TestStatus(t *testing.T) {
	s := screentest.WithModels(screentest.Incident())
	state, next := s.Judged.State, s.Judged.Forecast
	moved := func(d time.Duration) *infer.State {
		other := *state
		other.At = state.At.Add(d)
		return &other
	}
	for _, c := range []struct {
		what           string
		judged         *controllers.Judgement
		status         string
		known, pending bool
	}{
		{"no models", nil, "", false, false},
		{"just started", &controllers.Judgement{}, "being worked out, 0%", false, true},
		{"half way", &controllers.Judgement{Progress: 0.439}, "being worked out, 43%", false, true},
		{"half way, in other words", &controllers.Judgement{Progress: 0.439, Missing: "still reading"}, "still reading", false, true},
		{"all but this time", &controllers.Judgement{Progress: 1}, "being worked out", false, true},
		{"the state alone", &controllers.Judgement{Progress: 1, State: state}, "being worked out", true, true},
		{"everything", &controllers.Judgement{Progress: 1, State: state, Forecast: next}, "", true, false},
		{"of a moment ago", &controllers.Judgement{Progress: 1, State: moved(-3 * time.Second), Forecast: next}, "", true, false},
		{"of another time", &controllers.Judgement{Progress: 1, State: moved(-time.Minute), Forecast: next}, "being worked out", false, true},
		{"as far as was heard", &controllers.Judgement{Progress: 1, State: moved(-time.Minute), Until: s.At.Add(-time.Minute)}, "being worked out", true, true},
		{"impossible", &controllers.Judgement{Progress: 1, Missing: "no leases\x1b[2J"}, "no leases␛[2J", false, false},
		{"unsupported", &controllers.Judgement{Progress: 1, State: state, Forecast: next, Result: &infer.Result{Unsupported: []infer.Note{{Code: infer.LeasesMissing}}}}, "the input holds no node leases: silence cannot be judged", false, false},
	} {
		s.Judged = c.judged
		o := s.Controllers()
		if got := o.Status(); got != c.status || (o.State != nil) != c.known || o.Pending != c.pending {
			t.Errorf("%s: %q, state known %v, pending %v; want %q, %v, %v", c.what, got, o.State != nil, o.Pending, c.status, c.known, c.pending)
		}
	}
}

// Nobody has a place in a queue, and what is said to come comes.
func TestTokens(t *testing.T) {
	at := screentest.Now
	in := func(d time.Duration) model.Instant { return at.Add(d) }
	for _, c := range []struct {
		zone        controllers.Zone
		long, short string
	}{
		{zone(0.1, nil, in(0), 0), "queue empty; the next node is tainted at once", "queue empty"},
		{zone(0.1, nil, in(3500*time.Millisecond), 0), "queue empty; the next node is tainted within 4s", "queue empty, next taint ≤ 4s"},
		{zone(0, nil, model.FarFuture, 0), "queue empty; no node would be tainted", "queue empty"},
		{zone(0, []string{"a", "b"}, model.FarFuture, model.FarFuture), "2 queued; none is tainted while the rate is 0", "2 queued, none is tainted"},
		{zone(0.1, []string{"a"}, in(6*time.Second), in(6*time.Second)), "one node queued, tainted within 6s", "1 queued, tainted ≤ 6s"},
		{zone(0.1, []string{"a", "b"}, in(6*time.Second), in(16100*time.Millisecond)), "2 queued; next taint within 6s, all within 17s", "2 queued, next taint ≤ 6s, all ≤ 17s"},
		{zone(0.1, []string{"a", "b"}, in(6*time.Second), model.FarFuture), "2 queued; next taint within 6s", "2 queued, next taint ≤ 6s"},
		{doubted(zone(0.1, []string{"a", "b"}, in(6*time.Second), in(16100*time.Millisecond))), "2 queued; next taint within 6s; possibly not all get one", "2 queued, next ≤ 6s, possibly not all"},
	} {
		if l, s := c.zone.Tokens(at); l.String() != c.long || s.String() != c.short {
			long, short := l.String(), s.String()
			t.Errorf("got %q and %q, want %q and %q", long, short, c.long, c.short)
		}
	}
}

func zone(rate float32, waiting []string, next, until model.Instant) controllers.Zone {
	z := controllers.Zone{ZoneView: nodelifecycle.ZoneView{Rate: rate, Waiting: waiting, NextToken: next}, Until: until}
	if len(waiting) > 0 && next != model.FarFuture {
		z.Next = model.Exactly(next)
	}
	return z
}

// doubted is a zone of which not all that wait surely get a taint.
func doubted(z controllers.Zone) controllers.Zone {
	z.Doubted = true
	return z
}

func TestRateWord(t *testing.T) {
	for rate, want := range map[float32]string{0: "stopped", 0.1: "1/10s", 0.01: "1/100s", 0.125: "1/8s", 0.03: "0.03/s", 1: "1/s", 20: "20/s"} {
		if got := topics.TaintRate(rate).String(); got != want {
			t.Errorf("%v: %q, want %q", rate, got, want)
		}
	}
}

// No screen names a place in a queue.
func TestNoPlaceInAQueue(t *testing.T) {
	for _, k := range screentest.Tellings {
		s := screentest.Recorded(t, k.Path, k.After)
		o := s.Controllers()
		for i := range o.Zones {
			for _, w := range o.Zones[i].Waits {
				long, short, _ := o.Held(o.Node(w.Node), "z", s.At)
				if strings.Contains(long.String()+short.String(), " of ") {
					t.Errorf("%s: %q", w.Node, long.String())
				}
			}
		}
	}
}

// Of pods that may go from the same instant on those go first that surely have by the earlier end, in whatever order their
// nodes are read.
func TestWhoGoesFirst(t *testing.T) {
	at := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	soon, wide := model.Interval{Earliest: at, Latest: at.Add(2 * time.Second)}, model.Interval{Earliest: at, Latest: at.Add(12 * time.Second)}
	for _, order := range [][2]model.Interval{{soon, wide}, {wide, soon}} {
		sum := controllers.Node{Ahead: 1, Next: order[0]}
		sum.Add(&controllers.Node{Ahead: 1, Next: order[1]})
		if sum.Next != soon {
			t.Errorf("of %v the first is %v", order, sum.Next)
		}
	}
}

// While nobody leads nobody is tainted, at whatever rate a zone is served when somebody does.
func TestNobodyIsTaintedWhileNobodyLeads(t *testing.T) {
	for _, c := range []struct {
		unled  model.Instant
		rate   float32
		word   string
		halted bool
	}{{0, 0.1, "1/10s", false}, {0, 0, "stopped", true}, {5e9, 0.1, "none", true}} {
		o := &controllers.View{State: &infer.State{Unled: c.unled}}
		if word, halted := o.Taints(c.rate); word != c.word || halted != c.halted {
			t.Errorf("unled since %v, rate %v: %q, %v", c.unled, c.rate, word, halted)
		}
	}
}
