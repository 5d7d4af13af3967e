package drive

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// record keeps decisions with their windows, and the effects to expect.
func (d *Driver) record(list []model.Decision, window model.Interval) {
	for _, x := range list {
		if n := d.Cache.Node(x.Node); x.Zone == model.Some(Nowhere) || n != nil && n.Zone == Nowhere {
			continue
		}
		switch x.Kind {
		case model.ZoneState, model.SetRate:
			if !d.zoneIsTold(&x) {
				continue
			}
		case model.EnterMasterDisruption, model.ExitMasterDisruption:
			if !d.Seeking && d.unsureMaster > 0 && d.unsureMaster >= d.pass-1 {
				continue
			}
		}
		w := window
		switch x.Kind {
		case model.ScheduleEviction:
			if p := d.pod(x.Pod); p != nil && p.Created.Bounded() {
				w.Earliest = max(w.Earliest, min(p.Created, w.Latest)) // not before the pod existed
			}
			d.armed[x.Pod] = countdown{w, x.Length()}
		case model.EvictPod, model.CancelEviction:
			if armed, ok := d.armed[x.Pod]; ok && x.Kind == model.EvictPod && window.Width() == 0 {
				// The countdown takes as long as it was armed for.
				w = armed.ends()
			}
			delete(d.armed, x.Pod)
		}
		if x.Kind == model.EvictPod {
			d.whereItIs(&x)
		}
		x.Basis, x.Window = model.Inferred, w
		x.Time = min(max(x.Time, w.Earliest), w.Latest)
		d.expect(&x)
		if x.Kind != model.DecisionNone && !d.Seeking {
			d.Decisions, d.dues = append(d.Decisions, x), append(d.dues, d.dueIn(&x, w))
		}
	}
}

// whereItIs sets the node in the writes to a pod: an inherited countdown names another.
func (d *Driver) whereItIs(x *model.Decision) {
	node, ok := d.plan.Evidence.Bindings.NodeBefore(x.Pod, d.Position)
	if !ok || node == x.Node {
		return
	}
	x.Writes = slices.Clone(x.Writes)
	for i := range x.Writes {
		x.Writes[i].Node = node
	}
}

// recordOfPass is record for the last pass.
func (d *Driver) recordOfPass(list []model.Decision, window model.Interval) {
	for i := range list {
		n := len(d.Decisions)
		d.record(list[i:i+1], d.afterStall(&list[i], d.firstAfter(&list[i], window)))
		if len(d.Decisions) > n { // writing hundreds of nodes takes seconds
			d.dues[n].writtenBy(d.plan.passAt(d.pass - 1).Wrote.Latest)
		}
	}
}

// afterStall is the window of a decision in a pass that waited for the API server: after the wait, except declarations.
// Source: kubernetes: pkg/controller/nodelifecycle, monitorNodeHealth.
func (d *Driver) afterStall(x *model.Decision, window model.Interval) model.Interval {
	p := d.plan.passAt(d.pass - 1)
	stalled, ok := d.plan.Evidence.StallAt(p.At)
	if !ok || !p.Wrote.Known() || p.Wrote.Latest < stalled.Latest || p.At > stalled.Latest || x.Kind == model.MarkUnknown {
		return window
	}
	from := evidence.AnsweredFrom(stalled)
	return model.Interval{Earliest: from, Latest: max(from, p.Wrote.Latest)}
}

// firstAfter is the window of a decision that writes no object, in a pass without a trace: the first pass after its cause.
func (d *Driver) firstAfter(x *model.Decision, window model.Interval) model.Interval {
	p := d.plan.passAt(d.pass - 1)
	if d.Seeking || x.Written() > 0 || p.Observed || p.Begins() {
		return window
	}
	cause := d.said[x.Node]
	if x.Node == "" && x.Zone.Known {
		cause = d.became[x.Zone.Value]
	}
	if !cause.Known() {
		return window
	}
	if d.pass < 2 || cause.Latest <= d.plan.passAt(d.pass-2).At {
		return window // the cause is older
	}
	before := d.plan.passAt(d.pass - 2)
	first := model.Interval{Earliest: cause.Earliest, Latest: cause.Latest.Add(d.flags().NodeMonitorPeriod.Value + d.plan.rhythm().Longest() + before.Slow())}
	if before.Observed || before.Begins() { // the time of before is known
		first.Earliest = max(first.Earliest, window.Earliest)
	}
	if !first.Contains(x.Time) {
		return window
	}
	return first
}

// zoneIsTold reports whether a decision about a zone is recorded: the zone is not in doubt, and must have changed.
func (d *Driver) zoneIsTold(x *model.Decision) bool {
	doubts := d.doubts()
	if d.Seeking || doubts.Unplaced == 0 && len(d.unsure) == 0 {
		return true
	}
	zone := x.Zone.Value
	if since, ok := d.unsure[zone]; ok && since >= d.pass-1 {
		return false
	}
	if doubts.Unplaced == 0 {
		return true
	}
	last, told := d.told[zone]
	if !d.Nodes.ZoneIsKnown(zone, doubts) {
		if !told {
			d.told[zone] = model.ZoneNone // it was never known
		}
		return false
	}
	if _, is, _, _ := d.Nodes.WhyZone(zone); x.Kind == model.ZoneState {
		d.told[zone] = is
		return !told || last != is && last != model.ZoneNone
	}
	return told
}

