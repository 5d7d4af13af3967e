package infer

import (
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// record keeps decisions, with their windows, and what they lead to expect.
func (d *driver) record(list []model.Decision, window model.Interval) {
	for _, x := range list {
		if x.Place == model.Some(nowhere) || x.Node != "" && d.r.hides(x.Node) {
			continue
		}
		if (x.Kind == model.ZoneState || x.Kind == model.SetRate) && !d.zoneIsTold(&x) {
			continue
		}
		w := window
		switch x.Kind {
		case model.ScheduleEviction:
			d.armed[x.Pod] = countdown{window, Countdown(&x)}
		case model.EvictPod, model.CancelEviction:
			if armed, ok := d.armed[x.Pod]; ok && x.Kind == model.EvictPod && window.Width() == 0 {
				// The countdown ends as long after it began as it was armed for.
				w = armed.ends()
			}
			delete(d.armed, x.Pod)
		}
		x.Basis, x.Window = model.Inferred, w
		x.Time = min(max(x.Time, w.Earliest), w.Latest)
		d.expect(&x)
		if x.Kind != model.DecisionNone && !d.seeking {
			if next, ok := d.nextMay(&x); ok {
				d.expectations.nextWindows[int32(len(d.decisions))] = next
			}
			d.decisions, d.expectations.windows = append(d.decisions, x), append(d.expectations.windows, w)
		}
	}
}

// zoneIsTold says whether a decision about a zone is told: not while nodes that are known by their leases
// only may be in it, nor when it is known again and need not have changed meanwhile.
func (d *driver) zoneIsTold(x *model.Decision) bool {
	place, more := x.Place.Value, len(d.r.evidence.Unseen)
	if more == 0 || d.seeking {
		return true
	}
	last, told := d.told[place]
	if !d.nodes.ZoneIsKnown(place, more) {
		if !told {
			d.told[place] = model.ZoneNone // it was never known
		}
		return false
	}
	if _, is, _, _ := d.nodes.WhyZone(place); x.Kind == model.ZoneState {
		d.told[place] = is
		return !told || last != is && last != model.ZoneNone
	}
	return told
}

// tellZones notes which zones are known at a pass of which nothing is told.
func (d *driver) tellZones(at model.Instant) {
	if len(d.r.evidence.Unseen) == 0 || d.seeking {
		return
	}
	for _, z := range d.nodes.Zones(at, d.cache) {
		if d.told[z.Place] = model.ZoneNone; d.nodes.ZoneIsKnown(z.Place, len(d.r.evidence.Unseen)) {
			d.told[z.Place] = z.State
		}
	}
}

// countdown is when one began, and how long it takes; unknown where that is not said.
type countdown struct {
	began model.Interval
	takes model.Maybe[time.Duration]
}

// Countdown is how long a pod is given by the decision that begins its countdown; unknown for others.
func Countdown(x *model.Decision) (wait model.Maybe[time.Duration]) {
	for _, c := range x.Checks {
		if c.Left.Kind == model.OperandDuration {
			return model.Some(time.Duration(c.Left.Int))
		}
	}
	return wait
}

// ends shifts the window in which a countdown began to where it ends.
func (c countdown) ends() model.Interval {
	return model.Interval{Earliest: c.began.Earliest.Add(c.takes.Value), Latest: c.began.Latest.Add(c.takes.Value)}
}

// expect lists the effects of a decision that is to be recorded next. One that was expected
// already, and has not been answered, is the same decision still: the model does not apply its
// own effects, and so decides again.
func (d *driver) expect(x *model.Decision) {
	fresh, any := false, false
	for i := range x.Writes {
		e, ok := effectOf(&x.Writes[i])
		if !ok {
			continue
		}
		any = true
		if _, again := d.open.find(e); again {
			continue
		}
		fresh = true
		d.open.add(e, x.ID)
		if d.seeking {
			continue
		}
		traceless := false
		if e.What == model.WriteDelete {
			p := d.pod(e.Pod)
			traceless = p == nil || p.Deletion.Known()
		}
		d.expectations.list = append(d.expectations.list, expectation{decision: int32(len(d.decisions)), write: int32(i), traceless: traceless})
	}
	if any && !fresh {
		x.Kind = model.DecisionNone
	}
}

// expected is the effect that is expected.
func (d *driver) expected(e *expectation) evidence.Effect {
	of, _ := effectOf(&d.decisions[e.decision].Writes[e.write])
	return of
}

// nextMay is the next pass, where what a pass answers to may have come after it.
func (d *driver) nextMay(x *model.Decision) (next model.Interval, ok bool) {
	if x.Kind != model.UntaintNoExecute || x.Rule != model.RuleReadyAgain || d.pass >= len(d.r.passes) {
		return next, false
	}
	return d.r.passes[d.pass].Interval, d.written[x.Node].Latest > x.Window.Earliest
}

// effectOf is the effect of a write; events are none.
func effectOf(w *model.Write) (evidence.Effect, bool) {
	switch w.Kind {
	case model.WriteConditions:
		return evidence.Effect{What: w.Kind, Node: w.Node}, true
	case model.WriteTaint, model.WriteUntaint:
		return evidence.Effect{What: w.Kind, Node: w.Node, Taint: w.Taint.Key, On: w.Taint.Effect}, true
	case model.WritePodNotReady, model.WriteDelete, model.WriteForceDelete:
		return evidence.Effect{What: w.Kind, Node: w.Node, Pod: w.Pod}, true
	}
	return evidence.Effect{}, false
}
