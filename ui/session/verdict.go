package session

import (
	"cmp"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/sources/capture/stream"
)

// Verdict passes the verdicts at the time shown, with that time, to the callback, now or later.
func (s *Session) Verdict(tell func([]verdict.Verdict, model.Instant, error)) {
	if s.history == nil {
		tell(nil, 0, nil)
		return
	}
	var list []verdict.Verdict
	var here model.Instant
	by := verdict.View{Watched: s.live != nil}
	s.submit(&seekJob{what: "verdict", onStart: func() {
		here = s.drawn
		if j := s.runner.shown; j != nil && j.State != nil {
			by.Overdue = j.State.Overdue
		}
		if s.live != nil {
			by.LeadersUnwatched = stream.LeadersUnwatched(s.live.status)
		}
		if s.live != nil && s.live.contact.Lost {
			by.Blind = verdict.Fact{Code: "no-answer", Text: cmp.Or(s.live.contact.Why, "no reason given")}
		}
	}, find: func(at *viewpoint) error {
		evidence, err := verdict.Look(at.cursor, here, by)
		if err != nil {
			return err
		}
		list = verdict.Of(evidence)
		return nil
	}, onDone: func(err error) { tell(list, here, err) }})
}
