package session

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
)

// tracks keeps the last Track that was built, wider than it was asked for, so that
// playing and following do not read the History for every frame. It is built in the background:
// minutes of a large cluster are a million Changes.
type tracks struct {
	cached  *trackOrder // whose Track was built; nil before the first
	running *trackOrder
	ended   time.Time // when cached was taken back
	reader  *watched  // what they are built of; nil before the first

	orders chan *trackOrder // capacity 1
	back   chan *trackOrder // capacity 1
}

// trackOrder is a Track to be built, and then what was built.
type trackOrder struct {
	node    string
	window  model.Interval
	covered model.Interval // the coverage when it was ordered
	reader  *watched
	stopped atomic.Bool

	built *past.Track
	err   error
	cost  time.Duration
}

// slack is how much of the newest past a kept Track of a growing History may lack at least; where
// it takes long to build it lacks more, so that building takes a fifth of the time at most.
const slack = time.Second

func (o *trackOrder) carryOut(ctx context.Context) {
	began := time.Now()
	o.reader.watch = func(history.Page) error {
		if o.stopped.Load() || ctx.Err() != nil {
			return errStopped
		}
		return nil
	}
	o.built, o.err = past.BuildTrack(o.reader, o.node, o.window)
	o.cost = time.Since(began)
}

// Track is a node's past over a window, as far as it was read: where more is being read the Track
// says so.
func (s *Session) Track(node string, window model.Interval) *past.Track {
	if s.history == nil || !window.Bounded() {
		return &past.Track{Window: window}
	}
	k, c := &s.tracks, s.Coverage()
	if k.cached != nil && k.cached.serves(node, window, c, s.live != nil && s.now().Sub(k.ended) < 4*k.cached.cost) {
		return k.cached.built.Clip(window)
	}
	s.orderTrack(node, window, c)
	if k.cached != nil && k.cached.serves(node, window, c, true) {
		return k.cached.built.Clip(window)
	}
	part := &past.Track{Reading: k.running != nil}
	if k.cached != nil && k.cached.node == node {
		if both, ok := window.Intersect(k.cached.window); ok {
			part = k.cached.built.Clip(both)
			part.Reading = k.running != nil
		}
	}
	return part
}

// orderTrack has a Track built, unless it is being built.
func (s *Session) orderTrack(node string, window, c model.Interval) {
	k := &s.tracks
	if r := k.running; r != nil {
		if !r.serves(node, window, c, true) {
			r.stopped.Store(true) // the next frame asks again
		}
		return
	}
	wide := model.Interval{Earliest: window.Earliest.Add(-window.Width() / 2), Latest: window.Latest.Add(window.Width() / 2)}
	if k.reader == nil || s.live != nil {
		k.reader = &watched{History: s.history.Fork()}
	}
	o := &trackOrder{node: node, window: wide, covered: c, reader: k.reader}
	if !s.seeker.async {
		o.carryOut(context.Background())
		s.takeTrack(o)
		return
	}
	k.running = o
	k.orders <- o
}

// takeTrack takes back a Track that was built, or not.
func (s *Session) takeTrack(o *trackOrder) {
	k := &s.tracks
	k.running = nil
	switch {
	case errors.Is(o.err, errStopped):
	case o.err != nil:
		if s.err == nil {
			s.err = o.err
		}
		o.built = &past.Track{Window: o.window} // it would fail again
		fallthrough
	default:
		k.cached, k.ended = o, s.now()
	}
	s.touch()
}

// serves says whether it holds all that is asked for: the window lies in what is built, and
// nothing that matters has arrived since, or that is not asked for.
func (o *trackOrder) serves(node string, window, coverage model.Interval, old bool) bool {
	if o.node != node || window.Earliest < o.window.Earliest || window.Latest > o.window.Latest {
		return false
	}
	return old || min(window.Latest, coverage.Latest) <= o.covered.Latest.Add(slack)
}
