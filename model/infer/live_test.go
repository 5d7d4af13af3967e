package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// frozen is what a live session hands over: a memory that has forgotten its start.
func frozen(t *testing.T, h *history.Memory, until model.Instant, limit int) history.History {
	t.Helper()
	end := 0
	err := historytest.Walk(h, model.FarPast+1, until, func(position int, _ *model.Change) bool {
		end = position + 1
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return &historytest.Window{History: h, First: max(0, end-limit), End: end}
}

// listed is what one sees who begins to watch at an instant: lists of what there is, and then
// what happens.
func listed(t *testing.T, h *history.Memory, from model.Instant) *history.Memory {
	t.Helper()
	c := model.NewCluster()
	var rest []model.Change
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		if ch.Effective() < from {
			c.Fold(ch)
		} else {
			rest = append(rest, *ch)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []model.Change
	c.Nodes(func(row *model.NodeRow) bool {
		before := model.Interval{Earliest: noon.Add(-time.Hour), Latest: from}
		out = append(out, model.Change{Kind: model.KindNode, Key: model.Key{Name: row.Name}, Version: row.Version, Time: before, At: from, Node: row.Node},
			model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: "kube-node-lease", Name: row.Name}, Version: row.Lease.Version, Time: before, At: from, Lease: row.Lease.Lease})
		return true
	})
	for _, p := range c.Pods() {
		out = append(out, model.Change{Kind: model.KindPod, Key: p.Key, Time: model.Interval{Earliest: noon.Add(-time.Hour), Latest: from}, At: from, Pod: p})
	}
	return history.NewMemory(append(out, rest...), model.Interval{Earliest: from, Latest: h.Coverage().Latest}, nil, h.Sources())
}

// TestOneMayBeginInTheMiddle: whoever begins to watch in the middle of an outage sees the rest
// of it explained.
func TestOneMayBeginInTheMiddle(t *testing.T) {
	for _, silent := range []int{2, 9, 20} {
		h := outage(20, silent).tell(after(700))
		for from := after(3); from < after(500); from = from.Add(13700 * time.Millisecond) {
			clean(t, ran(t, listed(t, h, from), Options{}))
			if t.Failed() {
				t.Fatalf("%d silent, from %s", silent, from)
			}
		}
	}
}

// TestBeforeAnybodyWatchedNothingIsGuessed: of the time before the first lists their stamps tell, and no
// model: zones' states, rates and queues are not known there. What their stamps tell once, each later run
// over the same record has of the first.
func TestBeforeAnybodyWatchedNothingIsGuessed(t *testing.T) {
	some := 0
	for _, silent := range []int{2, 9, 20} {
		h := outage(20, silent).tell(after(700))
		for from := after(130); from < after(400); from = from.Add(33 * time.Second) {
			seen := listed(t, h, from)
			first := ran(t, seen, Options{Mode: Causal, Until: from.Add(5 * time.Second)})
			for _, o := range []Options{{}, {Mode: Causal}, {Mode: Causal, Past: first.Past()}, {Mode: Causal, Lasting: true}} {
				res := ran(t, seen, o)
				declared := map[string]bool{}
				for i := range res.Decisions {
					d := &res.Decisions[i]
					if d.Window.Latest >= from || d.Kind == model.ScheduleEviction {
						continue
					}
					if d.Basis != model.Reconstructed {
						t.Errorf("%d silent, from %s: %s of %s %s at %s, %s", silent, from, d.Kind, d.Node, d.Zone.Value, d.Time, d.Basis)
					}
					if d.Kind == model.MarkUnknown {
						declared[d.Node] = true
					}
				}
				some += len(declared)
				if len(declared) != silent {
					t.Errorf("%d silent, from %s: %d declared before", silent, from, len(declared))
				}
				clean(t, res)
			}
			if t.Failed() {
				return
			}
		}
	}
	if some == 0 {
		t.Error("nothing was reconstructed")
	}
}

// TestALiveMemoryIsJudgedFromItsBase: whatever of an outage was forgotten by now, what is
// left is explained, and the state is that of one who remembers all.
func TestALiveMemoryIsJudgedFromItsBase(t *testing.T) {
	for _, silent := range []int{2, 9, 20} {
		h := outage(20, silent).tell(after(800))
		whole := ran(t, h, Options{Mode: Causal})
		for until := after(120); until < after(800); until = until.Add(17 * time.Second) {
			f := frozen(t, h, until, 700)
			res := ran(t, f, Options{Mode: Causal})
			clean(t, res)
			a, err := whole.At(until)
			if err != nil {
				t.Fatal(err)
			}
			b, err := res.At(until)
			if err != nil {
				t.Fatal(err)
			}
			if x, y := gist(a), gist(b); x != y {
				first, _ := f.Span()
				t.Errorf("%d silent, from %d until %s:\n%s\nwith all of it\n%s", silent, first, until, y, x)
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// TestALongRecordingIsKnownByItsLastPart: what was known at an instant of a long recording is what is
// known by what stood there some time before, and what came since: it tells the same of the controllers,
// and nothing after it counts.
func TestALongRecordingIsKnownByItsLastPart(t *testing.T) {
	for _, silent := range []int{2, 9, 20} {
		h := outage(20, silent).tell(after(800))
		short, long := ran(t, h, Options{}), ran(t, h, Options{})
		long.run.knows = 300
		declared := 0
		for at := after(60.5); at < after(790); at = at.Add(13 * time.Second) {
			a, err := short.Known(at)
			if err != nil {
				t.Fatal(err)
			}
			b, err := long.Known(at)
			if err != nil {
				t.Fatal(err)
			}
			if x, y := gist(a), gist(b); x != y {
				t.Fatalf("%d silent, at %s:\n%s\nwith all of it\n%s", silent, at, y, x)
			}
			for i := range int32(b.Cache.Rows()) {
				name := b.Cache.Row(i).Name
				v, ok := a.Declares(name)
				w, known := b.Declares(name)
				if ok != known || ok && !v.Overlaps(w) {
					t.Errorf("%d silent, at %s: %s is declared within %v, %v; with all of it %v, %v", silent, at, name, w, known, v, ok)
				}
				declared++
			}
			then := ran(t, upTo(h, at), Options{})
			then.run.knows = 300
			c, err := then.Known(at)
			if err != nil {
				t.Fatal(err)
			}
			if x, y := gist(c), gist(b); x != y || !slices.Equal(c.Phases, b.Phases) {
				t.Errorf("%d silent, at %s: what comes later counts", silent, at)
			}
		}
		if declared < 500 {
			t.Errorf("%d declarations were compared", declared)
		}
	}
}

// gist is what of a state must not depend on how far back one remembers.
func gist(s *State) string {
	var b strings.Builder
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		var waiting []string
		waiting = append(waiting, z.Waiting...)
		slices.Sort(waiting)
		fmt.Fprintln(&b, z.Zone, z.State, z.Rate, z.Ready, z.NotReady, waiting)
	}
	for _, t := range s.Taints.Timers() {
		fmt.Fprintln(&b, t.Pod, t.Node)
	}
	return b.String()
}

// TestWhatComesAfterTheListsWasSeen: a write that arrives right after the lists was made within what its own
// stamps say, and not at some time before anybody watched.
func TestWhatComesAfterTheListsWasSeen(t *testing.T) {
	h := outage(20, 9).tell(after(700))
	last, tested := model.Instant(0), 0
	for _, w := range ran(t, h, Options{}).Writes {
		at := w.Evidence[0].At
		if w.Kind != model.UntaintNoExecute || at < last.Add(5*time.Second) {
			continue
		}
		last = at
		from := at.Add(-200 * time.Millisecond)
		stamp := from.Add(-800 * time.Millisecond)
		m := listed(t, h, from)
		var changes []model.Change
		if err := historytest.Walk(m, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
			c := *ch
			if c.Op != model.OpBaseline {
				c.Time.Earliest = min(c.Time.Earliest, max(stamp, c.Time.Earliest.Add(-time.Second)))
			}
			changes = append(changes, c)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		res := ran(t, history.NewMemory(changes, m.Coverage(), nil, m.Sources()), Options{})
		for _, again := range res.Writes {
			if again.Kind == w.Kind && again.Node == w.Node && again.Evidence[0].Position >= 0 {
				if tested++; again.Time.Earliest < stamp || again.Time.Latest > at {
					t.Errorf("%s from %s on: %s, whose stamp is %s, was written %v", w.Node, from, w.Kind, stamp, again.Time)
				}
			}
		}
	}
	if tested == 0 {
		t.Fatal("nothing was tested")
	}
}

// A zone comes back: its kubelets post their status at once, and renew their leases some seconds later.
// Whoever begins to watch in between sees leases that are minutes old, and no node is declared Unknown
// for that: its status was a sign of life.
func TestAStatusAloneIsASignOfLife(t *testing.T) {
	back := after(200)
	s := newStory(standard)
	for i := range 12 {
		silent, returns := model.FarFuture, model.FarFuture
		if i < 5 {
			silent, returns = after(20), back
		}
		s.node(fmt.Sprintf("n%02d", i), "a", silent, returns, 3600)
	}
	whole := s.tell(after(400))
	for _, seconds := range []float64{0.2, 1, 2.5, 4, 7} {
		from := back.Add(time.Duration(seconds * float64(time.Second)))
		h := listed(t, whole, from)
		res := ran(t, h, Options{})
		for i := range res.Decisions {
			if d := &res.Decisions[i]; d.Kind == model.MarkUnknown && d.Time >= back {
				t.Errorf("from %.1f s after: %s is declared Unknown at %s (%s)", seconds, d.Node, d.Time, d.Why.Code)
			}
		}
		for _, later := range []time.Duration{0, time.Second, 5 * time.Second} {
			at := from.Add(later)
			known, err := res.Known(at)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				name := fmt.Sprintf("n%02d", i)
				if w, ok := known.Declares(name); !ok || w.Earliest < back.Add(45*time.Second) {
					t.Errorf("from %.1f s after: at +%v %s is said to be declared Unknown within %v", seconds, later, name, w)
				}
			}
		}
	}
}

// glimpsed is what one sees who begins to watch at an instant, with the leases of the lists dated by their
// stamps, which are cut off to the second.
func glimpsed(t *testing.T, h *history.Memory, from model.Instant) *history.Memory {
	t.Helper()
	var changes []model.Change
	all := listed(t, h, from)
	err := historytest.Walk(all, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		c := *ch
		if c.Kind == model.KindNodeLease && c.Op == model.OpBaseline {
			c.Time = model.Interval{Earliest: model.At(c.Lease.Renewed.Time().Truncate(time.Second)), Latest: from}
		}
		changes = append(changes, c)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return history.NewMemory(changes, all.Coverage(), nil, h.Sources())
}

// One look tells within which bounds each node is declared Unknown if it has just been heard for the
// last time; it is declared within them, and they are no wider than two periods, or three where the
// stamp leaves open when it was heard.
func TestOneLookBoundsWhenANodeIsDeclared(t *testing.T) {
	const period = 5 * time.Second
	whole := outage(12, 12).tell(after(200))
	declared := map[string]model.Instant{}
	for _, w := range ran(t, whole, Options{}).Writes {
		if w.Kind == model.MarkUnknown {
			declared[w.Node] = w.Time.Earliest
		}
	}
	looks := 0
	for from := after(60.1); from < after(100); from = from.Add(330 * time.Millisecond) {
		res := ran(t, glimpsed(t, whole, from), Options{Mode: Causal, Until: from.Add(100 * time.Millisecond)})
		s, err := res.Known(from.Add(100 * time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		for name, at := range declared {
			w, ok := s.Declares(name)
			if !ok || !w.Contains(at) || w.Width() > 3*period+time.Second {
				t.Errorf("at +%v: %s is declared at +%v, foretold within +%v to +%v", from.Sub(noon), name, at.Sub(noon), w.Earliest.Sub(noon), w.Latest.Sub(noon))
			}
			looks++
		}
	}
	if looks < 1000 {
		t.Fatalf("%d were looked at", looks)
	}
}

// A taint that a person made carries no stamp. Who comes after it does not know when the countdowns began:
// they run, and end within what one who begins then would be given; the deletion is explained.
func TestACountdownThatBeganBeforeAnybodyWatched(t *testing.T) {
	s := outage(6, 0)
	tainted := after(30)
	s.loop.At(tainted, func(l *loop.Loop) {
		l.EditNode("a01", func(n *model.Node) { n.Taints = append(n.Taints, model.Taint{Key: "maint", Effect: model.NoExecute}) })
	})
	tolerates := append(model.Tolerations{{Key: "maint", Operator: "Exists", Seconds: model.Some(int64(90))}}, *s.pods[model.Key{Namespace: "shop", Name: "web-a01"}].Tolerations...)
	created := after(12)
	s.pods[model.Key{Namespace: "shop", Name: "web-a01"}].Tolerations = &tolerates
	s.pods[model.Key{Namespace: "shop", Name: "web-a01"}].Created = created
	var changes []model.Change
	if err := historytest.Walk(s.tell(after(200)), model.FarPast+1, after(200), func(_ int, ch *model.Change) bool {
		c := *ch
		if c.Kind == model.KindNode && c.Key.Name == "a01" { // which nobody saw being tainted
			n := *c.Node
			n.Taints = append(slices.Clone(n.Taints), model.Taint{Key: "maint", Effect: model.NoExecute})
			c.Node = &n
		}
		changes = append(changes, c)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	sources := []history.Source{{Path: "live", Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindPod: 1}}}
	whole := history.NewMemory(changes, model.Interval{Earliest: noon, Latest: after(200)}, nil, sources)
	pod, deleted := model.Key{Namespace: "shop", Name: "web-a01"}, after(120)
	for from := after(40); from < after(115); from = from.Add(9 * time.Second) {
		h := listed(t, whole, from)
		res := ran(t, h, Options{Mode: Causal})
		clean(t, res)
		if !slices.ContainsFunc(res.Writes, func(w Write) bool { return w.Kind == model.EvictPod && w.Pod == pod && w.Decision != 0 }) {
			t.Errorf("from +%v: the deletion is not explained", from.Sub(noon))
		}
		st, err := res.Known(from.Add(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		timer, ok := st.Taints.Pending(pod)
		w, known := st.Began(&timer)
		if known && w.Earliest < created {
			t.Errorf("from +%v: it began within %v, before the pod was there", from.Sub(noon), w)
		}
		if wait := 90 * time.Second; !ok || !known || w.Earliest.Add(wait) > deleted || w.Latest.Add(wait) < deleted {
			t.Errorf("from +%v: pending %v, began within %v", from.Sub(noon), ok, w)
		}
	}
}

// The list of the pods may come later than those of nodes and leases, of which there are fewer: what is written meanwhile was
// seen to be written, and the countdowns on nodes that were tainted before are known as well as if it had come at once.
func TestPodsMayBeListedLater(t *testing.T) {
	whole, from := outage(12, 4).tell(after(300)), after(130) // three of four are tainted; the last is at +138 s
	for _, later := range []time.Duration{0, time.Second, 5 * time.Second, 12 * time.Second, 14 * time.Second, 25 * time.Second} {
		h := listed(t, whole, from)
		var changes []model.Change
		err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
			c := *ch
			if c.Kind == model.KindPod && c.Op == model.OpBaseline {
				c.At, c.Time.Latest = from.Add(later), from.Add(later)
			}
			changes = append(changes, c)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
		until := after(160)
		res := ran(t, history.NewMemory(changes, h.Coverage(), nil, h.Sources()), Options{Mode: Causal, Watched: true, Until: until})
		clean(t, res)
		s, err := res.Known(until)
		if err != nil {
			t.Fatal(err)
		}
		ends := map[string]model.Interval{}
		for _, timer := range s.Taints.Timers() {
			ends[timer.Node] = s.Ends(timer)
		}
		for node, at := range map[string]model.Instant{"a00": after(167.2), "a01": after(177.2), "a02": after(187.2), "a03": after(197.202)} {
			if w := ends[node]; w.Earliest > at || w.Latest < at || w.Width() > 2*time.Second {
				t.Errorf("listed %v later: the countdown on %s ends within %v to %v, not at %v", later, node, w.Earliest.Sub(noon), w.Latest.Sub(noon), at.Sub(noon))
			}
		}
		if t.Failed() {
			t.Fatalf("listed %v later", later)
		}
	}
}
