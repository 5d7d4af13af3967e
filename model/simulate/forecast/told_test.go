package forecast_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kardia/model"
)

// What is told as done was done, or it is said that it should have been seen and was not: also where
// nodes have no lease, and wait for tokens that others get.
func TestWhatIsToldWasDone(t *testing.T) {
	for n := range uint64(*worlds/5 + 1) {
		for _, share := range [...]int{0, 3, 10} {
			t.Run(fmt.Sprintf("%d, %d in 20 without a lease, as many never heard", *first+n, share), func(t *testing.T) {
				r := rand.New(rand.NewPCG(*first+n, 8))
				j := randomWorldBut(*first+n, func(w *world) {
					w.unleased, w.unheard = map[string]bool{}, map[string]float64{}
					w.each(func(name, _ string) {
						switch r := r.IntN(20); {
						case r < share:
							w.unleased[name] = true
						case r < 2*share:
							w.unheard[name] = 40
						}
					})
				})
				if j.seen.untold {
					return
				}
				res := j.result(t)
				for i := range res.Decisions {
					d := &res.Decisions[i]
					if d.Outcome != model.Did || d.Time < j.seen.from || d.Window.Latest.Add(5*time.Second) > res.Coverage.Latest || slices.Contains(res.Unobserved, d.ID) {
						continue
					}
					switch d.Kind {
					case model.MarkUnknown, model.TaintNoExecute, model.EvictPod:
					default:
						continue
					}
					if !slices.ContainsFunc(j.world.did, func(x model.Decision) bool {
						return x.Kind == d.Kind && x.Node == d.Node && x.Pod == d.Pod && x.Time >= d.Window.Earliest.Add(-time.Second) && x.Time <= d.Window.Latest.Add(time.Second)
					}) {
						t.Errorf("by %s, cut at %s: %s (%s) within %s: %s", j.seen.by, res.Coverage.Latest.Sub(epoch), subject(d), d.Basis, said(d.Window, true), d.Why.Code)
					}
				}
			})
		}
	}
}
