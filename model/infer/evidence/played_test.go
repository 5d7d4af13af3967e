package evidence_test

import (
	"testing"
	"time"

	"kardia/internal/played"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
)

// read reads a History, without a model.
func read(t *testing.T, h history.History) *evidence.Evidence {
	t.Helper()
	e, err := evidence.Read(evidence.NewInput(h, nil), evidence.Scope{Coverage: h.Coverage(), Until: model.FarFuture, Period: 5 * time.Second, Prologue: 65 * time.Second, Share: 1})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// lasting are the kinds of decisions that leave a trace in an object as long as it stands.
var lasting = map[model.DecisionKind]bool{model.MarkUnknown: true, model.TaintNoExecute: true, model.EvictPod: true}

const outage = "nodes a-1..a-4 zone=a\nnodes b-1..b-3 zone=b\ndeployment shop/web replicas=9 tolerate=40s\nlength 4m\nat 30s kill a-2 b-1\nat 2m30s return a-2\n"

// A write of a controller is seen in a recording, in one with a gap, and, as long as its trace stands, in one that was
// started later. Its time holds the true one.
func TestWritesOfARecording(t *testing.T) {
	s := played.Play(t, outage)
	for _, c := range []struct {
		what string
		h    history.History
		from string
		// kinds are all that the recording must show.
		kinds map[model.DecisionKind]bool
	}{
		{"whole", s.History, "0s", map[model.DecisionKind]bool{model.MarkUnknown: true, model.MarkPodsNotReady: true, model.TaintNoExecute: true, model.UntaintNoExecute: true, model.EvictPod: true}},
		{"with a gap during the declarations", s.Gap(t, "1m15s", "1m28s"), "0s", lasting},
		{"with a gap during the deletions", s.Gap(t, "1m50s", "2m10s"), "0s", map[model.DecisionKind]bool{model.MarkUnknown: true, model.TaintNoExecute: true}},
		{"started later", s.From(t, "1m50s"), "1m50s", map[model.DecisionKind]bool{model.EvictPod: true, model.UntaintNoExecute: true}},
	} {
		e, seen := read(t, c.h), 0
		for i := range s.Decided {
			d := &s.Decided[i]
			if !c.kinds[d.Kind] || d.Outcome != model.Did || !d.LeavesTrace || d.Time < s.At(c.from) {
				continue
			}
			seen++
			if w := find(e.Writes, d); w == nil {
				t.Errorf("%s: %v after the start: %s of %s is not seen", c.what, d.Time.Sub(s.Start), d.Kind, d.Subject())
			}
		}
		if seen == 0 {
			t.Errorf("%s: nothing was written", c.what)
		}
		for i := range e.Writes {
			w := &e.Writes[i]
			if made(s.Decided, w) == nil && w.Time.Latest > s.Start {
				t.Errorf("%s: %s of %s, %v to %v after the start, was never made", c.what, w.Kind, w.Subject(), w.Time.Earliest.Sub(s.Start), w.Time.Latest.Sub(s.Start))
			}
		}
	}
}

// of reports whether a write may be that of a decision: it comes with it, or within a second.
func of(w *evidence.Seen, d *model.Decision) bool {
	return w.Kind == d.Kind && (w.Node == d.Node || d.Pod != model.Key{}) && (w.Pod == d.Pod || d.Pod == model.Key{}) && w.Time.Overlaps(model.Interval{Earliest: d.Time, Latest: d.Time.Add(evidence.LagBound)})
}

func find(writes []evidence.Seen, d *model.Decision) *evidence.Seen {
	for i := range writes {
		if of(&writes[i], d) {
			return &writes[i]
		}
	}
	return nil
}

func made(decided []model.Decision, w *evidence.Seen) *model.Decision {
	for i := range decided {
		if of(w, &decided[i]) {
			return &decided[i]
		}
	}
	return nil
}

// A leader dies, and another takes its lease. That bounds the first pass of the new process.
func TestAnotherLeader(t *testing.T) {
	s := played.Play(t, outage+"at 1m30s failover for=20s")
	e := read(t, s.History)
	if len(e.Restarts) != 1 || e.Elections != 1 {
		t.Fatalf("%d restarts, %d elections", len(e.Restarts), e.Elections)
	}
	var began model.Instant
	for i := range s.Decided {
		if d := &s.Decided[i]; d.Kind == model.ControllerStart && d.Time > s.At("1m30s") {
			began = d.Time
			break
		}
	}
	if is := e.Restarts[0]; !is.Contains(began) || is.Width() > 10*time.Second {
		t.Errorf("its first pass is within %v to %v, and truly after %v", is.Earliest.Sub(s.Start), is.Latest.Sub(s.Start), began.Sub(s.Start))
	}
	if len(e.Vacancies) != 1 {
		t.Fatalf("there is no leader within %+v", e.Vacancies)
	}
	if v := e.Vacancies[0]; s.At("1m30s").Sub(v.Renewed).Abs() > 2500*time.Millisecond || s.At("1m50s").Sub(v.Taken).Abs() > 2500*time.Millisecond {
		t.Errorf("there is no leader from %v to %v", v.Renewed.Sub(s.Start), v.Taken.Sub(s.Start))
	}
	if l := e.Leader; l.Released || l.Lasts != 15*time.Second || s.End().Sub(l.Renewed) > 3*time.Second {
		t.Errorf("the last leader is %+v", l)
	}
}

// The last sign of life of each node is its last renewal.
func TestSignsOfLife(t *testing.T) {
	s := played.Play(t, outage)
	e := read(t, s.History)
	for node, until := range map[string]model.Instant{"b-1": s.At("30s"), "a-2": s.End(), "a-1": s.End(), "b-3": s.End()} {
		if at := e.Heard[node].Lease.Latest; at > until.Add(time.Second) || at < until.Add(-11*time.Second) {
			t.Errorf("%s was last heard %v after the start", node, at.Sub(s.Start))
		}
	}
	if e.Nodes != 7 || len(e.Unseen) > 0 || e.Others || !e.KnownStart {
		t.Errorf("%d nodes, unseen %v, others %v, known start %v", e.Nodes, e.Unseen, e.Others, e.KnownStart)
	}
}

// While the API server answers nothing, no renewal comes, of any node: that bounds the time in which no write was taken.
func TestTheAPIServerStandsStill(t *testing.T) {
	s := played.Play(t, "nodes a-1..a-40 zone=a\nlength 3m\nat 1m stall for=25s")
	e := read(t, s.History)
	still := model.Interval{Earliest: s.At("1m"), Latest: s.At("1m25s")}
	if len(e.Stalls) != 1 || e.Stalls[0].Latest.Sub(still.Latest).Abs() > 2*time.Second || e.Stalls[0].Earliest.Sub(still.Earliest).Abs() > 2*time.Second {
		t.Fatalf("it stands still within %v", e.Stalls)
	}
	middle := s.At("1m12s")
	if v, ok := e.StallAt(middle); !ok || v != e.Stalls[0] || !e.Stalled(s.At("50s"), middle) {
		t.Errorf("%v after the start it takes writes", middle.Sub(s.Start))
	}
	if _, ok := e.StallAt(s.At("50s")); ok || e.Stalled(s.At("10s"), s.At("50s")) || e.Stalled(s.At("1m40s"), s.At("2m")) {
		t.Error("it stands still before or after")
	}
	if until := e.Waits(model.Interval{Earliest: s.At("1m5s"), Latest: middle}); until < e.Stalls[0].Latest {
		t.Errorf("a write decided meanwhile is taken %v after the start", until.Sub(s.Start))
	}
}
