package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/alternative"
)

// Judging is when the models of the controllers are run.
type Judging uint8

const (
	// InBackground: from Start on, without waiting: the last result is shown, with its time, until the next is ready.
	InBackground Judging = iota
	// AtOnce: for each Snapshot, at exactly its time. For single frames and tests.
	AtOnce
	// Never: Snapshots have no judgement.
	Never
)

const (
	// stride is how far a moving time gets before the models are asked again.
	stride = time.Second
	// restMin and restMax bound the rest after a state, which is as long as the work: half a core stays free.
	restMin, restMax = 30 * time.Millisecond, time.Second
	// judgeTime is how long a single frame, and Settled, wait for the models.
	judgeTime = 30 * time.Second
)

// modelRunner runs the models, and keeps their last result. Its worker shares it, except the unshared fields.
type modelRunner struct {
	judging Judging
	live    bool
	now     func() time.Time
	tell    func() // there is something to fetch

	models  *models
	current *modelsAt
	shown   *outlook.Judgement
	// tried is the options for a node, at the present time or an earlier one; wanted is the last request.
	tried  *alternative.Tried
	wanted wanted
	// reading: a run is in progress, or to come, since began; ended is when the last one was fetched.
	reading      bool
	began, ended time.Time
	asked        model.Instant

	garbage *garbage
	percent atomic.Int64  // how far the models have read
	wake    chan struct{} // capacity 1: there is an order
	mu      sync.Mutex
	order   order
	found   found
}

// order is the worker's task; only the newest counts.
type order struct {
	history history.History // to run the models over; nil for none
	options infer.Options
	// overdue is the last run's finding about a live session.
	overdue infer.Overdue
	at      model.Instant // to work the state out at; unknown for none
	try     string        // the node to try alternatives on; "" for none
}

type wanted struct {
	node string
	at   model.Instant
}

// found is the worker's results since the last fetch.
type found struct {
	models  *models
	current *modelsAt
	tried   *alternative.Tried
}

func newModelRunner(judging Judging) *modelRunner {
	j := &modelRunner{judging: judging, garbage: &garbage{}, wake: make(chan struct{}, 1), tell: func() {}}
	j.show()
	return j
}

// runOver runs the models over a History, which must not change meanwhile.
func (j *modelRunner) runOver(h history.History, o infer.Options, overdue infer.Overdue) {
	j.reading, j.asked = true, 0
	j.request(func(next *order) { next.history, next.options, next.overdue = h, o, overdue })
}

// ask requests the state at a time, while moving not at every one.
func (j *modelRunner) ask(at model.Instant, moving bool) {
	if at == j.asked || !at.Known() || moving && j.asked.Known() && max(at.Sub(j.asked), j.asked.Sub(at)) < stride {
		return
	}
	j.asked = at
	j.request(func(next *order) { next.at = at })
	if j.judging == AtOnce {
		j.runNow()
	}
}

// request changes the worker's next order, and wakes it.
func (j *modelRunner) request(change func(*order)) {
	j.mu.Lock()
	change(&j.order)
	j.mu.Unlock()
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

func (j *modelRunner) take() order {
	j.mu.Lock()
	defer j.mu.Unlock()
	o := j.order
	j.order = order{}
	return o
}

// work carries out orders until the context ends.
func (j *modelRunner) work(ctx context.Context) {
	if j.judging != InBackground {
		return
	}
	var m *models
	var last *modelsAt
	var try string // the node to try alternatives on, once there is a state
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.wake:
		}
		if ctx.Err() != nil {
			return // both were there
		}
		o := j.take()
		if o.history != nil {
			began := time.Now()
			o.options.Progress = func(share float64) bool {
				if percent := int64(share * 100); j.percent.Swap(percent) != percent {
					j.tell()
				}
				return ctx.Err() == nil
			}
			m = runAfter(o.overdue, o.history, o.options)
			m.cost, last = time.Since(began), nil
			j.post(found{models: m})
		}
		if o.try != "" {
			try = o.try
		}
		if m == nil || m.result == nil || !o.at.Known() && (try == "" || last == nil) {
			continue
		}
		began := time.Now()
		if o.at.Known() && (last == nil || last.at != min(o.at, m.until)) { // beyond its end nothing is new
			last = m.at(o.at)
			last.cost = time.Since(began)
			j.post(found{current: last})
		}
		if try != "" {
			j.post(found{tried: last.try(try)})
			try = ""
		}
		if j.live {
			j.garbage.release(time.Now())
		}
		j.garbage.collect()
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(max(time.Since(began), restMin), restMax)):
		}
	}
}

// runNow does the worker's work at once.
func (j *modelRunner) runNow() {
	o := j.take()
	if o.history != nil {
		deadline := j.now().Add(judgeTime)
		o.options.Progress = func(float64) bool { return j.now().Before(deadline) }
		j.post(found{models: runAfter(o.overdue, o.history, o.options)})
		j.fetch()
		j.asked = o.at
	}
	if o.at.Known() && j.models != nil && j.models.result != nil {
		j.post(found{current: j.models.at(o.at)})
		j.fetch()
	}
	if o.try != "" && j.current != nil {
		j.post(found{tried: j.current.try(o.try)})
		j.fetch()
	}
}

// try is the last options for a node; nil before they are known.
func (j *modelRunner) try(node string) *alternative.Tried {
	if j.current == nil || j.current.missing.Reason != "" || node == "" {
		return nil
	}
	if now := (wanted{node, j.current.at}); j.wanted != now {
		j.wanted = now
		j.request(func(next *order) { next.try = node })
		if j.judging == AtOnce {
			j.runNow()
		}
	}
	if j.tried == nil || j.tried.Node != node {
		return nil
	}
	return j.tried
}

func (j *modelRunner) post(f found) {
	j.mu.Lock()
	if f.models != nil {
		j.found = found{models: f.models} // a state of the run before is out of date
	}
	if f.current != nil {
		j.found.current = f.current
	}
	if f.tried != nil {
		j.found.tried = f.tried
	}
	j.mu.Unlock()
	j.tell()
}

// fetch takes the result, and reports whether there was one.
func (j *modelRunner) fetch() bool {
	j.mu.Lock()
	f := j.found
	j.found = found{}
	j.mu.Unlock()
	if f == (found{}) && (!j.reading || j.models != nil || int(j.percent.Load()) == j.shown.Missing.Percent) {
		return false
	}
	if f.models != nil {
		j.models, j.reading, j.asked = f.models, false, 0
		if f.models.result == nil {
			j.current = nil
		}
	}
	if f.current != nil {
		j.current = f.current
	}
	if f.tried != nil {
		j.tried = f.tried
	}
	j.show()
	return true
}

func (j *modelRunner) show() {
	if j.models != nil {
		j.shown = j.models.says(j.current)
		return
	}
	missing := outlook.Missing{Reason: outlook.ReadingRecording, Percent: int(j.percent.Load())}
	switch {
	case j.live && j.reading:
		missing.Reason = outlook.ReadingChanges
	case j.live:
		missing = outlook.Missing{Reason: outlook.ReadingLists}
	}
	j.shown = &outlook.Judgement{Missing: missing}
}
