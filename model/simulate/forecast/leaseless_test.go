package forecast_test

import (
	"fmt"
	"slices"
	"testing"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// withoutLeases is a recording of nodes and pods alone.
func (r *recording) withoutLeases(until model.Instant) *recording {
	r.history(until)
	r.told = slices.DeleteFunc(r.told, func(ch model.Change) bool { return ch.Kind == model.KindNodeLease })
	return r
}

// Who sees nodes and pods and no lease does not know who is silent, but for whom it was declared: their pods are foreseen
// as by one who arrives just then. What is said holds, and nobody is said to be declared next.
func TestNodesAndPodsWithoutLeases(t *testing.T) {
	foreseen := 0
	for n := range uint64(60) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			j := randomWorld(n)
			if j.seen.restarted > 0 {
				t.Skip("a restart leaves no trace in nodes")
			}
			at := j.loop.Now()
			result, err := infer.Run(j.seen.withoutLeases(at).history(at), infer.Options{Params: j.world.params, Mode: infer.Causal, Until: at})
			if err != nil {
				t.Fatal(err)
			}
			s, err := result.Known(at)
			if err != nil {
				t.Fatal(err)
			}
			f := forecast.Run(s, forecast.Options{})
			if !result.Foresees || !slices.ContainsFunc(f.Assumptions, func(a forecast.Assumption) bool { return a.Code == forecast.NoLease }) {
				t.Errorf("foresees %v, assuming %v", result.Foresees, f.Assumptions)
			}
			for i := range f.Coming {
				if f.Coming[i].Decision.Kind == model.MarkUnknown {
					t.Errorf("%s is said to be declared", f.Coming[i].Decision.Node)
				}
			}
			dark := slices.ContainsFunc(j.loop.Run(at.Add(9e10)), func(d model.Decision) bool { return d.Kind == model.MarkUnknown || d.Kind == model.SetRate })
			for _, e := range f.Evictions {
				if e.Window.Latest == model.FarFuture || e.State != forecast.Due || dark {
					continue
				}
				foreseen++
				if p := j.loop.Cache.Find(e.Node).Pod(e.Pod); p != nil && !p.Deletion.Known() && e.Certain && e.Window.Latest.Add(near) < j.loop.Now() {
					t.Errorf("%s is still there; %s", e.Pod, told(e))
				}
			}
		})
	}
	if foreseen < 30 {
		t.Errorf("%d deletions were foreseen", foreseen)
	}
}
