package forecast_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/forecast"
	"kardia/model/shadow"
	"kardia/model/timeline"
)

var (
	worlds = flag.Int("worlds", 250, "how many random worlds TestForecastsComeTrue makes")
	first  = flag.Uint64("world", 0, "the first of them")
)

// evidence is how a world is seen.
type evidence uint8

const (
	byAudit evidence = iota // to the millisecond, by the API server's clock
	byWatch                 // to about a second, by the stamps in the objects
	byOwn                   // when it arrived
)

func (e evidence) String() string { return [...]string{"audit", "watch", "own"}[e] }

// recording is what somebody sees of a world who begins at an instant: lists, then what happens.
type recording struct {
	world    *world
	from     model.Instant
	by       evidence
	events   bool
	changes  []model.Change
	arrived  model.Instant
	cluster  *model.Cluster
	position uint64
}

// watch takes down what is told, until the world is cut.
func (r *recording) watch(ch *model.Change) {
	r.position++
	c := *ch
	at := ch.Time.Earliest
	c.Quality, c.Version = model.ByServer, r.position
	if c.Kind == model.KindNodeLease {
		c.Key.Namespace = "kube-node-lease"
	}
	switch r.by {
	case byAudit:
		c.Time.Latest = at.Add(4 * time.Millisecond)
	case byWatch:
		c.Quality = model.ByStamp
		c.Time = model.Interval{Earliest: max(at.Truncate(time.Second), r.arrived), Latest: at.Truncate(time.Second).Add(1100 * time.Millisecond)}
		if c.Lease.Renewed.Known() {
			c.Time.Earliest = max(c.Time.Earliest, c.Lease.Renewed.Add(-100*time.Millisecond))
		}
		at = c.Time.Earliest
	case byOwn:
		c.Quality = model.ByArrival
		at = at.Add(15 * time.Millisecond)
		c.Arrival, c.Time = at, model.Interval{Earliest: at.Add(-100 * time.Millisecond), Latest: at}
	}
	r.arrived = max(r.arrived, at)
	c.At = r.arrived
	if ch.Time.Earliest < r.from {
		r.cluster.Fold(&c)
		return
	}
	if len(r.changes) == 0 {
		r.list()
	}
	if c.Kind == model.KindEvent && !r.events {
		return
	}
	r.changes = append(r.changes, c)
}

// list is what there is when the recording begins.
func (r *recording) list() {
	before := model.Interval{Earliest: epoch.Add(-time.Hour), Latest: r.from}
	r.cluster.Nodes(func(row *model.NodeRow) bool {
		r.changes = append(r.changes, model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: row.Name}, Version: row.Version, Time: before, At: r.from, Node: row.Node},
			model.Change{Kind: model.KindNodeLease, Op: model.OpBaseline, Key: model.Key{Namespace: "kube-node-lease", Name: row.Name}, Version: row.Lease.Version, Time: before, At: r.from, Lease: row.Lease.Lease})
		return true
	})
	for _, p := range r.cluster.Pods() {
		r.changes = append(r.changes, model.Change{Kind: model.KindPod, Op: model.OpBaseline, Key: p.Key, UID: p.UID, Time: before, At: r.from, Pod: p})
	}
}

// history is the recording as it stands.
func (r *recording) history(until model.Instant) timeline.History {
	kinds := map[model.Kind]int{}
	for i := range r.changes {
		kinds[r.changes[i].Kind]++
	}
	coverage := model.Interval{Earliest: r.from, Latest: until}
	return timeline.NewMemory(slices.Clone(r.changes), coverage, nil, []timeline.Source{{Path: "made up", Format: r.by.String(), Changes: len(r.changes), Kinds: kinds, Coverage: coverage, Quality: model.ByServer}})
}

// judged is a world at an instant, with what was seen of it by then.
type judged struct {
	world *world
	loop  *closedloop.Loop
	seen  *recording
	clock closedloop.Clock
}

