package infer

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/tainteviction"
	"kardia/model/infer/evidence"
)

// Assumed is what kind of thing an Assumption takes for granted.
type Assumed uint8

const (
	// Restarted: the process ended and began anew, or another became the leader: its memory is lost.
	Restarted Assumed = iota
	// SetAside: a write is not what it seems: no pass is placed by it.
	SetAside
	// Stalled: the process, or the API server that it asks, stood still and then went on, with all that
	// it remembered: what was due meanwhile came then, all together.
	Stalled
	// Burnt: a tick read a node in a cache that was behind, and the token was burnt.
	Burnt
	// OthersWrote: what tells of somebody else was written by them, a person or another controller.
	OthersWrote
	// Differs: a flag is other than stated or than its default: fewer observations than else give it up.
	Differs
)

// Processes are those that an Assumption is about.
type Processes uint8

const (
	NodeLifecycle Processes = 1 << iota
	TaintEviction
	ControllerManager = NodeLifecycle | TaintEviction
)

// Assumption is something that nobody tells of, and that a drive takes for granted.
type Assumption struct {
	Kind Assumed
	// Who restarted or stalled: what stalls is always the ControllerManager.
	Who Processes
	// At is within which its work began again, for node-lifecycle with a pass; or within which a token
	// was burnt.
	At model.Interval
	// Stopped is from when on it did nothing; unknown: until then it worked.
	Stopped model.Instant
	// Write is the Number of the one that is SetAside.
	Write int
	// Node is the one whose token was Burnt.
	Node string
	// By is who wrote, as Write.By says, where it was OthersWrote.
	By string
	// Flag is the name of one that was stated and Differs; "" for all that were not.
	Flag string
}

// Assuming is the same input driven again, with assumptions beside what is told. Several states of
// it may be asked for like those of any Result.
func (r *Result) Assuming(list []Assumption) (*Result, error) { return r.assuming(list, false) }

// Trying is Assuming with less effort: of the passes, only those instants are driven that are most
// likely. It leaves as much open as Assuming does, or more.
func (r *Result) Trying(list []Assumption) (*Result, error) { return r.assuming(list, true) }

func (r *Result) assuming(list []Assumption, quick bool) (*Result, error) {
	c, err := r.run.under(func(c *run) {
		c.o = c.given // what was inferred may have been by what is now known to be something else
		c.assumed, c.quick = list, quick
		c.differ()
		c.stall()
		c.setAside()
	})
	if err != nil {
		return nil, err
	}
	res := c.result()
	if res.past, res.recorded = r.past, r.recorded; !quick && res.past != nil {
		res.remember()
	}
	return res, nil
}

// differ gives up flags that are assumed to be others.
func (r *run) differ() {
	standard := model.Defaults(r.o.Params.Version)
	for _, a := range r.assumed {
		if a.Kind != Differs {
			continue
		}
		r.enough = 1
		for _, f := range settings {
			if f.name == a.Flag {
				f.reset(&r.o.Params, &standard)
			}
		}
	}
}

// stall lets the controllers stand still where that is assumed, as if it had been seen.
func (r *run) stall() {
	for _, a := range r.assumed {
		if a.Kind == Stalled {
			r.o.Stood = append(slices.Clone(r.o.Stood), model.Interval{Earliest: a.Stopped, Latest: a.At.Latest})
			slices.SortFunc(r.o.Stood, func(a, b model.Interval) int { return cmp.Compare(a.Earliest, b.Earliest) })
		}
	}
}

// setAside marks the writes that no pass is placed by.
func (r *run) setAside() {
	for _, a := range r.assumed {
		for i := range r.evidence.Writes {
			if a.Kind == SetAside && r.evidence.Writes[i].Write == &r.writes[a.Write] || a.Kind == OthersWrote && r.evidence.Writes[i].By == a.By {
				r.evidence.Writes[i].Aside = true
			}
		}
	}
}

// Findings counts the writes that nothing explains and the effects that were not seen.
func (r *Result) Findings() int { return r.findings() }

