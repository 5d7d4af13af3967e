package hypotheses

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/processes"
)

const (
	// reaction is how long before its first request a process began to work.
	reaction = 250 * time.Millisecond
	// usual is what a pass without much to do takes, and drift what one takes at most, with some writes.
	usual, drift = 4 * time.Millisecond, 30 * time.Millisecond
	// longestIdle is how long nothing was done, at most: electing another leader takes some 15 s.
	longestIdle = time.Minute
	// maxAside is how many writes are tried to be left out, the first ones: they may mislead about all
	// that follow.
	maxAside = 8
	// maxBack is how many passes before the first that left a trace a process may have begun though
	// those in between seem to be of another, and few how many passes before it each of them is tried.
	maxBack, few = 60, 24
	// behind is how far the cache of a controller may be behind without anybody noticing.
	behind = time.Second
	// maxStalls and maxBurns are how many of them are tried.
	maxStalls, maxBurns = 24, 12
	// maxOthers is of how many others it is tried that they wrote.
	maxOthers = 12
	// maxChains is of how many open writes the passes before are tried.
	maxChains = 3
	// maxClues is how many assumptions are tried at one time.
	maxClues = 160
)

// clues are what the open writes of a result suggest, each once.
func clues(r *infer.Result) (list []infer.Assumption) {
	var first []model.Interval // when node-lifecycle may have made its first pass
	var begun []model.Interval // when taint eviction may have begun
	chains := 0
	for i := range r.Writes {
		w := &r.Writes[i]
		if w.Decision != 0 || !w.Time.Bounded() { // when it was written, anything may have led to it
			continue
		}
		switch w.Kind {
		case model.EvictPod: // in the first moment, or after a countdown that began then
			begun = append(begun, model.Interval{Earliest: w.Time.Earliest.Add(-reaction), Latest: w.Time.Latest})
			if wait, ok := countdownOf(r, w); ok {
				began := model.Interval{Earliest: w.Time.Earliest.Add(-wait - reaction), Latest: w.Time.Latest.Add(-wait)}
				begun = append(begun, began)
			}
		default: // taken off, put on or marked in the first pass, or by the workers that begin with it
			first = append(first, model.Interval{Earliest: w.Time.Earliest.Add(-reaction), Latest: w.Time.Latest})
			if chains < maxChains && (passWrites(w) || w.Kind == model.TaintNoExecute || w.Kind == model.MarkPodsNotReady) {
				first = append(first, passesBefore(r, i)...)
				chains++
			}
		}
	}
	first, begun = distinct(first), distinct(begun)
	for i := range r.Writes {
		if w := &r.Writes[i]; w.Decision == 0 && passWrites(w) && len(list) < maxAside {
			list = append(list, infer.Assumption{Kind: infer.SetAside, At: w.Time, Write: w.Number})
		}
	}
	for _, v := range slices.Concat(first, begun) {
		list = append(list, restart(v, processes.ControllerManager))
	}
	for _, v := range begun {
		list = append(list, restart(v, processes.TaintEviction))
	}
	list = slices.Concat(others(r), list[:min(len(list), maxClues)], stalls(r), burns(r))
	for _, flag := range infer.Stated(&r.Params) {
		list = append(list, infer.Assumption{Kind: infer.Differs, Flag: flag, At: r.Coverage})
	}
	return append(list, infer.Assumption{Kind: infer.Differs, At: r.Coverage})
}

// others are those of whom something tells that they acted as well as the controllers.
func others(r *infer.Result) (list []infer.Assumption) {
	for i := range r.Writes {
		w := &r.Writes[i]
		k := slices.IndexFunc(list, func(a infer.Assumption) bool { return a.By == w.By })
		switch {
		case w.Decision != 0 || w.By == "":
		case k >= 0:
			list[k].At.Latest = max(list[k].At.Latest, w.Time.Latest)
		case len(list) < maxOthers:
			list = append(list, infer.Assumption{Kind: infer.OthersWrote, By: w.By, At: w.Time})
		}
	}
	return list
}

// stalls are the times in which the controllers may have stood still: until something was written too
// late, from when on what was due did not come.
func stalls(r *infer.Result) (list []infer.Assumption) {
	var late []model.Interval
	for i := range r.Writes {
		if w := &r.Writes[i]; w.Decision == 0 {
			late = append(late, model.Interval{Earliest: w.Time.Earliest.Add(-reaction), Latest: w.Time.Latest})
		}
	}
	for _, v := range distinct(late) {
		a := infer.Assumption{Kind: infer.Stalled, Who: processes.ControllerManager, At: v}
		if stopped, ok := idleSince(r, &a); ok && len(list) < maxStalls {
			a.Stopped = stopped
			list = append(list, a)
		}
	}
	return list
}

