package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/flags"
)

// How far apart passes and declarations are often leaves open which period the monitor has, and so where its passes
// were. What the models make of each tells more: under a wrong one much of what was written has no reason.

// maxTried is what drives may cost, all in all, to find the times that explain most.
const maxTried = 1_000_000

// Tried is how an earlier run of the same record looked for what explains more: a live session hands it on from run to
// run, lest each drives the models a dozen times for what stays open. The zero value has tried nothing.
type Tried struct {
	left  int         // findings, whatever was tried
	phase int         // of the passes that left fewest, counted from 1 in shares; 0 where none did better
	times flags.Times // those that left clearly less; the zero value where none did
}

// found says that other times left clearly less.
func (t *Tried) found() bool { return t.times != flags.Times{} }

// enough says that no more is left than was before, but for a few: nothing that is new speaks for anything else.
func (t *Tried) enough(left int) bool {
	return t.left > 0 && left-t.left < max(flags.Enough, t.left/2)
}

// noMore says that no more is left than was before: what was tried then need not be tried again.
func (t *Tried) noMore(left int) bool { return t.left > 0 && left <= t.left }

// phases are the indices of shares in the order in which they are tried: what was best first.
func (t *Tried) phases() (order []int) {
	for i := range shares {
		order = append(order, i)
	}
	if i := t.phase - 1; i > 0 {
		order = append([]int{i}, slices.Delete(order, i, i+1)...)
	}
	return order
}

// Tried is what the next run of the same record need not try again.
func (r *Result) Tried() Tried {
	if r.run == nil {
		return Tried{}
	}
	return r.run.tries
}

// tryTimes drives the models under other periods and grace periods, where those that were inferred leave much open, and
// goes by those that leave clearly less.
func (r *run) tryTimes() (changed bool, err error) {
	least, before := r.found.findings(), &r.o.Tried
	if r.fixed || r.assumed != nil || r.quick || least < flags.Enough || !r.judgeable() {
		return false, nil
	}
	if !before.found() && before.enough(least) {
		return false, nil
	}
	list := r.observed().Times(least*2 > len(r.writes))
	if before.found() {
		list = append([]flags.Times{before.times}, list...)
	}
	var best *run
	var chosen flags.Times
	clearly := func() bool { return least <= r.found.findings()/mostLeft && least <= r.found.findings()-flags.Enough }
	for i, t := range list {
		if (i+1)*r.cost > maxTried || best != nil && chosen == before.times && clearly() {
			break
		}
		other, err := r.again(func(c *run) { c.fixed, c.quick = true, true; c.setTimes(t) })
		if err != nil {
			return false, err
		}
		if n := other.found.findings(); n < least {
			best, least, chosen = other, n, t
		}
	}
	if best == nil || !clearly() {
		return false, nil
	}
	r.o.Params, r.fixed, r.tries.times = best.o.Params, true, chosen
	return true, nil
}

// setTimes sets those that nobody stated.
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
