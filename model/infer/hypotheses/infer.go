// Package hypotheses searches for unrecorded causes. If writes contradict the known facts, it runs the models again
// under hypotheses, such as a restart of the controller within a window. It keeps those that settle the most writes
// with the fewest assumptions.
//
// A hypothesis counts if it settles two writes or more. It never hides a disagreement: writes that it settles are
// explained only if it holds, and a single trace stays unexplained.
package hypotheses

import (
	"slices"
	"strconv"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/processes"
)

// Hypothesis is an unrecorded cause that would explain open writes.
type Hypothesis struct {
	// ID is H1, H2 and so on, in the order of discovery: the one that settles most first.
	ID   string
	Kind processes.Assumed
	What infer.Note
	// Time is the middle of Window, which bounds the cause; unknown for flags, which always hold.
	Time         model.Instant
	Window       model.Interval
	For, Against []infer.Note
	Writes       []int
	// Counts says that it settles two writes, or two missing effects of different causes. Otherwise they stay open.
	Counts bool
	// Or are the IDs of equally good Hypotheses.
	Or []string
}

// Leading are the Hypotheses that count, one of each equally good group.
func (f *Found) Leading() (list []Hypothesis) {
	instead := map[string]bool{}
	for _, h := range f.Hypotheses {
		if h.Counts && !instead[h.ID] {
			list = append(list, h)
		}
		for _, id := range h.Or {
			instead[id] = true
		}
	}
	return list
}

// Found is the outcome of a search.
type Found struct {
	// Base is what known facts explain: the given run, or one that sets aside a write that had misled about all passes.
	Base *infer.Result
	// Result is the run under all Hypotheses that count; the given run without any.
	Result     *infer.Result
	Hypotheses []Hypothesis
	// Bounded says that the search ended before everything was tried.
	Bounded bool
}

// If maps the Numbers of settled writes to the IDs of the Hypotheses that count.
func (f *Found) If() map[int]string {
	settled := map[int]string{}
	for _, h := range f.Hypotheses {
		for _, w := range h.Writes {
			if h.Counts && settled[w] == "" {
				settled[w] = h.ID
			}
		}
	}
	return settled
}

// Run is infer.Run, but accepts contradicted flags given by hand if an unrecorded restart leaves no more open under
// them. Then both are hypotheses, and the flags are not refused.
func Run(h history.History, o infer.Options) (*infer.Result, error) {
	base, err := infer.Run(h, o)
	if err != nil || len(base.Contradicted) == 0 || base.Instants != nil { // no restart explains the timestamps of a capture
		return base, err
	}
	defer base.KeepInput()()
	given, err := base.Assuming(nil)
	if err != nil {
		return nil, err
	}
	s := &search{}
	found, lone := s.step(given)
	all := append(found, lone...)
	for _, a := range restartsInstead(given) {
		all = append(all, s.try(given, a, given.Trying))
	}
	if s.err != nil {
		return nil, s.err
	}
	for _, t := range all {
		if t.Kind == processes.Restarted && !t.refuted(given) && t.result.Findings() <= base.Contradicted[0].Left {
			return given, nil
		}
	}
	return base, nil
}

// Search finds hypotheses about the open writes of a run. A complete, unsupported or contradicted run has none. Errors
// are those of reading the History.
func Search(base *infer.Result) (*Found, error) {
	f := &Found{Base: base, Result: base}
	if len(base.Unsupported) > 0 || len(base.Contradicted) > 0 {
		return f, nil
	}
	var concluded []infer.Assumption
	defer base.KeepInput()()
	s := &search{undone: base.Undone()}
	for f.Result.Findings() > 0 && len(f.Hypotheses) < most {
		found, lone := s.step(f.Result)
		if len(found) == 0 {
			f.list(lone, f.Result)
			break
		}
		best := s.choose(found)
		before := f.Result
		f.Result = best.result
		if best.Since = spokenSince(&best, before); best.Kind != processes.SetAside {
			s.widen(before, &best, found)
		}
		if concluded = append(concluded, best.Assumption); best.Kind == processes.SetAside { // assumes nothing
			if len(f.Hypotheses) == 0 {
				f.Base = f.Result
			}
			continue
		}
		f.either(append([]trial{best}, alike(&best, found)...), before)
	}
	if s.err != nil {
		return nil, s.err
	}
	f.Bounded = s.exhausted()
	f.Result.Conclude(concluded)
	f.assume()
	f.absent()
	return f, nil
}

// spokenSince is when enough of a trial's writes had been seen.
func spokenSince(t *trial, before *infer.Result) model.Instant {
	by := byNumber(before)
	var seen []model.Instant
	for _, number := range t.settled {
		seen = append(seen, by[number].Time.Latest)
	}
	slices.Sort(seen)
	if len(seen) < enough {
		return model.FarFuture
	}
	return seen[enough-1]
}

func (f *Found) either(list []trial, before *infer.Result) {
	first := len(f.Hypotheses)
	for i := range list {
		f.add(hypothesis(&list[i], before), true)
	}
	for i := first; i < len(f.Hypotheses); i++ {
		for k := first; k < len(f.Hypotheses); k++ {
			if k != i {
				f.Hypotheses[i].Or = append(f.Hypotheses[i].Or, f.Hypotheses[k].ID)
			}
		}
	}
}

// list adds candidates with a single trace, one for each write and kind of assumption.
func (f *Found) list(lone []trial, before *infer.Result) {
	seen := map[[2]int]bool{} // write, kind → listed
	for t := range model.Each(lone) {
		key := [2]int{t.settled[0], int(t.Kind)}
		if seen[key] || len(f.Hypotheses) >= most+listed {
			continue
		}
		seen[key] = true
		f.add(hypothesis(t, before), false)
	}
}

func (f *Found) add(h Hypothesis, counts bool) {
	h.ID, h.Counts = "H"+strconv.Itoa(len(f.Hypotheses)+1), counts
	f.Hypotheses = append(f.Hypotheses, h)
}

// assume adds to the Result's assumptions what holds only if a hypothesis does.
func (f *Found) assume() {
	for _, h := range f.Leading() {
		f.Result.Assumptions = append(f.Result.Assumptions, infer.Note{Code: infer.Supposed, N: len(h.Writes), Name: h.ID, Or: h.Or, At: h.Time, Of: &h.What})
	}
}

// absent adds that taint eviction does not run, if all due deletions are missing. It changes only the forecast.
func (f *Found) absent() {
	u := f.Result.Undeleted()
	if !u.Known() {
		return
	}
	h := Hypothesis{Kind: processes.Absent, What: infer.Note{Code: absent}, For: []infer.Note{{Code: fellDue, N: u.Pods, Counts: [3]int{u.Nodes}, Since: u.Since}}, Against: []infer.Note{{Code: sameSigns}}}
	if u.Nodes < enough {
		h.Against[0].Code = oneNode
	}
	f.add(h, u.Nodes >= enough)
}
