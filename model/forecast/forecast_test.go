package forecast_test

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/forecast"
	"kardia/model/informer"
	"kardia/model/nodelifecycle"
	"kardia/model/podgc"
	"kardia/model/shadow"
	"kardia/model/tainteviction"
)

// Property tests draw the same cases in every run; -rapid.seed=0 draws others.
func init() {
	_ = flag.Set("rapid.seed", "1")
	_ = flag.Set("rapid.nofailfile", "true")
}

var epoch = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

const (
	period = 5 * time.Second
	drift  = time.Millisecond
	tick   = nodelifecycle.TickPeriod
)

func second(s float64) model.Instant { return epoch.Add(time.Duration(s * float64(time.Second))) }

func params() model.Params { return model.Defaults(model.Version{Major: 1, Minor: 36}) }

func ready() *model.Node {
	return &model.Node{Created: epoch.Add(-time.Hour), Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: epoch}}}
}

func tolerating(seconds int64) *model.Tolerations {
	return &model.Tolerations{{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Seconds: model.Some(seconds)}}
}

func forever() *model.Tolerations { return &model.Tolerations{{Operator: "Exists"}} }

// world is zones of nodes, some of which fall silent at an instant of their own.
type world struct {
	sizes []int
	// silent is when each silent node renews last.
	silent map[string]float64
	// phase is the first pass.
	phase time.Duration
}

func (w *world) each(do func(name, zone string)) {
	for z, n := range w.sizes {
		for i := range n {
			do(fmt.Sprintf("%c%02d", 'a'+z, i), string(rune('a'+z)))
		}
	}
}

func (w *world) falls(name string) bool { _, ok := w.silent[name]; return ok }

// loop is the world until a second, with pods that tolerate for 30 s, 300 s, no time and ever.
func (w *world) loop(until float64) *closedloop.Loop {
	l := closedloop.New(params(), closedloop.StartingAt(epoch.Add(w.phase), period, drift))
	w.each(func(name, zone string) {
		n := ready()
		n.Place = model.Place{Zone: zone}
		l.At(epoch, func(l *closedloop.Loop) {
			l.SetNode(name, n)
			for what, t := range map[string]*model.Tolerations{"short": tolerating(30), "long": tolerating(300), "none": nil, "ever": forever()} {
				l.SetPod(&model.Pod{Key: model.Key{Namespace: "shop", Name: what + "-" + name}, Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue, GraceSeconds: 30, Tolerations: t})
			}
		})
		last, falls := w.silent[name]
		for t := 0.0; t < 1500 && (!falls || t <= last); t += 10 {
			l.At(second(t), func(l *closedloop.Loop) { l.Renew(name, l.Now()) })
		}
		if falls {
			l.At(second(last), func(l *closedloop.Loop) { l.Renew(name, l.Now()) })
		}
	})
	l.Run(second(until))
	return l
}

// next is the clock after an instant of a loop that started at a phase.
func (w *world) next(at model.Instant) closedloop.Clock {
	after := func(every time.Duration) model.Instant {
		next := epoch.Add(w.phase)
		for next <= at {
			next = next.Add(every)
		}
		return next
	}
	return closedloop.Clock{Pass: after(period + drift), Period: period, Drift: drift, Tick: after(tick), Collect: after(podgc.Period)}
}

func state(l *closedloop.Loop, clock closedloop.Clock, slack time.Duration) *shadow.State {
	return &shadow.State{At: l.Now(), Cache: l.Cache, Nodes: l.Nodes, Taints: l.Taints, Pods: l.Pods, Clock: clock, Slack: slack, Params: params()}
}

func subject(d *model.Decision) string {
	return fmt.Sprint(d.Kind, d.Outcome, d.Node, d.Place, d.Pod)
}

// From a state that is known exactly the forecast is what the loop then does.
func TestForecastIsWhatThenHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, until := draw(t)
		l := w.loop(until)
		f := forecast.Run(state(l, w.next(second(until)), 0), forecast.Options{Silent: w.falls})
		then := l.Run(f.Until)
		if len(then) != len(f.Coming) {
			t.Fatalf("%d decisions forecast, %d made", len(f.Coming), len(then))
		}
		byTime := map[string][]model.Decision{}
		for _, d := range then {
			byTime[d.Time.String()] = append(byTime[d.Time.String()], d)
		}
		for _, c := range f.Coming {
			d := c.Decision
			if !c.Sure || !slices.ContainsFunc(byTime[d.Time.String()], func(h model.Decision) bool {
				h.Node = map[bool]string{true: "", false: h.Node}[len(c.Among) > 0]
				return subject(&h) == subject(&d)
			}) {
				t.Fatalf("forecast, and not made: %s %s", d.Time, subject(&d))
			}
			if !d.Window.Contains(d.Time) {
				t.Fatalf("%s %s is outside its own window %v", d.Time, subject(&d), d.Window)
			}
		}
		contained(t, f, then)
	})
}

