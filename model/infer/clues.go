package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/shadow"
)

// clue is an assumption that an open write suggests.
type clue struct {
	shadow.Assumption
}

const (
	// reaction is how long before its first request a process began to work.
	reaction = 250 * time.Millisecond
	// drift is how long a pass takes, with some writes.
	drift = 30 * time.Millisecond
	// longestIdle is how long nothing was done, at most: electing another leader takes some 15 s.
	longestIdle = time.Minute
	// maxAside is how many writes are tried to be left out, the first ones: they may mislead about all
	// that follow.
	maxAside = 8
	// maxClues bounds how many are tried at one time.
	maxClues = 96
)

// clues are what the open writes of a result suggest, each once: a restart of the whole process
// before restarts of one controller, and those before what is seldom.
func clues(r *shadow.Result) (list []clue) {
	var first []model.Interval // when node-lifecycle may have made its first pass
	var begun []model.Interval // when taint eviction may have begun
	p := &r.Params
	for i := range r.Writes {
		w := &r.Writes[i]
		if w.Decision != 0 {
			continue
		}
		switch w.Kind {
		case model.MarkUnknown:
			for _, grace := range [...]time.Duration{p.NodeMonitorGracePeriod.Value, p.NodeStartupGracePeriod.Value} {
				first = append(first, firstPasses(w.Time, grace, p.NodeMonitorPeriod.Value)...)
			}
		case model.EvictPod:
			if wait, ok := countdownOf(r, w); ok {
				began := model.Interval{Earliest: w.Time.Earliest.Add(-wait - reaction), Latest: w.Time.Latest.Add(-wait)}
				begun = append(begun, began)
			}
		default: // taken off, put on or marked in the first pass, or by the workers that begin with it
			first = append(first, model.Interval{Earliest: w.Time.Earliest.Add(-reaction), Latest: w.Time.Latest})
		}
	}
	first, begun = distinct(first), distinct(begun)
	for i := range r.Writes {
		if w := &r.Writes[i]; w.Decision == 0 && (w.Kind == model.MarkUnknown || w.Kind == model.UntaintNoExecute) && len(list) < maxAside {
			list = append(list, clue{shadow.Assumption{Kind: shadow.SetAside, At: w.Time, Write: i}})
		}
	}
	for _, v := range append(slices.Clone(first), begun...) {
		list = append(list, restart(v, shadow.ControllerManager))
	}
	for _, v := range first {
		list = append(list, restart(v, shadow.NodeLifecycle))
	}
	for _, v := range begun {
		list = append(list, restart(v, shadow.TaintEviction))
	}
	return list[:min(len(list), maxClues)]
}

// firstPasses are when a process may have made its first pass that declared a node Unknown for which
// it had heard nothing since: so many passes before as fit into the grace period, or one more.
func firstPasses(marked model.Interval, grace, period time.Duration) (list []model.Interval) {
	least := int((grace + period - 1) / period)
	for n := least; n <= least+1; n++ {
		whole := time.Duration(n) * period
		list = append(list, model.Interval{Earliest: marked.Earliest.Add(-whole - time.Duration(n)*drift - reaction), Latest: marked.Latest.Add(-whole)})
	}
	return list
}

func restart(at model.Interval, who shadow.Processes) clue {
	return clue{shadow.Assumption{Kind: shadow.Restarted, Who: who, At: at}}
}

// countdownOf is how long the pod had been given when its countdown was last begun.
func countdownOf(r *shadow.Result, w *shadow.Write) (wait time.Duration, ok bool) {
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Time > w.Time.Latest {
			break
		}
		if d.Kind == model.ScheduleEviction && d.Pod == w.Pod {
			if given := shadow.Countdown(d); given.Known {
				wait, ok = given.Value, true
			}
		}
	}
	return wait, ok
}

// distinct makes one interval of those that are about the same instant: what they have in common.
func distinct(list []model.Interval) (out []model.Interval) {
	slices.SortFunc(list, func(a, b model.Interval) int { return int(max(-1, min(1, a.Latest-b.Latest))) })
	for _, v := range list {
		if n := len(out); n > 0 {
			if both, ok := out[n-1].Intersect(v); ok && v.Width() == out[n-1].Width() || ok && both.Width() > out[n-1].Width()/2 {
				out[n-1] = both
				continue
			}
		}
		out = append(out, v)
	}
	return out
}

// idleSince is from when on a process did nothing before it began again: when the first effect was
// due that did not come though nothing but that would have hindered it.
func idleSince(r *shadow.Result, a *shadow.Assumption) (stopped model.Instant, ok bool) {
	open := map[model.DecisionID]bool{}
	for _, id := range r.Unobserved {
		open[id] = true
	}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if open[d.ID] && d.Time < a.At.Latest && a.At.Earliest.Sub(d.Time) < longestIdle && (!a.Stopped.Known() || d.Window.Earliest < a.Stopped) {
			return d.Window.Earliest.Add(-time.Millisecond), true
		}
	}
	return 0, false
}
