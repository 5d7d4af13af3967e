package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
)

// merge makes one list with windows of the runs: one exact run, or the early and the late.
type merge struct {
	at model.Instant
	// gap is by how much the late clock is behind the early one; pad how far each tick may
	// be off.
	gap, pad time.Duration
	period   time.Duration
	runs     []run

	windows []model.Interval // of the first run's decisions
	// queued says that windows holds those of all that queue a node; rates are when a zone's
	// rate changes, and stirred what such a change makes of the stays it may meet.
	queued  bool
	rates   map[model.Place][]rateChange
	stirred map[alike]model.Interval
}

// twin finds in the late run what the first run's decision i is there; nil if there is
// none, or no late run.
func (m *merge) twin(i int) *model.Decision {
	if len(m.runs) < 2 || m.runs[0].twins[i] < 0 {
		return nil
	}
	return m.runs[1].list[m.runs[0].twins[i]]
}

// due is a decision of a run, before it is written out.
type due struct {
	run, i int32
	window model.Interval
	sure   bool
}

// coming lists what both runs decide, and what only one of them does, by the earliest
// instant.
func (m *merge) coming() []Coming {
	first := &m.runs[0]
	m.bound()
	order := make([]due, 0, len(first.list)+len(first.list)/8)
	for i := range first.list {
		order = append(order, due{0, int32(i), m.windows[i], len(m.runs) == 1 || m.twin(i) != nil})
	}
	if len(m.runs) > 1 {
		late := &m.runs[1]
		for i := range late.list {
			if late.twins[i] < 0 {
				order = append(order, due{1, int32(i), m.windowOf(1, i), false})
			}
		}
	}
	slices.SortFunc(order, func(a, b due) int {
		return cmp.Or(cmp.Compare(a.window.Earliest, b.window.Earliest), cmp.Compare(m.decision(a).Time, m.decision(b).Time),
			cmp.Compare(a.run, b.run), cmp.Compare(a.i, b.i))
	})
	list := make([]Coming, len(order))
	for k, d := range order {
		m.runs[d.run].coming(&list[k], m.decision(d), d.window, d.sure)
	}
	return list
}

// bound finds the windows of the first run's decisions. What a token brings comes last: who
// gets it before a node depends on whom later passes queue.
func (m *merge) bound() {
	first := &m.runs[0]
	m.windows = make([]model.Interval, len(first.list))
	for i, d := range first.list {
		m.windows[i] = m.window(d, m.twin(i))
	}
	if m.queued = true; len(m.runs) == 1 {
		return
	}
	for i, d := range first.list {
		switch d.Kind {
		case model.ZoneState, model.SetRate, model.EnterMasterDisruption:
			m.windows[i] = m.window(d, m.twin(i)) // causes in the late run may come later in this list
		}
	}
	m.noteRates()
	for i, d := range first.list {
		switch d.Kind {
		case model.TaintNoExecute, model.ScheduleEviction, model.EvictPod:
			m.windows[i] = m.window(d, m.twin(i))
		}
	}
}

// windowOf is the window of a run's decision; in the late run, of one that has no twin.
func (m *merge) windowOf(run, i int) model.Interval {
	if run == 0 {
		return m.windows[i]
	}
	late := &m.runs[1]
	d := late.list[i]
	if follows(d.Kind) {
		if w := m.causedWindow(nil, d); w.Known() {
			return w
		}
	}
	w := m.apart(m.possible(late, d), model.Interval{})
	if d.Kind != model.TaintNoExecute {
		return w
	}
	t := late.races.tokens[d.ID]
	w = m.padded(w, t.nth)
	for _, name := range t.among {
		w = m.stirsToken(d, m.runs[0].races.stays[name], w)
	}
	return w
}

func (m *merge) decision(d due) *model.Decision { return m.runs[d.run].list[d.i] }

// coming writes out a decision with its window; one of several nodes' stands for all of them.
func (r *run) coming(c *Coming, d *model.Decision, w model.Interval, sure bool) {
	c.Decision, c.Sure = *d, sure
	c.Decision.Window = w
	if t, ok := r.races.tokens[d.ID]; ok {
		c.Among = t.among
		c.Decision.Node = ""
		c.Decision.Inputs = nil
		c.Decision.Writes = slices.Clone(d.Writes)
		for k := range c.Decision.Writes {
			c.Decision.Writes[k].Node = ""
		}
	}
}

// follows says that a decision comes a fixed time after its cause, whatever the phase.
func follows(k model.DecisionKind) bool {
	switch k {
	case model.MarkPodsNotReady, model.AddNoSchedule, model.RemoveNoSchedule, model.QueueForTaint, model.SwapNoExecute, model.ZoneState,
		model.SetRate, model.EnterMasterDisruption, model.ScheduleEviction, model.EvictPod:
		return true
	}
	return false
}

// window is when a decision of the first run is made: other is the same in the late run.
func (m *merge) window(d, other *model.Decision) model.Interval {
	first := &m.runs[0]
	if t, ok := first.races.tokens[d.ID]; ok && len(m.runs) == 1 {
		return model.Exactly(t.at)
	} else if ok {
		return m.stirsToken(d, t.busy, m.tokenWindow(d, t, other))
	}
	if d.Kind == model.TaintNoExecute && d.Outcome == model.Did {
		if s := first.races.tainted[d.ID]; s != nil {
			return m.stayWindow(s)
		}
	}
	if follows(d.Kind) {
		if w := m.causedWindow(d, other); w.Known() {
			return w
		}
	}
	if other == nil {
		return m.apart(m.possible(first, d), model.Interval{})
	}
	w := m.apart(model.Exactly(d.Time), model.Exactly(other.Time))
	if d.Kind == model.MarkUnknown {
		w = m.unknownWindow(d, other, w)
	}
	return w
}

