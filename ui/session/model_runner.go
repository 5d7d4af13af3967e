package session

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/alternative"
)

const (
	// stride is how far a moving time gets before the models are asked again.
	stride = time.Second
	// restMin and restMax bound the rest after a state, which is as long as the work: half a core stays free.
	restMin, restMax = 30 * time.Millisecond, time.Second
)

func newModelRunner(judging Judging) *modelRunner {
	j := &modelRunner{judging: judging, garbage: &garbage{}}
	j.show()
	return j
}

// runModels runs the models over a History, which must not change meanwhile. AtOnce they wait until a time is asked for.
func (s *Session) runModels(h history.History, o infer.Options, overdue infer.Overdue) {
	j := s.runner
	j.reading, j.asked = true, 0
	j.order.history, j.order.options, j.order.overdue = h, o, overdue
	if j.judging == InBackground {
		s.obey()
	}
}

// judgeAt requests the state at a time, while moving not at every one.
func (s *Session) judgeAt(at model.Instant) {
	j := s.runner
	if at == j.asked || !at.Known() || s.moving && j.asked.Known() && max(at.Sub(j.asked), j.asked.Sub(at)) < stride {
		return
	}
	j.asked, j.order.at = at, at
	s.obey()
}

// obey starts the order, unless the models work on another: then it waits.
func (s *Session) obey() {
	j := s.runner
	if o := &j.order; j.working || j.judging == InBackground && !s.async || o.history == nil && !o.at.Known() && o.try == "" {
		return
	}
	o, m, last := j.order, j.models, j.current
	j.order, j.working = order{}, true
	s.do(func(ctx context.Context) { s.carryOut(ctx, o, m, last) }, func(bool) {
		j.working = false
		s.obey()
	})
}

// carryOut carries out an order with the models and their last state, and hands each result over.
func (s *Session) carryOut(ctx context.Context, o order, m *models, last *modelsAt) {
	j, began := s.runner, time.Now()
	took := func() time.Duration {
		if j.judging == InBackground {
			return time.Since(began)
		}
		return 0 // it needs no rest
	}
	if o.history != nil {
		deadline, percent := s.now().Add(judgeTime), 0
		o.options.Progress = func(share float64) bool {
			if j.judging == AtOnce {
				return s.now().Before(deadline)
			}
			if now := int(100 * share); now != percent {
				percent = now
				s.hand(func() { s.noteProgress(now) })
			}
			return s.background.ctx.Err() == nil // the result asks it later, too
		}
		m, last = runAfter(o.overdue, o.history, o.options), nil
		m.cost = took()
		s.hand(func() { s.takeModels(m) })
	}
	if m == nil || m.result == nil {
		return
	}
	began = time.Now()
	if o.at.Known() && (last == nil || last.at != min(o.at, m.until)) { // beyond its end nothing is new
		last = m.at(o.at)
		last.cost = took()
		s.hand(func() {
			j.current = last
			s.showModels()
		})
	}
	if o.try != "" && last != nil {
		tried := last.try(o.try)
		s.hand(func() {
			j.tried = tried
			s.showModels()
		})
	}
	if j.judging != InBackground {
		return
	}
	if j.live {
		j.garbage.release(time.Now())
	}
	j.garbage.collect()
	select {
	case <-ctx.Done():
	case <-time.After(min(max(took(), restMin), restMax)):
	}
}

func (s *Session) noteProgress(percent int) {
	if j := s.runner; j.models == nil {
		j.percent = percent
		s.showModels()
	}
}

// takeModels shows the result of a run. The state of the run before serves until the next.
func (s *Session) takeModels(m *models) {
	j := s.runner
	j.models, j.reading, j.asked, j.wanted, j.ended = m, false, 0, wanted{}, s.now()
	if m.result == nil {
		j.current = nil
	}
	if s.live != nil && j.judging != AtOnce { // a single frame has no news
		s.live.calm.reading = false
		if withdrawn := m.missing.Withdrawn(); withdrawn != nil {
			s.live.news.takeBack(withdrawn, m.until)
		} else if m.result != nil {
			s.noteController(m.result, m.until, m.stood)
		}
	}
	s.showModels()
	s.playBranch()
}

// try is the last options for a node; nil before they are known.
func (s *Session) try(node string) *alternative.Tried {
	j := s.runner
	if j.current == nil || j.current.Missing.Reason != "" || node == "" {
		return nil
	}
	if now := (wanted{node, j.current.at}); j.wanted != now {
		j.wanted, j.order.try = now, node
		s.obey()
	}
	if j.tried == nil || j.tried.Node != node {
		return nil
	}
	return j.tried
}

func (s *Session) showModels() {
	s.runner.show()
	s.touch()
}

func (j *modelRunner) show() {
	if j.models != nil {
		j.shown = j.models.says(j.current)
		return
	}
	missing := outlook.Missing{Reason: outlook.ReadingRecording, Percent: j.percent}
	switch {
	case j.live && j.reading:
		missing.Reason = outlook.ReadingChanges
	case j.live:
		missing = outlook.Missing{Reason: outlook.ReadingLists}
	}
	j.shown = &outlook.Judgement{Missing: missing}
}

// enoughGarbage is worth a collection: that of a few jumps.
const enoughGarbage = 24 << 20

// collect starts a collection if that is worth it, unless the runtime collected meanwhile, and does not wait.
func (g *garbage) collect() {
	allocated, cycles := taken()
	if g.cycles.Swap(cycles) != cycles {
		g.collected.Store(allocated)
	}
	if allocated-g.collected.Load() < enoughGarbage || !g.busy.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer g.busy.Store(false)
		runtime.GC()
	}()
}

// releaseEvery is the least time between releases of free memory: each takes a collection, 50 ms for 2,000 nodes.
const releaseEvery = time.Minute

// release frees the memory for reading a live session's first lists, and later that of a run of the models. Each is a
// quarter of the kept memory, and the runtime would release it over minutes.
func (g *garbage) release(now time.Time) {
	if now.Sub(g.released) >= releaseEvery {
		g.released = now
		debug.FreeOSMemory()
	}
}

// taken is how many bytes this process ever allocated, and how often garbage was collected.
func taken() (allocated, cycles uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
