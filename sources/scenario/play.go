package scenario

import (
	"math/rand/v2"
	"slices"

	"kardia/model"
)

// Play is one of the possible courses of a scenario, with the receivers of its Changes.
type Play struct {
	// Seed replaces the scenario's own.
	Seed uint64
	// Late reports that one tick reads a cache that does not show yet what a pass wrote: a token is
	// burnt then, as it seldom is in reality.
	Late bool
	// Hear is called with every Change, as by Changes, until it returns false; Decided with every decision of the
	// control plane. Their arguments are valid until they return.
	Hear    func(*model.Change) bool
	Decided func(*model.Decision)
}

// lateEach is of how many reads of the cache one may be the late one.
const lateEach = 8

// Play plays the scenario once, and draws what races decide: which of the nodes that wait gets the token.
// Changes leaves that to a fixed order.
func (s *Scenario) Play(p Play) {
	played := *s
	played.Seed = p.Seed
	w := newWorld(&played, p.Hear)
	races := rand.New(rand.NewPCG(p.Seed, 0x72616365))
	w.loop.Hidden.Pick = func(_ model.ZoneKey, waiting []string) string { return waiting[races.IntN(len(waiting))] }
	w.loop.Hidden.Walk = func(zones []model.ZoneKey) {
		races.Shuffle(len(zones), func(i, k int) { zones[i], zones[k] = zones[k], zones[i] })
	}
	if p.Late {
		w.loop.Hidden.Behind = func(string) bool {
			if !p.Late || races.IntN(lateEach) != 0 {
				return false
			}
			p.Late = false // it is seldom: once is enough for what may come of it
			return true
		}
	}
	if p.Decided != nil {
		w.loop.Decided = func(list []model.Decision) {
			for i := range list {
				if !w.Silent && !w.Done {
					p.Decided(&list[i])
				}
			}
		}
	}
	w.run()
}

// With is the scenario with further statements, as a branch has them: the same until the first of them
// takes effect. Mistakes name the file given, and lines counted from 1 in text.
func (s *Scenario) With(file, text string) (*Scenario, error) {
	branch := *s
	branch.Nodes, branch.Workloads, branch.Faults = slices.Clip(s.Nodes), slices.Clip(s.Workloads), slices.Clone(s.Faults)
	p := continuing(file, &branch)
	return p.read(text)
}
