package forecast_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/processes"
	"kardia/model/simulate/forecast"
)

// undeleted is a zone of which nodes fall silent one after the other, while taint eviction does not run: of what it would
// write nothing is seen.
func undeleted(from float64, until float64) (*recording, model.Instant) {
	w := newWorld([]int{12}, map[string]float64{"a00": 101.2, "a01": 131.7, "a02": 161.3})
	w.pods = map[string]*model.Tolerations{"short": tolerating(30), "long": tolerating(300)}
	w.offset = func() float64 { return 3.3 }
	rec := &recording{world: w, from: second(from), by: byAudit}
	w.watch = func(ch *model.Change) {
		if ch.Kind == model.KindPod && (ch.Pod == nil || ch.Pod.Deletion.Known() || ch.Pod.Disrupted.Known()) {
			return
		}
		rec.watch(ch)
	}
	return rec, settled(w, rec, until).loop.Now()
}

// Until a deletion is overdue they are promised; then no more, and it is said why. What it would explain stays listed.
func TestNoDeletionIsPromisedWhereNoneComes(t *testing.T) {
	for _, c := range []struct {
		until    float64
		promised bool // one pod alone may have been lost
		nodes    int
	}{{184, true, 0}, {193, true, 1}, {230, false, 2}, {280, false, 2}} {
		rec, at := undeleted(40, c.until)
		result, err := infer.Run(rec.history(at), infer.Options{Params: params(), Mode: infer.Causal, Until: at})
		if err != nil {
			t.Fatal(err)
		}
		s, err := result.Known(at)
		if err != nil {
			t.Fatal(err)
		}
		f, certain, doubted := forecast.Run(s, forecast.Options{}), 0, 0
		for _, e := range f.Evictions {
			if e.Certain && e.Window.Latest != model.FarFuture {
				certain++
			}
			if e.Why.Undeleted != nil {
				doubted++
			}
		}
		if certain > 0 != c.promised || doubted > 0 == c.promised || s.Undeleted.Nodes != c.nodes {
			t.Errorf("at %.0f s %d deletions are certain, %d doubted, undeleted %+v", c.until, certain, doubted, s.Undeleted)
		}
	}
	rec, at := undeleted(40, 280)
	result, err := infer.Run(rec.history(at.Add(time.Second)), infer.Options{Params: params()})
	if err != nil {
		t.Fatal(err)
	}
	found, err := hypotheses.Search(result)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(found.Hypotheses); n != 1 || found.Hypotheses[0].Kind != processes.Absent || !found.Hypotheses[0].Counts {
		t.Errorf("%d hypotheses: %+v", n, found.Hypotheses)
	}
	if len(found.Result.Unobserved) == 0 {
		t.Error("the hypothesis silences what was not seen")
	}
}

// A deletion that is late is not lost: it is told to be late until it is known that the controllers do not act, or that they do
// and have not done it.
func TestALateDeletionIsNotLostYet(t *testing.T) {
	rec, _ := undeleted(40, 200)
	late := 0
	for cut := 183.0; cut < 192; cut += .25 {
		result, err := infer.Run(rec.history(second(cut)), infer.Options{Params: params(), Mode: infer.Causal, Until: second(cut)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := result.Known(second(cut))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range forecast.Run(s, forecast.Options{}).Evictions {
			switch {
			case e.Why.Reason == forecast.Late:
				late++
			case e.Lost && !s.Overdue.Known() && s.Undeleted.Pods == 0:
				t.Errorf("at %.2f s %s is lost, and nothing is overdue", cut, e.Pod)
			}
		}
	}
	if late == 0 {
		t.Error("no deletion was late")
	}
}
