package hypotheses

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/processes"
)

const (
	// enough is how many writes a hypothesis must settle.
	enough = 2
	// most is how many hypotheses are kept, and listed how many candidates with one trace.
	most, listed = 6, 3
	// thorough is how many of the best are tried again with full effort, and ahead how many with a second assumption.
	thorough, ahead = 8, 3
	// maxTrials limits the trials, and maxCost their total cost. minTrials are made at any cost, unless most due
	// effects never came.
	maxTrials, minTrials, maxCost = 1200, 10, 4_000_000
)

type search struct {
	trials int
	cost   int
	undone bool  // most due effects never came: an assumption would settle little
	err    error // the first one of reading: nothing is tried after it
}

type trial struct {
	infer.Assumption               // its Within has all equally good times
	result           *infer.Result // under it and those before
	settled          []int
	// gain is how many findings fewer are open.
	gain int
	// follows says that the others follow if one of these writes is a foreign one.
	follows bool
}

// step tries the clues of the open writes. found settle enough, the best first; lone have a single trace.
func (s *search) step(from *infer.Result) (found, lone []trial) {
	var all []trial
	try := func(a infer.Assumption) {
		t := s.sharpen(from, s.try(from, a, from.Trying))
		if len(t.settled) > 0 && !t.idle(from) {
			if t.gain < 1 {
				t.result = t.result.LeftOpen() // it is driven again, or left out
			}
			all = append(all, t)
		}
	}
	for _, a := range clues(from) {
		try(a)
	}
	for _, t := range slices.Clone(all) { // both controllers usually run in one process
		if t.Kind == processes.Restarted && t.Who == processes.ControllerManager && t.result.Findings() > 0 {
			t.Who = processes.NodeLifecycle
			try(t.Assumption)
		}
	}
	// At equal gain, a write set aside comes first, as it assumes nothing.
	order := func(a, b trial) int { return cmp.Or(cmp.Compare(b.gain, a.gain), supposes(&a)-supposes(&b)) }
	slices.SortStableFunc(all, order)
	for i := range all {
		if all[i].result.Findings() > 0 && (i < thorough || supposes(&all[i]) == 0) {
			all[i] = s.try(from, all[i].Assumption, from.Assuming)
		}
	}
	all = slices.DeleteFunc(all, func(t trial) bool { return t.gain < 1 || len(t.settled) == 0 })
	slices.SortStableFunc(all, order)
	for t := range model.Each(all) {
		if t.Kind == processes.OthersWrote {
			t.follows = Traces(from, writtenBy(from, t.By)) < enough
		} else if t.Kind != processes.SetAside && t.gain >= enough && Traces(from, t.settled) >= enough {
			t.follows = s.follow(from, t, all)
		}
		switch aside := t.Kind == processes.SetAside; {
		case aside && t.gain < enough:
		case !aside && (Traces(from, t.settled) < enough || t.follows || t.refuted(from)) || t.gain < enough:
			lone = append(lone, *t)
		default:
			found = append(found, *t)
		}
	}
	return found, lone
}

// supposes is 0 for a write set aside, which assumes nothing, else 1.
func supposes(t *trial) int {
	if t.Kind == processes.SetAside {
		return 0
	}
	return 1
}

// follow reports whether a trial explains at most one trace more than a run with one write set aside as foreign. A
// taint removed by a person is added again, and a write that no pass made misleads about all later passes.
func (s *search) follow(from *infer.Result, t *trial, among []trial) bool {
	byNumber, tried := byNumber(from), map[int]bool{}
	follows := func(aside *infer.Result) bool {
		return Traces(from, ExplainedMore(t.result, aside)) < enough
	}
	for x := range model.Each(among) {
		if x.Kind == processes.SetAside {
			if tried[x.Write] = true; follows(x.result) {
				return true
			}
		}
	}
	for _, number := range t.settled {
		if !passWrites(byNumber[number]) || tried[number] || len(t.settled) > maxAside {
			continue
		}
		aside := s.try(from, infer.Assumption{Kind: processes.SetAside, At: byNumber[number].Time, Write: number}, from.Assuming)
		if follows(aside.result) {
			return true
		}
	}
	return false
}

// alike are the best trials of other kinds that settle as much.
func alike(best *trial, found []trial) (list []trial) {
	seen := map[processes.Assumed]bool{best.Kind: true, processes.SetAside: true}
	for _, t := range found {
		if !seen[t.Kind] && t.gain >= best.gain {
			seen[t.Kind] = true
			list = append(list, t)
		}
	}
	return list
}

// choose takes the trial that leaves the least open, together with the next assumption it needs.
func (s *search) choose(found []trial) (best trial) {
	best = found[0]
	if best.result.Findings() == 0 {
		return best
	}
	gain := -1
	for _, t := range found[:min(ahead, len(found))] {
		next, _ := s.step(t.result)
		total := t.gain
		if len(next) > 0 {
			total += next[0].gain - 1 // another assumption has a price
		}
		if total > gain {
			best, gain = t, total
		}
	}
	return best
}

func (s *search) exhausted() bool {
	return s.err != nil || s.trials >= maxTrials || s.cost >= maxCost && (s.trials >= minTrials || s.undone)
}

// try runs the models under one more assumption, unless the search is exhausted.
func (s *search) try(from *infer.Result, a infer.Assumption, drive func([]infer.Assumption) (*infer.Result, error)) trial {
	if s.exhausted() {
		return trial{result: from, Assumption: a}
	}
	s.trials++
	s.cost += from.Cost()
	a.Within = a.At
	result, err := drive(append(from.Assumed(), a))
	if err != nil {
		s.err = err
		return trial{result: from, Assumption: a}
	}
	t := trial{Assumption: a, result: result, gain: from.Findings() - result.Findings(), settled: ExplainedMore(result, from)}
	if a.Kind == processes.OthersWrote {
		t.settled = append(t.settled, writtenBy(from, a.By)...)
		slices.Sort(t.settled)
	}
	return t
}

