package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
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
	few := len(f.Evictions) + len(f.Taints) // of thousands of pods: a list that grows step by step costs twice as much
	c := comparison{f: f, end: min(end, f.Until), at: map[ahead]int{}, pods: make(map[model.Key]int, len(f.Evictions)), gone: map[model.Key]bool{}, list: make([]Ahead, 0, few)}
	c.predict()
	first, _ := slices.BinarySearchFunc(decisions, f.At.Add(-near), func(d model.Decision, at model.Instant) int { return cmp.Compare(d.Time, at) })
	for i := first; i < len(decisions) && decisions[i].Time <= c.end; i++ {
		c.come(&decisions[i])
	}
	for i := range c.list {
		c.settle(&c.list[i])
	}
	slices.SortStableFunc(c.list, func(a, b Ahead) int { return cmp.Compare(a.when(), b.when()) })
	return c.list
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

// comparison is what Compare has found so far; at says where in the list what stands, and pods where what becomes of a
// pod does: there may be thousands.
type comparison struct {
	f    *Forecast
	end  model.Instant
	list []Ahead
	at   map[ahead]int
	pods map[model.Key]int
	gone map[model.Key]bool
}

// ahead is what makes a prediction and a decision the same step.
type ahead struct {
	kind        model.DecisionKind
	node, state string
	pod         model.Key
	zone        model.ZoneKey
}

func stepOf(d *model.Decision) (key ahead, ok bool) {
	switch d.Kind {
	case model.MarkUnknown, model.TaintNoExecute:
		return ahead{kind: d.Kind, node: d.Node}, d.Outcome == model.Did && d.Node != ""
	case model.EvictPod, model.CollectPod:
		return ahead{kind: model.EvictPod, pod: d.Pod}, d.Outcome == model.Did && d.Pod != model.Key{}
	case model.ZoneState:
		return ahead{kind: d.Kind, zone: d.Zone.Value, state: d.State.To.String()}, d.Outcome == model.Did
	case model.SetRate:
		return ahead{kind: d.Kind, zone: d.Zone.Value, state: model.Number(d.Rate.To).String()}, d.Outcome == model.Did
	case model.EnterMasterDisruption, model.ExitMasterDisruption:
		return ahead{kind: d.Kind}, d.Outcome == model.Did
	}
	return key, false
}

// find is where in the list a step stands.
func (c *comparison) find(key ahead) (at int, ok bool) {
	if key.pod != (model.Key{}) {
		at, ok = c.pods[key.pod]
		return at, ok
	}
	at, ok = c.at[key]
	return at, ok
}

// add notes a step that is not noted yet.
func (c *comparison) add(key ahead, a Ahead) {
	if _, ok := c.find(key); ok {
		return // the first counts
	}
	if key.pod != (model.Key{}) {
		c.pods[key.pod] = len(c.list)
	} else {
		c.at[key] = len(c.list)
	}
	c.list = append(c.list, a)
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
		c.add(ahead{kind: model.EvictPod, pod: e.Pod}, Ahead{Kind: model.EvictPod, Node: e.Node, Pod: e.Pod, Predicted: e.Window, Certain: e.Certain && e.comes()})
	}
	for i := range c.f.Taints {
		w := &c.f.Taints[i]
		c.add(ahead{kind: model.TaintNoExecute, node: w.Node}, Ahead{Kind: model.TaintNoExecute, Node: w.Node, Zone: model.Some(w.Zone), Predicted: w.Window, Certain: w.Certain})
	}
	for i := range c.f.Coming {
		x := &c.f.Coming[i]
		d := &x.Decision
		key, ok := stepOf(d)
		if k, known := c.find(key); known && !x.Sure && d.Kind != model.MarkUnknown {
			c.list[k].Predicted = c.list[k].Predicted.Around(d.Window) // from another state, in another course
			continue
		}
		if ok && key.pod == (model.Key{}) && key.kind != model.TaintNoExecute {
			c.add(key, Ahead{Kind: d.Kind, Node: d.Node, Zone: d.Zone, Predicted: d.Window, Certain: x.Sure && d.Kind == model.MarkUnknown})
		}
	}
}

// come takes in a decision that came. Of several about one thing the first counts.
func (c *comparison) come(d *model.Decision) {
	key, ok := stepOf(d)
	if !ok || c.gone[d.Pod] || TenseOf(d, c.f.At) != Later {
		return
	}
	c.add(key, Ahead{Kind: d.Kind, Node: d.Node, Pod: d.Pod, Zone: d.Zone}) // where it was not foreseen
	at, _ := c.find(key)
	a := &c.list[at]
	if a.Later != nil {
		return
	}
	a.Later, a.Kind = d, d.Kind
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