// Whatever the phase of the passes is within the slack, and whoever gets the tokens, what
// then happens lies within the windows.
func TestWindowsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, until := draw(t)
		l := w.loop(until)
		slack := time.Duration(rapid.IntRange(1, 2500).Draw(t, "slack")) * time.Millisecond
		off := time.Duration(rapid.Int64Range(-int64(slack), int64(slack)).Draw(t, "off"))
		clock := w.next(second(until))
		guess := clock
		guess.Pass = clock.Pass.Add(off)
		if guess.Pass < l.Now() {
			guess.Pass = guess.Pass.Add(period + drift)
		}
		guess.Tick = l.Now().Add(tick)
		f := forecast.Run(state(l, guess, slack), forecast.Options{Silent: w.falls})
		seed := rapid.IntRange(0, 1000).Draw(t, "pick")
		l.Hidden.Pick = func(_ model.Place, waiting []string) string { return waiting[(seed*31+len(waiting)*7)%len(waiting)] }
		then := l.Run(f.Until.Add(-time.Minute))
		contained(t, f, then)
	})
}

// Nodes that a later pass queues may be in time for the token for which another waits.
func TestLaterOnesMayComeFirst(t *testing.T) {
	w := &world{sizes: []int{9}, silent: map[string]float64{"a00": 82, "a01": 86, "a02": 90.5, "a03": 90.5}}
	const until = 139.36
	l := w.loop(until)
	slack := 250 * time.Millisecond
	f := forecast.Run(state(l, w.next(second(until)), slack), forecast.Options{Silent: w.falls})
	// The zone's bucket is empty until 145.1. The true clock queues a01 at 140.0, and the others
	// at 145.0; an early one queues the others at 149.8, and a late one at 145.3.
	l.Hidden.Pick = func(_ model.Place, waiting []string) string { return waiting[len(waiting)-1] }
	var order []string
	then := l.Run(f.Until.Add(-time.Minute))
	for _, d := range then {
		if d.Kind == model.TaintNoExecute {
			order = append(order, d.Node)
		}
	}
	if want := []string{"a03", "a02", "a01"}; !slices.Equal(order, want) {
		t.Fatalf("tainted %q; the test needs %q", order, want)
	}
	contained(t, f, then)
}

// The shortcuts change nothing: neither that nodes which keep beating write no renewals, nor
// how two runs are matched. Versions of objects that nobody wrote yet say nothing.
func TestStraightAndShortAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, until := draw(t)
		s := state(w.loop(until), w.next(second(until)), time.Duration(rapid.IntRange(0, 2500).Draw(t, "slack"))*time.Millisecond)
		short, long := forecast.Run(s, forecast.Options{Silent: w.falls}), forecast.Straight(s, forecast.Options{Silent: w.falls})
		for _, f := range []*forecast.Forecast{short, long} {
			for i := range f.Coming {
				for k := range f.Coming[i].Decision.Inputs {
					f.Coming[i].Decision.Inputs[k].Version = 0
				}
			}
		}
		if !reflect.DeepEqual(short.Coming, long.Coming) {
			t.Fatalf("short: %d, long: %d coming", len(short.Coming), len(long.Coming))
		}
		if !reflect.DeepEqual(short.Evictions, long.Evictions) {
			t.Fatalf("short:\n%+v\nlong:\n%+v", short.Evictions, long.Evictions)
		}
	})
}

