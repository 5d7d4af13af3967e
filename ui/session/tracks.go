package session

import (
	"cmp"
	"context"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
)

// tracks keeps the last Track, wider than requested, so that playing and following do not read the History for every
// frame. It is built in the background: minutes of a large cluster are a million Changes.
type tracks struct {
	latest[trackOrder]
	reader *watched // their inputs; nil before the first
}

// trackOrder is a Track to be built, and then the result.
type trackOrder struct {
	node    string
	window  model.Interval
	covered model.Interval // the coverage when it was ordered
	reader  *watched

	built *past.Track
	err   error
}

// slack is how much of the newest past a kept Track may lack at least. A Track that takes long to build may lack more,
// so that building takes at most a fifth of the time.
const slack = time.Second

func (o *trackOrder) carryOut(ctx context.Context) {
	o.reader.watch = func(history.Page) error {
		return ctx.Err()
	}
	o.built, o.err = past.BuildTrack(o.reader, o.node, o.window)
	if o.err != nil {
		o.built = &past.Track{Window: o.window} // it would fail again
	}
}

// Track is a node's past over a window, as far as it was read: its fields show whether more is being read.
func (s *Session) Track(node string, window model.Interval) *past.Track {
	if s.history == nil || !window.Bounded() {
		return &past.Track{Window: window}
	}
	k, c := &s.tracks, s.Coverage()
	if k.cached != nil && k.cached.serves(node, window, c, s.live != nil && k.since(s.now()) < 4*k.cost) {
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

func (s *Session) orderTrack(node string, window, c model.Interval) {
	k := &s.tracks
	if r := k.running; r != nil {
		if !r.serves(node, window, c, true) {
			k.stop()
		}
		return
	}
	wide := model.Interval{Earliest: window.Earliest.Add(-window.Width() / 2), Latest: window.Latest.Add(window.Width() / 2)}
	if k.reader == nil || s.live != nil {
		k.reader = &watched{History: s.history.Fork()}
	}
	o := &trackOrder{node: node, window: wide, covered: c, reader: k.reader}
	k.waits = k.cached != nil && k.cached.serves(node, window, c, true)
	k.order(s, o, func(ctx context.Context) {
		if o.carryOut(ctx); o.err != nil && ctx.Err() == nil {
			s.hand(func() { s.err = cmp.Or(s.err, o.err) })
		}
	})
}

// serves reports whether it has all that is requested. The window is in the built part, and nothing relevant has
// arrived since, or that is not needed.
func (o *trackOrder) serves(node string, window, coverage model.Interval, old bool) bool {
	if o.node != node || window.Earliest < o.window.Earliest || window.Latest > o.window.Latest {
		return false
	}
	return old || min(window.Latest, coverage.Latest) <= o.covered.Latest.Add(slack)
}
