package forecast_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/simulate/forecast"
)

var (
	worlds = flag.Int("worlds", 250, "how many random worlds TestForecastsComeTrue makes")
	first  = flag.Uint64("world", 0, "the first of them")
)

// once are worlds beyond the first 250 in which something was outside once:
//
//	2418  a restart that nobody tells of, but by its traces, while something seems to be overdue
//	3970  two tokens burnt, one after the other, by passes that were taken to be further apart than they are
var once = []uint64{2418, 3970}

// onceWithin are the same of worlds that are cut within a pass:
//
//	436, 870  a token that may have been burnt just before: whose it was waits on, behind all that come meanwhile
//	604       the passes before had written for long: one fewer than thought had come since the last renewal
//	1521      a countdown to which the models came by another way, where what nobody saw is not decided
//	2013      a token that came just when a node was declared, as far as that is known, and may have been burnt
var onceWithin = []uint64{436, 604, 870, 1521, 2013}

// onceLate are the same of worlds of which who records them sees little more than the cut:
//
//	94, 152   a token burnt since then
//	300       a taint written just then
//	701, 2031 one token burnt after the other, of which nobody knows since when there was one
//	2234      a node tainted just before, which was taken to wait for another token
var onceLate = []uint64{94, 152, 300, 701, 2031, 2234}

// onceUnwatched are the same of worlds that nobody watches before the cut:
//
//	640, 1033, 1345  who stopped watching in a pass: what it had decided was taken for done
var onceUnwatched = []uint64{640, 1033, 1345}

// judged is a world at an instant, with what was seen of it by then.
type judged struct {
	world *world
	loop  *loop.Loop
	seen  *recording
	clock loop.Clock
	// captured: nothing is seen but how things stand at the cut. arrives: little more.
	captured, arrives bool
	// live: the cluster is watched.
	live bool
	// unwatched is for how long before the cut nobody watched anything.
	unwatched time.Duration
	// resumes: the leader that stopped goes on.
	resumes bool
}

