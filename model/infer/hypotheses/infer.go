// Package infer looks for what nobody tells of: where writes contradict what is known, it drives the
// models again under hypotheses, such as a restart of the controller within a window that those writes
// bound, and keeps those that settle the most with the fewest assumptions.
//
// A hypothesis counts when it settles two or more writes. It never silences a disagreement: what it
// settles is explained only if it holds, and what one trace alone speaks for stays unexplained.
package hypotheses

import (
	"slices"
	"strconv"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// Kind is what a Hypothesis supposes.
type Kind uint8

const (
	// Restart of a controller: its memory was lost.
	Restart Kind = iota
	// Stall of the controllers, or of the API server that they ask: what was due came late, all together.
	Stall
	// Token that a race has burnt: the taint comes one token later.
	Token
	// Other is a person or another controller that wrote what the controllers seem to have written.
	Other
	// Flag that is other than stated or than its default.
	Flag
	// Absence of a controller: nothing that it should do comes.
	Absence
)

func (k Kind) String() string {
	return [...]string{"restart", "stall", "token", "other", "flag", "absence"}[min(k, Absence)]
}

var kinds = map[infer.Assumed]Kind{infer.Restarted: Restart, infer.Stalled: Stall, infer.Burnt: Token, infer.OthersWrote: Other, infer.Differs: Flag}

// Hypothesis is something that nobody tells of, and that would explain what nothing explains.
type Hypothesis struct {
	// ID is H1, H2 and so on, in the order in which they were found: the one that settles most first.
	ID   string
	Kind Kind
	// What it supposes.
	What infer.Note
	// Time is the middle of Window, within which it would have been; unknown for flags, which hold always.
	Time   model.Instant
	Window model.Interval
	// For and Against are the evidence.
	For, Against []infer.Note
	// Writes are the Numbers of the writes that it settles.
	Writes []int
	// Counts: it settles two writes or more, or two effects of different causes that did not come. What others settle
	// stays unexplained.
	Counts bool
	// Or are the IDs of others that would do as well: nothing decides between them.
	Or []string
}

// Leading are the Hypotheses that count, one of those that would do as well as each other.
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

// Found is what the search came to.
type Found struct {
	// Base is what is explained by what is known: the run that was handed over, or that without a write
	// that fits no pass, and had misled about when all passes were. That write stays unexplained.
	Base *infer.Result
	// Result is what the models make of the input if every Hypothesis that counts holds; the one
	// that was handed over where there is none.
	Result     *infer.Result
	Hypotheses []Hypothesis
	// Bounded says that the search ended before everything was tried.
	Bounded bool
}

// If are the Hypotheses that count: what they settle, by the Number of the write.
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

// Run reads a History as infer.Run does, with its errors; flags given by hand are not refused where a restart
// that nobody tells of leaves no more open under them.
func Run(h history.History, o infer.Options) (*infer.Result, error) {
	result, err := infer.Run(h, o)
	if err != nil {
		return result, err
	}
	return weigh(result)
}

// weigh is what is to be searched: the result itself, unless flags given by hand are contradicted in it and
// a restart leaves no more open under them. Both are hypotheses then, and the flags are not refused.
func weigh(base *infer.Result) (*infer.Result, error) {
	if len(base.Contradicted) == 0 || base.Instants != nil { // timestamps of a capture, which no restart explains
		return base, nil
	}
	defer base.KeepInput()()
	given, err := base.Assuming(nil)
	if err != nil {
		return nil, err
	}
	s := &search{}
	found, lone, err := s.step(state{result: given})
	if err != nil {
		return nil, err
	}
	all := append(found, lone...)
	for _, a := range restartsInstead(given) {
		t, err := s.try(state{result: given}, a, given.Trying)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	for _, t := range all {
		if t.Kind == infer.Restarted && !t.refuted(given) && t.result.Findings() <= base.Contradicted[0].Left {
			return given, nil
		}
	}
	return base, nil
}

// Search looks for hypotheses about what a run leaves open. A run that is complete, unsupported or
// contradicted has none. Errors are those of reading the History.
func Search(base *infer.Result) (*Found, error) {
	f := &Found{Base: base, Result: base}
	if len(base.Unsupported) > 0 || len(base.Contradicted) > 0 {
		return f, nil
	}
	var concluded []infer.Conclusion
	defer base.KeepInput()()
	s, at := &search{undone: base.Undone()}, state{result: base}
	for f.Result.Findings() > 0 && len(f.Hypotheses) < most {
		found, lone, err := s.step(at)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			f.list(lone, at.result)
			break
		}
		best, err := s.choose(found)
		if err != nil {
			return nil, err
		}
		before := at
		at, f.Result = best.state, best.result
		concluded = append(concluded, infer.Conclusion{Within: best.window, Since: spokenSince(&best, before.result)})
		if best.Kind == infer.SetAside { // nothing is supposed of anybody
			if len(f.Hypotheses) == 0 {
				f.Base = f.Result
			}
			continue
		}
		if err := s.widen(before, &best, found); err != nil {
			return nil, err
		}
		concluded[len(concluded)-1].Within = best.window
		f.either(append([]trial{best}, alike(&best, found)...), before.result)
	}
	f.Bounded = s.exhausted()
	f.Result.Conclude(concluded)
	f.assume()
	f.absent()
	return f, nil
}

// spokenSince is since when enough writes spoke for what a trial assumes.
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

// either adds hypotheses that count, any one of which would do.
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

// list adds what one trace alone speaks for, one candidate for each kind of assumption.
func (f *Found) list(lone []trial, before *infer.Result) {
	seen := map[[2]int]bool{} // write, kind → listed
	for i := range lone {
		t := &lone[i]
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
