package scenario

import (
	"math/rand/v2"
	"slices"

	"kardia/model"
)

// Play is one possible run of a scenario, with the receivers of its Changes.
type Play struct {
	// Seed replaces the scenario's own.
	Seed uint64
	// Late: one tick reads a cache without a pass's last writes, so a token is wasted, as seldom in reality.
	Late bool
	// Hear gets every Change until it returns false; Decided every decision. Arguments are valid until they return.
	Hear    func(*model.Change) bool
	Decided func(*model.Decision)
}

// lateEach is of how many reads of the cache one may be late.
const lateEach = 8

// Play plays the scenario once. Races are drawn, such as which queued node gets the token; Changes has a fixed order.
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
			p.Late = false // it is rare: one run shows enough of its results
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

// With is the scenario with further statements, for a branch: the same until the first of them takes effect. Mistakes
// name the file given, with lines from 1 in text.
func (s *Scenario) With(file, text string) (*Scenario, error) {
	branch := *s
	branch.Nodes, branch.Workloads, branch.Budgets, branch.Faults = slices.Clip(s.Nodes), slices.Clip(s.Workloads), slices.Clip(s.Budgets), slices.Clone(s.Faults)
	return read(file, text, true, &branch)
}
