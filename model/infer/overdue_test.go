package infer

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer/processes"
)

// stopped is what a watch shows of a story whose controllers do nothing from an instant on.
func stopped(t rapid.TB, h *history.Memory, from, until model.Instant) *history.Memory {
	return only(t, h, until, func(ch *model.Change) bool {
		mine := ch.Writer == model.WriterNodeLifecycle || ch.Writer == model.WriterTaintEviction || ch.Writer == model.WriterPodGC
		return !mine || ch.Effective() < from
	})
}

// A controller that stands still while nodes fall silent: once they should have been declared, the
// models wait with it. They say of no node that it was declared, count none as lost, have none in
// a queue, and no instant later is told otherwise.
func TestTheModelsWaitForAControllerThatDoesNotAct(t *testing.T) {
	for _, silent := range []int{1, 4, 12} { // of 12 nodes: the zone stays normal, and goes dark
		whole := outage(12, silent).tell(after(390))
		declared := model.FarFuture
		for _, w := range ran(t, whole, Options{}).Writes {
			if w.Kind == model.MarkUnknown {
				declared = min(declared, w.Time.Earliest)
			}
		}
		for _, until := range []model.Instant{declared.Add(-time.Second), declared.Add(12 * time.Second), declared.Add(90 * time.Second), declared.Add(4 * time.Minute)} {
			what := fmt.Sprintf("%d silent, %v after the declaration that did not come", silent, until.Sub(declared))
			res := ran(t, stopped(t, whole, after(70), until), Options{Mode: Causal})
			if late := until > declared; late != res.Overdue.Known() {
				t.Errorf("%s: overdue since %v", what, res.Overdue.Since)
				continue
			} else if !late {
				continue
			}
			if d := res.Overdue.Since.Sub(declared); d < -time.Second || d > 11*time.Second {
				t.Errorf("%s: overdue since %v after it", what, d)
			}
			if len(res.Overdue.Decisions) == 0 || res.Overdue.Decisions[0].Kind != model.MarkUnknown {
				t.Errorf("%s: overdue %v", what, res.Overdue.Decisions)
			}
			for i := range res.Decisions {
				switch d := &res.Decisions[i]; d.Kind {
				case model.MarkUnknown, model.QueueForTaint, model.ZoneState, model.TaintNoExecute, model.EnterMasterDisruption:
					if d.Time > noon.Add(time.Minute) {
						t.Errorf("%s: %s of %s at %s, and nobody acts", what, d.Kind, d.Node, d.Time)
					}
				}
			}
			for _, at := range []model.Instant{until, until.Add(time.Minute)} {
				s, err := res.At(at)
				if err != nil {
					t.Fatal(err)
				}
				if !s.Overdue.Known() || s.Overdue.For(at) != at.Sub(s.Overdue.Since) {
					t.Errorf("%s: the state says nothing of it", what)
				}
				for _, z := range s.Nodes.Zones(s.At, s.Cache) {
					if z.State != model.ZoneNormal || len(z.Waiting) > 0 || z.NotReady > 0 {
						t.Errorf("%s: %v is %v, %d not ready, %d wait", what, z.Zone, z.State, z.NotReady, len(z.Waiting))
					}
				}
			}
		}
	}
}

// A countdown that has ended is not carried out by a controller that stands still.
func TestADeletionCanBeOverdue(t *testing.T) {
	whole := outage(12, 2).tell(after(390))
	deleted := model.FarFuture
	for _, w := range ran(t, whole, Options{}).Writes {
		if w.Kind == model.EvictPod {
			deleted = min(deleted, w.Time.Earliest)
		}
	}
	until := deleted.Add(30 * time.Second)
	res := ran(t, stopped(t, whole, deleted.Add(-5*time.Second), until), Options{Mode: Causal})
	if o := res.Overdue; !o.Known() || o.Decisions[0].Kind != model.EvictPod || o.For(until) < 25*time.Second || o.For(until) > 31*time.Second {
		t.Fatalf("overdue: %v for %v", o.Decisions, o.For(until))
	}
	s, err := res.At(until)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Taints.Timers()) == 0 {
		t.Error("the countdown is forgotten, and nobody has deleted the pod")
	}
}

