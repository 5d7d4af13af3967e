package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/simulate/courses"
)

type hull struct {
	s       *infer.State
	f       *Forecast
	courses int
	coming  courses.Hull[courses.Slot, Coming]
	met     map[courses.Subject]int // of the current course: how often
	// evictions are by the pods' places in the cache.
	evictions courses.Hull[[2]int32, placed]
	room      []placed                   // the last course's evictions, reused
	waits     courses.Hull[string, Wait] // node → its next taint
	zones     map[model.ZoneKey]*tokens
	// marks are when nodes may first be declared, gives when zones may give tokens.
	marks marks
	gives map[model.ZoneKey][]model.Interval
}

// placed is an Eviction with its pod's place in the cache.
type placed struct {
	Eviction
	row, pod int32
	// since is the start of the gap in which the Why's course begins; otherwise unknown.
	since model.Instant
}

func (h *hull) add(c *course) {
	h.courses++
	h.addComing(c)
	h.addEvictions(c)
	for name, stays := range c.races.stays {
		w, sure := c.tainted(stays)
		is, met := h.waits.Take(name)
		if met {
			w, sure = either(is.Window, w), sure && is.Certain
		}
		*is = Wait{Node: name, Zone: stays[0].zone, Window: w, Certain: sure}
	}
	h.addZones(c)
}

func (h *hull) addComing(c *course) {
	clear(h.met)
	for i, d := range c.list {
		token, raced := c.races.tokens[d.ID]
		s := courses.SubjectOf(d, raced)
		is, met := h.coming.Take(courses.Slot{Subject: s, Nth: h.met[s]})
		h.met[s]++
		if !met {
			*is = c.coming(i)
			continue
		}
		is.Decision.Window = is.Decision.Window.Around(c.clip(c.windows[i]))
		if raced {
			is.Among = courses.Union(is.Among, token.among)
		}
	}
}

// either is the hull of two windows, each of which may be never.
func either(a, b model.Interval) model.Interval {
	switch {
	case a == never:
		return b
	case b == never:
		return a
	}
	return a.Around(b)
}

func (h *hull) addEvictions(c *course) {
	h.room = evictions(c, h.room)
	for i := range h.room {
		p := &h.room[i]
		if c.s.At != h.s.At && !h.places(p, c.s.At) {
			continue
		}
		if is, met := h.evictions.Take([2]int32{p.row, p.pod}); met {
			is.join(p)
		} else {
			*is = *p
		}
	}
}

func (p *placed) join(o *placed) {
	a, b := &p.Eviction, &o.Eviction
	certain, tokenless := a.Certain && b.Certain && a.mayCome() == b.mayCome(), a.tokenless || b.tokenless
	follows := (a.follows || !a.mayCome()) && (b.follows || !b.mayCome()) // without a token nothing follows
	if o.since.Known() && a.mayCome() && b.mayCome() && b.Window.Earliest < a.Window.Earliest && p.since != o.since {
		p.since = o.since
		a.Rule, a.Why = b.Rule, b.Why
		a.Why.LastKnown = o.since
	}
	window := either(a.Window, b.Window)
	switch {
	case !a.Window.Known() || !b.Window.Known():
		window = model.Interval{}
		if !a.mayCome() && !b.mayCome() {
			window = a.Window
		}
	case b.mayCome() && !a.mayCome():
		*a = *b
	case a.mayCome() && b.mayCome() && b.State < a.State, a.State == Forever && b.State == Halted:
		a.State, a.Why, a.Rule = b.State, b.Why, b.Rule
	}
	if a.Seconds != b.Seconds && a.mayCome() && b.mayCome() {
		a.Seconds = model.Maybe[int64]{}
	}
	a.Window, a.Certain, a.tokenless, a.follows = window, certain, tokenless, follows
}

// Comes reports whether a deletion is ahead, or may be, within a known Window.
func (e *Eviction) Comes() bool { return e.State.Ahead() && e.Window.Earliest.Bounded() }

// mayCome reports the same, also without a known Window.
func (e *Eviction) mayCome() bool { return e.State.Ahead() && e.Window.Earliest != model.FarFuture }

