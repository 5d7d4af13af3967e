package past

import (
	"kardia/model"
	"kardia/model/history"
)

// Previous finds the last Change in scope before a time, within the coverage.
func Previous(h history.History, before model.Instant, in Scope) (f Found, err error) {
	s := backSearch{history: h, in: in, earliest: model.FarPast, waiting: map[string]int{}}
	if c := h.Coverage(); c.Known() {
		s.earliest = c.Earliest
	}
	exhausted, err := walkBack(h, before-1, searchBudget, in.posts, s.visit, s.begins)
	if err != nil {
		return Found{}, err
	}
	return s.found(exhausted), nil
}

// backSearch searches backwards for a Change in scope. Only the version before a Node's version shows whether it
// differs. Until that one, or a state of the History that has it, is read, the candidate waits.
type backSearch struct {
	history  history.History
	in       Scope
	earliest model.Instant
	// candidates, the last in time first; those before head do not differ.
	candidates []candidate
	head       int
	// waiting are the candidates without their version before, by node.
	waiting map[string]int
	// sure: some candidate is known to count.
	sure bool
	// met counts the states of the History passed while any waited.
	met int
}

type candidate struct {
	at       model.Instant
	position int
	node     *model.Node
	settled  bool // it is known to add something
	old      bool // it is known not to
}

// visit takes the next Change, and reports whether to go on.
func (s *backSearch) visit(position int, ch *model.Change) bool {
	t := ch.Effective()
	if ch.Kind == model.KindNode && ch.Says() != model.TransitionUnknown {
		s.resolve(ch)
	}
	if t >= s.earliest && s.in.holds(ch) {
		c := candidate{at: t, position: position, settled: s.in.posts || !version(ch)}
		if s.sure = s.sure || c.settled; !c.settled {
			c.node = ch.Node
			s.waiting[ch.Key.Name] = len(s.candidates)
		}
		s.candidates = append(s.candidates, c)
	}
	found, waits := s.first()
	return waits || !found && t >= s.earliest
}

// first reports whether a candidate may count, and whether the first such waits.
func (s *backSearch) first() (found, waits bool) {
	for s.head < len(s.candidates) && s.candidates[s.head].old {
		s.head++
	}
	if s.head == len(s.candidates) {
		return false, false
	}
	return true, !s.candidates[s.head].settled
}

// begins reports whether to go on before a page. If the History has a state there, it has the versions that candidates
// wait for, which may else be minutes back. Reading it takes as long as some ten thousand Changes. So it is read if it
// decides: an older candidate is sure, or nothing older is needed. Else only the first, second, fourth … is read.
func (s *backSearch) begins(page history.Page) (more bool, err error) {
	first, _ := s.history.Span()
	over := page.Start <= first || s.history.PageAt(page.Start-1).Last < s.earliest
	if len(s.waiting) == 0 {
		return !over, nil
	}
	if s.history.StateBefore(page.Start) != page.Start {
		return true, nil
	}
	s.met++
	if !over && !s.sure && s.met&(s.met-1) != 0 {
		return true, nil
	}
	state, at, err := s.history.State(page.Start)
	if err != nil || at != page.Start {
		return true, err
	}
	for name, i := range s.waiting {
		var before *model.Node
		if row := state.Row(name); row != nil {
			before = row.Node
		}
		s.follows(i, before)
	}
	clear(s.waiting)
	found, _ := s.first()
	return !found && !over, nil
}

// resolve settles the candidate that waits for this version.
func (s *backSearch) resolve(ch *model.Change) {
	i, waits := s.waiting[ch.Key.Name]
	if !waits {
		return
	}
	delete(s.waiting, ch.Key.Name)
	before := ch.Node
	if ch.Op == model.OpDelete {
		before = nil
	}
	s.follows(i, before)
}

// follows settles a candidate, given the version before it; nil if there was none.
func (s *backSearch) follows(i int, before *model.Node) {
	c := &s.candidates[i]
	c.old = before != nil && len(NodeDifferences(before, c.node)) == 0
	c.settled = !c.old
	s.sure = s.sure || c.settled
}

// found is the first candidate left; one without a known version before counts.
func (s *backSearch) found(exhausted bool) Found {
	for _, c := range s.candidates[s.head:] {
		if !c.old && (c.settled || !exhausted) {
			return Found{At: c.at, Position: c.position}
		}
	}
	return Found{Exhausted: exhausted}
}

// walkBack calls visit for the Changes effective at or before a time, the last first, until it returns false. Without
// beats it skips renewals, which is quicker. begins, which may be nil, is asked after each page whether to go on before
// it. exhausted: it ended after budget Changes.
func walkBack(h history.History, from model.Instant, budget int, beats bool, visit func(position int, ch *model.Change) bool, begins func(history.Page) (more bool, err error)) (exhausted bool, err error) {
	first, end := h.Span()
	if first == end {
		return false, nil
	}
	read := history.Condensed{Full: beats, WithoutRenewals: !beats}
	for page := h.PageBefore(from); ; page = h.PageAt(page.Start - 1) {
		if err := h.Read(page, &read); err != nil {
			return false, err
		}
		last := page.End
		for i := len(read.Changes) - 1; i >= 0; i-- {
			at := page.Start + int(read.Slots[i])
			if budget -= last - at; budget < 0 {
				return true, nil
			}
			last = at
			if ch := &read.Changes[i]; ch.Effective() <= from && !visit(at, ch) {
				return false, nil
			}
		}
		budget -= last - page.Start
		if begins != nil {
			if more, err := begins(page); err != nil || !more {
				return false, err
			}
		}
		if page.Start <= first {
			return false, nil
		}
	}
}