// result is what the models make of what was seen, state the controllers at the end of that.
func (j *judged) result(t testing.TB) *infer.Result {
	t.Helper()
	h := j.seen.history(j.loop.Now())
	if j.captured {
		h = j.seen.capture(j.loop.Now())
	}
	if j.unwatched > 0 {
		h = j.seen.unwatched(j.loop.Now().Add(-j.unwatched), j.loop.Now())
	}
	result, err := infer.Run(h, infer.Options{Params: j.world.params, Mode: infer.Causal, Until: j.loop.Now(), Watched: j.live})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (j *judged) state(t testing.TB) *infer.State {
	t.Helper()
	s, err := j.result(t).Known(j.loop.Now())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// randomWorld is a world of its own for each number, and the second at which it is cut.
func randomWorld(number uint64) *judged { return randomWorldBut(number, func(*world) {}) }

// randomWorldBut is a random world that is changed before it runs.
func randomWorldBut(number uint64, but func(*world)) *judged {
	w, rec, cut := drawnWorld(number, but)
	return settled(w, rec, cut)
}

// drawnWorld is a random world before it runs, the recording of it, and the second at which to cut.
func drawnWorld(number uint64, but func(*world)) (*world, *recording, float64) {
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
	rec := &recording{world: w, from: second(between(20, fallen-15)), by: by, events: r.IntN(2) == 0}
	w.watch = rec.watch
	clock := loop.StartingAt(epoch.Add(w.began), period, time.Duration(between(0.2, 8)*float64(time.Millisecond)))
	clock.Tick = clock.Tick.Add(time.Duration(r.IntN(100)) * time.Millisecond)
	if r.IntN(2) == 0 {
		clock.Takes, clock.EachWrite = time.Duration(between(5, 140))*time.Millisecond, time.Duration(between(0, 5)*float64(time.Millisecond))
	}
	restarted, elected := 0.0, 0.0
	if r.IntN(6) == 0 {
		restarted = between(30, cut)
		elected = restarted - between(.1, 2)
		w.changes = append(w.changes, change{restarted, (*loop.Loop).Restart})
	}
	if rec.leaders = r.IntN(2) == 0; rec.leaders {
		rec.leads(w, cut+30, elected)
	}
	if r.IntN(2) == 0 {
		w.lag = time.Duration(between(1, 40) * float64(time.Millisecond))
	}
	rec.restarted = restarted
	rec.untold = restarted > rec.from.Sub(epoch).Seconds() && !rec.events && !rec.leaders
	w.clock = &clock
	w.pick = func(waiting []string) string { return waiting[r.IntN(len(waiting))] }
	but(w)
	return w, rec, cut
}

// withinAPass is a random world that is cut while a pass writes whom it has declared Unknown, or marks
// their pods, or soon after it; nil where none comes that was to be expected.
func withinAPass(number uint64) *judged {
	r := rand.New(rand.NewPCG(number, 11))
	each := time.Duration([]float64{.3, 2, 6, 14}[r.IntN(4)] * float64(time.Millisecond))
	takes := time.Duration(1+r.IntN(120)) * time.Millisecond
	slow := func(w *world) { w.eachWrite, w.clock.EachWrite, w.clock.Takes = each, each, takes }
	w, rec, until := drawnWorld(number, slow)
	w.loop(until)
	settled := rec.restarted
	for _, last := range w.silent {
		settled = max(settled, last+20.6)
	}
	writes := map[model.Instant]int{}
	for i := range w.did {
		if d := &w.did[i]; (d.Kind == model.MarkUnknown || d.Kind == model.MarkPodsNotReady) && d.Time > second(settled) {
			writes[d.Time] += len(d.Writes)
		}
	}
	if len(writes) == 0 {
		return nil
	}
	passes := slices.Sorted(maps.Keys(writes))
	pass := passes[r.IntN(len(passes))]
	cut := pass.Add(time.Duration(r.Float64() * 1.3 * float64(takes+each*time.Duration(writes[pass]))))
	w, rec, _ = drawnWorld(number, slow)
	l := w.loop(cut.Sub(epoch).Seconds())
	return &judged{world: w, loop: l, seen: rec, clock: l.Clock()}
}

// late is what was decided by the cut, and not seen by then: nodes that are declared Unknown when that is
// written.
func (j *judged) late() (list []model.Decision) {
	r, t, unknown := j.seen, j.loop.Now(), map[string]bool{}
	for _, d := range j.world.did {
		if d.Time.Add(r.by.delay()) > t && d.Kind != model.MarkUnknown {
			d.Time = t + 1
			list = append(list, d)
		}
	}
	for i := range r.told {
		ch := &r.told[i]
		if ch.Kind != model.KindNode || ch.Node == nil {
			continue
		}
		ready := ch.Node.Ready()
		is := ready != nil && ready.Status == model.StatusUnknown
		if is && !unknown[ch.Key.Name] && ch.Time.Earliest.Add(r.by.delay()) > t {
			list = append(list, model.Decision{Kind: model.MarkUnknown, Node: ch.Key.Name, Zone: model.Some(ch.Node.Zone), Time: max(ch.Time.Earliest, t+1)})
		}
		unknown[ch.Key.Name] = is
	}
	return list
}

// tally is what came of forecasts, and how wide they were.
type tally struct {
	inside, open, outside, none, false map[string]int
	// widths are of windows in worlds that were seen to the millisecond, and known beside them.
	widths, known map[string][]time.Duration
	exact         bool
	// over is by how much windows of deletions are wider than twice what is known beside them.
	over  []time.Duration
	fates [forecast.Lapsed + 1]int
	// untold is the same of worlds in which the controller began anew, and nothing shows that.
	untold *tally
}

func newTally() *tally {
	c := emptyTally()
	c.untold = emptyTally()
	return c
}

// overWorlds runs over the drawn worlds, and over those that are always run and not counted, and tells what was found.
func overWorlds(t *testing.T, always []uint64, run func(n uint64, c *tally)) {
	t.Helper()
	c := newTally()
	for n := range uint64(*worlds) {
		run(*first+n, c)
	}
	for _, n := range always {
		run(n, newTally())
	}
	c.log(t)
}

func (c *tally) log(t *testing.T) {
	t.Helper()
	for _, what := range []string{"declared", "tainted", "deleted", "zone state", "rate"} {
		t.Logf("%-10s inside %d, open %d, outside %d, none %d, false %d", what, c.inside[what], c.open[what], c.outside[what], c.none[what], c.false[what])
	}
}

func emptyTally() *tally {
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
	for _, n := range once {
		t.Run(fmt.Sprint(n), func(t *testing.T) { comesTrue(t, randomWorld(n), newTally()) })
	}
	for _, what := range []string{"declared", "tainted", "deleted", "zone state", "rate"} {
		t.Logf("%-10s inside %d, open %d, outside %d, none %d, false %d; width p50 %v, p90 %v; known p50 %v, p90 %v", what, c.inside[what], c.open[what], c.outside[what], c.none[what], c.false[what],
			quantile(c.widths[what], 50), quantile(c.widths[what], 90), quantile(c.known[what], 50), quantile(c.known[what], 90))
		if u := c.untold; u.inside[what]+u.outside[what]+u.none[what] > 0 {
			t.Logf("           after a restart that nothing shows: inside %d, open %d, outside %d, none %d, false %d", u.inside[what], u.open[what], u.outside[what], u.none[what], u.false[what])
		}
	}
	t.Logf("pending %d, came true %d, lapsed %d", c.fates[forecast.Pending], c.fates[forecast.CameTrue], c.fates[forecast.Lapsed])
	t.Logf("deletions are wider than twice what is known by %v (p50), %v (p90)", quantile(c.over, 50), quantile(c.over, 90))
	if a, b := quantile(c.widths["declared"], 50), quantile(c.known["declared"], 50); a > b+period+time.Second {
		t.Errorf("declared within %v, more than a period wider than %v", a, b)
	}
	if over := quantile(c.over, 50); over > 100*time.Millisecond {
		t.Errorf("most windows of deletions are more than twice as wide as known: by %v and more", over)
	}
}

// TestForecastsComeTrueWithinAPass cuts while a pass is under way: some nodes are written Unknown, others
// not yet, and no zone is judged.
func TestForecastsComeTrueWithinAPass(t *testing.T) {
	c, passes := newTally(), 0
	for n := range uint64(*worlds+1) / 2 {
		j := withinAPass(*first + n)
		if j == nil {
			continue
		}
		passes++
		t.Run(fmt.Sprint(*first+n), func(t *testing.T) { comesTrue(t, j, c) })
	}
	for _, n := range onceWithin {
		t.Run(fmt.Sprint(n), func(t *testing.T) { comesTrue(t, withinAPass(n), newTally()) })
	}
	if passes < *worlds/6 {
		t.Errorf("%d passes were cut", passes)
	}
	t.Logf("%d passes were cut", passes)
}

// TestForecastsOfCapturesComeTrue shows of each world one instant only: lists of what there is. Which zones had given
// their tokens, and when passes come, is not known then.
func TestForecastsOfCapturesComeTrue(t *testing.T) {
	c := newTally()
	for n := range uint64(*worlds) {
		t.Run(fmt.Sprint(*first+n), func(t *testing.T) {
			j := randomWorld(*first + n)
			j.captured = true
			comesTrue(t, j, c)
			if just := beforeADeletion(*first + n); just != nil {
				comesTrue(t, just, c)
			}
		})
	}
	c.log(t)
}

// beforeADeletion is the same world captured in the second in which a pod is deleted, before that; nil where none was.
// By the stamp of its node's taint its countdown may have ended.
func beforeADeletion(number uint64) *judged {
	l := randomWorld(number).loop
	for _, d := range l.Run(l.Now().Add(2 * time.Minute)) {
		share := time.Duration(number%10) * time.Second / 10
		if at := d.Time.Truncate(time.Second).Add(share); d.Kind == model.EvictPod && d.Outcome == model.Did && at < d.Time {
			w, rec, _ := drawnWorld(number, func(*world) {})
			l := w.loop(at.Sub(epoch).Seconds())
			if slices.ContainsFunc(w.did, func(x model.Decision) bool { return x.Kind == model.MarkUnknown && x.Time > at.Add(-time.Second) }) {
				return nil // the pass may not be over
			}
			return &judged{world: w, loop: l, seen: rec, clock: l.Clock(), captured: true}
		}
	}
	return nil
}

// TestForecastsOfWhoArrivesLateComeTrue lets who records begin only when nodes are silent already, or tainted.
func TestForecastsOfWhoArrivesLateComeTrue(t *testing.T) {
	run := func(n uint64, c *tally) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w, rec, cut := drawnWorld(n, func(*world) {})
			rec.from = second(cut - float64(n%30) - 1)
			j := settled(w, rec, cut)
			j.arrives = true
			comesTrue(t, j, c)
		})
	}
	overWorlds(t, onceLate, run)
}

