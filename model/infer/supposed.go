package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

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
