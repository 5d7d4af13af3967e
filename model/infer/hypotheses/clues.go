package hypotheses

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/processes"
)

const (
	// reaction is the longest delay from the start of a process to its first request.
	reaction = 250 * time.Millisecond
	// usual is the duration of a pass without much to do; drift the longest, with some writes.
	usual, drift = 4 * time.Millisecond, 30 * time.Millisecond
	// longestIdle is the longest time without work: an election takes some 15 s.
	longestIdle = time.Minute
	// maxAside is how many of the first writes are tried as set aside: they may mislead about all later ones.
	maxAside = 8
	// maxBack is how many passes before its first trace a process may start, although passes in between seem to be of
	// another one. few is how many of them are tried one by one.
	maxBack, few = 60, 24
	// behind is how far a controller's cache may be behind without a trace.
	behind              = time.Second
	maxStalls, maxBurns = 24, 12
	maxOthers           = 12
	// maxChains limits the open writes whose earlier passes are tried.
	maxChains = 3
	// maxClues limits the restarts and writes set aside that are tried at one time.
	maxClues = 160
)

// clues are the assumptions that the open writes of a result suggest, each once.
func clues(r *infer.Result) (list []infer.Assumption) {
	var first []model.Interval // when node-lifecycle may have made its first pass
	var begun []model.Interval // when taint eviction may have started
	chains := 0
	for i := range r.Writes {
		w := &r.Writes[i]
		if w.Decision != 0 || !w.Time.Bounded() { // a write at an unknown time suggests nothing
			continue
		}
		switch w.Kind {
		case model.EvictPod: // in the first moment, or after a countdown that started then
			begun = append(begun, startedBefore(w))
			if wait, ok := countdownOf(r, w); ok {
				began := model.Interval{Earliest: w.Time.Earliest.Add(-wait - reaction), Latest: w.Time.Latest.Add(-wait)}
				begun = append(begun, began)
			}
		default: // removed, added or marked in the first pass, or by the workers that start with it
			first = append(first, startedBefore(w))
			if chains < maxChains && (passWrites(w) || w.Kind == model.TaintNoExecute || w.Kind == model.MarkPodsNotReady) {
				first = append(first, passesBefore(r, i)...)
				chains++
			}
		}
	}
	first, begun = distinct(first), distinct(begun)
	for w := range r.Open() {
		if passWrites(w) && len(list) < maxAside {
			list = append(list, infer.Assumption{Kind: processes.SetAside, At: w.Time, Write: w.Number})
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
		list = append(list, infer.Assumption{Kind: processes.Differs, Flag: flag, At: r.Coverage})
	}
	return append(list, infer.Assumption{Kind: processes.Differs, At: r.Coverage})
}

// others are the writers, besides the controllers, that the input names.
func others(r *infer.Result) (list []infer.Assumption) {
	for w := range r.Open() {
		k := slices.IndexFunc(list, func(a infer.Assumption) bool { return a.By == w.By })
		switch {
		case w.By == "":
		case k >= 0:
			list[k].At.Latest = max(list[k].At.Latest, w.Time.Latest)
		case len(list) < maxOthers:
			list = append(list, infer.Assumption{Kind: processes.OthersWrote, By: w.By, At: w.Time})
		}
	}
	return list
}

// stalls are the times in which the controllers may have paused: from the first missing effect until a late write.
func stalls(r *infer.Result) (list []infer.Assumption) {
	var late []model.Interval
	for w := range r.Open() {
		late = append(late, startedBefore(w))
	}
	for _, v := range distinct(late) {
		a := infer.Assumption{Kind: processes.Stalled, Who: processes.ControllerManager, At: v}
		if stopped, ok := idleSince(r, &a); ok && len(list) < maxStalls {
			a.Stopped = stopped
			list = append(list, a)
		}
	}
	return list
}

// burns are the tokens that a race may have burnt: of nodes written so shortly before that a cache may be behind.
func burns(r *infer.Result) (list []infer.Assumption) {
	for d := range r.Lacking() {
		if d.Kind != model.TaintNoExecute || len(list) == maxBurns {
			continue
		}
		if slices.ContainsFunc(r.Writes, func(w infer.Write) bool {
			return w.Node == d.Node && w.Kind != model.EvictPod && w.Time.Overlaps(model.Interval{Earliest: d.Window.Earliest.Add(-behind), Latest: d.Window.Latest})
		}) {
			list = append(list, infer.Assumption{Kind: processes.Burnt, Node: d.Node, At: model.Interval{Earliest: d.Window.Earliest.Add(-usual), Latest: d.Window.Latest.Add(usual)}})
		}
	}
	return list
}

// startedBefore is when a process may have started that made a write at once.
func startedBefore(w *infer.Write) model.Interval {
	return model.Interval{Earliest: w.Time.Earliest.Add(-reaction), Latest: w.Time.Latest}
}

// passWrites reports whether only a pass makes such a write.
func passWrites(w *infer.Write) bool {
	return w.Kind == model.MarkUnknown || w.Kind == model.UntaintNoExecute
}

// passesBefore are possible first passes of the process that made a write. They go back to the last pass that is known
// to be of the previous process.
func passesBefore(r *infer.Result, write int) (list []model.Interval) {
	w, period := &r.Writes[write], r.Params.NodeMonitorPeriod.Value
	if !w.Time.Bounded() || !r.Coverage.Bounded() {
		return nil // a write at an unknown time names no pass
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
		if (w.Kind == model.MarkUnknown || w.Kind == model.MarkPodsNotReady) && least > few && add(least) { // it has seen no renewal since its first pass
			add(least + 1)
		}
	}
	for n := 1; add(n); n += 1 + n/few {
	}
	return list
}

// restartsInstead are restarts of a process that did nothing since a due declaration that is missing.
func restartsInstead(r *infer.Result) (list []infer.Assumption) {
	due, period := model.FarFuture, r.Params.NodeMonitorPeriod.Value
	for d := range r.Lacking() {
		if d.Kind == model.MarkUnknown {
			due = min(due, d.Window.Earliest.Add(-usual))
		}
	}
	if due == model.FarFuture {
		return nil
	}
	for at := due; at.Sub(due) < longestIdle/2; at = at.Add(period) {
		for _, stopped := range [...]model.Instant{due, due.Add(-period)} { // the phase of passes without a trace is unknown
			a := restart(model.Interval{Earliest: at, Latest: at.Add(period)}, processes.ControllerManager)
			a.Stopped = stopped
			list = append(list, a)
		}
	}
	return list
}

func restart(at model.Interval, who processes.Set) infer.Assumption {
	return infer.Assumption{Kind: processes.Restarted, Who: who, At: at}
}

// countdownOf is the length of the pod's last countdown before the write.
func countdownOf(r *infer.Result, w *infer.Write) (wait time.Duration, ok bool) {
	for d := range model.Each(r.Decisions) {
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

// distinct merges intervals about the same time into their intersection.
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

// idleSince is since when a process did nothing before it restarted: when the first effect was due whose absence only
// that explains. It has no limit after the last explained write, and longestIdle before it.
func idleSince(r *infer.Result, a *infer.Assumption) (stopped model.Instant, ok bool) {
	acted := model.FarPast
	for w := range model.Each(r.Writes) {
		if w.Decision != 0 && w.Time.Latest < a.At.Earliest {
			acted = max(acted, w.Time.Latest)
		}
	}
	first := func(since model.Instant) (stopped model.Instant, ok bool) {
		for d := range r.Lacking() {
			if d.Time < a.At.Latest && d.Time >= since && (!a.Stopped.Known() || d.Window.Earliest < a.Stopped) {
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