// TestForecastsOfWhoStoppedWatchingComeTrue lets nobody watch for the last time before the cut.
func TestForecastsOfWhoStoppedWatchingComeTrue(t *testing.T) {
	run := func(n uint64, c *tally) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			j := randomWorld(n)
			fell := 0.0
			for _, last := range j.world.silent {
				fell = max(fell, last)
			}
			since := second(fell + 20.6)
			j.unwatched = time.Duration(float64(j.loop.Now().Sub(since)) * float64(1+n%10) / 10)
			comesTrue(t, j, c)
		})
	}
	overWorlds(t, onceUnwatched, run)
}

// darkWhenAllAreDeclared: the first time that a zone is dark lies after each of its nodes may be declared.
func darkWhenAllAreDeclared(t *testing.T, f *forecast.Forecast) {
	declared := map[string]model.Instant{} // nodes → when first
	for i := range f.Coming {
		if d := &f.Coming[i].Decision; d.Kind == model.MarkUnknown && declared[d.Node] == 0 {
			declared[d.Node] = d.Window.Earliest
		}
	}
	for i := range f.Coming {
		dark := &f.Coming[i]
		if dark.Decision.Kind != model.ZoneState || dark.Decision.State.To != model.ZoneFull {
			continue
		}
		for _, c := range f.Coming {
			if d := &c.Decision; d.Kind == model.MarkUnknown && d.Zone == dark.Decision.Zone && c.Sure && dark.Decision.Window.Earliest < declared[d.Node] {
				t.Errorf("%s dark at %s, and %s declared not before %s", d.Zone.Value, dark.Decision.Window.Earliest.Sub(epoch), d.Node, declared[d.Node].Sub(epoch))
			}
		}
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
	c.exact = j.seen.by == byAudit && !j.captured
	unknowable := j.seen.restarted > at.Add(-j.unwatched).Sub(epoch).Seconds() || (j.captured || j.arrives) && j.seen.restarted > 0 || j.seen.untold && len(s.SupposedRestarts) == 0 && !slices.ContainsFunc(j.result(t).Writes, func(w infer.Write) bool {
		return w.Kind == model.UntaintNoExecute && w.Decision == 0
	})
	if unknowable {
		c = c.untold // a restart that left no trace: nobody can foresee what it changes
	}
	f := forecast.Run(s, forecast.Options{Resumes: j.resumes})
	exact := &infer.State{At: at, Cache: j.loop.Cache, Nodes: j.loop.Nodes, Taints: j.loop.Taints, Pods: j.loop.Pods, Clock: j.clock, Params: j.world.params, Phases: []phases.Phase{{Clock: j.clock}}}
	known := forecast.Run(exact, forecast.Options{Silent: j.world.falls})
	darkWhenAllAreDeclared(t, f)
	until := f.Until.Add(-time.Minute)
	then := append(j.late(), j.loop.Run(until)...)
	for i := range then { // what was due while the controllers stood still comes when they go on
		then[i].Time = max(then[i].Time, at)
	}
	failed := func(format string, args ...any) {
		if unknowable {
			return
		}
		t.Errorf("by %s from %.1f, events %v, leaders %v, untold restart %v, lag %v, cut at %.3f: "+format, append([]any{j.seen.by, j.seen.from.Sub(epoch).Seconds(), j.seen.events, j.seen.leaders, j.seen.untold, j.world.lag, at.Sub(epoch).Seconds()}, args...)...)
	}
	// Who goes on later, and makes in one pass what others make in two, leaves out the state between.
	becomes := func(d *model.Decision) (is struct {
		state model.Shift[model.DisruptionState]
		rate  model.Shift[float32]
	}) {
		if is.state, is.rate = d.State, d.Rate; s.Unrenewed.Known() {
			is.state.From, is.rate.From = 0, 0
		}
		return is
	}
	coming := func(f *forecast.Forecast, d *model.Decision) (w model.Interval, ok bool) {
		for i := range f.Coming {
			x := &f.Coming[i].Decision
			if x.Kind == d.Kind && x.Node == d.Node && x.Zone == d.Zone && (d.Kind != model.ZoneState && d.Kind != model.SetRate || becomes(x) == becomes(d)) {
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
				return x.Decision.Kind == d.Kind && x.Decision.Zone == d.Zone && d.Time >= w.Earliest.Add(-near) && d.Time <= w.Latest.Add(near) && (x.Decision.Node == d.Node || slices.Contains(x.Among, d.Node))
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
			if ok && (e.State == forecast.Terminating || e.State == forecast.Stuck && !e.Lost) {
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
				if w.Known() && w.Latest != model.FarFuture {
					c.over = append(c.over, w.Width()-2*e.Window.Width())
				}
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
	for _, a := range forecast.Compare(f, then, until) {
		if a.Fate == forecast.Missed || a.Fate == forecast.Broken || a.Fate == forecast.Unforeseen {
			failed("%s %s%s %s, off by %v; foreseen %s", a.Kind, a.Node, a.Pod, a.Fate, a.Off.Value, said(a.Predicted, a.Predicted.Known()))
		}
		c.fates[a.Fate]++
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
					rec := &recording{world: w, from: second(77.066), by: by, events: restarted > 0}
					w.watch = rec.watch
					clock := loop.StartingAt(epoch.Add(w.began), period, 3111*time.Microsecond)
					if restarted > 0 {
						w.changes = append(w.changes, change{restarted, (*loop.Loop).Restart})
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
		more := l.Run(l.Now().Add(1300 * time.Millisecond))
		w.did = append(w.did, more...)
		for _, d := range more {
			busy = busy || len(d.Writes) > 0
		}
	}
	return &judged{world: w, loop: l, seen: rec, clock: l.Clock()}
}

// counted holds against what happened how many were said to be tainted and deleted by when.
func counted(failed func(string, ...any), f *forecast.Forecast, pods map[model.Key]*forecast.Eviction, then []model.Decision) {
	gone, first := map[model.Key]bool{}, model.FarFuture
	for i := range then {
		d := &then[i]
		if e := pods[d.Pod]; d.Kind == model.EvictPod && d.Outcome == model.Did && d.Time <= f.Until && e != nil && e.State.Ahead() {
			gone[d.Pod] = true
			first = min(first, d.Time)
		}
	}
	if w := f.Deletions(nil).First(); w.Known() && w.Latest < f.Until && (first < w.Earliest.Add(-near) || first > w.Latest.Add(near)) {
		failed("the first pod deleted at %v; foreseen %v to %v", first.Sub(epoch), w.Earliest.Sub(epoch), w.Latest.Sub(epoch))
	}
	if most := f.Deletions(nil).By(model.FarFuture).Most; len(gone) > most {
		failed("%d pods deleted; foreseen %d at most", len(gone), most)
	}
	for _, z := range f.Zones {
		for _, n := range z.By {
			tainted, deleted := 0, map[model.Key]bool{}
			for i := range then {
				d := &then[i]
				switch {
				case d.Outcome != model.Did || d.Time > n.By:
				case d.Kind == model.TaintNoExecute && d.Zone.Value == z.Zone:
					tainted++
				case d.Kind == model.EvictPod && strings.HasPrefix(d.Node, z.Zone.Zone):
					if e := pods[d.Pod]; e == nil || e.State != forecast.Terminating && e.State != forecast.Stuck { // else it was deleted before
						deleted[d.Pod] = true
					}
				}
			}
			if tainted < n.Tainted.Least || tainted > n.Tainted.Most {
				failed("%d nodes of %s tainted by %s; foreseen %v", tainted, z.Zone.Zone, n.By.Sub(epoch), n.Tainted)
			}
			if len(deleted) < n.Deleted.Least || len(deleted) > n.Deleted.Most {
				failed("%d pods of %s deleted by %s; foreseen %v", len(deleted), z.Zone.Zone, n.By.Sub(epoch), n.Deleted)
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