// causedWindow is the window of what comes a fixed time after its latest cause; unknown if no
// run decided that cause. What the clocks say of the cause may differ: a zone changes with the
// last of its nodes, and which is the last depends on which pass misses whom.
func (m *merge) causedWindow(d, other *model.Decision) (w model.Interval) {
	after := func(cause int, wait time.Duration) {
		from := m.windows[cause]
		if c := m.runs[0].list[cause]; c.Kind == model.TaintNoExecute {
			if s := m.runs[0].races.tainted[c.ID]; s != nil {
				from = m.stayWindow(s) // the node's own, not the token's
			}
		}
		if from = (model.Interval{Earliest: from.Earliest.Add(wait), Latest: from.Latest.Add(wait)}); w.Known() {
			from = model.Interval{Earliest: min(w.Earliest, from.Earliest), Latest: max(w.Latest, from.Latest)}
		}
		w = from
	}
	cause := -1
	if d != nil {
		if cause = m.runs[0].latestCause(d); cause >= 0 {
			after(cause, d.Time.Sub(m.runs[0].list[cause].Time))
		}
	}
	if other == nil {
		return w
	}
	if o := m.runs[1].latestCause(other); o >= 0 {
		wait := other.Time.Sub(m.runs[1].list[o].Time)
		if twin := int(m.runs[1].twins[o]); twin >= 0 && m.windows[twin].Known() {
			after(twin, wait)
		} else if cause >= 0 {
			after(cause, wait)
		}
	}
	return w
}

// unknownWindow narrows the window of a MarkUnknown: the first pass after the grace has
// expired makes it, so at most a period later.
func (m *merge) unknownWindow(d, other *model.Decision, w model.Interval) model.Interval {
	expiry := expiryOf(d)
	if expiry == 0 || expiry != expiryOf(other) {
		return w
	}
	both, _ := w.Intersect(model.Interval{Earliest: max(expiry+1, m.at), Latest: max(expiry, m.at).Add(m.period)})
	return both
}

// expiryOf is when the grace that a MarkUnknown found expired ended; 0 if it does not say.
func expiryOf(d *model.Decision) model.Instant {
	if len(d.Checks) == 0 {
		return 0
	}
	return d.Time.Add(-time.Duration(d.Checks[0].Left.Int - d.Checks[0].Right.Int))
}

// latestCause is the position of the decision's latest cause that this run decided; -1 if
// there is none.
func (r *run) latestCause(d *model.Decision) int {
	latest := -1
	for _, id := range d.Causes {
		if i, ok := r.byID[id]; ok && i > latest {
			latest = i
		}
	}
	return latest
}

// possible is when a decision can be made in its own run.
func (m *merge) possible(r *run, d *model.Decision) model.Interval {
	if s := r.races.tainted[d.ID]; s != nil && d.Kind == model.TaintNoExecute {
		return model.Interval{Earliest: s.first, Latest: s.last}
	}
	return model.Exactly(d.Time)
}

// tokenWindow is when a token is given. It moves with what queued the node, or changed the
// rate, where this run decided that.
func (m *merge) tokenWindow(d *model.Decision, t token, other *model.Decision) model.Interval {
	first := &m.runs[0]
	if other == nil {
		return m.padded(m.apart(model.Exactly(t.at), model.Interval{}), t.nth)
	}
	c, o := first.latestCause(d), m.runs[1].latestCause(other)
	if c < 0 || o < 0 {
		return m.padded(m.apart(model.Exactly(t.at), model.Exactly(other.Time)), t.nth)
	}
	a, b := d.Time.Sub(first.list[c].Time), other.Time.Sub(m.runs[1].list[o].Time)
	w := m.windows[c]
	return m.padded(model.Interval{Earliest: w.Earliest.Add(min(a, b)), Latest: w.Latest.Add(max(a, b))}, t.nth)
}

// apart is the window of what comes at a with the early clock and at b with the late one,
// or with only one of them. What comes at the same time with both does not depend on the
// phase. What moves with it comes anywhere between; and where it comes no later by the
// late clock, a pass was missed at some phase between the two.
func (m *merge) apart(a, b model.Interval) model.Interval {
	if !b.Known() {
		return m.clip(model.Interval{Earliest: a.Earliest.Add(-m.gap), Latest: a.Latest.Add(m.gap)})
	}
	w := a
	if a.Earliest != b.Earliest {
		w.Earliest = min(a.Earliest, b.Earliest.Add(-m.gap))
	}
	if a.Latest != b.Latest {
		w.Latest = max(b.Latest, a.Latest.Add(m.gap))
	}
	return m.clip(w)
}

// padded allows for ticks whose phase nobody knows.
func (m *merge) padded(w model.Interval, ticks int) model.Interval {
	off := m.pad * time.Duration(max(1, ticks))
	if m.pad == 0 {
		return w
	}
	return m.clip(model.Interval{Earliest: w.Earliest.Add(-off), Latest: w.Latest.Add(off)})
}

func (m *merge) clip(w model.Interval) model.Interval {
	return model.Interval{Earliest: max(w.Earliest, m.at), Latest: max(w.Latest, m.at)}
}
