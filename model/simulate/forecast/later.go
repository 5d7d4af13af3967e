package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// IsLater reports whether a recorded decision could not be known at a time. One with an observed effect is known from
// the earliest time of that observation.
func IsLater(d *model.Decision, at model.Instant) bool {
	known := d.Time
	if d.Basis == model.Observed && d.Observed != nil && d.Observed.Time.Earliest.Bounded() {
		known = max(known, d.Observed.Time.Earliest)
	}
	return known > at
}

// Fate is the result of a prediction, or of a decision without one.
type Fate uint8

const (
	// Pending: predicted, and the recording ends before its window does.
	Pending Fate = iota
	// CameTrue: it came within its window.
	CameTrue
	// Missed: it came outside its window, or was predicted never to come.
	Missed
	// Unforeseen: it came without a prediction.
	Unforeseen
	// Broken: predicted as certain, and it did not come in its window.
	Broken
	// Lapsed: predicted as possible, and it did not come in its window.
	Lapsed
)

// String is the word in JSON.
func (f Fate) String() string {
	return [...]string{"pending", "came-true", "missed", "unforeseen", "broken", "lapsed"}[min(f, Lapsed)]
}

// Ahead is one step after a time: predicted, recorded later, or both.
type Ahead struct {
	// Kind is MarkUnknown, TaintNoExecute, EvictPod or CollectPod (one prediction for both), ZoneState, SetRate,
	// EnterMasterDisruption or ExitMasterDisruption.
	Kind model.DecisionKind
	Node string
	Pod  model.Key
	Zone model.Maybe[model.ZoneKey]
	// Predicted is its window; unknown without a prediction, FarFuture for never. Certain: it surely comes.
	Predicted model.Interval
	Certain   bool
	// Later is the recorded decision; nil for none.
	Later *model.Decision
	Fate  Fate
	// Off is how long after the window it came, negative before it; otherwise unknown.
	Off model.Maybe[time.Duration]
}

// near is how far outside a window a decision may be: its write takes a moment.
const near = 250 * time.Millisecond

// Compare compares a Forecast with the decisions of a recording, which are in order of time and end at end. It leaves
// out decisions after the Forecast's horizon. The result is sorted by when steps came, or may first come.
func Compare(f *Forecast, decisions []model.Decision, end model.Instant) []Ahead {
	c := comparison{f: f, end: min(end, f.Until), gone: map[model.Key]bool{}}
	c.predict()
	first, _ := slices.BinarySearchFunc(decisions, f.At.Add(-near), func(d model.Decision, at model.Instant) int { return cmp.Compare(d.Time, at) })
	for i := first; i < len(decisions) && decisions[i].Time <= c.end; i++ {
		c.come(&decisions[i])
	}
	for i := range c.List {
		c.settle(&c.List[i])
	}
	slices.SortStableFunc(c.List, func(a, b Ahead) int { return cmp.Compare(a.when(), b.when()) })
	return c.List
}

// PodsLater is Compare's result for pods.
func PodsLater(f *Forecast, decisions []model.Decision, end model.Instant) map[model.Key]*Ahead {
	list, of := Compare(f, decisions, end), make(map[model.Key]*Ahead, len(f.Evictions))
	for i := range list {
		if a := &list[i]; a.Pod != (model.Key{}) {
			of[a.Pod] = a
		}
	}
	return of
}

// comparison is the result so far, by the subject that a prediction and a decision share.
type comparison struct {
	courses.Hull[courses.Subject, Ahead]
	f    *Forecast
	end  model.Instant
	gone map[model.Key]bool
}