// writtenBy are the numbers of open writes with another named writer.
func writtenBy(r *infer.Result, who string) (list []int) {
	for w := range r.Open() {
		if w.By == who {
			list = append(list, w.Number)
		}
	}
	return list
}

// ExplainedMore are the numbers of the writes that only by explains.
func ExplainedMore(by, than *infer.Result) (list []int) {
	for _, w := range by.Explains(than) {
		list = append(list, w.Number)
	}
	return list
}

// Traces counts the independent ones of some writes: a pass that declares a node Unknown also marks its pods.
func Traces(r *infer.Result, writes []int) (n int) {
	by, marked := byNumber(r), map[string]bool{}
	for _, i := range writes {
		if w := by[i]; w.Kind == model.MarkUnknown && !marked[w.Node] {
			marked[w.Node] = true
			n++
		}
	}
	for _, i := range writes {
		switch w := by[i]; {
		case w.Kind == model.MarkUnknown || w.Kind == model.MarkPodsNotReady && marked[w.Node]:
		case w.Kind == model.MarkPodsNotReady:
			marked[w.Node] = true
			n++
		default:
			n++
		}
	}
	return n
}

func byNumber(r *infer.Result) map[int]*infer.Write {
	all := make(map[int]*infer.Write, len(r.Writes))
	for i := range r.Writes {
		all[r.Writes[i].Number] = &r.Writes[i]
	}
	return all
}

// idle reports whether a flag is as before, so that the assumption changed nothing.
func (t *trial) idle(before *infer.Result) bool {
	return t.Kind == processes.Differs && len(infer.Differing(&before.Params, &t.result.Params)) == 0
}

// refuted reports whether the input would show a restart, and does not: a new process registers all nodes.
func (t *trial) refuted(r *infer.Result) bool {
	return t.Kind == processes.Restarted && t.Who&processes.NodeLifecycle != 0 && r.Count(model.KindEvent) > 0
}

// sharpen finds when the process had stopped before its restart, by effects that did not come.
func (s *search) sharpen(from *infer.Result, t trial) trial {
	best := t
	for _, r := range [...]*infer.Result{from, t.result, t.result} {
		if t.Kind != processes.Restarted && t.Kind != processes.Stalled || best.result.Findings() == 0 {
			break
		}
		a := t.Assumption
		stopped, ok := idleSince(r, &a)
		if !ok {
			continue
		}
		a.Stopped = stopped
		if t = s.try(from, a, from.Trying); t.gain > best.gain {
			best = t
		}
	}
	return best
}

// widen extends the window of a restart to all equally good ones. If it only changes the phase of passes, one pass
// earlier or later is as good.
func (s *search) widen(from *infer.Result, t *trial, among []trial) {
	t.Within = t.result.Began(&t.Assumption)
	if t.Kind != processes.Restarted {
		return
	}
	among = slices.DeleteFunc(slices.Clone(among), func(x trial) bool { return x.Kind != t.Kind || x.Who != t.Who })
	slices.SortFunc(among, func(a, b trial) int { return cmp.Compare(a.At.Earliest, b.At.Earliest) })
	first := s.farthest(from, t, among, func(x *trial) bool { return x.At.Earliest < t.At.Earliest })
	slices.Reverse(among)
	last := s.farthest(from, t, among, func(x *trial) bool { return x.At.Latest > t.At.Latest })
	if first.At == last.At || t.Who&processes.NodeLifecycle == 0 {
		return
	}
	pass := from.Params.NodeMonitorPeriod.Value + usual
	first, last = s.beyond(from, t, first, -pass), s.beyond(from, t, last, pass)
	t.Within = t.Within.Around(first.result.Began(&first.Assumption)).Around(last.result.Began(&last.Assumption))
}

// farthest is the first equally good trial of a list, or t if none lies beyond it.
func (s *search) farthest(from *infer.Result, t *trial, among []trial, beyond func(*trial) bool) trial {
	for i := range among {
		if x, ok := s.asGood(from, t, among[i]); ok {
			return x
		}
		if !beyond(&among[i]) {
			break
		}
	}
	return *t
}

// beyond extends a trial pass by pass while that is equally good, as only some of many passes were tried.
func (s *search) beyond(from *infer.Result, t *trial, end trial, pass time.Duration) trial {
	for range maxBack {
		a := end.Assumption
		a.At = model.Interval{Earliest: a.At.Earliest.Add(pass), Latest: a.At.Latest.Add(pass)}
		if a.Stopped.Known() {
			a.Stopped = a.Stopped.Add(pass)
		}
		if a.At.Latest < from.Coverage.Earliest {
			break
		}
		x, ok := s.asGood(from, t, s.try(from, a, from.Trying))
		if !ok {
			break
		}
		end = x
	}
	return end
}

// asGood reports whether a trial settles as much as t. If it is nearly as good, it is repeated with full effort.
func (s *search) asGood(from *infer.Result, t *trial, x trial) (trial, bool) {
	good := func() bool { return x.gain >= t.gain && slices.Equal(x.settled, t.settled) }
	if good() || x.gain < t.gain/2 || len(x.settled) < len(t.settled)/2 || s.exhausted() {
		return x, good()
	}
	x = s.try(from, x.Assumption, from.Assuming)
	return x, good()
}
