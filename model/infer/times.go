package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/flags"
)

// Distances of passes and declarations often leave the monitor period open. The models decide: under a wrong period,
// many writes have no reason.

// maxTried limits the cost of drives that find the times that explain most.
const maxTried = 1_000_000

// Tried is how an earlier run of the same record searched for better explanations. A live session keeps it, to avoid
// repeated drives. The zero value has tried nothing.
type Tried struct {
	left  int         // findings after all trials
	phase int         // of the passes that left fewest findings, counted from 1 in shares; 0 if none was better
	times flags.Times // those that left clearly fewer findings, else zero
}

// found reports whether other times left clearly fewer findings.
func (t *Tried) found() bool { return t.times != flags.Times{} }

// enough reports whether hardly more findings are left than before: new ones do not justify another trial.
func (t *Tried) enough(left int) bool {
	return t.left > 0 && left-t.left < max(flags.Enough, t.left/2)
}

// noMore reports whether no more findings are left than before: trials need no repetition.
func (t *Tried) noMore(left int) bool { return t.left > 0 && left <= t.left }

// phases are the indices of shares in the order of trial: the best one first.
func (t *Tried) phases() (order []int) {
	for i := range shares {
		order = append(order, i)
	}
	if i := t.phase - 1; i > 0 {
		order = append([]int{i}, slices.Delete(order, i, i+1)...)
	}
	return order
}

// Tried is for the next run of the same record.
func (r *Result) Tried() Tried { return r.models().tries }

// tryTimes tries other periods and grace periods if much is open, and adopts those that leave clearly less.
func (r *run) tryTimes() (changed bool) {
	least, before := r.found.Findings(), &r.o.Tried
	if !r.mayAssume() || r.fixed || least < flags.Enough || !before.found() && before.enough(least) {
		return false
	}
	list := r.observed().Times(least*2 > len(r.writes))
	if before.found() {
		list = append([]flags.Times{before.times}, list...)
	}
	var best *run
	var chosen flags.Times
	clearly := func() bool { return least <= r.found.Findings()/mostLeft && least <= r.found.Findings()-flags.Enough }
	for i, t := range list {
		if (i+1)*r.cost > maxTried || best != nil && chosen == before.times && clearly() {
			break
		}
		other := r.trial(func(c *run) { c.quickly(); c.setTimes(t) })
		if n := other.found.Findings(); n < least {
			best, least, chosen = other, n, t
		}
	}
	if best == nil || !clearly() {
		return false
	}
	r.o.Params, r.fixed, r.tries.times = best.o.Params, true, chosen
	return true
}

// setTimes sets the flags that were not given.
func (r *run) setTimes(t flags.Times) {
	for _, x := range []struct {
		p     *model.Param[time.Duration]
		value time.Duration
	}{{&r.o.Params.NodeMonitorPeriod, t.Period}, {&r.o.Params.NodeMonitorGracePeriod, t.Grace}} {
		if x.p.From < model.FromFile {
			*x.p = model.Param[time.Duration]{Value: x.value, From: model.FromInferred}
		}
	}
}
