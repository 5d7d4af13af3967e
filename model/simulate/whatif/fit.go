package whatif

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/model/simulate/courses"
)

// enough is the share of writes that must agree for an answer.
const enough = 9. / 10

// rounding is how far outside its bounds a pass may run, to be a period from others.
const rounding = time.Millisecond

// Fit compares the unchanged run with the recording.
type Fit struct {
	// Since is the start of the comparison if nothing was recorded after the start of the branch; otherwise unknown.
	Since model.Instant
	// Writes is how many writes of the controllers were recorded, Reproduced how many the run makes in their windows.
	Writes, Reproduced int
	// Missing were recorded, and the run does not make them then; Extra are the reverse.
	Missing, Extra []Write
}

// Write is one write of a controller.
type Write struct {
	Kind   model.DecisionKind
	Node   string
	Pod    model.Key
	Window model.Interval
}

// agrees reports whether the run is reliable.
func (f *Fit) agrees() bool {
	made := f.Reproduced + len(f.Extra)
	return float64(f.Reproduced) >= enough*float64(f.Writes) && float64(f.Reproduced) >= enough*float64(made)
}

func (w *Write) String() string {
	of := w.Node
	if w.Pod != (model.Key{}) {
		of = w.Pod.String()
	}
	return fmt.Sprintf("%s of %s at %s", w.Kind, of, w.Window.Earliest)
}

type effect struct {
	kind  model.DecisionKind
	node  string
	pod   model.Key
	taint string
}

// made is a write of a course, with how much earlier or later than at it may have been.
type made struct {
	effect
	slack
	at model.Instant
	// again: it deletes a pod that was deleted before. That has no effect, and only an audit log shows it.
	again bool
}

// fit runs the unchanged branch and compares it. It keeps the phase of ticks and the length of passes that agree best.
func (b *Base) fit(res *infer.Result) (best Fit) {
	const phases = 4
	all := [...]time.Duration{0, takes / 2, takes}
	for i, takes := range all {
		for phase := range phases {
			n := i*phases + phase
			b.begins(n, len(all)*phases, 0, compared)
			v := variant{recorded: true, takes: takes, phase: nodelifecycle.TickPeriod / phases * time.Duration(phase)}
			f := b.compare(res, madeIn(b.play(b.Unchanged(), v)))
			if !b.goesOn(1) {
				return best
			}
			if n == 0 || len(f.Missing)+len(f.Extra) < len(best.Missing)+len(best.Extra) {
				best, b.liken = f, v
			}
			if len(best.Missing)+len(best.Extra) == 0 || b.world.lively > fewEvents {
				return best
			}
		}
	}
	return best
}

// fewEvents is the number of events up to which all variants are tried.
const fewEvents = 500_000

func (b *Base) compare(res *infer.Result, run []made) (f Fit) {
	windows := map[model.DecisionID]model.Interval{}
	for i := range res.Decisions {
		windows[res.Decisions[i].ID] = res.Decisions[i].Window
	}
	bySubject := map[effect][]int{}
	for i := range run {
		if run[i].at <= b.recordedUntil {
			bySubject[run[i].effect] = append(bySubject[run[i].effect], i)
		}
	}
	used := map[int]bool{}
	for i := range res.Writes {
		w := &res.Writes[i]
		within := w.Time
		if decided, ok := windows[w.Decision]; ok {
			within = within.Around(decided)
		}
		if w.Time.Latest <= b.From || w.Time.Earliest > b.recordedUntil {
			continue
		}
		f.Writes++
		found := -1
		for _, k := range bySubject[effectOf(w)] {
			m := &run[k]
			if !used[k] && m.around(m.at).Overlaps(within) {
				found = k
				break
			}
		}
		if found < 0 {
			f.Missing = append(f.Missing, Write{w.Kind, w.Node, w.Pod, within})
			continue
		}
		used[found] = true
		f.Reproduced++
	}
	for i := range run {
		if m := &run[i]; !used[i] && !m.again && m.at.Add(evidence.LagBound) <= b.recordedUntil {
			f.Extra = append(f.Extra, Write{m.kind, m.node, m.pod, model.Exactly(m.at)})
		}
	}
	slices.SortStableFunc(f.Missing, func(a, b Write) int { return cmp.Compare(a.Window.Earliest, b.Window.Earliest) })
	return f
}