// result is what the models make of what was seen, state the controllers at the end of that.
func (j *judged) result(t testing.TB) *shadow.Result {
	t.Helper()
	h := j.seen.history(j.loop.Now())
	result, err := shadow.Run(h, shadow.Options{Params: j.world.params, Mode: shadow.Causal, Until: j.loop.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (j *judged) state(t testing.TB) *shadow.State {
	t.Helper()
	s, err := j.result(t).Known(j.loop.Now())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// randomWorld is a world of its own for each number, and the second at which it is cut.
func randomWorld(number uint64) *judged {
	r := rand.New(rand.NewPCG(number, 7))
	between := func(a, b float64) float64 { return a + r.Float64()*(b-a) }
	sizes := make([]int, 1+r.IntN(3))
	for i := range sizes {
		sizes[i] = 1 + r.IntN(9)
	}
	w := newWorld(sizes, map[string]float64{})
	w.pods = map[string]*model.Tolerations{"short": tolerating(30), "long": tolerating(300), "none": nil, "ever": forever()}
	w.began = time.Duration(r.IntN(5000)) * time.Millisecond
	w.offset = func() float64 { return between(0, 10) }
	fallen := between(90, 130)
	spread := []float64{0, 8, 8, 40}[r.IntN(4)]
	cut := fallen + spread + between(20.6, 150)
	zone, share := "", 0
	w.each(func(name, z string) {
		if z != zone {
			zone, share = z, []int{2, 4, 4, 10, 12}[r.IntN(5)]
		}
		if r.IntN(12) < share {
			w.silent[name] = fallen + between(0, spread)
		}
	})
	by := evidence(r.IntN(3))
	rec := &recording{world: w, from: second(between(20, fallen-15)), by: by, events: r.IntN(2) == 0, cluster: model.NewCluster()}
	w.watch = rec.watch
	clock := closedloop.StartingAt(epoch.Add(w.began), period, time.Duration(between(0.2, 8)*float64(time.Millisecond)))
	clock.Tick = clock.Tick.Add(time.Duration(r.IntN(100)) * time.Millisecond)
	if r.IntN(2) == 0 {
		clock.Takes, clock.EachWrite = time.Duration(between(5, 140))*time.Millisecond, time.Duration(between(0, 5)*float64(time.Millisecond))
	}
	if rec.events && r.IntN(6) == 0 { // told by its Events
		at := between(30, cut)
		w.changes = append(w.changes, change{at, (*closedloop.Loop).Restart})
	}
	w.clock = &clock
	w.pick = func(waiting []string) string { return waiting[r.IntN(len(waiting))] }
	return settled(w, rec, cut)
}

// tally is what came of forecasts, and how wide they were.
type tally struct {
	inside, open, outside, none, false map[string]int
	// widths are of windows in worlds that were seen to the millisecond, and known beside them.
	widths, known map[string][]time.Duration
	exact         bool
}

func newTally() *tally {
	n := func() map[string]int { return map[string]int{} }
	return &tally{inside: n(), open: n(), outside: n(), none: n(), false: n(), widths: map[string][]time.Duration{}, known: map[string][]time.Duration{}}
}

// near is how far outside a window a write may be that is decided within it: it takes a while.
const near = 30 * time.Millisecond

func (c *tally) hold(what string, window model.Interval, listed bool, at model.Instant) bool {
	switch {
	case !listed || window.Earliest == model.FarFuture:
		c.none[what]++
	case at < window.Earliest.Add(-near) || at > window.Latest.Add(near):
		c.outside[what]++
	case window.Latest == model.FarFuture:
		c.open[what]++
		return true
	default:
		c.inside[what]++
		if c.exact {
			c.widths[what] = append(c.widths[what], window.Width())
		}
		return true
	}
	return false
}

// TestForecastsComeTrue makes worlds, shows them as a recording would up to a cut, forecasts, and
// holds against that what then happens. Beside it stands what somebody foresees who knows the
// controllers' state and the passes, but not the order of the queues.
func TestForecastsComeTrue(t *testing.T) {
	c := newTally()
	for n := range uint64(*worlds) {
		t.Run(fmt.Sprint(*first+n), func(t *testing.T) { comesTrue(t, randomWorld(*first+n), c) })
	}
	for _, what := range []string{"declared", "tainted", "deleted", "zone state", "rate"} {
		t.Logf("%-10s inside %d, open %d, outside %d, none %d, false %d; width p50 %v, p90 %v; known p50 %v, p90 %v", what, c.inside[what], c.open[what], c.outside[what], c.none[what], c.false[what],
			quantile(c.widths[what], 50), quantile(c.widths[what], 90), quantile(c.known[what], 50), quantile(c.known[what], 90))
	}
	if a, b := quantile(c.widths["declared"], 50), quantile(c.known["declared"], 50); a > b+period+time.Second {
		t.Errorf("declared within %v, more than a period wider than %v", a, b)
	}
	if a, b := quantile(c.widths["deleted"], 50), quantile(c.known["deleted"], 50); a > 2*b+100*time.Millisecond {
		t.Errorf("deleted within %v, more than twice as wide as %v", a, b)
	}
}

func quantile(list []time.Duration, percent int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return sorted[(len(sorted)-1)*percent/100].Round(10 * time.Millisecond)
}

func comesTrue(t *testing.T, j *judged, c *tally) {
	at := j.loop.Now()
	s := j.state(t)
	c.exact = j.seen.by == byAudit
	f := forecast.Run(s, forecast.Options{})
	exact := &shadow.State{At: at, Cache: j.loop.Cache, Nodes: j.loop.Nodes, Taints: j.loop.Taints, Pods: j.loop.Pods, Clock: j.clock, Params: j.world.params, Phases: []shadow.Phase{{Clock: j.clock}}}
	known := forecast.Run(exact, forecast.Options{Silent: j.world.falls})
	until := f.Until.Add(-time.Minute)
	then := j.loop.Run(until)
	failed := func(format string, args ...any) {
		t.Errorf("by %s from %.1f, events %v, cut at %.3f: "+format, append([]any{j.seen.by, j.seen.from.Sub(epoch).Seconds(), j.seen.events, at.Sub(epoch).Seconds()}, args...)...)
	}
	coming := func(f *forecast.Forecast, d *model.Decision) (w model.Interval, ok bool) {
		for i := range f.Coming {
			x := &f.Coming[i].Decision
			if x.Kind == d.Kind && x.Node == d.Node && x.Place == d.Place && (d.Kind != model.ZoneState && d.Kind != model.SetRate || x.Why == d.Why) {
				if !ok || x.Window.Contains(d.Time) {
					w, ok = x.Window, true
				}
			}
		}
		return w, ok
	}
	pods, deleted := map[model.Key]*forecast.Eviction{}, map[model.Key]bool{}
	for i := range f.Evictions {
		pods[f.Evictions[i].Pod] = &f.Evictions[i]
	}
	knownPods := map[model.Key]*forecast.Eviction{}
	for i := range known.Evictions {
		knownPods[known.Evictions[i].Pod] = &known.Evictions[i]
	}
	for i := range then {
		d := &then[i]
		what := map[model.DecisionKind]string{model.MarkUnknown: "declared", model.ZoneState: "zone state", model.SetRate: "rate"}[d.Kind]
		switch {
		case what != "":
			w, ok := coming(f, d)
			if !c.hold(what, w, ok, d.Time) {
				failed("%s at %s; foreseen %s", subject(d), d.Time.Sub(epoch), said(w, ok))
			}
			if w, ok := coming(known, d); ok && c.exact {
				c.known[what] = append(c.known[what], w.Width())
			}
		case d.Kind == model.TaintNoExecute && d.Outcome == model.Did:
			if !slices.ContainsFunc(f.Coming, func(x forecast.Coming) bool {
				w := x.Decision.Window
				return x.Decision.Kind == d.Kind && x.Decision.Place == d.Place && d.Time >= w.Earliest.Add(-near) && d.Time <= w.Latest.Add(near) && (x.Decision.Node == d.Node || slices.Contains(x.Among, d.Node))
			}) {
				if e := pods[model.Key{Namespace: "shop", Name: "none-" + d.Node}]; e != nil && e.Window.Earliest.Add(-near) <= d.Time && d.Time <= e.Window.Latest.Add(near) {
					c.inside["tainted"]++ // its pod that tolerates nothing is said to go then
					continue
				}
				c.none["tainted"]++
				failed("%s at %s, and no token foresaw it", subject(d), d.Time.Sub(epoch))
			} else {
				c.inside["tainted"]++
			}
		case d.Kind == model.EvictPod && d.Outcome == model.Did && !deleted[d.Pod]:
			deleted[d.Pod] = true
			e, ok := pods[d.Pod]
			if ok && (e.State == forecast.Terminating || e.State == forecast.Stuck) {
				continue
			}
			var w model.Interval
			if ok {
				w = e.Window
			}
			if !c.hold("deleted", w, ok, d.Time) {
				text := "not at all"
				if ok {
					text = told(*e)
				}
				failed("%s deleted at %s; foreseen %s", d.Pod, d.Time.Sub(epoch), text)
			}
			if e := knownPods[d.Pod]; e != nil && e.Window.Latest != model.FarFuture && c.exact {
				c.known["deleted"] = append(c.known["deleted"], e.Window.Width())
			}
		}
	}
	for pod, e := range pods {
		if e.Certain && e.Window.Latest.Add(near) < until && !deleted[pod] && e.State != forecast.Terminating && e.State != forecast.Stuck {
			c.false["deleted"]++
			failed("%s not deleted; promised %s", pod, told(*e))
		}
	}
	for i := range f.Coming {
		x := &f.Coming[i]
		if x.Sure && x.Decision.Kind == model.MarkUnknown && x.Decision.Window.Latest.Add(near) < until && !slices.ContainsFunc(then, func(d model.Decision) bool { return d.Kind == model.MarkUnknown && d.Node == x.Decision.Node }) {
			c.false["declared"]++
			failed("%s not declared; promised %s", x.Decision.Node, said(x.Decision.Window, true))
		}
	}
	counted(failed, f, pods, then)
}

// Wherever a recording is cut about the declarations of two zones, one of them wholly silent, and
// whether or not the controller began anew while they were silent: what was not seen by then is not
// taken for done.
func TestEveryCutAboutADeclaration(t *testing.T) {
	for _, restarted := range []float64{0, 123.0188} {
		for by := range evidence(3) {
			c := newTally()
			for cut := 142.02; cut < 186; cut += 1.54 {
				t.Run(fmt.Sprintf("by %s, restarted %v, cut at %.2f", by, restarted > 0, cut), func(t *testing.T) {
					w := newWorld([]int{3, 7}, map[string]float64{"a00": 97, "a01": 96.9, "a02": 93.5, "b00": 100.6, "b01": 98.14, "b03": 98.9, "b04": 98.17, "b05": 95.8, "b06": 94.86})
					w.began = 3289 * time.Millisecond
					rec := &recording{world: w, from: second(77.066), by: by, events: restarted > 0, cluster: model.NewCluster()}
					w.watch = rec.watch
					clock := closedloop.StartingAt(epoch.Add(w.began), period, 3111*time.Microsecond)
					if restarted > 0 {
						w.changes = append(w.changes, change{restarted, (*closedloop.Loop).Restart})
					}
					w.clock = &clock
					comesTrue(t, settled(w, rec, cut), c)
				})
			}
		}
	}
}

// settled is a world at a second, or a little later: what is written as it is cut may or may not be seen.
func settled(w *world, rec *recording, cut float64) *judged {
	l := w.loop(cut)
	for busy := true; busy; {
		busy = false
		for _, d := range l.Run(l.Now().Add(1300 * time.Millisecond)) {
			busy = busy || len(d.Writes) > 0
		}
	}
	return &judged{world: w, loop: l, seen: rec, clock: l.Clock()}
}

// counted holds against what happened how many were said to be tainted and deleted by when.
func counted(failed func(string, ...any), f *forecast.Forecast, pods map[model.Key]*forecast.Eviction, then []model.Decision) {
	for _, z := range f.Zones {
		for _, n := range z.By {
			tainted, deleted := 0, map[model.Key]bool{}
			for i := range then {
				d := &then[i]
				switch {
				case d.Outcome != model.Did || d.Time > n.By:
				case d.Kind == model.TaintNoExecute && d.Place.Value == z.Place:
					tainted++
				case d.Kind == model.EvictPod && strings.HasPrefix(d.Node, z.Place.Zone):
					if e := pods[d.Pod]; e == nil || e.State != forecast.Terminating && e.State != forecast.Stuck { // else it was deleted before
						deleted[d.Pod] = true
					}
				}
			}
			if tainted < n.Tainted.Least || tainted > n.Tainted.Most {
				failed("%d nodes of %s tainted by %s; foreseen %v", tainted, z.Place.Zone, n.By.Sub(epoch), n.Tainted)
			}
			if len(deleted) < n.Deleted.Least || len(deleted) > n.Deleted.Most {
				failed("%d pods of %s deleted by %s; foreseen %v", len(deleted), z.Place.Zone, n.By.Sub(epoch), n.Deleted)
			}
		}
	}
}

func said(w model.Interval, ok bool) string {
	if !ok {
		return "not at all"
	}
	return fmt.Sprintf("[%s, %s]", w.Earliest.Sub(epoch), w.Latest.Sub(epoch))
}
