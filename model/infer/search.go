package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/flags"
)

// Much that the models depend on is not recorded: the end of a process, its flags, the times of passes. A run searches
// for it. Proposers name assumptions that the findings suggest, the models are driven under them, and the run adopts
// those that leave clearly less open.

// trial drives the models under a changed assumption. An error of reading ends the search.
func (r *run) trial(change func(*run)) *run {
	c, err := r.again(change)
	r.err = err
	return c
}

// mayAssume reports whether proposers may add assumptions: not to those of a trial.
func (r *run) mayAssume() bool { return r.assumed == nil && !r.quick && r.judgeable() }

// adopt adopts an assumption if the models leave so many fewer findings open under it.
func (r *run) adopt(fewer int, assume func(*run), effort ...func(*run)) (adopted bool) {
	other := r.trial(func(c *run) {
		assume(c)
		for _, set := range effort {
			set(c)
		}
	})
	if other.found.Findings() > r.found.Findings()-fewer {
		return false
	}
	assume(r)
	return true
}

// quickly is a trial with the same flags, and few times of passes.
func (r *run) quickly() { r.fixed, r.quick = true, true }

// Explains are the writes that a Result explains, and another of the same input leaves open.
func (r *Result) Explains(than *Result) (list []*Write) {
	open := map[int]bool{}
	for w := range than.Open() {
		open[w.Number] = true
	}
	for w := range model.Each(r.Writes) {
		if w.Decision != 0 && open[w.Number] {
			list = append(list, w)
		}
	}
	return list
}

// A new process registers nodes, but the end of its predecessor is not recorded. It had ended before the first missing
// effect, if the controllers did not act from then until the new one started.

// beforeDue is how long before the first missing effect a process is assumed to have ended.
const beforeDue = time.Millisecond

// tryEnded proposes the ends of processes before recorded starts.
func (r *run) tryEnded() (changed bool) {
	if !r.mayAssume() || r.o.Tried.noMore(r.found.Findings()) || len(r.evidence.Restarts) == 0 || len(r.found.Unobserved) == 0 {
		return false
	}
	ended := r.endedIn()
	if len(ended) == 0 {
		return false
	}
	return r.adopt(1, func(c *run) { c.ended = append(c.ended, ended...) }, (*run).quickly)
}

// endedIn are the times from the first missing effect to a recorded start, without an act of the controllers.
func (r *run) endedIn() (list []model.Interval) {
	course := r.course()
	idle := slices.Concat(course.Leaderless(), course.Standstills)
	lacking := slices.Collect(r.found.Lacking())
	for _, began := range r.evidence.Restarts {
		acted := r.actedBefore(began.Earliest)
		v := model.Interval{Earliest: model.FarFuture, Latest: began.Latest}
		for _, d := range lacking {
			if d.Window.Earliest > acted && d.Window.Latest < began.Earliest {
				v.Earliest = min(v.Earliest, d.Window.Earliest.Add(-beforeDue))
			}
		}
		if v.Earliest < began.Earliest && !slices.ContainsFunc(idle, began.Overlaps) {
			list = append(list, v)
		}
	}
	return list
}

// Distances of passes and declarations often leave the monitor period open. The models decide: under a wrong period,
// many writes have no reason.

// maxTried limits the cost of drives that find the times that explain most.
const maxTried = 1_000_000

// maxAgain limits the cost of repeated drives to find better times of passes; the first one is always made.
const maxAgain = 10_000_000

// mostLeft is the share of findings, one in so many, that a value that fits may leave.
const mostLeft = 3

// shares are the positions to try, in fourths of a pass's window; the first five only for passes without a trace.
var shares = [...]time.Duration{2, 0, 1, 3, 4, 0, 1, 3, 4}

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