func effectOf(w *infer.Write) effect {
	e := effect{kind: w.Kind, node: w.Node, pod: w.Pod, taint: w.Taint}
	if e.pod != (model.Key{}) {
		e.node = ""
	}
	return e
}

// madeIn are the writes of a course. A token may come a tick earlier or later, with all that follow in its queue.
func madeIn(c *course) (out []made) {
	within := map[model.DecisionID]slack{}
	tokens := map[model.ZoneKey]int{}
	last := map[model.ZoneKey]model.Instant{}
	deleted := maps.Clone(c.b.going)
	for i, late := range c.slacks() {
		d := &c.out[i]
		is := slack{rounding, late.later}
		if ofPass(d.Kind) {
			is.later = courses.Lag               // it runs at its fitted time
			if p := c.passOf(d.Time); p.waited { // to the second, by the object's timestamp
				is = slack{max(rounding, d.Time.Sub(p.within.Earliest)), max(courses.Lag, p.within.Latest.Sub(d.Time))}
			}
		}
		if d.Kind == model.TaintNoExecute && d.Zone.Known {
			zone := d.Zone.Value
			if at, ok := last[zone]; !ok || d.Time.Sub(at) > 2*every(c.branch.Params.NodeEvictionRate.Value) {
				tokens[zone] = 0 // the bucket was full again
			}
			tokens[zone]++
			last[zone] = d.Time
			is.earlier, is.later = ticks(tokens[zone]), is.later+ticks(tokens[zone])
		}
		if follows(d.Kind) {
			for _, id := range d.Causes {
				if of, ok := within[id]; ok {
					is = is.atLeast(of)
				}
			}
			is.later = max(is.later, evidence.LagBound)
		}
		within[d.ID] = is
		again := d.Kind == model.EvictPod && deleted[d.PodUID]
		if d.Kind == model.EvictPod && d.PodUID.Known() {
			deleted[d.PodUID] = true
		}
		for k := range d.Writes {
			if e, ok := effectIn(d, &d.Writes[k]); ok {
				out = append(out, made{e, is, d.Time, again})
			}
		}
	}
	return out
}

func ticks(n int) time.Duration { return time.Duration(n) * nodelifecycle.TickPeriod }

// every is the time between two tokens.
func every(rate float32) time.Duration {
	if rate <= 0 {
		return time.Hour
	}
	return time.Duration(float64(time.Second) / float64(rate))
}

// effectIn is the effect of a write; ok is false if it is not compared: times of pod garbage collection are not known.
func effectIn(d *model.Decision, w *model.Write) (e effect, ok bool) {
	switch w.Kind {
	case model.WriteConditions:
		return effect{kind: model.MarkUnknown, node: w.Node}, d.Kind == model.MarkUnknown
	case model.WriteTaint:
		kind := model.AddNoSchedule
		if w.Taint.Effect == model.NoExecute {
			kind = model.TaintNoExecute
		}
		return effect{kind: kind, node: w.Node, taint: w.Taint.Key}, true
	case model.WriteUntaint:
		kind := model.RemoveNoSchedule
		if w.Taint.Effect == model.NoExecute {
			kind = model.UntaintNoExecute
		}
		return effect{kind: kind, node: w.Node, taint: w.Taint.Key}, true
	case model.WritePodNotReady:
		return effect{kind: model.MarkPodsNotReady, pod: w.Pod}, true
	case model.WriteDelete:
		return effect{kind: model.EvictPod, pod: w.Pod}, true
	}
	return effect{}, false
}
