package infer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kardia/model"
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
			case bounded && fit.Or != "":
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
	if want := "it may as well be secondary-node-eviction-rate that is 0.05, if unhealthy-zone-threshold is at most 0.5 and large-cluster-size-threshold below 14"; fit.Or != want {
		t.Errorf("%q, want\n%q", fit.Or, want)
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
