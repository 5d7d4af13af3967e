// Package infer looks for what nobody tells of: where writes contradict what is known, it drives the
// models again under hypotheses, such as a restart of the controller within a window that those writes
// bound, and keeps those that settle the most with the fewest assumptions.
//
// A hypothesis counts when it settles two or more writes. It never silences a disagreement: what it
// settles is explained only if it holds, and what one trace alone speaks for stays unexplained.
package infer

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/shadow"
)

// Kind is what a Hypothesis supposes.
type Kind uint8

const (
	// Restart of a controller: its memory was lost.
	Restart Kind = iota
)

func (k Kind) String() string { return [...]string{"restart"}[min(k, Restart)] }

// Hypothesis is something that nobody tells of, and that would explain what nothing explains.
type Hypothesis struct {
	// ID is H1, H2 and so on, in the order in which they were found: the one that settles most first.
	ID   string
	Kind Kind
	// What says it in one sentence.
	What string
	// Time is when it would have been, most likely, and Window within what time.
	Time   model.Instant
	Window model.Interval
	// For and Against are sentences.
	For, Against []string
	// Writes are indexes into the Result's Writes: those that it settles.
	Writes []int
	// Counts: it settles two writes or more. What others settle stays unexplained.
	Counts bool
}

// Found is what the search came to.
type Found struct {
	// Base is what is explained by what is known: the run that was handed over, or that without a write
	// that fits no pass, and had misled about when all passes were. That write stays unexplained.
	Base *shadow.Result
	// Result is what the models make of the input if every Hypothesis that counts holds; the one
	// that was handed over where there is none. Its Writes are the same ones, in the same order.
	Result     *shadow.Result
	Hypotheses []Hypothesis
	// Bounded says why the search ended before everything was tried; empty if it did not.
	Bounded string
}

// If are the Hypotheses that count: what they settle, by the index of the write.
func (f *Found) If() map[int]string {
	settled := map[int]string{}
	for _, h := range f.Hypotheses {
		for _, w := range h.Writes {
			if h.Counts {
				settled[w] = h.ID
			}
		}
	}
	return settled
}

const (
	// usual is what a pass without much to do takes, and maxWider how many passes a window is made
	// wider by, either way.
	usual, maxWider = 4 * time.Millisecond, 60
	// enough is how many writes a hypothesis must settle.
	enough = 2
	// most is how many hypotheses are kept, and listed how many candidates for one trace are.
	most, listed = 6, 3
	// maxTrials is how often the models are driven again, and maxChanges how many Changes that may
	// read, all in all.
	maxTrials, maxChanges = 400, 40_000_000
)

// Search looks for hypotheses about what a run leaves open. A run that is complete, unsupported or
// contradicted has none. Errors are those of reading the History.
func Search(base *shadow.Result) (*Found, error) {
	s := &search{Found: Found{Base: base, Result: base}}
	if len(base.Unsupported) > 0 || len(base.Contradicted) > 0 {
		return &s.Found, nil
	}
	for more := true; more && s.Result.Findings() > 0 && len(s.Hypotheses) < most; {
		var err error
		if more, err = s.step(); err != nil {
			return nil, err
		}
	}
	for _, h := range s.Hypotheses {
		if h.Counts {
			s.Result.Assumptions = append(s.Result.Assumptions, fmt.Sprintf("nobody tells of it, but %d writes are explained only if it holds (%s): %s, about %s",
				len(h.Writes), h.ID, h.What, h.Time))
		}
	}
	return &s.Found, nil
}

// search is one on its way.
type search struct {
	Found
	assumed []shadow.Assumption
	trials  int
	changes int
}

// trial is one assumption tried.
type trial struct {
	clue
	result  *shadow.Result
	settled []int
	// gain is how much less is left open.
	gain int
}

// traces counts the settled writes that are none other's consequence: the pods of a node that is
// declared Unknown are marked in the same pass, and tell nothing more.
func (t *trial) traces(r *shadow.Result) (n int) {
	marked := map[string]bool{}
	for _, i := range t.settled {
		if w := &r.Writes[i]; w.Kind == model.MarkUnknown {
			marked[w.Node] = true
		}
	}
	for _, i := range t.settled {
		if w := &r.Writes[i]; w.Kind != model.MarkPodsNotReady || !marked[w.Node] {
			n++
		}
	}
	return n
}

// refuted says that something would tell of it, and does not: whoever starts anew registers every
// node with an Event.
func (t *trial) refuted(r *shadow.Result) bool {
	return t.Who&shadow.NodeLifecycle != 0 && r.Count(model.KindEvent) > 0
}