// Controllers that do what they must are never said not to act, whatever is cut off after any instant.
func TestNothingIsOverdueWhereTheControllersAct(t *testing.T) {
	stories := map[int]*history.Memory{}
	for _, silent := range []int{2, 9, 12} {
		stories[silent] = outage(12, silent).tell(after(700))
	}
	rapid.Check(t, func(t *rapid.T) {
		silent := rapid.SampledFrom([]int{2, 9, 12}).Draw(t, "silent")
		until := after(float64(rapid.IntRange(1000, 699_000).Draw(t, "until ms")) / 1000)
		res, err := Run(stopped(t, stories[silent], model.FarFuture, until), Options{Params: standard, Mode: Causal})
		if err != nil {
			t.Fatal(err)
		}
		if o := res.Overdue; o.Known() {
			t.Fatalf("%d silent, at %v: overdue for %v: %s %s", silent, until.Sub(noon), o.For(until), o.Decisions[0].Kind, o.Decisions[0].Node)
		}
	})
}

// A controller that stood still, and goes on: what it declares late proves no longer grace period,
// neither for who saw it stand still nor for who came afterwards. Once it acts nothing is overdue, and
// the models are where it is: they have in the queue what it has, and count down what it does.
func TestAControllerThatGoesOnProvesNoFlag(t *testing.T) {
	for _, silent := range []int{4, 9} {
		s := outage(12, silent)
		s.stop(after(90), after(150))
		h := s.tell(after(390))
		for _, from := range []model.Instant{noon, after(152)} {
			for _, until := range []model.Instant{after(160), after(200), after(260)} {
				seen := h
				if from > noon {
					seen = listed(t, h, from)
				}
				res := ran(t, stopped(t, seen, model.FarFuture, until), Options{Mode: Causal})
				what := fmt.Sprintf("%d silent, seen from %v to %v", silent, from.Sub(noon), until.Sub(noon))
				if p := res.Params.NodeMonitorGracePeriod; p.From != model.FromDefault {
					t.Errorf("%s: a grace of %v is inferred", what, p.Value)
				}
				if f, ok := res.Fits["node-monitor-grace-period"]; ok && f.Min > standard.NodeMonitorGracePeriod.Value.Seconds() {
					t.Errorf("%s: a grace of %v s to %v s fits", what, f.Min, f.Max)
				}
				if res.Overdue.Known() {
					t.Errorf("%s: overdue since %v: %v", what, res.Overdue.Since, res.Overdue.Decisions[0])
				}
				st, err := res.At(until)
				if err != nil {
					t.Fatal(err)
				}
				tainted, waiting := 0, 0
				for i := range int32(st.Cache.Rows()) {
					if row := st.Cache.Row(i); row.Node != nil && row.Node.HasNoExecute() {
						tainted++
					}
				}
				for _, z := range st.Nodes.Zones(st.At, st.Cache) {
					waiting += len(z.Waiting)
				}
				if tainted+waiting < silent || tainted+waiting > silent+1 {
					t.Errorf("%s: %d tainted, %d wait", what, tainted, waiting)
				}
			}
		}
	}
}