// tellZones notes the known zones at a pass that records nothing.
func (d *Driver) tellZones(at model.Instant) {
	if len(d.plan.Evidence.Unseen) == 0 || d.Seeking {
		return
	}
	for _, z := range d.Nodes.Zones(at, d.Cache) {
		if d.told[z.Zone] = model.ZoneNone; d.Nodes.ZoneIsKnown(z.Zone, d.doubts()) {
			d.told[z.Zone] = z.State
		}
	}
}

// countdown is when one began, and how long it takes if known.
type countdown struct {
	began model.Interval
	takes model.Maybe[time.Duration]
}

func (c countdown) ends() model.Interval {
	return model.Interval{Earliest: c.began.Earliest.Add(c.takes.Value), Latest: c.began.Latest.Add(c.takes.Value)}
}

// expect lists the effects of the next decision to record. A decision whose effects are all open already is a
// repetition: the model does not apply its own effects, so it decides again. Its Kind becomes DecisionNone.
func (d *Driver) expect(x *model.Decision) {
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
		if d.Seeking {
			continue
		}
		traceless := false
		if e.What == model.WriteDelete {
			p := d.pod(e.Pod)
			traceless = p == nil || p.Deletion.Known()
		}
		d.expectations = append(d.expectations, Expectation{Decision: int32(len(d.Decisions)), write: int32(i), Traceless: traceless})
	}
	if any && !fresh {
		x.Kind = model.DecisionNone
	}
}

// Expected is the effect of an Expectation.
func (d *Driver) Expected(e *Expectation) evidence.Effect {
	of, _ := effectOf(&d.Decisions[e.Decision].Writes[e.write])
	return of
}

// due is when the write of a decision may be seen.
type due struct {
	// window is that of the decision, before a match narrows it.
	window model.Interval
	// next is the next pass, if the cause of a pass's decision may have come after that pass; else unknown.
	next model.Interval
	// until is the latest time of the write, if it may take longer than evidence.LagBound; else unknown.
	until model.Instant
}

// dueIn is the due of a decision. A worker's write may wait for all others, and any for the API server.
func (d *Driver) dueIn(x *model.Decision, window model.Interval) due {
	is := due{window: window}
	if x.Kind == model.UntaintNoExecute && x.Rule == model.RuleReadyAgain && d.pass < len(d.plan.Passes) && d.written[x.Node].Latest > window.Earliest {
		is.next = d.plan.Passes[d.pass].Interval
	}
	if x.Kind == model.AddNoSchedule || x.Kind == model.RemoveNoSchedule {
		is.writtenBy(d.plan.Evidence.WrittenBy(window))
	}
	is.writtenBy(max(is.until, d.plan.Evidence.Waits(window)))
	return is
}

// writtenBy notes the latest time of the write, if it is later than usual.
func (e *due) writtenBy(t model.Instant) {
	if t.Known() && t > e.window.Latest.Add(evidence.LagBound) {
		e.until = t
	}
}

// lag is the longest delay of the write.
func (e *due) lag() time.Duration {
	if e.until.Known() {
		return e.until.Sub(e.window.Latest)
	}
	return evidence.LagBound
}

// effectOf is the effect of a write; Events have none.
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

// Expectation is an effect that a Decision must have, and that may be seen.
type Expectation struct {
	// Decision is the index of the Decision, write that of its Write.
	Decision, write int32
	// Traceless: the input could not show it. Met: it did.
	Traceless, Met bool
}

// Arrival is how long after its write a change may reach an observer.
const Arrival = time.Second

// DeletePatience is the Patience for the deletion of a pod.
const DeletePatience = Arrival + evidence.LagBound

// Expectations are the expected effects, in the order decided.
func (d *Driver) Expectations() []Expectation { return d.expectations }

// Window is that of the decision whose effect is expected, before a match narrows it.
func (d *Driver) Window(e *Expectation) model.Interval { return d.dues[e.Decision].window }

// Awaits reports whether an effect is expected of a decision, and open.
func (d *Driver) Awaits(of evidence.Effect, id model.DecisionID) bool {
	is, ok := d.open.find(of)
	return ok && is == id
}

// AwaitsNothing reports whether no effect is open.
func (d *Driver) AwaitsNothing() bool { return len(d.open.decisions) == 0 }

// Patience is how much longer than a write takes before it is overdue: an unseen pass, token or retry would have come.
func (d *Driver) Patience(e evidence.Effect) time.Duration {
	period := d.flags().NodeMonitorPeriod.Value
	switch e.What {
	case model.WriteConditions:
		return Arrival
	case model.WriteTaint:
		if e.On == model.NoExecute {
			return Arrival + period + min(d.tokenEvery(), time.Minute) // a race may have spent the token
		}
	case model.WriteDelete:
		return DeletePatience
	}
	return Arrival + 2*period
}

// May is when an expected effect may be seen.
func (d *Driver) May(e *Expectation) model.Interval {
	is := &d.dues[e.Decision]
	return model.Interval{Earliest: is.window.Earliest, Latest: is.window.Latest.Add(is.lag())}
}