// step tries what the open writes suggest, and takes the best; false if nothing settles enough.
func (s *search) step() (more bool, err error) {
	var best trial
	var lone []trial
	for _, c := range clues(s.Result) {
		if s.exhausted() {
			break
		}
		t, err := s.try(c)
		if err == nil {
			t, err = s.sharpen(t)
		}
		switch {
		case err != nil:
			return false, err
		case t.gain < 1 || len(t.settled) == 0:
		case t.Kind == shadow.SetAside && t.gain < enough:
		case t.Kind != shadow.SetAside && (t.traces(s.Result) < enough || t.refuted(s.Result)) || t.gain < enough:
			lone = append(lone, t)
		case t.gain > best.gain: // writes that are set aside come first: nothing is supposed of anybody
			best = t
		}
	}
	if best.result == nil {
		s.list(lone)
		return false, nil
	}
	if best.Kind == shadow.SetAside {
		s.Result, s.assumed = best.result, append(s.assumed, best.Assumption)
		if len(s.Hypotheses) == 0 {
			s.Base = s.Result
		}
		return true, nil
	}
	h := hypothesis(&best, s.Result)
	h.Counts = true
	if err := s.widen(&best, &h); err != nil {
		return false, err
	}
	s.add(h)
	s.Result, s.assumed = best.result, append(s.assumed, best.Assumption)
	return true, nil
}

// exhausted says that enough was tried, and notes it.
func (s *search) exhausted() bool {
	if s.trials < maxTrials && s.changes < maxChanges {
		return false
	}
	s.Bounded = "the search for hypotheses ended at its bound: a shorter piece of the recording (cut) may find more"
	return true
}

func (s *search) try(c clue) (t trial, err error) {
	s.trials++
	s.changes += s.Result.Changes()
	t.clue = c
	if t.result, err = s.Result.Assuming(append(slices.Clone(s.assumed), c.Assumption)); err != nil {
		return t, err
	}
	t.gain = s.Result.Findings() - t.result.Findings()
	for i := range t.result.Writes {
		if t.result.Writes[i].Decision != 0 && s.Result.Writes[i].Decision == 0 {
			t.settled = append(t.settled, i)
		}
	}
	return t, nil
}

// sharpen looks for when the process had ended before it began again: what it would have done
// meanwhile was not done.
func (s *search) sharpen(t trial) (trial, error) {
	best := t
	for range 3 {
		if t.Kind != shadow.Restarted {
			break
		}
		stopped, ok := idleSince(t.result, &t.Assumption)
		if !ok || s.exhausted() {
			break
		}
		c := t.clue
		c.Stopped = stopped
		other, err := s.try(c)
		if err != nil {
			return best, err
		}
		if t = other; t.gain > best.gain {
			best = t
		}
	}
	return best, nil
}

// widen makes the window of a restart of node-lifecycle hold every first pass that settles as much:
// where all that shows is that passes come at another phase than before, one more or less is as good.
func (s *search) widen(t *trial, h *Hypothesis) error {
	if t.Kind != shadow.Restarted || t.Who&shadow.NodeLifecycle == 0 {
		return nil
	}
	for _, step := range [...]time.Duration{-1, 1} {
		apart := step * (s.Result.Params.NodeMonitorPeriod.Value + usual)
		c := t.clue
		for range maxWider {
			if s.exhausted() {
				return nil
			}
			c.At = model.Interval{Earliest: c.At.Earliest.Add(apart), Latest: c.At.Latest.Add(apart)}
			if c.Stopped.Known() {
				c.Stopped = c.Stopped.Add(apart)
			}
			other, err := s.try(c)
			if err != nil {
				return err
			}
			if other.gain < t.gain {
				break
			}
			h.Window.Earliest, h.Window.Latest = min(h.Window.Earliest, c.At.Earliest), max(h.Window.Latest, c.At.Latest)
		}
	}
	h.Time = h.Window.Earliest.Add(h.Window.Width() / 2)
	return nil
}

// list adds what one trace alone speaks for, one candidate for each kind of assumption.
func (s *search) list(lone []trial) {
	slices.SortStableFunc(lone, func(a, b trial) int { return b.gain - a.gain })
	seen := map[[2]int]int{} // write, kind → listed
	for i := range lone {
		t := &lone[i]
		key := [2]int{t.settled[0], int(t.Kind)}
		if seen[key]++; seen[key] > 1 || len(s.Hypotheses) >= most+listed {
			continue
		}
		s.add(hypothesis(t, s.Result))
	}
}

func (s *search) add(h Hypothesis) {
	h.ID = "H" + string(rune('1'+len(s.Hypotheses)))
	s.Hypotheses = append(s.Hypotheses, h)
}