// After an outage of the API server the caches of a controller are behind for a while: nodes that have
// just renewed are declared, and late ones later still. That proves no flag, neither for who saw the
// outage nor for who came after it.
func TestAnOutageOfTheAPIServerProvesNoFlag(t *testing.T) {
	s := outage(12, 0)
	h := s.tell(after(160))
	var changes []model.Change
	version := uint64(100_000)
	err := historytest.Walk(h, model.FarPast+1, after(200), func(_ int, ch *model.Change) bool {
		if at := ch.Effective(); at < after(60) || at > after(100) {
			changes = append(changes, *ch)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	var late []model.Change
	for i := range 8 { // declared some 8 s after their renewals, by a controller that has not seen those
		name := fmt.Sprintf("a%02d", i)
		for _, ch := range changes {
			if at := ch.Effective(); ch.Kind == model.KindNodeLease && ch.Key.Name == name && at > after(100) {
				pass := after(108)
				for pass < at.Add(6*time.Second) {
					pass = pass.Add(5003 * time.Millisecond)
				}
				n := model.Node{Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Zone: "a"},
					Conditions: []model.Condition{{Type: "Ready", Status: model.StatusUnknown, Reason: "NodeStatusUnknown", Transition: pass}}}
				version++
				late = append(late, model.Change{Kind: model.KindNode, Op: model.OpModify, Writer: model.WriterNodeLifecycle, Version: version,
					Key: model.Key{Name: name}, Time: model.Exactly(pass), At: pass, Node: &n})
				break
			}
		}
	}
	changes = append(changes, late...)
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
	sources := []history.Source{{Path: "live", Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindPod: 1}}}
	gap := []history.Gap{{Interval: model.Interval{Earliest: after(60), Latest: after(100)}, Why: "no sign of life"}}
	for what, m := range map[string]*history.Memory{
		"seen":       history.NewMemory(changes, model.Interval{Earliest: noon, Latest: after(125)}, gap, sources),
		"came after": listed(t, history.NewMemory(changes, model.Interval{Earliest: noon, Latest: after(125)}, nil, sources), after(102)),
	} {
		res := ran(t, stopped(t, m, model.FarFuture, after(125)), Options{Mode: Causal})
		if what == "seen" {
			res = ran(t, m, Options{Mode: Causal})
		}
		if p := res.Params.NodeMonitorGracePeriod; p.From != model.FromDefault {
			t.Errorf("%s: a grace of %v is inferred", what, p.Value)
		}
	}
}

// led is a History whose first lists show the leader's lease as well.
func led(t *testing.T, h *history.Memory, acquired model.Instant) *history.Memory {
	t.Helper()
	return ledSince(t, h, model.Lease{Holder: "cp-1_a", Acquired: acquired, Transitions: 7})
}

func ledSince(t *testing.T, h *history.Memory, lease model.Lease) *history.Memory {
	t.Helper()
	from, acquired := h.Coverage().Earliest, lease.Acquired
	lease.Renewed = from
	changes := []model.Change{{Kind: model.KindLeaderLease, Op: model.OpBaseline, Key: model.Key{Namespace: "kube-system", Name: model.ControllerManager},
		Time: model.Interval{Earliest: acquired, Latest: from}, At: from, Lease: lease}}
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		changes = append(changes, *ch)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return history.NewMemory(changes, h.Coverage(), nil, h.Sources())
}

// Who comes while a controller stands still sees Ready nodes that have long been silent: at no instant is a
// zone lost, and nobody waits. Where it is known since when the controller runs it is said at once that it
// does not act, and since when, as who was there before has it; else once a process that had just begun
// would have declared them.
func TestWhoComesWhileTheControllerStandsStill(t *testing.T) {
	for _, silent := range []int{1, 7, 12} {
		whole := stopped(t, outage(12, silent).tell(after(390)), after(70), after(390))
		for _, from := range []model.Instant{after(100), after(150), after(300)} {
			for _, told := range []bool{true, false} {
				h := glimpsed(t, whole, from)
				if told {
					h = led(t, h, noon.Add(-time.Hour))
				}
				for until := from.Add(20 * time.Millisecond); until < from.Add(80*time.Second); until = until.Add(4300 * time.Millisecond) {
					res := ran(t, h, Options{Mode: Causal, Until: until})
					what := fmt.Sprintf("%d silent, seen from %v to %v, told %v", silent, from.Sub(noon), until.Sub(noon), told)
					s, err := res.Known(until)
					if err != nil {
						t.Fatal(err)
					}
					for _, z := range s.Nodes.Zones(s.At, s.Cache) {
						if z.State != model.ZoneNormal || len(z.Waiting) > 0 || z.NotReady > 0 {
							t.Errorf("%s: %v is %v, %d not ready, %d wait", what, z.Zone, z.State, z.NotReady, len(z.Waiting))
						}
					}
					known, since := res.Overdue.Known(), res.Overdue.Since
					switch {
					case told && (known != (since > after(100) && since < after(118)) || !known && until > after(130)): // the last renewals came between +50 s and +60 s
						t.Errorf("%s: overdue since %v", what, since.Sub(noon))
					case !told && (known && (since < from.Add(50*time.Second) || since > from.Add(64*time.Second)) || !known && until > from.Add(66*time.Second)):
						t.Errorf("%s: overdue since %v", what, since.Sub(noon))
					}
				}
			}
		}
	}
}

// A process that began just before anybody watched counts the silence of nodes from then: it is not said
// that it does not act, where its election or the nodes that it registered tell of it, and where nothing
// would.
func TestWhoComesJustAfterAControllerBeganAnew(t *testing.T) {
	for _, tells := range []string{"leader", "events", "nothing"} {
		s := outage(12, 4)
		s.restart(after(90), true, false)
		whole := s.tell(after(300))
		for _, from := range []model.Instant{after(91), after(105), after(130)} {
			h := glimpsed(t, whole, from)
			switch tells {
			case "leader":
				h = led(t, h, after(88))
			case "events":
				h = registered(t, h, after(90))
			}
			for until := from.Add(20 * time.Millisecond); until < after(200); until = until.Add(7 * time.Second) {
				res := ran(t, h, Options{Mode: Causal, Until: until})
				if o := res.Overdue; o.Known() {
					t.Fatalf("told by %s, seen from %v to %v: overdue since %v: %s of %s", tells, from.Sub(noon), until.Sub(noon), o.Since.Sub(noon), o.Decisions[0].Kind, o.Decisions[0].Subject())
				}
			}
			if tells == "nothing" {
				continue // a hypothesis, then
			}
			if clean(t, ran(t, h, Options{Mode: Causal})); t.Failed() {
				t.Fatalf("told by %s, from %v", tells, from.Sub(noon))
			}
		}
	}
}

// cutOff is a story in which nothing is written from an instant to another: the API server is away, and what
// was to be written comes as soon as it is back, the kubelets' renewals at once and the controllers' with the
// next pass.
func cutOff(t *testing.T, away model.Interval, silent int) *history.Memory {
	t.Helper()
	s := outage(12, silent)
	s.stop(away.Earliest, away.Latest.Add(4*time.Second))
	var changes []model.Change
	h := s.tell(after(300))
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		c := *ch
		if c.Kind == model.KindNodeLease && away.Contains(c.At) {
			c.At = away.Latest.Add(time.Duration(len(changes)%100) * time.Millisecond)
			c.Time, c.Lease.Renewed = model.Exactly(c.At), c.At
		}
		changes = append(changes, c)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
	return history.NewMemory(changes, h.Coverage(), nil, h.Sources())
}

// Who comes when an API server is just back sees nodes that should have been declared while it was away. The
// controllers declare them with their next pass: until then nothing is overdue, and for a while they may
// act by what they saw before.
func TestWhoComesJustAfterAnOutageOfTheAPIServer(t *testing.T) {
	away := model.Interval{Earliest: after(95), Latest: after(140)}
	for _, silent := range []int{3, 12} {
		whole := cutOff(t, away, silent)
		for _, from := range []model.Instant{after(139.9), after(141), after(143)} {
			h := led(t, glimpsed(t, whole, from), noon.Add(-time.Hour))
			for until := from.Add(20 * time.Millisecond); until < after(180); until = until.Add(1900 * time.Millisecond) {
				res := ran(t, h, Options{Mode: Causal, Until: until})
				if o := res.Overdue; o.Known() {
					t.Fatalf("%d silent, seen from %v to %v: overdue since %v: %s of %s", silent, from.Sub(noon), until.Sub(noon), o.Since.Sub(noon), o.Decisions[0].Kind, o.Decisions[0].Subject())
				}
				s, err := res.Known(until)
				if err != nil {
					t.Fatal(err)
				}
				if heard := from < away.Latest && until > after(141); heard && s.Behind < after(190) {
					t.Errorf("%d silent, seen from %v to %v: behind until %v", silent, from.Sub(noon), until.Sub(noon), s.Behind)
				}
			}
		}
	}
}

// registered is a History whose first lists show the Events of a controller that registers all nodes.
func registered(t *testing.T, h *history.Memory, at model.Instant) *history.Memory {
	t.Helper()
	var changes []model.Change
	stamp := model.At(at.Time().Truncate(time.Second))
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		changes = append(changes, *ch)
		if ch.Op == model.OpBaseline && ch.Node != nil {
			changes = append(changes, model.Change{Kind: model.KindEvent, Op: model.OpBaseline, Key: model.Key{Namespace: "default", Name: ch.Key.Name + ".1"}, Time: ch.Time, At: ch.At,
				Event: &model.Event{Reason: "RegisteredNode", Component: "node-controller", First: stamp, Last: stamp, Count: 1, Regarding: model.Reference{Kind: "Node", Key: ch.Key}}})
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return history.NewMemory(changes, h.Coverage(), nil, h.Sources())
}

// For a while after our own watch was cut off the controllers' caches may be behind as well; before
// it, and later, nothing says so.
func TestTheCachesMayBeBehindAfterAnOutage(t *testing.T) {
	h := cut(t, outage(12, 0).tell(after(300)), model.Interval{Earliest: after(100), Latest: after(130)})
	for i := range h.Sources() {
		h.Sources()[i].Quality = model.ByArrival
	}
	res := ran(t, h, Options{Mode: Causal})
	for at, want := range map[model.Instant]model.Instant{after(90): 0, after(131): after(190), after(189): after(190), after(191): 0} {
		s, err := res.At(at)
		if err != nil {
			t.Fatal(err)
		}
		if s.Behind != want {
			t.Errorf("at %v: behind until %v, want %v", at.Sub(noon), s.Behind, want)
		}
	}
}

// What a controller writes that stood still and went on is explained once it is known when it did: all is
// decided then, and nothing is told of the time between.
func TestWhatComesAfterAStandstillIsExplained(t *testing.T) {
	for _, silent := range []int{1, 4, 12} {
		for _, stop := range []model.Interval{{Earliest: after(90), Latest: after(150)}, {Earliest: after(100), Latest: after(131)}, {Earliest: after(140), Latest: after(230)}} {
			what := fmt.Sprintf("%d silent, standing still from %v to %v", silent, stop.Earliest.Sub(noon), stop.Latest.Sub(noon))
			s := outage(12, silent)
			s.stop(stop.Earliest, stop.Latest)
			h := s.tell(after(390))
			seen := ran(t, stopped(t, h, model.FarFuture, stop.Latest.Add(-time.Second)), Options{Mode: Causal})
			if !seen.Overdue.Known() {
				t.Errorf("%s: nothing is overdue", what)
				continue
			}
			stood := model.Interval{Earliest: seen.Overdue.Held, Latest: model.FarFuture}
			for _, w := range ran(t, h, Options{}).Writes {
				if w.Time.Earliest > seen.Overdue.Since {
					stood.Latest = min(stood.Latest, w.Time.Latest)
				}
			}
			for _, until := range []model.Instant{stood.Latest.Add(5 * time.Second), after(389)} {
				res := ran(t, stopped(t, h, model.FarFuture, until), Options{Mode: Causal, Standstills: []model.Interval{stood}})
				if n := res.Findings(); n > 0 || res.Overdue.Known() {
					t.Errorf("%s, until %v: %d findings, overdue since %v", what, until.Sub(noon), n, res.Overdue.Since)
					clean(t, res)
				}
				for i := range res.Decisions {
					if d := &res.Decisions[i]; d.Outcome == model.Did && d.Time > stood.Earliest && d.Time < stop.Latest.Add(-processes.GoingOn) {
						t.Errorf("%s, until %v: %s of %s %s at %v", what, until.Sub(noon), d.Kind, d.Node, d.Pod, d.Time.Sub(noon))
					}
				}
			}
		}
	}
}

// behind lets the first pass and tick of a controller that goes on read nodes as they were when it stopped:
// its watches have not brought yet what came meanwhile.
func (s *story) behind(names ...string) {
	var stale *informer.Cache
	s.loop.At(s.stopped.Earliest, func(l *loop.Loop) { stale = l.Cache.Clone() })
	s.loop.At(s.stopped.Latest.Add(-1), func(l *loop.Loop) {
		l.Hidden.Stale = func(node string) *informer.Row {
			if slices.Contains(names, node) {
				return stale.Find(node)
			}
			return nil
		}
	})
	s.loop.At(s.stopped.Latest.Add(300*time.Millisecond), func(l *loop.Loop) { l.Hidden.Stale = nil })
}

// A controller that goes on reads, at first, what its watches had brought before: nodes that beat are
// declared Unknown, and nodes that came back are tainted. That is explained once it is known to have stood
// still, and what follows as well.
func TestWhatAStaleCacheMadeTheControllerWriteIsExplained(t *testing.T) {
	for name, c := range map[string]struct {
		silent int
		stop   model.Interval
		stale  []string
		back   string // a node that returns meanwhile
	}{
		"nodes that beat":        {4, model.Interval{Earliest: after(90), Latest: after(150)}, []string{"b00", "b01", "b02", "a11"}, ""},
		"a zone":                 {4, model.Interval{Earliest: after(90), Latest: after(150)}, []string{"b00", "b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11"}, ""},
		"one that has come back": {12, model.Interval{Earliest: after(135), Latest: after(200)}, []string{"a03", "b01"}, "a03"},
	} {
		s := outage(12, c.silent)
		s.stop(c.stop.Earliest, c.stop.Latest)
		s.behind(c.stale...)
		if c.back != "" {
			s.status(c.back, c.stop.Earliest.Add(50*time.Second), model.StatusTrue)
		}
		for i, node := range c.stale {
			if node != c.back {
				s.status(node, c.stop.Latest.Add(time.Duration(400+i)*time.Millisecond), model.StatusTrue)
			}
		}
		h := s.tell(after(390))
		wrong := 0
		for _, w := range ran(t, h, Options{}).Writes {
			if slices.Contains(c.stale, w.Node) && w.Time.Earliest >= c.stop.Latest && (w.Kind == model.MarkUnknown || w.Kind == model.TaintNoExecute && w.Node == c.back) {
				wrong++
			}
		}
		if wrong < len(c.stale) {
			t.Errorf("%s: %d of them declared or tainted: the story has no stale cache", name, wrong)
		}
		stood := model.Interval{Earliest: model.FarFuture, Latest: c.stop.Latest.Add(10 * time.Millisecond)}
		for until := c.stop.Earliest.Add(35 * time.Second); until < c.stop.Latest; until = until.Add(5 * time.Second) { // as a live session asks
			if o := ran(t, stopped(t, h, model.FarFuture, until), Options{Mode: Causal}).Overdue; o.Known() {
				stood.Earliest = min(stood.Earliest, o.Held)
			}
		}
		if !stood.Bounded() {
			t.Errorf("%s: nothing is overdue", name)
			continue
		}
		for _, until := range []model.Instant{c.stop.Latest.Add(3 * time.Second), c.stop.Latest.Add(15 * time.Second), after(389)} {
			res := ran(t, stopped(t, h, model.FarFuture, until), Options{Mode: Causal, Standstills: []model.Interval{stood}})
			if n := res.Findings(); n > 0 || res.Overdue.Known() {
				t.Errorf("%s, until %v: %d findings, overdue since %v", name, until.Sub(noon), n, res.Overdue.Since)
				clean(t, res)
			}
		}
	}
}

// A controller that stood still while nothing was due, and goes on with what it knew before, shows that by
// what it writes alone: nodes are declared that beat. From that it is known, and all is explained.
func TestAStandstillInWhichNothingWasDueShowsAfterwards(t *testing.T) {
	stale := []string{"b00", "b01", "a03"}
	s := outage(12, 0)
	s.stop(after(90), after(165))
	s.behind(stale...)
	for i, node := range stale {
		s.status(node, after(165.4+float64(i)/10), model.StatusTrue)
	}
	h := s.tell(after(300))
	if _, ok := ran(t, stopped(t, h, model.FarFuture, after(164)), Options{Mode: Causal}).UntoldStandstill(); ok {
		t.Error("it shows before anything shows it")
	}
	first := ran(t, h, Options{Mode: Causal})
	stood, ok := first.UntoldStandstill()
	if !ok || first.Findings() == 0 || stood.Latest < after(165) || stood.Latest > after(166) || stood.Earliest > after(115) {
		t.Fatalf("%d findings, stood still %v to %v, %v", first.Findings(), stood.Earliest.Sub(noon), stood.Latest.Sub(noon), ok)
	}
	res := ran(t, h, Options{Mode: Causal, Standstills: []model.Interval{stood}})
	if n := res.Findings(); n > 0 || res.Overdue.Known() {
		t.Errorf("%d findings, overdue since %v", n, res.Overdue.Since)
		clean(t, res)
	}
	if again, ok := res.UntoldStandstill(); ok {
		t.Errorf("and once more: %v", again)
	}
	for second, want := range map[float64]bool{80: false, 170: true, 290: false} { // for a grace period
		if s, err := res.Known(after(second)); err != nil || s.Continued.Known() != want {
			t.Errorf("at %v s it went on after %v, %v", second, s.Continued, err)
		}
	}
}

// Nobody knows since when a controller had stood still that goes on: the last heartbeats of nodes that
// are silent it may have counted before that, or only then. Until they are declared they count as not
// declared, the window in which they are contains when they are, and it is explained.
func TestSinceWhenItStoodStillIsNotKnown(t *testing.T) {
	const silent = 4
	s := outage(12, silent)
	s.stop(after(49), after(150))
	s.status("b05", after(120), model.StatusFalse) // what shows that it acts again
	h := s.tell(after(390))
	seen := ran(t, stopped(t, h, model.FarFuture, after(149)), Options{Mode: Causal})
	stood := model.Interval{Earliest: seen.Overdue.Held, Latest: model.FarFuture}
	declared := map[string]model.Instant{}
	for _, w := range ran(t, h, Options{}).Writes {
		if w.Time.Earliest > seen.Overdue.Since {
			stood.Latest = min(stood.Latest, w.Time.Latest)
		}
		if w.Kind == model.MarkUnknown {
			declared[w.Node] = w.Time.Earliest
		}
	}
	if !seen.Overdue.Known() || stood.Latest > after(151) || len(declared) != silent || declared["a00"] < after(199) {
		t.Fatalf("it stands still in %v, declared at %v", stood, declared)
	}
	for until := after(153); until < after(240); until = until.Add(7 * time.Second) {
		res := ran(t, stopped(t, h, model.FarFuture, until), Options{Mode: Causal, Standstills: []model.Interval{stood}})
		if n := res.Findings(); n > 0 || res.Overdue.Known() {
			t.Errorf("until %v: %d findings, overdue since %v", until.Sub(noon), n, res.Overdue.Since)
			clean(t, res)
		}
		st, err := res.Known(until)
		if err != nil {
			t.Fatal(err)
		}
		for name, at := range declared {
			if until > at {
				continue
			}
			if w, ok := st.Declares(name); !ok || !w.Contains(at) {
				t.Errorf("at +%v: %s is declared at +%v, foretold within +%v to +%v", until.Sub(noon), name, at.Sub(noon), w.Earliest.Sub(noon), w.Latest.Sub(noon))
			}
		}
		for _, z := range st.Nodes.Zones(st.At, st.Cache) {
			if z.Zone.Zone == "a" && until < after(199) && (z.NotReady > 0 || len(z.Waiting) > 0) {
				t.Errorf("at +%v: %d not ready, %d wait", until.Sub(noon), z.NotReady, len(z.Waiting))
			}
		}
	}
}

// What nobody has seen yet is not told as decided while it may still be seen, at no instant of a Causal
// run: neither the declaration nor what rests on it.
func TestWhatNobodyHasSeenIsNotToldAsDecided(t *testing.T) {
	for _, silent := range []int{2, 9, 12} {
		h := outage(12, silent).tell(after(300))
		for until := after(100); until < after(140); until = until.Add(900 * time.Millisecond) {
			res := ran(t, stopped(t, h, model.FarFuture, until), Options{Mode: Causal})
			for i := range res.Decisions {
				d := &res.Decisions[i]
				if k := d.Kind; d.Observed == nil && (k == model.MarkUnknown || k == model.TaintNoExecute || k == model.AddNoSchedule) && d.Outcome == model.Did && d.Time > after(90) {
					t.Errorf("%d silent, at +%v: %s of %s at +%v", silent, until.Sub(noon), k, d.Node, d.Time.Sub(noon))
				}
			}
		}
	}
}

// TestFirstElectionIsNoRestart: a lease that was created when its holder took it had no holder before.
func TestFirstElectionIsNoRestart(t *testing.T) {
	for transitions, want := range []bool{false, true} {
		taken := after(80)
		lease := model.Lease{Holder: "cp-1_a", Created: taken.Truncate(time.Second), Acquired: taken, Transitions: int32(transitions)}
		if transitions > 0 {
			lease.Created = noon.Add(-time.Hour)
		}
		res := ran(t, ledSince(t, listed(t, outage(12, 1).tell(after(300)), after(100)), lease), Options{Mode: Causal})
		if len(res.run.evidence.Restarts) != 1 {
			t.Fatalf("transitions %d: starts at %v", transitions, res.run.evidence.Restarts)
		}
		if got := slices.ContainsFunc(res.Assumptions, func(n Note) bool { return n.Code == RestartsSeen }); got != want {
			t.Errorf("transitions %d: a restart is noted: %v, %v", transitions, got, res.Assumptions)
		}
	}
}
