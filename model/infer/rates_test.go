package infer

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer/flags"
)

// TestInferredRatesHoldTheTruth: over random flags, whatever is inferred of the two rates and of what
// decides between them contains the truth, or is said not to be decided.
func TestInferredRatesHoldTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 4))
	pick := func(from ...float64) float64 { return from[random.IntN(len(from))] }
	told, open := 0, 0
	for i := range 60 {
		real := standard
		real.NodeEvictionRate.Value = float32(pick(0.1, 0.2, 0.5, 1, 0.05, 0.04, 0.25))
		real.SecondaryNodeEvictionRate.Value = float32(pick(0.01, 0.05, 0.1, 0.2, 0.5))
		real.UnhealthyZoneThreshold.Value = float32(pick(0.55, 0.4, 0.3, 0.75))
		real.LargeClusterSizeThreshold.Value = int32(pick(50, 10, 5, 15))
		nodes := 8 + random.IntN(14)
		silent := 2 + random.IntN(nodes-1)
		res := ran(t, outageWith(real, nodes, silent).tell(after(390)), Options{Params: standard})
		what := fmt.Sprintf("world %d: %d of %d silent, rates %v and %v, threshold %v, large %v", i, silent, nodes, real.NodeEvictionRate.Value,
			real.SecondaryNodeEvictionRate.Value, real.UnhealthyZoneThreshold.Value, real.LargeClusterSizeThreshold.Value)
		for _, f := range suspects {
			fit, bounded := res.Fits[f.Name]
			switch {
			case bounded && fit.Or.Code != flags.Decided:
				open++
			case bounded && !fits(f, res, &real), f.From(&res.Params) == model.FromInferred && !bounded:
				t.Errorf("%s: %s is taken to be %s, within %v, and is %s", what, f.Name, f.Value(&res.Params), fit, f.Value(&real))
			case f.From(&res.Params) == model.FromInferred:
				told++
			}
		}
	}
	if t.Logf("%d flags inferred, %d not decided", told, open); told < 5 || open < 5 {
		t.Errorf("%d flags are inferred, %d are not decided: the test shows nothing", told, open)
	}
}

// TestTwoRatesThatCannotBeToldApart: a zone that loses half of its nodes at once shows one rate only.
// Which of the two it is, nothing tells: both are said, by round numbers, and the poll of the queues
// belongs to the window.
func TestTwoRatesThatCannotBeToldApart(t *testing.T) {
	real := standard
	real.NodeEvictionRate.Value, real.SecondaryNodeEvictionRate.Value = 0.2, 0.05
	real.UnhealthyZoneThreshold.Value, real.LargeClusterSizeThreshold.Value = 0.4, 10
	res := ran(t, outageWith(real, 14, 7).tell(after(390)), Options{Params: standard})
	fit := res.Fits["node-eviction-rate"]
	if p := res.Params.NodeEvictionRate; p.Value != 0.05 || p.From != model.FromInferred || fit.Min > 0.05 || fit.Max < 0.05 || fit.Max-fit.Min > 0.002 {
		t.Errorf("node-eviction-rate %v, fits %+v", p, fit)
	}
	if want := (flags.Alternative{Code: flags.SecondaryRate, Rate: 0.05, Share: .5, N: 14}); fit.Or != want {
		t.Errorf("%+v, want\n%+v", fit.Or, want)
	}
	clean(t, res)
	// Where the first rate is known, it is the other.
	known := standard
	known.NodeEvictionRate = model.Param[float32]{Value: 0.2, From: model.FromFlag}
	res = ran(t, outageWith(real, 14, 7).tell(after(390)), Options{Params: known})
	if p := res.Params; len(res.Contradicted) > 0 || p.SecondaryNodeEvictionRate.Value != 0.05 || p.LargeClusterSizeThreshold.Value != 10 || p.UnhealthyZoneThreshold.Value != 0.5 {
		t.Errorf("secondary %v, threshold %v, large %v, contradicted %v", p.SecondaryNodeEvictionRate, p.UnhealthyZoneThreshold, p.LargeClusterSizeThreshold, res.Contradicted)
	}
	clean(t, res)
}

// A taint that follows the declaration at once may have met a conflict with what is written beside it: its token was
// taken before, and a rate that seems to be higher than it is must still hold the truth.
func TestATaintThatMetAConflict(t *testing.T) {
	real := standard
	real.NodeEvictionRate.Value = 0.5
	s := outageWith(real, 12, 2)
	for i := range 10 { // one by one, each in a zone that had waited for nobody
		s.node(fmt.Sprintf("c%02d", i), fmt.Sprint("c", i/2), after(60), after(420), 60)
	}
	s.retell = func(changes []model.Change) {
		last := map[string]model.Instant{}
		for k := range changes {
			ch := &changes[k]
			if ch.Node == nil || ch.Writer != model.WriterNodeLifecycle {
				continue
			}
			if was := last[ch.Key.Name]; was.Known() && ch.At.Sub(was) < 150*time.Millisecond && len(ch.Node.Taints) == 2 {
				ch.At = ch.At.Add(180 * time.Millisecond)
				ch.Time = model.Exactly(ch.At)
			}
			last[ch.Key.Name] = ch.At
		}
	}
	res := ran(t, s.tell(after(390)), Options{})
	if fit, ok := res.Fits["node-eviction-rate"]; !ok || fit.Min > 0.5 || fit.Max < 0.5 {
		t.Errorf("%v, %+v", res.Params.NodeEvictionRate, fit)
	}
}

// Where an audit log shows a node first when somebody writes to it, no share of a zone is known, and no threshold follows
// from a rate.
func TestNoThresholdWithoutTheShares(t *testing.T) {
	s := outage(11, 6) // 6 of 11: served at the first rate
	h := s.tell(after(390))
	var changes []model.Change
	err := historytest.Walk(h, model.FarPast+1, after(390), func(_ int, ch *model.Change) bool {
		if ch.Op != model.OpBaseline {
			ch.Quality = model.ByServer
			changes = append(changes, *ch)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 { // those that are Ready say so every five minutes: one before, and the others late
		name, at := fmt.Sprintf("a%02d", 6+i), after(20+75*float64(i))
		n := *s.nodes[name]
		changes = append(changes, model.Change{Kind: model.KindNode, Op: model.OpModify, Writer: model.WriterKubelet, Quality: model.ByServer, Key: model.Key{Name: name}, Time: model.Exactly(at), At: at, Node: &n})
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.At, b.At) })
	seen := history.NewMemory(changes, model.Interval{Earliest: noon, Latest: after(390)}, nil, h.Sources())
	res := ran(t, seen, Options{})
	if p := res.Params.UnhealthyZoneThreshold; p.From != model.FromDefault {
		t.Errorf("unhealthy-zone-threshold is taken to be %v, %+v", p, res.Fits["unhealthy-zone-threshold"])
	}
}