// sooner moves an uncertain taint to the earliest token after the declaration: courses differ in who is declared by
// then.
func (h *hull) sooner(e *Eviction) {
	if e.Certain || e.State != WaitingForTaint || !e.Seconds.Known || !e.Window.Earliest.Bounded() || len(h.s.Phases) == 0 {
		return
	}
	node := h.s.Cache.Node(e.Node)
	if node == nil {
		return
	}
	if first, ok := h.first(e.Node, node.Zone); ok {
		e.Window.Earliest = min(e.Window.Earliest, first.Add(time.Duration(e.Seconds.Value)*time.Second))
	}
}

// first is the earliest token for a node after its declaration; ok is false without either.
func (h *hull) first(node string, zone model.ZoneKey) (at model.Instant, ok bool) {
	mark, ok := h.marks[node]
	if !ok || len(h.s.Phases) == 0 {
		return 0, false
	}
	at = model.FarFuture
	for _, w := range h.gives[zone] {
		if w.Latest >= mark {
			at = min(at, max(w.Earliest, mark))
		}
	}
	return at, at != model.FarFuture
}

func (h *hull) finish() {
	f := h.f
	h.marks, h.gives = marks{}, map[model.ZoneKey][]model.Interval{}
	f.Coming = h.coming.List
	for k := range f.Coming {
		f.Coming[k].Sure = h.coming.In(k) == h.courses
		switch d := &f.Coming[k].Decision; d.Kind {
		case model.MarkUnknown:
			h.marks.note(d)
		case model.TaintNoExecute:
			h.gives[d.Zone.Value] = append(h.gives[d.Zone.Value], d.Window)
		}
	}
	slices.SortStableFunc(f.Coming, func(a, b Coming) int {
		return cmp.Or(cmp.Compare(a.Decision.Window.Earliest, b.Decision.Window.Earliest), cmp.Compare(a.Decision.Time, b.Decision.Time))
	})
	list := make([]Eviction, len(h.evictions.List))
	for i := range list {
		list[i] = h.evictions.List[i].Eviction
		e := &list[i]
		e.Certain = e.Certain && h.evictions.In(i) == h.courses
		h.sooner(e)
		e.Why.MayNotCome = e.Window.Earliest.Bounded() && !e.Certain
	}
	f.Evictions = inOrder(list)
	f.Taints = h.waits.List
	for i := range f.Taints {
		w := &f.Taints[i]
		w.Certain = w.Certain && h.waits.In(i) == h.courses
		if first, ok := h.first(w.Node, w.Zone); ok && !w.Certain && w.Window.Earliest.Bounded() {
			w.Window.Earliest = min(w.Window.Earliest, first)
		}
	}
	slices.SortFunc(f.Taints, func(a, b Wait) int { return cmp.Compare(a.Node, b.Node) })
	h.leavePast()
	h.compete()
	f.Zones, f.tokens, f.zoneOf = h.zoneForecasts(), h.zones, h.zonesOf(f.Evictions)
}

// agree gives decisions the ends of the pods' windows, which include the delay of a taint. Otherwise one deletion has
// two ends, a moment apart. Pods deleted by pod garbage collection have the pods' windows.
func (h *hull) agree() {
	const moment = time.Second
	ends, collected := map[model.Key]model.Instant{}, map[model.Key]model.Interval{}
	for i := range h.f.Evictions {
		if e := &h.f.Evictions[i]; e.State.Ahead() {
			ends[e.Pod] = e.Window.Latest
			if e.Rule == model.RuleNodeMissed {
				collected[e.Pod] = e.Window
			}
		}
	}
	for i := range h.f.Coming {
		d := &h.f.Coming[i].Decision
		if w, ok := collected[d.Pod]; ok && d.Kind == model.CollectPod {
			d.Window = w
		}
		if end, ok := ends[d.Pod]; ok && d.Kind == model.EvictPod && end > d.Window.Latest && end.Sub(d.Window.Latest) < moment {
			d.Window.Latest = end
		}
	}
}
