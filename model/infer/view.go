package infer

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
)

// view is a part of a History: the positions [first, end), with the state before them and the known bounds of their time.
type view struct {
	history.History
	first, end int
	state      *model.Cluster // before first; nil: that of the History
	coverage   model.Interval
	gaps       []history.Gap
	sources    []history.Source
}

func (v view) Span() (first, end int)    { return v.first, v.end }
func (v view) StateBefore(int) (at int)  { return v.first }
func (v view) Coverage() model.Interval  { return v.coverage }
func (v view) Gaps() []history.Gap       { return v.gaps }
func (v view) Sources() []history.Source { return v.sources }
func (v view) Fork() history.History     { v.History = v.History.Fork(); return v }
func (v view) State(int) (state *model.Cluster, at int, err error) {
	if v.state == nil {
		return v.History.State(v.first)
	}
	return v.state.Clone(), v.first, nil
}

// whole is all of a History, whose gaps and sources may be changed.
func whole(h history.History) view {
	v := view{History: h, coverage: h.Coverage(), gaps: slices.Clone(h.Gaps()), sources: slices.Clone(h.Sources())}
	v.first, v.end = h.Span()
	return v
}

// upTo is a History up to a time. It is read from its start: callers need its end. A gap that had not ended ends after
// the time.
func upTo(h history.History, at model.Instant) view {
	v := whole(h)
	v.coverage.Latest = max(v.coverage.Earliest, min(v.coverage.Latest, at))
	v.gaps = slices.DeleteFunc(v.gaps, func(g history.Gap) bool { return g.Earliest >= at })
	for i := range v.gaps {
		v.gaps[i].Latest = min(v.gaps[i].Latest, at+1)
	}
	for i := range v.sources {
		if c := &v.sources[i].Coverage; c.Known() {
			c.Latest = max(c.Earliest, min(c.Latest, at))
		}
	}
	return v
}

// from is the part of a view from a time on.
func (v view) from(t model.Instant) (view, error) {
	c := history.NewCursor(v.History)
	if err := c.Seek(t); err != nil || c.Position() == v.first {
		return v, err
	}
	v.first, v.state, v.coverage.Earliest = c.Position(), c.State(), max(v.coverage.Earliest, t)
	return v, nil
}

// recordedPart is the recorded part of a History with captures, from an empty state: the History's own states include
// them. It has no captures beside which nothing was recorded, and no gaps between captures.
func recordedPart(h history.History, recorded model.Interval) (v view, err error) {
	v = whole(h)
	v.state, v.coverage = model.NewCluster(), recorded
	if v.first, err = positionOf(h, recorded.Earliest); err != nil {
		return v, err
	}
	v.gaps = slices.DeleteFunc(v.gaps, func(g history.Gap) bool { return g.Between })
	for i := range v.sources {
		if c := v.sources[i].Captured; c != nil && !c.Beside {
			v.sources[i].Kinds, v.sources[i].Coverage = nil, model.Interval{}
		}
	}
	v.end, err = positionOf(h, recorded.Latest+1)
	return v, err
}

// positionOf is the position of the first Change at or after a time.
func positionOf(h history.History, t model.Instant) (at int, err error) {
	_, at = h.Span()
	err = history.Walk(h, t, model.FarFuture, &history.Condensed{Full: true}, func(position int, _ *model.Change) bool {
		at = position
		return false
	})
	return at, err
}

// stateOnly is a History of one state, at its end.
func stateOnly(state *model.Cluster, at model.Instant) view {
	v := whole(history.NewMemory(nil, model.Exactly(at), nil, nil))
	v.state = state
	return v
}
