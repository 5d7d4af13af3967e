package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// Tense is how a decision of a recording stands to an instant in it.
type Tense uint8

const (
	// Past: by then it was made and, where an effect of it was seen, that was seen.
	Past Tense = iota
	// Later: the recording knows of it, and nobody could by then.
	Later
)

// TenseOf tells it. A decision whose effect was seen is past from the instant on at which that may
// have been seen first: before it nobody knew, whenever it was decided.
func TenseOf(d *model.Decision, at model.Instant) Tense {
	known := d.Time
	if d.Basis == model.Observed && d.Observed != nil && d.Observed.Time.Earliest.Bounded() {
		known = max(known, d.Observed.Time.Earliest)
	}
	if known > at {
		return Later
	}
	return Past
}

// Fate is what became of something that was foreseen, or that came.
type Fate uint8

const (
	// Pending: it was foreseen, and the recording ends before the end of its window without it.
	Pending Fate = iota
	// CameTrue: it came within its window.
	CameTrue
	// Missed: it came, and outside its window; also where it was said never to come.
	Missed
	// Unforeseen: it came, and nothing was said of it.
	Unforeseen
	// Broken: it was said to be certain, its window is over, and it did not come.
	Broken
	// Lapsed: it was said to be possible, its window is over, and it did not come.
	Lapsed
)

// String is the word in JSON.
func (f Fate) String() string {
	return [...]string{"pending", "came-true", "missed", "unforeseen", "broken", "lapsed"}[min(f, Lapsed)]
}

// Ahead is one step that lies ahead of an instant: predicted there, or recorded later, or both.
type Ahead struct {
	// Kind is MarkUnknown, TaintNoExecute, EvictPod or CollectPod (the prediction of one stands for
	// either), ZoneState, SetRate, EnterMasterDisruption or ExitMasterDisruption.
	Kind model.DecisionKind
	// Node, Pod and Zone are the subject, as far as there is one.
	Node string
	Pod  model.Key
	Zone model.Maybe[model.ZoneKey]
	// Predicted is within when it was foreseen; unknown where it was not, FarFuture where it was said
	// never to come. Certain says that it surely comes.
	Predicted model.Interval
	Certain   bool
	// Later is the decision that came; nil where none did.
	Later *model.Decision
	Fate  Fate
	// Off is how long after the window it came, negative before it; unknown where it did not come, came
	// within the window, or was said never to come.
	Off model.Maybe[time.Duration]
}

// near is by how much a decision may lie outside a window, as its own instant is known: a moment
// passes between a decision and its write.
const near = 250 * time.Millisecond

// Compare puts beside a Forecast what then came: decisions in order of time, of a recording that ends at
// an instant. What lies after the Forecast's horizon is left out. The result is in order of when things
// came, or may first; it costs what the Forecast and the decisions within its horizon have.
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

// PodsLater is what Compare says of pods, by pod.
func PodsLater(f *Forecast, decisions []model.Decision, end model.Instant) map[model.Key]*Ahead {
	list, of := Compare(f, decisions, end), make(map[model.Key]*Ahead, len(f.Evictions))
	for i := range list {
		if a := &list[i]; a.Pod != (model.Key{}) {
			of[a.Pod] = a
		}
	}
	return of
}

// comparison is what Compare has found so far, by what makes a prediction and a decision the same step.
type comparison struct {
	courses.Hull[courses.Subject, Ahead]
	f    *Forecast
	end  model.Instant
	gone map[model.Key]bool
}

// stepOf is what a decision is about, if it is a step: a pod goes whoever deletes it, and zones change to something, from whatever.
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

// add notes a step that a decision is about, and is found where it is noted already: the first counts.
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

// predict takes in what was foreseen: of pods and of nodes that wait what is said of each, of all else
// the decisions that come.
func (c *comparison) predict() {
	for i := range c.f.Evictions {
		e := &c.f.Evictions[i]
		if e.State >= Terminating {
			c.gone[e.Pod] = true // it was deleted already, or must have been, and may be once more, which changes nothing
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

// come takes in a decision that came. Of several about one thing the first counts.
func (c *comparison) come(d *model.Decision) {
	if c.gone[d.Pod] || TenseOf(d, c.f.At) != Later {
		return
	}
	// Where it was not foreseen, it is noted now.
	if a := c.add(d, Ahead{Kind: d.Kind, Node: d.Node, Pod: d.Pod, Zone: d.Zone}); a != nil && a.Later == nil {
		a.Later, a.Kind = d, d.Kind
	}
}

// settle says what became of a step.
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

// when is when it came, or may first.
func (a *Ahead) when() model.Instant {
	if a.Later != nil {
		return a.Later.Time
	}
	return a.Predicted.Earliest
}
