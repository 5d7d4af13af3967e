package screen_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/screen/screentest"
	"kardia/ui/topics"
)

// Whatever a forecast says, its pods and nodes are counted once each, and nothing is lost.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		o := s.Outlook()
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

// A missing judgement has its reason.
func TestUnjudged(t *testing.T) {
	s := screentest.WithModels(screentest.Incident())
	state, next := s.Judged.State, s.Judged.Forecast
	moved := func(d time.Duration) *infer.State {
		other := *state
		other.At = state.At.Add(d)
		return &other
	}
	for _, c := range []struct {
		what           string
		judged         *outlook.Judgement
		status         string
		known, pending bool
	}{
		{"no models", nil, "no decisions: the models of the controllers do not run here", false, false},
		{"half way", &outlook.Judgement{Missing: screentest.Reading}, "the models are still reading the recording: 43 %", false, true},
		{"before the lists", &outlook.Judgement{Missing: outlook.Missing{Reason: outlook.ReadingLists}}, "the models have yet to read the first lists", false, true},
		{"all but this time", &outlook.Judgement{}, "being worked out", false, true},
		{"the state alone", &outlook.Judgement{State: state}, "being worked out", true, true},
		{"everything", &outlook.Judgement{State: state, Forecast: next}, "", true, false},
		{"of a moment ago", &outlook.Judgement{State: moved(-3 * time.Second), Forecast: next}, "", true, false},
		{"of another time", &outlook.Judgement{State: moved(-time.Minute), Forecast: next}, "being worked out", false, true},
		{"as far as was heard", &outlook.Judgement{State: moved(-time.Minute), Until: s.At.Add(-time.Minute)}, "being worked out", true, true},
		{"impossible", &outlook.Judgement{Missing: outlook.Missing{Reason: outlook.Unreadable, Cause: "EOF\x1b[2J"}}, "the models could not read this: EOF␛[2J", false, false},
		{"unsupported", &outlook.Judgement{State: state, Forecast: next, Result: &infer.Result{Unsupported: []infer.Note{{Code: infer.LeasesMissing}}}}, "the input holds no node leases: silence cannot be judged", false, false},
	} {
		s.Judged = c.judged
		o := s.Outlook()
		if got := topics.Unjudged(o.Missing); got != c.status || (o.State != nil) != c.known || o.Missing.Pending() != c.pending {
			t.Errorf("%s: %q, state known %v, pending %v; want %q, %v, %v", c.what, got, o.State != nil, o.Missing.Pending(), c.status, c.known, c.pending)
		}
	}
}

// The next taint that is told of a zone comes by then, also where the zone's rate changes before the token is there.
func TestTheNextTaintComes(t *testing.T) {
	const path = "testdata/darkening.scenario"
	last := screentest.Recorded(t, path, 5*time.Minute)
	told := 0
	for after := 100 * time.Second; after < 4*time.Minute; after += 3 * time.Second {
		s := screentest.Recorded(t, path, after)
		for i := range s.Outlook().Zones {
			z := &s.Outlook().Zones[i]
			if !z.Next.Known() {
				continue
			}
			told++
			if !taintedBetween(last.Judged.Decisions(), s.At, z.Next.Latest) {
				t.Errorf("%v: a taint within %v, and there is none", after, z.Next.Latest.Sub(s.At))
			}
		}
	}
	if told < 20 {
		t.Errorf("told %d times", told)
	}
}

// taintedBetween says whether some node is tainted between two instants; each taint has a window.
func taintedBetween(list []model.Decision, from, to model.Instant) bool {
	for i := range list {
		if w := list[i].Window; list[i].Kind == model.TaintNoExecute && w.Latest >= from && w.Earliest <= to {
			return true
		}
	}
	return false
}

// All pods that go are counted, those too whose nodes are still to be tainted; and no more than there are tokens for.
// The recordings tell how many went.
func TestTotal(t *testing.T) {
	for _, c := range []struct {
		path  string
		after time.Duration
		want  string
	}{
		{"demo:zone-outage", 95 * time.Second, "20 true"},
		{"demo:zone-outage", 130 * time.Second, "20 true"},
		{"demo:zone-outage", 200 * time.Second, "8 true"},
		{"demo:node-loss", 100 * time.Second, "5 true"},
		{"demo:all-dark", 150 * time.Second, "4 true"},
		{"demo:all-dark", 235 * time.Second, "12 true"},
		{"scenario:small-zone-partial", 110 * time.Second, "6 false"},
	} {
		is := screentest.Recorded(t, c.path, c.after).Outlook().Total
		if got := fmt.Sprint(is.Most, " ", is.Surely()); got != c.want {
			t.Errorf("%s +%v: %s, want %s", c.path, c.after, got, c.want)
		}
	}
}