// stepOf is the subject of a step. A pod's deletion counts for any controller, a zone's change by its new value.
func stepOf(d *model.Decision) (key courses.Subject, ok bool) {
	is := model.Decision{Kind: d.Kind, Zone: d.Zone}
	switch d.Kind {
	case model.MarkUnknown, model.TaintNoExecute:
		is.Node, ok = d.Node, d.Node != ""
	case model.EvictPod, model.CollectPod:
		is.Kind, is.Pod, ok = model.EvictPod, d.Pod, d.Pod != model.Key{}
	case model.ZoneState:
		is.State.To, ok = d.State.To, true
	case model.SetRate:
		is.Rate.To, ok = d.Rate.To, true
	case model.EnterMasterDisruption, model.ExitMasterDisruption:
		ok = true
	}
	return courses.SubjectOf(&is, false), ok && d.Outcome == model.Did
}

// add notes the step of a decision, or returns the one noted first.
func (c *comparison) add(d *model.Decision, a Ahead) *Ahead {
	key, ok := stepOf(d)
	if !ok {
		return nil
	}
	is, met := c.Take(key)
	if !met {
		*is = a
	}
	return is
}

// predict adds the predictions: those of pods and waiting nodes, and the other decisions.
func (c *comparison) predict() {
	for i := range c.f.Evictions {
		e := &c.f.Evictions[i]
		if e.State >= Terminating {
			c.gone[e.Pod] = true // deleted already: another deletion has no effect
			continue
		}
		c.add(&model.Decision{Kind: model.EvictPod, Pod: e.Pod}, Ahead{Kind: model.EvictPod, Node: e.Node, Pod: e.Pod, Predicted: e.Window, Certain: e.Certain && e.mayCome()})
	}
	for i := range c.f.Taints {
		w := &c.f.Taints[i]
		c.add(&model.Decision{Kind: model.TaintNoExecute, Node: w.Node}, Ahead{Kind: model.TaintNoExecute, Node: w.Node, Zone: model.Some(w.Zone), Predicted: w.Window, Certain: w.Certain})
	}
	for i := range c.f.Coming {
		x := &c.f.Coming[i]
		d := &x.Decision
		key, _ := stepOf(d)
		if is := c.Find(key); is != nil && !x.Sure && d.Kind != model.MarkUnknown {
			is.Predicted = is.Predicted.Around(d.Window) // from another state, in another course
		} else if d.Pod == (model.Key{}) && d.Kind != model.TaintNoExecute {
			c.add(d, Ahead{Kind: d.Kind, Node: d.Node, Zone: d.Zone, Predicted: d.Window, Certain: x.Sure && d.Kind == model.MarkUnknown})
		}
	}
}

// come adds a decision that came. The first of several on a subject counts.
func (c *comparison) come(d *model.Decision) {
	if c.gone[d.Pod] || !IsLater(d, c.f.At) {
		return
	}
	if a := c.add(d, Ahead{Kind: d.Kind, Node: d.Node, Pod: d.Pod, Zone: d.Zone}); a != nil && a.Later == nil {
		a.Later, a.Kind = d, d.Kind
	}
}

func (c *comparison) settle(a *Ahead) {
	w := a.Predicted
	switch {
	case a.Later != nil && !w.Known():
		a.Fate = Unforeseen
	case a.Later != nil && w.Earliest == model.FarFuture:
		a.Fate = Missed
	case a.Later != nil && a.Later.Window.Earliest.Add(-near) <= w.Latest && a.Later.Window.Latest.Add(near) >= w.Earliest,
		a.Later != nil && a.Later.Time.Add(-near) <= w.Latest && a.Later.Time.Add(near) >= w.Earliest:
		a.Fate = CameTrue
	case a.Later != nil:
		a.Fate = Missed
		if off := a.Later.Time.Sub(w.Latest); off > 0 {
			a.Off = model.Some(off)
		} else {
			a.Off = model.Some(a.Later.Time.Sub(w.Earliest))
		}
	case !w.Known() || w.Latest.Add(near) >= c.end:
		a.Fate = Pending
	case a.Certain:
		a.Fate = Broken
	default:
		a.Fate = Lapsed
	}
}

// when is the time it came, or may first come.
func (a *Ahead) when() model.Instant {
	if a.Later != nil {
		return a.Later.Time
	}
	return a.Predicted.Earliest
}
