package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// Assumed are the assumptions of the Result.
func (r *Result) Assumed() []Assumption { return slices.Clone(r.models().assumed) }

// Assuming runs the same input with more assumptions. Its states are available like those of any Result.
func (r *Result) Assuming(list []Assumption) (*Result, error) { return r.assuming(list, false) }

// Trying is Assuming with less effort: only the likeliest times of passes are run. It leaves as much open, or more.
func (r *Result) Trying(list []Assumption) (*Result, error) { return r.assuming(list, true) }

// KeepInput keeps the input of Assuming and Trying in memory until release: dozens of trials decode it once.
func (r *Result) KeepInput() (release func()) { return r.models().input.Keep() }

// LeftOpen is the open part of a Result, without the megabytes of its states.
func (r *Result) LeftOpen() *Result {
	open := &Result{Params: r.Params, Unobserved: slices.Clone(r.Unobserved)}
	for w := range r.Open() {
		open.Writes = append(open.Writes, *w)
	}
	return open
}

func (r *Result) assuming(list []Assumption, quick bool) (*Result, error) {
	fresh := !r.run.tries.found() && !r.Undone() || slices.ContainsFunc(list, func(a Assumption) bool { return a.Kind == processes.Differs })
	c, err := r.run.supposing(list, fresh, quick)
	if err != nil {
		return nil, err
	}
	res := c.result()
	if res.past = r.past; !quick && res.past != nil {
		res.complete()
	}
	return res, nil
}

// suppose takes in assumptions about flags, pauses and writes. The course has those about processes, and the plan of the
// drive those about tokens.
func (r *run) suppose(list []Assumption) {
	r.assumed = list
	standard := model.Defaults(r.o.Params.Version)
	for _, a := range list {
		switch a.Kind {
		case processes.Differs: // fewer observations override it
			r.enough = 1
			if f := model.FlagNamed(a.Flag); f != nil {
				f.Copy(&r.o.Params, &standard)
			}
		case processes.Stalled:
			if v := (model.Interval{Earliest: a.Stopped, Latest: a.At.Latest}); !slices.Contains(r.o.Standstills, v) {
				r.o.Standstills = append(slices.Clone(r.o.Standstills), v)
			}
		case processes.SetAside, processes.OthersWrote: // no pass is placed by them
			for w := range model.Each(r.evidence.Writes) {
				if a.Kind == processes.SetAside && w.Write == &r.writes[a.Write] || a.Kind == processes.OthersWrote && w.By == a.By {
					w.Aside = true
				}
			}
		}
	}
}

// Cost is the cost of a drive: the larger of Changes read and nodes evaluated.
func (r *Result) Cost() int { return r.run.cost }

// Memory is the size of the states from which At and Known continue.
func (r *Result) Memory() history.Kept { return r.models().checkpoints.Memory() }

// Began bounds an assumed restart or stall by the passes that left a trace, if one did.
func (r *Result) Began(a *Assumption) model.Interval {
	if a.Kind != processes.Restarted && a.Kind != processes.Stalled || a.Who&processes.NodeLifecycle == 0 {
		return a.At
	}
	for p := range model.Each(r.run.passes) {
		if p.Begins() && a.At.Overlaps(p.Interval) {
			both, _ := a.At.Intersect(p.Interval)
			return both
		}
	}
	return a.At
}

// Count is the number of Changes of a kind.
func (r *Result) Count(kind model.Kind) int { return r.run.evidence.Counts[kind] }

// enoughTraces is how many nodes must show an unrecorded restart.
const enoughTraces = 2

// Conclude says that a search has found all assumptions of the Result.
func (r *Result) Conclude(found []Assumption) {
	of := r.models()
	of.concluded, of.assumed = true, found
}

// knownAssumptions are those that a forecast at a time may use; the numbers of SetAside writes do not hold there.
func (r *run) knownAssumptions(t model.Instant) []Assumption {
	return slices.DeleteFunc(slices.Clone(r.assumed), func(a Assumption) bool { return !a.Since.Known() || a.Since > t || a.Kind == processes.SetAside })
}

// supposedRestarts bounds the assumed restarts.
func (r *run) supposedRestarts() (list []model.Interval) {
	for _, a := range r.assumed {
		if a.Kind == processes.Restarted {
			list = append(list, a.Within)
		}
	}
	return list
}

// supposing runs the same input with assumptions. Earlier inferences stay unless fresh.
func (r *run) supposing(list []Assumption, fresh, quick bool) (*run, error) {
	return r.again(func(c *run) {
		if fresh {
			c.o = c.given // earlier inferences may have had another cause
		} else {
			c.fixed = true
		}
		c.quick = quick
		c.suppose(list)
	})
}

// withSupposedRestarts is this run with unrecorded restarts that leave a trace. The first pass of a process removes
// NoExecute taints of nodes that are not Ready (M1), and its buckets are full. A restart must explain writes to enough
// nodes, given those before it. After a search, only its restarts count.
func (r *run) withSupposedRestarts() (*run, error) {
	if r.o.Mode != Causal || r.concluded {
		return r, nil
	}
	if r.supposed != nil {
		return r.supposed, nil
	}
	best := r
	for after := model.FarPast; ; {
		at, ok := best.unexplainedBurst(after)
		if !ok {
			break
		}
		after = at.Latest.Add(evidence.OneBurst)
		other, err := r.again(func(c *run) {
			c.assumed = append(slices.Clone(best.assumed), Assumption{Kind: processes.Restarted, Who: processes.ControllerManager, At: at, Within: at})
		})
		if err != nil {
			return nil, err
		}
		if best.found.Findings()-other.found.Findings() >= enoughTraces && explainedNodes(&best.found, &other.found) >= enoughTraces {
			best = other
		}
	}
	r.supposed = best
	return best, nil
}

// unexplainedBurst bounds the first burst of unexplained removals of taints after a time.
func (r *run) unexplainedBurst(after model.Instant) (at model.Interval, ok bool) {
	for w := range model.Each(r.evidence.Writes) {
		if w.Kind != model.UntaintNoExecute || w.Decision != 0 || w.Across || w.Hidden || w.Time.Width() > passes.Narrow || w.Time.Latest <= after {
			continue
		}
		v := model.Interval{Earliest: w.Time.Earliest.Add(-evidence.Reaction), Latest: w.Time.Latest}
		switch {
		case !ok:
			at, ok = v, true
		case v.Earliest.Sub(at.Latest) < evidence.OneBurst:
			at.Latest = min(at.Latest, v.Latest)
		default:
			return at, ok
		}
	}
	return at, ok
}

// explainedNodes counts the nodes whose writes by explains, and than does not.
func explainedNodes(than, by *Result) int {
	nodes := map[string]bool{}
	for _, w := range by.Explains(than) {
		nodes[w.Node] = true
	}
	return len(nodes)
}