// Changes is how many Changes a drive reads: what one costs.
func (r *Result) Changes() int { return r.run.input.End - r.run.input.First }

// restart is when a node-lifecycle controller began anew.
type restart struct {
	model.Interval
	// alone: taint eviction went on.
	alone bool
	// goesOn: it is no restart, but the process went on after it had stood still.
	goesOn bool
}

// starts are when the passes of node-lifecycle begin anew: with the restarts, those that are told and
// those that are assumed, and where it had stood still.
func (r *run) starts() []restart {
	var all []restart
	for _, v := range r.evidence.Restarts {
		all = append(all, restart{Interval: v})
	}
	for _, a := range r.assumed {
		if a.Kind == Restarted && a.Who&NodeLifecycle != 0 {
			all = append(all, restart{Interval: a.At, alone: a.Who&TaintEviction == 0})
		}
	}
	for _, v := range r.o.Stood {
		on := wentOn(v)
		if on.Latest < r.coverage.Latest && !slices.ContainsFunc(all, func(x restart) bool {
			return x.Overlaps(model.Interval{Earliest: v.Earliest, Latest: v.Latest.Add(evidence.OneBurst)})
		}) {
			all = append(all, restart{Interval: on, goesOn: true})
		}
	}
	slices.SortStableFunc(all, func(a, b restart) int { return cmp.Compare(a.Earliest, b.Earliest) })
	for i := range all {
		until := model.FarFuture
		if i+1 < len(all) {
			until = all[i+1].Earliest
		}
		all[i].Latest = r.beganBy(all[i].Interval, until)
		if !all[i].goesOn {
			all[i].Earliest = r.beganAfter(all[i].Interval)
		}
	}
	return all
}

// beganAfter is when a process that began within bounds made its first pass at the earliest: what was
// declared Unknown by the latest was so by the process before it, for the first pass counts all anew (M1).
func (r *run) beganAfter(began model.Interval) model.Instant {
	earliest := began.Earliest
	for i := range r.evidence.Writes {
		w := &r.evidence.Writes[i]
		if w.Kind == model.MarkUnknown && !w.Aside && !w.Across && w.Time.Latest < began.Latest {
			earliest = max(earliest, w.Time.Latest+1)
		}
	}
	return earliest
}

// beganBy is when a process that began within bounds, and ended by an instant, made its first pass at
// the latest: it has declared no node Unknown that it did not know for the grace period (M1, N12).
func (r *run) beganBy(began model.Interval, ended model.Instant) model.Instant {
	latest := began.Latest
	for i := range r.evidence.Writes {
		w := &r.evidence.Writes[i]
		if w.Kind != model.MarkUnknown || w.Aside || w.Across || w.Time.Earliest <= began.Latest || w.Time.Latest >= ended {
			continue
		}
		if by := w.Time.Latest.Add(-r.o.Params.NodeMonitorGracePeriod.Value); by >= began.Earliest {
			latest = min(latest, by)
		}
	}
	return latest
}

// idle are the times in which processes did nothing.
func (r *run) idle(who Processes) (list []model.Interval) {
	for _, v := range r.o.Stood {
		list = append(list, model.Interval{Earliest: v.Earliest, Latest: wentOn(v).Earliest})
	}
	for _, a := range r.assumed {
		if a.Kind == Restarted && a.Who&who != 0 && a.Stopped.Known() && a.Stopped < a.At.Latest {
			list = append(list, model.Interval{Earliest: a.Stopped, Latest: a.At.Latest})
		}
	}
	return list
}

// turn is an instant at which processes stop, or at which taint eviction alone begins again.
type turn struct {
	at    model.Instant
	who   Processes
	stops bool
	// within is when it began, with an empty memory, unless it goesOn; a process that stops and goesOn
	// later keeps what it knew.
	within model.Interval
	goesOn bool
}

