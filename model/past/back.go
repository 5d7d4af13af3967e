package past

import (
	"kardia/model"
	"kardia/model/history"
)

// Previous finds the last Change in scope before an instant, within the coverage.
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

// backSearch looks backwards for a Change in scope. Whether a version of a Node says something
// new, only the version before it tells: until that is met, or a state of the History that holds it, it waits.
type backSearch struct {
	history  history.History
	in       Scope
	earliest model.Instant
	// candidates are those met, the last in time first; the ones before head say nothing new.
	candidates []candidate
	head       int
	// waiting are the candidates, by node, whose version before is not met yet.
	waiting map[string]int
	// sure: one of the candidates is known to say something new.
	sure bool
	// met is how many states of the History were come by while any waited.
	met int
}

type candidate struct {
	at       model.Instant
	position int
	node     *model.Node
	settled  bool // it is known to say something new
	old      bool // it is known not to
}

// visit takes the next Change, and says whether to go on.
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

// first says whether there is a candidate that may say something new, and whether the first of them waits.
func (s *backSearch) first() (found, waits bool) {
	for s.head < len(s.candidates) && s.candidates[s.head].old {
		s.head++
	}
	if s.head == len(s.candidates) {
		return false, false
	}
	return true, !s.candidates[s.head].settled
}

// begins says whether to go on with what lies before a page. Where the History has a state there, that tells
// the versions before those that wait, for which one would have to go minutes back. It takes as long to read as
// some ten thousand Changes: that is done where it decides, for something older is known to be new, or nothing
// older is asked for; and else at the first, the second, the fourth and so on.
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

// resolve settles the version that waits for this one.
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

// follows settles a version, given the one before it; nil where there was no such object.
func (s *backSearch) follows(i int, before *model.Node) {
	c := &s.candidates[i]
	c.old = before != nil && len(NodeDifferences(before, c.node)) == 0
	c.settled = !c.old
	s.sure = s.sure || c.settled
}

// found is the candidate that is left: one whose version before is not known says something new.
func (s *backSearch) found(exhausted bool) Found {
	for _, c := range s.candidates[s.head:] {
		if !c.old && (c.settled || !exhausted) {
			return Found{At: c.at, Position: c.position}
		}
	}
	return Found{Exhausted: exhausted}
}

// walkBack calls visit for the Changes effective at or before an instant, the last one first,
// until it returns false; without beats not for renewals of leases, which is quicker. After each page begins,
// unless it is nil, says whether to go on with what lies before it. exhausted says that it gave up after budget
// Changes.
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
