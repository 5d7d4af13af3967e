package session

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/sources/capture/stream"
	"kardia/ui/controllers"
)

const (
	// liveShare bounds the cost of the models of a live session. After a run they rest so many times as long as it
	// took, liveRest at least and liveRestMax at most. The result must not be late on a busy machine either.
	liveShare   = 29
	liveRest    = 2 * time.Second
	liveRestMax = 15 * time.Second
	// dearFrom is how long a costly run takes: one of thousands of nodes. Others rest goesOnShare for nothing, and
	// newsShare after unpredicted news: a person looks at that.
	dearFrom  = 300 * time.Millisecond
	newsShare = 9
	// goesOnShare and goesOnRestMax are the same while the controllers go on as predicted: for a zone of some hundred
	// nodes, for an hour and more.
	goesOnShare   = 99
	goesOnRestMax = 30 * time.Second
	// smallCluster is up to how many nodes they rest smallRestMax at most, unless nothing is due. A run for so few
	// costs little, but on a busy machine and in an hour of incidents, and a person looks at each node.
	smallCluster = 300
	smallRestMax = 4 * time.Second
	// calmShare and calmRestMax are the same while nothing is due and only signs of life were heard: the models would
	// give the same result again.
	calmShare   = 199
	calmRestMax = time.Minute
	// leastShare is how many times as long as a run they rest, however long the run is. A run for thousands of nodes
	// that are all late takes longer than the rests above. The control plane, which cannot keep up, may have the same
	// processors.
	leastShare = 4
)

// judgement is the models' result for the instant shown.
func (s *Session) judgement() *controllers.Judgement {
	if s.runner.judging == Never {
		return nil
	}
	if s.history != nil {
		s.runner.ask(s.at, s.moving)
	}
	return s.runner.shown
}

// judgeRecording has the models read a finished recording.
func (s *Session) judgeRecording() {
	if s.runner.judging == Never {
		return
	}
	s.runner.began = s.now()
	s.runner.runOver(s.history.Fork(), infer.Options{Params: s.params, Mode: infer.Calibrated}, infer.Overdue{})
}

// judged reports that there is a judgement of the instant shown, or that it is known not to
// come, or not to come soon.
func (s *Session) judged() bool {
	j := s.runner
	switch {
	case j.judging != InBackground:
		return true
	case j.models == nil:
		return j.reading && s.now().Sub(j.began) > judgeTime
	}
	return j.models.result == nil || j.current != nil && (j.current.at == min(s.at, j.models.until) || s.moving)
}

// judgeLive has the models read the news so far, once the lists are here and then every now and then. A session that is
// held is judged as it was when it was held, until a person looks further.
func (s *Session) judgeLive() {
	if s.following() || s.runner.models == nil {
		s.readOn()
	}
}

// readOn has the models of a live session read the news, unless they still read, or rest.
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
	j.began = now
	until, lost := s.live.asOf()
	if !lost {
		until = 0 // all that was heard
	}
	o := infer.Options{Params: s.params, Mode: infer.Causal, Until: until, Standstills: slices.Clone(s.live.news.held), Lasting: true, Watched: true,
		LeadersUnwatched: stream.LeadersUnwatched(s.live.status)}
	if j.models != nil && j.models.result != nil {
		o.Past, o.Tried = j.models.result.Past(), j.models.result.Tried()
	}
	s.live.calm.judge(s.cursor.State(), s.at)
	j.runOver(s.live.memory.Recent(), o, s.live.news.overdue)
	if j.judging == AtOnce {
		j.ended = now
		s.touch()
	}
}

// judgedAsOf is the instant of the models' result in a live session. It is unknown if that is not more than a pass ago,
// or they would surely give the same again.
func (s *Session) judgedAsOf() model.Instant {
	said := s.runner.current
	if !s.following() || said == nil || said.state == nil || s.at.Sub(said.at) <= s.params.NodeMonitorPeriod.Value {
		return 0
	}
	if _, lost := s.live.asOf(); lost || !s.live.calm.reading && s.live.calm.waits(s.cursor.State(), s.at, said) {
		return 0
	}
	return said.at
}

// modelsRest is how long the models of a live session rest between two runs.
func (s *Session) modelsRest() time.Duration {
	j, share, limit := s.runner, liveShare, liveRestMax
	cost := j.models.cost
	if j.current != nil {
		cost += j.current.cost
	}
	state := s.cursor.State()
	if state.RowCount() <= smallCluster {
		limit = smallRestMax
	}
	switch {
	case s.live.calm.waits(state, s.at, j.current):
		share, limit = calmShare, calmRestMax
	case s.live.calm.goesOn(state, s.at, j.current):
		if cost >= dearFrom && limit > smallRestMax {
			share, limit = goesOnShare, goesOnRestMax
		}
	case cost < dearFrom && s.live.calm.hasNews(j.current):
		share = newsShare
	}
	return restAfter(cost, share, limit)
}

// restAfter is so many times what a run cost, between liveRest and a limit, unless that is less than leastShare times the cost.
func restAfter(cost time.Duration, share int, limit time.Duration) time.Duration {
	return max(min(max(liveRest, time.Duration(share)*cost), limit), leastShare*cost)
}

// fetchModels shows what the models have found.
func (s *Session) fetchModels() {
	before := s.runner.models
	if !s.runner.fetch() {
		return
	}
	if m := s.runner.models; m != before {
		s.runner.ended = s.now()
		if s.live != nil {
			s.live.calm.reading = false
		}
		switch {
		case s.live == nil:
		case m.result != nil:
			s.noteController(m.result, m.until, m.stood)
		case m.withdrawn != nil:
			s.live.news.takeBack(m.withdrawn, m.until)
		}
	}
	s.touch()
}
