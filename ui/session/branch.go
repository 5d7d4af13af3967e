package session

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/whatif"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

// beyond is how far a branch runs that starts at the end of the recording, or now.
const beyond = 15 * time.Minute

// brancher plays branches, one at a time, and keeps the last result. Only its worker shares it.
type brancher struct {
	shown   *screen.Branch
	waiting bool // for the models, to begin
	job     *branchJob

	tell func()
	wake chan struct{} // capacity 1: there is a job
	mu   sync.Mutex
	next *branchJob // the one to take, nil for none
	done *screen.Branch
	of   *branchJob // the job that done is of

	base prepares // the worker's own
}

type branchJob struct {
	order    screen.BranchOrder
	history  history.History
	models   *models
	stopped  atomic.Bool
	progress atomic.Uint64 // bits of a float64
}

// prepares is a Base and its needs: a branch with the same needs reuses it.
type prepares struct {
	models *models
	from   model.Instant
	lasts  time.Duration
	is     *whatif.Base
	job    *branchJob // receives its progress
}

func newBrancher() *brancher { return &brancher{wake: make(chan struct{}, 1), tell: func() {}} }

// Branch plays a branch and drops an earlier one. Without From it starts at the time shown.
func (s *Session) Branch(o screen.BranchOrder) {
	b := s.branches
	b.stop()
	if !o.From.Known() {
		o.From = s.at
	}
	b.shown, b.waiting = &screen.Branch{Order: o.Clone()}, true
	s.playBranch()
	s.touch()
}

// LeaveBranch ends the branch, and what of it is under way.
func (s *Session) LeaveBranch() {
	s.branches.stop()
	s.branches.shown = nil
	s.touch()
}

func (b *brancher) stop() {
	b.waiting = false
	if b.job != nil {
		b.job.stopped.Store(true)
		b.job = nil
	}
}

// playBranch starts a waiting branch, once the models are ready.
func (s *Session) playBranch() {
	b, m := s.branches, s.runner.models
	switch {
	case !b.waiting || m == nil && s.runner.judging != Never:
		return
	case m == nil:
		b.shown, b.waiting = refused(b.shown, "no models run here"), false
		return
	case m.result == nil:
		b.shown, b.waiting = refused(b.shown, topics.Unjudged(m.missing)), false
		return
	}
	b.waiting = false
	b.job = &branchJob{order: b.shown.Order, history: s.branchable(), models: m}
	if s.runner.judging == AtOnce {
		b.shown = b.play(b.job)
		b.job = nil
		return
	}
	b.mu.Lock()
	b.next = b.job
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// branchable is the models' History, for another goroutine.
func (s *Session) branchable() history.History {
	if s.live != nil {
		return s.live.memory.Recent()
	}
	return s.history.Fork()
}

func refused(b *screen.Branch, why string) *screen.Branch {
	r := *b
	r.Refused, r.Progress = why, 1
	return &r
}

// work plays branches until the context ends.
func (b *brancher) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		b.mu.Lock()
		job := b.next
		b.next = nil
		b.mu.Unlock()
		if job == nil {
			continue
		}
		end := context.AfterFunc(ctx, func() { job.stopped.Store(true) })
		is := b.play(job)
		end()
		b.mu.Lock()
		b.done, b.of = is, job
		b.mu.Unlock()
		b.tell()
	}
}

// fetchBranch shows the progress of the branch, and its result.
func (s *Session) fetchBranch() {
	b := s.branches
	s.playBranch()
	if b.job == nil {
		return
	}
	b.mu.Lock()
	done := b.done
	if b.of != b.job {
		done = nil
	}
	b.mu.Unlock()
	share := math.Float64frombits(b.job.progress.Load())
	switch {
	case done != nil:
		b.shown, b.job = done, nil
	case share != b.shown.Progress:
		is := *b.shown
		is.Progress = share
		b.shown = &is
	default:
		return
	}
	s.touch()
}

func (b *brancher) play(job *branchJob) (is *screen.Branch) {
	is = &screen.Branch{Order: job.order, Progress: 1}
	defer func() {
		if x := recover(); x != nil {
			is.Answer, is.Refused = nil, topics.Unjudged(bug(x))
		}
	}()
	base, err := b.prepare(job)
	var refusal *whatif.Refusal
	switch {
	case errors.As(err, &refusal):
		is.Fit, is.Refused = refusal.Fit, topics.BranchRefusal(refusal).String()
		return is
	case err != nil:
		is.Refused = err.Error()
		return is
	}
	is.From, is.Until, is.Fit, is.Params, is.Recorded = base.From, base.Until, &base.Fit, base.Params, job.models.result.Coverage.Latest
	is.NoPods = !base.ShowsPods
	branch, err := job.order.Of(base.Params)
	if err != nil {
		is.Refused = err.Error()
		return is
	}
	if is.Answer = base.Branch(branch); is.Answer == nil {
		is.Refused = whatif.ErrStopped.Error()
	}
	return is
}

func (b *brancher) prepare(job *branchJob) (*whatif.Base, error) {
	m, from, lasts := job.models, job.order.From, job.order.For
	end := m.result.Coverage.Latest
	if from = min(from, end); from == end {
		lasts = max(lasts, beyond)
	}
	b.base.job = job
	if b.base.is != nil && b.base.models == m && b.base.from == from && b.base.lasts == lasts {
		return b.base.is, nil
	}
	o := whatif.Options{From: from, For: lasts, Progress: b.told, StateAt: m.branchState}
	base, err := whatif.Prepare(job.history, m.result, o)
	var refusal *whatif.Refusal
	if errors.As(err, &refusal) && refusal.Begins.Known() && from < refusal.Begins.Earliest {
		o.From = refusal.Begins.Earliest // as soon as can be
		base, err = whatif.Prepare(job.history, m.result, o)
	}
	if err == nil {
		b.base = prepares{m, from, lasts, base, job}
	}
	return base, err
}

// The method notes the progress of the present job.
func (b *brancher) told(share float64) bool {
	job := b.base.job
	if before := math.Float64frombits(job.progress.Load()); share >= before+0.01 || share < before {
		job.progress.Store(math.Float64bits(share))
		b.tell()
	}
	return !job.stopped.Load()
}

// branchState is the controllers' state at a time; the models answer one question at a time.
func (m *models) branchState(at model.Instant) (*infer.State, error) {
	m.asked.Lock()
	defer m.asked.Unlock()
	s, err := whatif.StateAt(m.result, at)
	if err != nil {
		return nil, err
	}
	return s.Clone(), nil
}
