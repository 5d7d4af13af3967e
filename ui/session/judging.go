package session

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/infer"
	"kardia/sources/capture/stream"
)

// The models of a live session run when something came, and then rest a multiple of the run's time, at least liveRest.
// It is busyShare after news, a fifteenth of a core at most, and calmShare after mere signs of life.
const (
	busyShare = 14
	calmShare = 199
	liveRest  = time.Second
)

func (s *Session) judgement() *outlook.Judgement {
	if s.runner.judging == Never {
		return nil
	}
	if s.history != nil {
		s.judgeAt(s.at)
	}
	return s.runner.shown
}

// judgeRecording lets the models read a finished recording.
func (s *Session) judgeRecording() {
	if s.runner.judging == Never {
		return
	}
	s.runModels(s.history.Fork(), infer.Options{Params: s.params, Mode: infer.Calibrated}, infer.Overdue{})
}

// judgeLive lets the models read the news, once the lists are complete and then now and then. A held session is judged
// up to its time, until a person looks further.
func (s *Session) judgeLive() {
	if j := s.runner; s.following() || j.models == nil || j.models.until < s.at {
		s.readOn()
	}
}

// readOn lets the models read the news, unless they still read, or rest.
func (s *Session) readOn() {
	j, now := s.runner, s.now()
	switch {
	case s.live == nil || j.judging == Never || j.reading || !s.enoughListed():
		return
	case j.models != nil && now.Sub(j.ended) < s.modelsRest():
		return
	}
	if first, end := s.history.Span(); first == end {
		return
	}
	until, lost := s.live.asOf()
	if !lost {
		until = 0 // everything received
	}
	o := infer.Options{Params: s.params, Mode: infer.Causal, Until: until, Standstills: slices.Clone(s.live.news.held), Lasting: true, Watched: true,
		LeadersUnwatched: stream.LeadersUnwatched(s.live.status)}
	if j.models != nil && j.models.result != nil {
		o.Past, o.Tried = j.models.result.Past(), j.models.result.Tried()
	}
	s.live.calm.judge(s.cursor.State(), s.at)
	s.runModels(s.live.memory.Recent(), o, s.live.news.overdue)
	if j.judging == AtOnce {
		s.touch()
	}
}

// judgedAsOf is the time of the models' result in a live session, unless at most a pass ago, or still the same.
func (s *Session) judgedAsOf() model.Instant {
	said := s.runner.current
	if !s.following() || said == nil || said.State == nil || s.at.Sub(said.at) <= s.params.NodeMonitorPeriod.Value {
		return 0
	}
	if _, lost := s.live.asOf(); lost || !s.live.calm.reading && s.live.calm.waits(s.cursor.State(), s.at, said) {
		return 0
	}
	return said.at
}

func (s *Session) modelsRest() time.Duration {
	j, share := s.runner, time.Duration(busyShare)
	cost := j.models.cost
	if j.current != nil {
		cost += j.current.cost
	}
	if s.live.calm.waits(s.cursor.State(), s.at, j.current) {
		share = calmShare
	}
	return max(liveRest, share*cost)
}
