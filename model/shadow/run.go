package shadow

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/podgc"
	"kardia/model/timeline"
)

const (
	// lagBound is how long after a decision its write may come: workers that wait for each
	// other, and one conflict with its retry.
	lagBound = time.Second
	// settle is how long a token may lie unused before the model uses it without having seen
	// that the real controller did.
	settleTime = 500 * time.Millisecond
)

// run is the input and what was estimated of it.
type run struct {
	o        Options
	changes  []model.Change
	first    int // position of changes[0]
	coverage model.Interval
	seeds    []seed
	unseen   []string // nodes known by their leases only
	writes   []seen
	byPos    map[int][]int    // position → indexes of writes
	restarts []model.Interval // within each, the first pass of a new process began
	passes   []pass
	result_  Result
}

func newRun(h timeline.History, o Options) (*run, error) {
	r := &run{o: o, coverage: h.Coverage(), byPos: map[int][]int{}}
	if err := r.read(h); err != nil {
		return nil, err
	}
	r.seed()
	ob := observer{nodes: map[string]*model.Node{}, pods: map[model.Key]*model.Pod{}, refused: map[string]model.Instant{}, evicting: map[model.Key]int{}}
	for _, s := range r.seeds {
		if s.node != nil {
			ob.nodes[s.key.Name] = s.node
		} else {
			ob.pods[s.key] = s.pod
		}
	}
	for i := range r.changes {
		ob.change(r.first+i, &r.changes[i])
	}
	r.writes = ob.out
	for i := range r.writes {
		r.byPos[r.writes[i].position] = append(r.byPos[r.writes[i].position], i)
	}
	r.findRestarts()
	period := o.Params.NodeMonitorPeriod.Value
	var anchors int
	r.passes, anchors = fitPasses(r.writes, len(ob.nodes), r.restarts, r.coverage.Earliest.Add(-2*period), r.coverage.Latest, period)

	r.inferGrace()
	res := r.choosePhase()
	r.assume(&res, anchors)
	if fits, n := r.fitGrace(); n > 0 {
		seconds := func(i model.Instant) float64 { return time.Duration(i).Round(time.Millisecond).Seconds() }
		res.Fits["node-monitor-grace-period"] = Fit{Min: seconds(fits.Earliest), Max: seconds(fits.Latest), Unit: "s", Evidence: n}
	}
	r.result_ = res
	return r, nil
}

func (r *run) result() *Result { res := r.result_; return &res }

func (r *run) read(h timeline.History) error {
	first, end := h.Span()
	r.first = first
	for at := first; at < end; {
		page := h.PageAt(at)
		changes, err := h.Read(page)
		if err != nil {
			return err
		}
		for i := range changes {
			if r.o.Mode == Causal && r.o.Until.Known() && changes[i].Effective() > r.o.Until {
				r.coverage.Latest = min(r.coverage.Latest, r.o.Until)
				return nil
			}
			r.changes = append(r.changes, changes[i])
		}
		at = page.End
	}
	return nil
}

// once drives the models and matches what they decide.
func (r *run) once() Result {
	d := r.drive(model.FarFuture)
	res := Result{Params: r.o.Params, Fits: map[string]Fit{}, Coverage: r.coverage, Mode: r.o.Mode, run: r}
	r.match(d, &res)
	return res
}

// choosePhase keeps, of the pass instants that the bounds allow, some that fit what was
// observed best: whether a pass came before or after a renewal or a status can be open, and
// what follows tells. Bounds and windows stay as they are.
func (r *run) choosePhase() Result {
	best := r.once()
	for _, share := range [...]time.Duration{2, 0, 1, 3, 4} {
		if best.findings() == 0 {
			break
		}
		before := slices.Clone(r.passes)
		for i := range r.passes {
			if p := &r.passes[i]; !p.observed {
				p.at = p.Earliest.Add(p.Width() / 4 * share).Add(time.Duration(i) * time.Microsecond)
			}
		}
		if other := r.once(); other.findings() < best.findings() {
			best = other
		} else {
			r.passes = before
		}
	}
	return best
}

// findings counts what does not agree.
func (r *Result) findings() int {
	n := len(r.Unobserved)
	for i := range r.Writes {
		if r.Writes[i].Decision == 0 {
			n++
		}
	}
	return n
}

// findRestarts: a controller that registers a node it must have known has lost its memory.
func (r *run) findRestarts() {
	created, heard := map[string]model.Instant{}, map[string]model.Instant{}
	for i := range r.changes {
		ch := &r.changes[i]
		switch {
		case ch.Kind == model.KindNode && ch.Node != nil:
			created[ch.Key.Name] = ch.Node.Created
		case ch.Kind == model.KindNodeLease:
			if _, known := heard[ch.Key.Name]; !known {
				heard[ch.Key.Name] = ch.Effective()
			}
		case ch.Kind == model.KindEvent && ch.Op == model.OpAdd && ch.Event != nil && ch.Event.Reason == "RegisteredNode":
			at := ch.Effective()
			born, ok := created[ch.Event.Regarding.Name]
			if !ok {
				born, ok = heard[ch.Event.Regarding.Name]
			}
			if !ok || at.Sub(born) < 30*time.Second || at <= r.coverage.Earliest {
				continue
			}
			// The pass registers a node before it tells of it, and tells at once.
			v := model.Interval{Earliest: ch.Time.Earliest.Add(-reaction), Latest: ch.Time.Latest}
			if ch.Quality == model.ByServer {
				v.Latest = ch.Time.Earliest
			}
			if n := len(r.restarts); n == 0 || at.Sub(r.restarts[n-1].Latest) > 30*time.Second {
				r.restarts = append(r.restarts, v)
			} else if last := &r.restarts[n-1]; v.Latest < last.Latest {
				last.Latest, last.Earliest = v.Latest, min(last.Earliest, v.Latest)
			}
		}
	}
}