// contained demands that what happened lies in the windows: each node taint in one of its
// zone's tokens for which the node waits, each deletion of a pod in the pod's window.
func contained(t rapid.TB, f *forecast.Forecast, then []model.Decision) {
	windows := map[model.Key]forecast.Eviction{}
	for _, e := range f.Evictions {
		if _, twice := windows[e.Pod]; twice {
			t.Fatalf("%s twice", e.Pod)
		}
		windows[e.Pod] = e
	}
	waits := map[string]forecast.Wait{}
	for _, w := range f.Waits {
		waits[w.Node] = w
	}
	for i := range then {
		d := &then[i]
		switch d.Kind {
		case model.MarkUnknown:
			if !slices.ContainsFunc(f.Coming, func(c forecast.Coming) bool {
				return c.Decision.Kind == d.Kind && c.Decision.Node == d.Node && c.Decision.Window.Contains(d.Time)
			}) {
				t.Fatalf("nothing foresaw %s %s", d.Time.Sub(epoch), subject(d))
			}
		case model.TaintNoExecute:
			if w, ok := waits[d.Node]; ok && d.Outcome == model.Did {
				delete(waits, d.Node) // what it waits for later is another matter
				if !w.Window.Contains(d.Time) {
					t.Fatalf("%s tainted at %s; foreseen [%s, %s]", d.Node, d.Time.Sub(epoch), w.Window.Earliest.Sub(epoch), w.Window.Latest.Sub(epoch))
				}
			}
			if d.Outcome == model.Did && !slices.ContainsFunc(f.Coming, func(c forecast.Coming) bool {
				return c.Decision.Kind == d.Kind && c.Decision.Place == d.Place && c.Decision.Window.Contains(d.Time)
			}) {
				t.Fatalf("no token foresaw %s %s", d.Time.Sub(epoch), subject(d))
			}
		case model.EvictPod:
			e, ok := windows[d.Pod]
			if d.Outcome == model.Did && (!ok || !e.Window.Contains(d.Time)) {
				t.Fatalf("%s deleted at %s; foreseen %s [%s, %s]: %s", d.Pod, d.Time.Sub(epoch), e.State,
					e.Window.Earliest.Sub(epoch), e.Window.Latest.Sub(epoch), e.Why)
			}
		}
	}
}

// draw is a random world and a second at which to forecast.
func draw(t *rapid.T) (*world, float64) {
	w := &world{silent: map[string]float64{}, phase: time.Duration(rapid.IntRange(0, 4999).Draw(t, "phase")) * time.Millisecond}
	w.sizes = rapid.SliceOfN(rapid.IntRange(1, 9), 1, 3).Draw(t, "zones")
	from := rapid.Float64Range(60, 110).Draw(t, "from")
	w.each(func(name, _ string) {
		if rapid.IntRange(0, 2).Draw(t, "falls") == 0 {
			w.silent[name] = from + rapid.Float64Range(0, 8).Draw(t, "last")
		}
	})
	return w, rapid.Float64Range(from+9, 260).Draw(t, "until")
}

// One of four waits for a token, and none is said to be second.
func TestQueueIsASet(t *testing.T) {
	w := &world{sizes: []int{12}, silent: map[string]float64{"a00": 103, "a01": 103, "a02": 103, "a03": 103}}
	l := w.loop(157)
	f := forecast.Run(state(l, w.next(second(157)), 0), forecast.Options{Silent: w.falls})
	var tokens []string
	for _, c := range f.Coming {
		if c.Decision.Kind == model.TaintNoExecute {
			tokens = append(tokens, fmt.Sprintf("%.1f %s%v", c.Decision.Window.Earliest.Sub(epoch).Seconds(), c.Decision.Node, c.Among))
		}
	}
	// One was tainted at 155; three wait, and each token may go to any that is left.
	want := []string{"165.1 [a01 a02 a03]", "175.1 [a01 a02 a03]", "185.1 [a01 a02 a03]"}
	if len(tokens) != 3 {
		t.Fatalf("tokens %q, want %q", tokens, want)
	}
	for i := range want {
		if tokens[i][6:] != want[i][6:] {
			t.Errorf("token %q, want %q", tokens[i], want[i])
		}
	}
	counts := map[forecast.State]int{}
	var wide []time.Duration
	for _, e := range f.Evictions {
		counts[e.State]++
		if e.State == forecast.WaitingForTaint && e.Seconds.Value == 300 {
			wide = append(wide, e.Window.Width().Round(time.Second))
		}
	}
	if counts[forecast.WaitingForTaint] != 9 || counts[forecast.Forever] != 4 || counts[forecast.Due] != 2 || counts[forecast.Terminating] != 1 {
		t.Errorf("evictions by state: %v", counts)
	}
	var waits []string
	for _, w := range f.Waits {
		waits = append(waits, fmt.Sprintf("%s %.0f to %.0f", w.Node, w.Window.Earliest.Sub(epoch).Seconds(), w.Window.Latest.Sub(epoch).Seconds()))
	}
	if want := []string{"a01 165 to 185", "a02 165 to 185", "a03 165 to 185"}; !slices.Equal(waits, want) {
		t.Errorf("waits %q, want %q", waits, want)
	}
	if !slices.Equal(wide, []time.Duration{20 * time.Second, 20 * time.Second, 20 * time.Second}) {
		t.Errorf("windows of those that wait: %v, want the time of three tokens", wide)
	}
}

