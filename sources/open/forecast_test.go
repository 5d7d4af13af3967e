package open

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// TestForecastHolds: what the real control plane did to pods after an instant at which
// the outage can be heard lies within the forecast's windows, as far as the write can lag behind.
func TestForecastHolds(t *testing.T) {
	const lag = time.Second
	o := incident(t, "zone-outage", auditLog)
	res, err := infer.Run(o.History, infer.Options{Params: flags})
	if err != nil {
		t.Fatal(err)
	}
	for after, deletions := range map[time.Duration]int{65 * time.Second: 20, 100 * time.Second: 20, 200 * time.Second: 8} {
		at := o.History.Coverage().Earliest.Add(after)
		s, err := res.Known(at)
		if err != nil {
			t.Fatal(err)
		}
		f := forecast.Run(s, forecast.Options{})
		windows := map[model.Key]model.Interval{}
		for _, e := range f.Evictions {
			windows[e.Pod] = e.Window
		}
		held := 0
		for i := range res.Writes {
			w := &res.Writes[i]
			if w.Kind != model.EvictPod || w.Time.Earliest <= at {
				continue
			}
			v, ok := windows[w.Pod]
			v = model.Interval{Earliest: v.Earliest.Add(-lag), Latest: v.Latest.Add(lag)}
			if !ok || !w.Time.Overlaps(v) {
				t.Errorf("+%s: %s deleted at +%s, foreseen %v [+%s, +%s]", after, w.Pod, w.Time.Earliest.Sub(at), ok, v.Earliest.Sub(at), v.Latest.Sub(at))
				continue
			}
			held++
		}
		if held != deletions {
			t.Errorf("+%s: %d deletions within their windows, want %d", after, held, deletions)
		}
		t.Logf("+%s: %d coming, %d evictions listed, %d deletions within their windows", after, len(f.Coming), len(f.Evictions), held)
	}
}

// TestEveryDeletionIsTracedToAHeartbeat: the chain of each pod deletion in the incident ends
// at a heartbeat, unbroken.
func TestEveryDeletionIsTracedToAHeartbeat(t *testing.T) {
	o := incident(t, "node-loss", auditLog)
	res, err := infer.Run(o.History, infer.Options{Params: flags})
	if err != nil {
		t.Fatal(err)
	}
	x := why.Of(res, o.History)
	n := 0
	for i := range res.Writes {
		if res.Writes[i].Kind != model.EvictPod {
			continue
		}
		n++
		c := x.WhyWrite(&res.Writes[i])
		last := c[len(c)-1]
		if slices.ContainsFunc(c, func(l why.Link) bool { return l.Kind == why.LinkBreak }) || last.Kind != why.LinkFact || last.Fact.Kind != model.KindNodeLease {
			t.Errorf("%s: %d links, the last %s %s", res.Writes[i].Pod, len(c), last.Kind, last.Why)
		}
	}
	if n == 0 {
		t.Error("no pod was deleted")
	}
}

// TestForecastsKnowNothingOfLater: the forecast of an instant is the same in the whole recording, in whatever order one
// asks, and in one that was cut there.
func TestForecastsKnowNothingOfLater(t *testing.T) {
	for _, files := range []func(string) bool{auditLog, watchFiles} {
		o := incident(t, "zone-outage", files)
		res, err := infer.Run(o.History, infer.Options{Params: flags})
		if err != nil {
			t.Fatal(err)
		}
		foreseen := func(res *infer.Result, at model.Instant) *forecast.Forecast {
			s, err := res.Known(at)
			if err != nil {
				t.Fatal(err)
			}
			return forecast.Run(s, forecast.Options{})
		}
		for _, after := range []time.Duration{200 * time.Second, 70 * time.Second, 88 * time.Second, 130 * time.Second} {
			at := o.History.Coverage().Earliest.Add(after)
			var changes []model.Change
			err := historytest.Walk(o.History, model.FarPast+1, at, func(_ int, ch *model.Change) bool {
				changes = append(changes, *ch)
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			coverage := model.Interval{Earliest: o.History.Coverage().Earliest, Latest: at}
			cut, err := infer.Run(history.NewMemory(changes, coverage, nil, o.History.Sources()), infer.Options{Params: flags})
			if err != nil {
				t.Fatal(err)
			}
			whole, part := foreseen(res, at), foreseen(cut, at)
			if len(whole.Evictions) == 0 || len(whole.Coming) == 0 {
				t.Errorf("+%s: nothing is foreseen, and nothing tested", after)
			}
			if !reflect.DeepEqual(whole.Evictions, part.Evictions) {
				t.Errorf("+%s: other evictions:\n%+v\n%+v", after, whole.Evictions, part.Evictions)
			}
			if !reflect.DeepEqual(whole.Coming, part.Coming) || !reflect.DeepEqual(whole.Zones, part.Zones) || !reflect.DeepEqual(whole.Waits, part.Waits) {
				t.Errorf("+%s: other decisions", after)
			}
		}
	}
}