// assume says in words what the estimate rests on.
func (r *run) assume(res *Result, anchors int) {
	say := func(format string, a ...any) { res.Assumptions = append(res.Assumptions, fmt.Sprintf(format, a...)) }
	if anchors == 0 {
		say("no monitor pass left a trace: their phase is assumed, and their windows are a whole period")
	} else {
		say("the phase of the monitor pass is fitted to %d passes that left a trace", anchors)
	}
	if n := len(r.unseen); n > 0 {
		say("%d nodes are known by their leases only: they count as a zone of their own that is not wholly dark; zones they may belong to have shares that are not known", n)
	}
	if len(r.restarts) > 0 {
		say("the controller started anew %d times: RegisteredNode for nodes it had known", len(r.restarts))
	}
	leases, nodes, pods := 0, 0, 0
	for i := range r.changes {
		switch r.changes[i].Kind {
		case model.KindNodeLease:
			leases++
		case model.KindNode:
			nodes++
		case model.KindPod:
			pods++
		}
	}
	if pods == 0 {
		say("the input holds no pods: evictions cannot be known")
	}
	if leases == 0 {
		res.Unsupported = append(res.Unsupported, "the input holds no node leases: silence cannot be judged")
	}
	if nodes == 0 {
		res.Unsupported = append(res.Unsupported, "the input holds no Node objects: no write can be judged")
	}
}

// at drives the models again up to an instant.
func (r *run) at(t model.Instant) (*State, error) {
	d := r.drive(t)
	p := r.o.Params
	period := p.NodeMonitorPeriod.Value
	s := &State{At: t, Cache: d.cache, Nodes: d.nodes, Taints: d.taints, Pods: podgc.New(p), Params: p, Slack: period / 2}
	s.Clock = closedloop.StartingAt(t, period, 5*time.Millisecond)
	if i, _ := slices.BinarySearchFunc(r.passes, t, func(x pass, t model.Instant) int { return cmp.Compare(x.at, t) }); i < len(r.passes) {
		if r.passes[i].at == t && i+1 < len(r.passes) {
			i++
		}
		s.Clock.Pass, s.Slack = max(r.passes[i].at, t), r.passes[i].Width()/2
	} else if n := len(r.passes); n > 0 {
		last := r.passes[n-1]
		behind := t.Sub(last.at) / period
		s.Clock.Pass, s.Slack = last.at.Add((behind+1)*period), last.Width()/2
	}
	return s, nil
}

// enough is how many silences must agree before a default is given up.
const enough = 3

// inferGrace replaces a default that enough observations contradict by the longest multiple
// of the period that agrees with them.
func (r *run) inferGrace() {
	p := &r.o.Params.NodeMonitorGracePeriod
	period := r.o.Params.NodeMonitorPeriod.Value
	fits, n := r.fitGrace()
	if p.From != model.FromDefault || n < enough || fits.Contains(model.Instant(p.Value)) {
		return
	}
	if longest := time.Duration(fits.Latest).Truncate(period); longest >= time.Duration(fits.Earliest) {
		*p = model.Param[time.Duration]{Value: longest, From: model.FromInferred}
	}
}

// fitGrace bounds the grace period: a node is Unknown in the first pass that is more than it
// later than the pass that counted its last renewal. Ends are durations; evidence counts the
// nodes that agree.
func (r *run) fitGrace() (fits model.Interval, evidence int) {
	n := 0
	for i := range r.writes {
		w := &r.writes[i]
		if w.Kind != model.MarkUnknown {
			continue
		}
		k := r.passOf(w.Time)
		beat := r.lastBeat(w.Node, w.position)
		if k < 1 || !beat.Known() {
			continue
		}
		from, _ := slices.BinarySearchFunc(r.passes, beat, func(x pass, t model.Instant) int { return cmp.Compare(x.at, t) })
		if from == 0 || from >= k {
			continue
		}
		v := model.Interval{Earliest: model.Instant(r.passes[k-1].at.Sub(r.passes[from].at)), Latest: model.Instant(r.passes[k].at.Sub(r.passes[from].at))}
		if n > 0 {
			both, ok := fits.Intersect(v)
			if !ok {
				continue
			}
			v = both
		}
		fits, n = v, n+1
	}
	return fits, n
}

// passOf is the index of the pass that made a write; -1 if none can have.
func (r *run) passOf(v model.Interval) int {
	for i := range r.passes {
		if p := &r.passes[i]; p.Earliest <= v.Latest && v.Earliest <= p.Latest.Add(lagBound) {
			return i
		}
	}
	return -1
}

// lastBeat is when the last renewal before a position was written.
func (r *run) lastBeat(node string, position int) model.Instant {
	for i := position - r.first - 1; i >= 0; i-- {
		if ch := &r.changes[i]; ch.Kind == model.KindNodeLease && ch.Key.Name == node {
			return ch.Effective()
		}
	}
	return 0
}