// A zone of which most is dark taints nobody, and says so.
func TestHalted(t *testing.T) {
	w := &world{sizes: []int{4}, silent: map[string]float64{"a00": 103, "a01": 103, "a02": 103}}
	l := w.loop(200)
	f := forecast.Run(state(l, w.next(second(200)), 0), forecast.Options{Silent: w.falls})
	if len(f.Coming) != 0 {
		t.Errorf("something comes: %v", f.Coming[0].Decision.Kind)
	}
	for _, w := range f.Waits {
		if w.Window.Earliest != model.FarFuture {
			t.Errorf("%s is said to be tainted within %v", w.Node, w.Window)
		}
	}
	halted := 0
	for _, e := range f.Evictions {
		if e.State == forecast.Halted {
			halted++
			if e.Rule != "7.2" || e.Window.Earliest != model.FarFuture {
				t.Errorf("%s: rule %s, %v, %s", e.Pod, e.Rule, e.Window, e.Why)
			}
		}
	}
	if halted != 9 {
		t.Errorf("%d pods halted, want 9", halted)
	}
}

// A deleted pod whose kubelet is silent is stuck once its grace is over.
func TestStuck(t *testing.T) {
	w := &world{sizes: []int{3}, silent: map[string]float64{"a00": 103}}
	l := w.loop(200)
	f := forecast.Run(state(l, w.next(second(200)), 0), forecast.Options{Silent: w.falls})
	states := map[string]forecast.State{}
	for _, e := range f.Evictions {
		states[e.Pod.Name] = e.State
	}
	want := map[string]forecast.State{"none-a00": forecast.Stuck, "short-a00": forecast.Terminating, "long-a00": forecast.Due, "ever-a00": forecast.Forever}
	if fmt.Sprint(states) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", states, want)
	}
}

// A state that holds nothing forecasts nothing.
func TestEmpty(t *testing.T) {
	p := params()
	s := &shadow.State{At: epoch, Cache: informer.New(), Nodes: nodelifecycle.New(p), Taints: tainteviction.New(p), Pods: podgc.New(p), Params: p}
	if f := forecast.Run(s, forecast.Options{}); len(f.Coming)+len(f.Evictions) != 0 || f.Until != epoch.Add(forecast.Horizon) {
		t.Errorf("got %v", f)
	}
}

// Fifteen minutes for 5,000 nodes of which 500 are silent, ten pods on each.
func BenchmarkForecast(b *testing.B) {
	p := params()
	cache := informer.New()
	for i := range int32(5000) {
		n := ready()
		n.Place = model.Place{Zone: string(rune('a' + i%3))}
		name := fmt.Sprintf("node-%05d", i)
		cache.SetNode(name, n, uint64(i+1), 0, 0)
		cache.SetLease(name, epoch, uint64(i+1), 0)
		for k := range 10 {
			cache.SetPod(nil, &model.Pod{Key: model.Key{Namespace: "shop", Name: fmt.Sprintf("%s-%d", name, k)}, Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue, Tolerations: tolerating(300)})
		}
	}
	nodes := nodelifecycle.New(p)
	nodes.Pass(epoch, cache, nodelifecycle.Hidden{})
	silent := func(node string) bool { return node < "node-00500" }
	for name, slack := range map[string]time.Duration{"exact": 0, "slack": time.Second} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := &shadow.State{At: epoch, Cache: cache, Nodes: nodes, Taints: tainteviction.New(p), Pods: podgc.New(p), Params: p,
					Clock: closedloop.StartingAt(epoch.Add(5*time.Second), period, drift), Slack: slack}
				forecast.Run(s, forecast.Options{Silent: silent})
			}
		})
	}
}