// turns are those of the assumptions, in order of time. Node-lifecycle that restarts is no turn: its
// first pass is.
func (r *run) turns() (list []turn) {
	for _, a := range r.assumed {
		if a.Kind != Restarted {
			continue
		}
		if a.Stopped.Known() {
			list = append(list, turn{at: a.Stopped, who: a.Who, stops: true})
		}
		if a.Who == TaintEviction {
			list = append(list, turn{at: a.At.Middle(), who: a.Who, within: a.At})
		}
	}
	for _, v := range r.o.Stood {
		on := wentOn(v)
		list = append(list, turn{at: v.Earliest, who: ControllerManager, stops: true, goesOn: true}, turn{at: on.Earliest, who: ControllerManager, within: on, goesOn: true})
	}
	slices.SortStableFunc(list, func(a, b turn) int { return cmp.Compare(a.at, b.at) })
	return list
}

// pausedPasses leaves out the passes of a time in which nothing was done.
func (r *run) pausedPasses() {
	for _, v := range r.idle(NodeLifecycle) {
		r.passes = slices.DeleteFunc(r.passes, func(p pass) bool { return !p.begins() && p.at >= v.Earliest && p.at < v.Latest })
	}
}

// nextTurn is when the next turn comes.
func (d *driver) nextTurn() model.Instant {
	if d.turned < len(d.turns) {
		return d.turns[d.turned].at
	}
	return model.FarFuture
}

// turn takes the next one.
func (d *driver) turn() {
	t := &d.turns[d.turned]
	d.turned++
	if t.stops {
		if d.stopped |= t.who; t.goesOn {
			d.stands()
		}
		return
	}
	d.stopped &^= t.who
	if t.goesOn {
		d.goOn(t.at, t.within)
		return
	}
	d.beginEviction(t.at, t.within)
}

// beginEviction is taint eviction that begins again: its memory is empty, and it is shown every node
// there is.
func (d *driver) beginEviction(at model.Instant, within model.Interval) {
	d.taints = tainteviction.New(d.r.o.Params)
	for i := range int32(d.cache.Rows()) {
		if row := d.cache.Row(i); row.Node != nil {
			d.record(d.taints.NodeChanged(at, row.Name, d.cache), within)
		}
	}
}

// behind is whether the tick at an instant reads a node in a cache that is assumed to be behind.
func (d *driver) behind(at model.Instant) func(node string) bool {
	var burns func(string) bool
	for i := range d.r.assumed {
		if a := &d.r.assumed[i]; a.Kind == Burnt && a.At.Contains(at) {
			burns = func(node string) bool { return node == a.Node }
		}
	}
	return burns
}

// beginListening is node-lifecycle that begins again: its workers are shown every node there is.
func (d *driver) beginListening(at model.Instant, within model.Interval) {
	for i := range int32(d.cache.Rows()) {
		if row := d.cache.Row(i); row.Node != nil {
			d.record(d.nodes.NodeEvent(at, row.Name, d.cache, nodelifecycle.Hidden{}), within)
		}
	}
}

// nodeEvent tells node-lifecycle's workers of a node, unless nobody listens.
func (d *driver) nodeEvent(at model.Instant, node string, within model.Interval) {
	if d.stopped&NodeLifecycle == 0 {
		d.record(d.nodes.NodeEvent(at, node, d.cache, nodelifecycle.Hidden{}), within)
	}
}

// Began is within which what was assumed happened, as the passes that left a trace narrow it; false
// where they do not.
func (r *Result) Began(a *Assumption) (within model.Interval, ok bool) {
	if a.Kind != Restarted && a.Kind != Stalled || a.Who&NodeLifecycle == 0 {
		return a.At, false
	}
	for i := range r.run.passes {
		if p := &r.run.passes[i]; p.begins() && a.At.Overlaps(p.Interval) {
			both, _ := a.At.Intersect(p.Interval)
			return both, true
		}
	}
	return a.At, false
}

// Count is how many Changes of a kind there are.
func (r *Result) Count(kind model.Kind) int { return r.run.evidence.Counts[kind] }

// actor is the process that makes writes of a kind.
func actor(kind model.DecisionKind) Processes {
	switch kind {
	case model.EvictPod:
		return TaintEviction
	case model.CollectPod:
		return 0
	}
	return NodeLifecycle
}