// burns are the tokens that a race may have burnt: those of nodes that had been declared Unknown, or had
// said that they are not ready, just before, so that a cache could be behind.
func burns(r *infer.Result) (list []infer.Assumption) {
	missed := r.Missing()
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Kind != model.TaintNoExecute || !missed[d.ID] || len(list) == maxBurns {
			continue
		}
		if slices.ContainsFunc(r.Writes, func(w infer.Write) bool {
			return w.Node == d.Node && w.Kind != model.EvictPod && w.Time.Overlaps(model.Interval{Earliest: d.Window.Earliest.Add(-behind), Latest: d.Window.Latest})
		}) {
			list = append(list, infer.Assumption{Kind: infer.Burnt, Node: d.Node, At: model.Interval{Earliest: d.Window.Earliest.Add(-usual), Latest: d.Window.Latest.Add(usual)}})
		}
	}
	return list
}

// passWrites says that nothing but a pass makes such a write.
func passWrites(w *infer.Write) bool {
	return w.Kind == model.MarkUnknown || w.Kind == model.UntaintNoExecute
}

// passesBefore are when the process that made a write in a pass may have made its first one: any
// number of passes before, of many only some, unless what passes did in between is known to be of the
// process before it.
func passesBefore(r *infer.Result, write int) (list []model.Interval) {
	w, period := &r.Writes[write], r.Params.NodeMonitorPeriod.Value
	if !w.Time.Bounded() || !r.Coverage.Bounded() {
		return nil // written at any time: no pass is named by it, and there would be no end of them
	}
	since := r.Coverage.Earliest
	for i := range r.Writes[:write] {
		if before := &r.Writes[i]; before.Decision != 0 && passWrites(before) {
			since = max(since, before.Time.Latest)
		}
	}
	add := func(n int) bool {
		back := time.Duration(n) * period
		v := model.Interval{Earliest: w.Time.Earliest.Add(-back - time.Duration(n)*drift - reaction), Latest: w.Time.Latest.Add(-back)}
		if v.Latest < r.Coverage.Earliest || v.Latest < since && n > maxBack {
			return false
		}
		list = append(list, v)
		return true
	}
	for _, grace := range [...]time.Duration{r.Params.NodeMonitorGracePeriod.Value, r.Params.NodeStartupGracePeriod.Value} {
		least := int((grace + period - 1) / period)
		if (w.Kind == model.MarkUnknown || w.Kind == model.MarkPodsNotReady) && least > few && add(least) { // it has heard nothing since its first pass
			add(least + 1)
		}
	}
	for n := 1; add(n); n += 1 + n/few {
	}
	return list
}

// restartsInstead are those after which nobody would have been declared Unknown when it was due, and was
// not: of a process that did nothing from then on, and soon began anew.
func restartsInstead(r *infer.Result) (list []infer.Assumption) {
	missed := r.Missing()
	due, period := model.FarFuture, r.Params.NodeMonitorPeriod.Value
	for i := range r.Decisions {
		if d := &r.Decisions[i]; missed[d.ID] && d.Kind == model.MarkUnknown {
			due = min(due, d.Window.Earliest.Add(-usual))
		}
	}
	if due == model.FarFuture {
		return nil
	}
	for at := due; at.Sub(due) < longestIdle/2; at = at.Add(period) {
		for _, stopped := range [...]model.Instant{due, due.Add(-period)} { // no pass that leaves a trace tells when they come
			a := restart(model.Interval{Earliest: at, Latest: at.Add(period)}, processes.ControllerManager)
			a.Stopped = stopped
			list = append(list, a)
		}
	}
	return list
}

func restart(at model.Interval, who processes.Set) infer.Assumption {
	return infer.Assumption{Kind: infer.Restarted, Who: who, At: at}
}

// countdownOf is how long the pod had been given when its countdown was last begun.
func countdownOf(r *infer.Result, w *infer.Write) (wait time.Duration, ok bool) {
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Time > w.Time.Latest {
			break
		}
		if d.Kind == model.ScheduleEviction && d.Pod == w.Pod {
			if given := d.Length(); given.Known {
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
// due that did not come though nothing but that would have hindered it. After the last write that is explained
// that may be for ever so long; before it, for as long as an election takes at most.
func idleSince(r *infer.Result, a *infer.Assumption) (stopped model.Instant, ok bool) {
	open, acted := r.Missing(), model.FarPast
	for i := range r.Writes {
		if w := &r.Writes[i]; w.Decision != 0 && w.Time.Latest < a.At.Earliest {
			acted = max(acted, w.Time.Latest)
		}
	}
	first := func(since model.Instant) (stopped model.Instant, ok bool) {
		for i := range r.Decisions {
			d := &r.Decisions[i]
			if open[d.ID] && d.Time < a.At.Latest && d.Time >= since && (!a.Stopped.Known() || d.Window.Earliest < a.Stopped) {
				return d.Window.Earliest.Add(-time.Millisecond), true
			}
		}
		return 0, false
	}
	if stopped, ok = first(acted); ok {
		return stopped, ok
	}
	return first(a.At.Earliest.Add(-longestIdle + 1))
}
