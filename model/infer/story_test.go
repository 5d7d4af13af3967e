package infer

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer/evidence"

	"pgregory.net/rapid"
)

var (
	noon     = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	standard = model.Defaults(model.Version{Major: 1, Minor: 36})
)

// long is how much the benchmarks run over.
func long() time.Duration {
	if slices.Contains(flag.Args(), "day") {
		return 24 * time.Hour
	}
	return time.Hour
}

func after(seconds float64) model.Instant {
	return noon.Add(time.Duration(seconds * float64(time.Second)))
}

// story is a cluster under the models in a closed loop, written down as a watch that dates
// every version to the millisecond would.
type story struct {
	loop    *loop.Loop
	nodes   map[string]*model.Node
	pods    map[model.Key]*model.Pod
	version uint64
	changes []model.Change
	leases  []model.Change
	// silentRestart: no Event tells that nodes are registered.
	silentRestart bool
	// posts are what the kubelets wrote into their nodes' status, in order.
	posts []post
	// moves are pods that were made anew on other nodes, in order.
	moves []move
	// stopped is when the controller manager stands still; zero where it does not.
	stopped model.Interval
	// eachWrite is how far apart writes of a pass are, and wrote when the last of them was made.
	eachWrite time.Duration
	wrote     model.Instant
	// retell, where it is not nil, changes what was written down before it is told.
	retell func([]model.Change)
}

type post struct {
	at    model.Instant
	node  string
	ready model.Status
}

// move is a pod that goes, and in the same moment one of its name is made on another node.
type move struct {
	at  model.Instant
	pod model.Key
	on  string
}

func newStory(p model.Params) *story { return newStoryBy(p, func(*loop.Clock) {}) }

// newStoryBy is a story in which the loops run otherwise.
func newStoryBy(p model.Params, change func(*loop.Clock)) *story {
	clock := loop.StartingAt(noon.Add(-118*time.Second), p.NodeMonitorPeriod.Value, 3*time.Millisecond)
	change(&clock)
	return &story{loop: loop.New(p, clock), nodes: map[string]*model.Node{}, pods: map[model.Key]*model.Pod{}}
}

// note writes a Change down.
func (s *story) note(at model.Instant, ch model.Change) {
	s.version++
	ch.Version, ch.Time, ch.At = s.version, model.Exactly(at), at
	s.changes = append(s.changes, ch)
}

// node adds a node that renews every ten seconds until it falls silent, and again from when
// it is back; both may be FarFuture. It has a pod that tolerates a taint for so long.
func (s *story) node(name, zone string, silent, back model.Instant, tolerates int64) {
	n := &model.Node{Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Zone: zone},
		Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: noon.Add(-time.Minute), Transition: noon.Add(-time.Hour)}}}
	pod := &model.Pod{Key: model.Key{Namespace: "shop", Name: "web-" + name}, Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue, GraceSeconds: 30,
		Tolerations: &model.Tolerations{{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Seconds: model.Some(tolerates)}}}
	s.loop.At(noon.Add(-119*time.Second), func(l *loop.Loop) {
		l.SetNode(name, n)
		l.SetPod(pod)
	})
	s.nodes[name], s.pods[pod.Key] = n, pod
	start := noon.Add(-118*time.Second + time.Duration(len(s.nodes)*137%9900)*time.Millisecond)
	for at := start; at < after(900); at = at.Add(10 * time.Second) {
		if at < silent || at >= back {
			s.loop.At(at, func(l *loop.Loop) {
				l.Renew(name, at)
				s.note(at, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: name}, Lease: model.Lease{Renewed: at}})
			})
		}
	}
	if back < model.FarFuture {
		s.status(name, back.Add(time.Millisecond), model.StatusTrue)
	}
}

// restart is the election of another controller manager, which makes its first pass at an
// instant; told says how that shows.
func (s *story) restart(at model.Instant, byEvents, byLease bool) {
	s.silentRestart = !byEvents
	s.loop.At(at, func(l *loop.Loop) { l.Restart() })
	if !byLease {
		return
	}
	for when, holder := range map[model.Instant]string{noon.Add(time.Second): "cp-1_a", at.Add(-time.Second): "cp-1_a", at.Add(-800 * time.Millisecond): "cp-2_b"} {
		s.leases = append(s.leases, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"},
			Time: model.Exactly(when), At: when, Lease: model.Lease{Holder: holder, Renewed: when}})
	}
}

// elect is a leader of the controller manager that renews its lease last at an instant, and dies at another; the next one
// makes its first pass at a third.
func (s *story) elect(renewed, died, at model.Instant, byEvents bool) {
	s.loop.At(died, func(l *loop.Loop) { l.Stop(at.Add(time.Second)) })
	s.restart(at, byEvents, false)
	renews := func(when model.Instant, holder string) {
		s.leases = append(s.leases, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"},
			Time: model.Exactly(when), At: when, Lease: model.Lease{Holder: holder, Renewed: when, Seconds: 15}})
	}
	for when := renewed; when > noon; when = when.Add(-2 * time.Second) {
		renews(when, "cp-1_a")
	}
	for when := at.Add(-800 * time.Millisecond); when < after(900); when = when.Add(2 * time.Second) {
		renews(when, "cp-2_b")
	}
}

// stop lets the controller manager stand still for a while.
func (s *story) stop(from, until model.Instant) {
	s.stopped = model.Interval{Earliest: from, Latest: until}
	s.loop.At(from, func(l *loop.Loop) { l.Stop(until) })
}

// remove deletes a Node object, and with it its kubelet goes.
func (s *story) remove(name string, at model.Instant) {
	s.loop.At(at, func(l *loop.Loop) { l.DeleteNode(name) })
	s.leases = append(s.leases, model.Change{Kind: model.KindNode, Op: model.OpDelete, Key: model.Key{Name: name}, Time: model.Exactly(at), At: at})
}

// move makes a pod anew on another node. lost: the taint-eviction controller looks only when it is there.
func (s *story) move(pod model.Key, on string, at model.Instant, lost bool) {
	s.moves = append(s.moves, move{at, pod, on})
	s.loop.At(at, func(l *loop.Loop) {
		old := s.pods[pod]
		if lost {
			l.LosePod(old.Node, pod)
		} else {
			l.RemovePod(old.Node, pod)
		}
		l.SetPod(anew(old, on, at))
	})
}

// anew is a pod of the same name as another.
func anew(old *model.Pod, on string, at model.Instant) *model.Pod {
	p := *old
	p.UID, p.Node, p.Created, p.Ready = model.ParseUID(fmt.Sprintf("00000000-0000-4000-8000-%012d", at%1e12), nil), on, at, model.StatusTrue
	p.Disrupted, p.DisruptionReason, p.Deletion = 0, "", 0
	return &p
}

// status is a kubelet that writes its node's status.
func (s *story) status(name string, at model.Instant, ready model.Status) {
	s.posts = append(s.posts, post{at, name, ready})
	s.loop.At(at, func(l *loop.Loop) { l.EditNode(name, func(n *model.Node) { says(n, ready, at) }) })
}

func says(n *model.Node, ready model.Status, at model.Instant) {
	for i := range n.Conditions {
		c := &n.Conditions[i]
		c.Reason, c.Heartbeat = "Kubelet", at
		want := model.StatusFalse
		if c.Type == "Ready" {
			want = ready
		}
		if c.Status != want {
			c.Status, c.Transition = want, at
		}
	}
}

// posted writes down what the kubelets wrote before an instant.
func (s *story) posted(before model.Instant) {
	for ; len(s.posts) > 0 && s.posts[0].at <= before; s.posts = s.posts[1:] {
		p := s.posts[0]
		n := *s.nodes[p.node]
		n.Conditions = slices.Clone(n.Conditions)
		says(&n, p.ready, p.at)
		s.nodes[p.node] = &n
		s.note(p.at, model.Change{Kind: model.KindNode, Op: model.OpModify, Writer: model.WriterKubelet, Key: model.Key{Name: p.node}, Node: &n})
	}
}

// moved writes down which pods were made anew before an instant.
func (s *story) moved(before model.Instant) {
	for ; len(s.moves) > 0 && s.moves[0].at <= before; s.moves = s.moves[1:] {
		m := s.moves[0]
		old := s.pods[m.pod]
		s.pods[m.pod] = anew(old, m.on, m.at)
		s.note(m.at, model.Change{Kind: model.KindPod, Op: model.OpDelete, Key: m.pod, UID: old.UID, Pod: old})
		s.note(m.at.Add(time.Millisecond), model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: m.pod, UID: s.pods[m.pod].UID, Pod: s.pods[m.pod]})
	}
}

// tell runs the loop and returns what a watch from noon on would show.
func (s *story) tell(until model.Instant) *history.Memory {
	for _, n := range []int{len(s.nodes), len(s.pods)} { // what stood there is dated first
		s.version += uint64(n)
	}
	var changes []model.Change
	nodes, pods := map[string]*model.Node{}, map[model.Key]*model.Pod{}
	for name, n := range s.nodes {
		nodes[name] = n
	}
	for key, p := range s.pods {
		pods[key] = p
	}
	slices.SortStableFunc(s.posts, func(a, b post) int { return cmp.Compare(a.at, b.at) })
	decisions := s.loop.Run(until)
	for i := range decisions {
		s.posted(decisions[i].Time)
		s.moved(decisions[i].Time)
		for k := range decisions[i].Writes {
			s.write(&decisions[i], &decisions[i].Writes[k])
		}
	}
	s.posted(until)
	s.moved(until)
	for name, n := range nodes {
		changes = append(changes, model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, Node: n, Time: model.Interval{Earliest: noon.Add(-time.Hour), Latest: noon}, At: noon})
	}
	for key, p := range pods {
		changes = append(changes, model.Change{Kind: model.KindPod, Op: model.OpBaseline, Key: key, Pod: p, Time: model.Interval{Earliest: noon.Add(-time.Hour), Latest: noon}, At: noon})
	}
	if s.retell != nil {
		s.retell(s.changes)
	}
	last := map[string]model.Change{}
	for _, ch := range s.changes {
		if ch.Kind == model.KindNodeLease && ch.At < noon {
			ch.Op, ch.At, ch.Time.Latest = model.OpBaseline, noon, noon
			last[ch.Key.Name] = ch
		}
	}
	for _, ch := range last {
		changes = append(changes, ch)
	}
	slices.SortFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Key.String(), b.Key.String()) })
	for _, ch := range append(s.changes, s.leases...) {
		if ch.Time.Earliest >= noon {
			changes = append(changes, ch)
		}
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
	return history.NewMemory(changes, model.Interval{Earliest: noon, Latest: until}, nil,
		[]history.Source{{Path: "story", Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindPod: 1}}})
}

// write carries out a controller's write, a little after it was decided.
func (s *story) write(d *model.Decision, w *model.Write) {
	decided := w.At
	if s.stopped.Contains(decided) {
		decided = s.stopped.Latest // a countdown that ended meanwhile
	}
	at := decided.Add(2 * time.Millisecond)
	switch n := len(s.changes); {
	case s.eachWrite > 0 && (w.Kind == model.WriteConditions || w.Kind == model.WritePodNotReady): // one after the other, by the pass itself
		at = max(at, s.wrote.Add(s.eachWrite))
		s.wrote = at
	case s.eachWrite > 0: // by workers beside it
		for k := n - 1; k >= 0; k-- {
			if s.changes[k].Key.Name == w.Node {
				at = max(at, s.changes[k].At.Add(5*time.Millisecond))
				break
			}
		}
	case n > 0 && s.changes[n-1].Writer == model.WriterNodeLifecycle:
		at = max(at, s.changes[n-1].At.Add(100*time.Microsecond))
	}
	if d.Controller == model.TaintEviction { // which sees the taint a little after it was decided
		at = decided.Add(20 * time.Millisecond)
	}
	writer := map[model.Controller]model.Writer{model.NodeLifecycle: model.WriterNodeLifecycle, model.TaintEviction: model.WriterTaintEviction, model.PodGC: model.WriterPodGC}[d.Controller]
	switch w.Kind {
	case model.WriteConditions, model.WriteTaint, model.WriteUntaint:
		n := *s.nodes[w.Node]
		n.Conditions, n.Taints = slices.Clone(n.Conditions), slices.Clone(n.Taints)
		for _, c := range w.Conditions {
			if i := slices.IndexFunc(n.Conditions, func(have model.Condition) bool { return have.Type == c.Type }); i >= 0 {
				n.Conditions[i] = c
			} else {
				n.Conditions = append(n.Conditions, c)
			}
		}
		n.Taints = slices.DeleteFunc(n.Taints, func(t model.Taint) bool {
			return w.Kind != model.WriteConditions && t.Key == w.Taint.Key && t.Effect == w.Taint.Effect
		})
		if w.Kind == model.WriteTaint {
			n.Taints = append(n.Taints, w.Taint)
		}
		s.nodes[w.Node] = &n
		s.note(at, model.Change{Kind: model.KindNode, Op: model.OpModify, Writer: writer, Key: model.Key{Name: w.Node}, Node: &n})
	case model.WritePodNotReady, model.WriteDisruption, model.WriteDelete:
		p := *s.pods[w.Pod]
		switch w.Kind {
		case model.WritePodNotReady:
			p.Ready, p.ReadySince = model.StatusFalse, at
		case model.WriteDisruption:
			p.Disrupted, p.DisruptionReason = at, w.Reason
		case model.WriteDelete:
			p.Deletion = at.Add(time.Duration(p.GraceSeconds) * time.Second)
		}
		s.pods[w.Pod] = &p
		s.note(at, model.Change{Kind: model.KindPod, Op: model.OpModify, Writer: writer, Key: w.Pod, Pod: &p})
	case model.WriteForceDelete:
		s.note(at, model.Change{Kind: model.KindPod, Op: model.OpDelete, Writer: writer, Key: w.Pod, Pod: s.pods[w.Pod]})
	case model.WriteEvent:
		if w.Reason == "RegisteredNode" && !s.silentRestart {
			s.note(at, model.Change{Kind: model.KindEvent, Op: model.OpAdd, Writer: writer, Key: model.Key{Namespace: "default", Name: fmt.Sprint(w.Node, ".", s.version)},
				Event: &model.Event{Reason: w.Reason, Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: w.Node}}}})
		}
	}
}

// only is what of a story is shown, up to an instant: the Changes that are kept.
func only(t rapid.TB, h *history.Memory, until model.Instant, keep func(*model.Change) bool) *history.Memory {
	var changes []model.Change
	err := historytest.Walk(h, model.FarPast+1, until, func(_ int, ch *model.Change) bool {
		if keep(ch) {
			changes = append(changes, *ch)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return history.NewMemory(changes, model.Interval{Earliest: noon, Latest: until}, nil, h.Sources())
}

// outage is a zone of which a part falls silent at +60 s, and comes back at +400 s.
func outage(nodes, silent int) *story { return outageWith(standard, nodes, silent) }

func outageWith(p model.Params, nodes, silent int) *story {
	s := newStory(p)
	s.outage(nodes, silent)
	return s
}

func (s *story) outage(nodes, silent int) {
	for i := range nodes {
		from, back := model.FarFuture, model.FarFuture
		if i < silent {
			from, back = after(60), after(400+float64(i))
		}
		s.node(fmt.Sprintf("a%02d", i), "a", from, back, 60)
		s.node(fmt.Sprintf("b%02d", i), "b", model.FarFuture, model.FarFuture, 60)
	}
}

func ran(t *testing.T, h history.History, o Options) *Result {
	t.Helper()
	if o.Params == (model.Params{}) {
		o.Params = standard
	}
	res, err := Run(h, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// clean fails where something is not explained, or not seen.
func clean(t *testing.T, res *Result) {
	t.Helper()
	for i := range res.Writes {
		if w := &res.Writes[i]; w.Decision == 0 {
			t.Errorf("%s %s %s: %s", w.Time.Earliest, w.Kind, w.Subject(), w.Unexplained)
		}
	}
	for _, id := range res.Unobserved {
		for i := range res.Decisions {
			if d := &res.Decisions[i]; d.ID == id {
				t.Errorf("%s %s %s %s is not seen", d.Time, d.Kind, d.Node, d.Pod)
			}
		}
	}
}

func TestAStoryIsExplained(t *testing.T) {
	for _, silent := range []int{1, 4, 12} {
		res := ran(t, outage(12, silent).tell(after(700)), Options{})
		clean(t, res)
		if len(res.Writes) < 6*silent {
			t.Errorf("%d writes of %d silent nodes", len(res.Writes), silent)
		}
	}
}

// TestACountdownIsInherited: the taint-eviction controller knows pods by their names, so that one which is made anew on
// another node in the moment in which its namesake goes is deleted when the countdown of that ends. One that is
// made a little later is not.
func TestACountdownIsInherited(t *testing.T) {
	for _, lost := range []bool{true, false} {
		s := outage(6, 1)
		s.move(model.Key{Namespace: "shop", Name: "web-a00"}, "b00", after(140), lost)
		res := ran(t, s.tell(after(390)), Options{})
		clean(t, res)
		inherited := slices.ContainsFunc(res.Decisions, func(d model.Decision) bool {
			return d.Kind == model.EvictPod && d.Outcome == model.Did && d.Basis == model.Observed
		})
		if inherited != lost {
			t.Errorf("lost %v: it is told to be deleted: %v", lost, inherited)
		}
	}
}

// TestZonesAreJudgedAfterWhatAPassWrites: a pass that writes for long judges the zones when it has written, and the bucket
// of a zone whose rate it changes fills from then. When that is, the next taint tells, or the next pass bounds.
func TestZonesAreJudgedAfterWhatAPassWrites(t *testing.T) {
	p := standard
	p.LargeClusterSizeThreshold.Value, p.SecondaryNodeEvictionRate.Value = 4, 0.02
	p.LargeClusterSizeThreshold.From, p.SecondaryNodeEvictionRate.From = model.FromFlag, model.FromFlag
	for _, eachWrite := range []time.Duration{0, 3 * time.Millisecond, 13 * time.Millisecond, 30 * time.Millisecond} {
		s := newStoryBy(p, func(c *loop.Clock) {
			if eachWrite > 0 {
				c.Takes, c.EachWrite = time.Millisecond, eachWrite
			}
		})
		s.eachWrite = eachWrite
		s.outage(50, 45)
		var changed []model.Decision
		s.loop.Decided = func(list []model.Decision) {
			for _, d := range list {
				if d.Kind == model.SetRate && d.Time > noon {
					changed = append(changed, d)
				}
			}
		}
		res := ran(t, s.tell(after(700)), Options{Params: p})
		clean(t, res)
		if len(changed) < 2 {
			t.Errorf("%s a write: rates change %d times", eachWrite, len(changed))
		}
		for _, d := range changed {
			if !slices.ContainsFunc(res.Decisions, func(is model.Decision) bool {
				return is.Kind == d.Kind && is.Zone == d.Zone && is.Rate == d.Rate && is.Window.Contains(d.Time)
			}) {
				t.Errorf("%s a write: not told within its window: %s %s", eachWrite, d.Time.Sub(noon), d.Why.Code)
			}
		}
	}
}

// TestWorkersWaitForTheirClient: where there is more to write than the client lets through at once, what workers write of
// nodes that were declared comes seconds after it was decided.
func TestWorkersWaitForTheirClient(t *testing.T) {
	s := outage(50, 45)
	delayed := 0
	s.retell = func(changes []model.Change) {
		var last model.Instant
		for i := range changes {
			ch := &changes[i]
			if ch.Kind != model.KindNode || ch.Writer != model.WriterNodeLifecycle || len(ch.Node.Taints) != 1 || ch.Node.Taints[0].Effect != model.NoSchedule {
				continue
			}
			if at := max(ch.At, last.Add(80*time.Millisecond)); at.Sub(ch.At) < 5*time.Second {
				if at.Sub(ch.At) > evidence.LagBound {
					delayed++
				}
				ch.At, ch.Time, last = at, model.Exactly(at), at
			}
		}
	}
	res := ran(t, s.tell(after(300)), Options{})
	clean(t, res)
	if delayed < 10 {
		t.Errorf("%d taints came late", delayed)
	}
}

// TestATaintWaitsForItsClient: the token that a tick gives while a pass writes, before that stops the tainting of the zone, is
// written when the client lets it through: seconds later, where the pass writes for long.
func TestATaintWaitsForItsClient(t *testing.T) {
	for _, delay := range []time.Duration{0, 500 * time.Millisecond, 1700 * time.Millisecond, 2500 * time.Millisecond} {
		s := newStoryBy(standard, func(c *loop.Clock) { c.Takes, c.EachWrite = time.Millisecond, 300*time.Millisecond })
		s.eachWrite, s.silentRestart = 300*time.Millisecond, true
		s.outage(9, 6)
		tainted := 0
		s.retell = func(changes []model.Change) {
			for i := range changes {
				if ch := &changes[i]; ch.Kind == model.KindNode && ch.Node.HasNoExecute() && ch.At < after(300) {
					ch.At = ch.At.Add(delay)
					ch.Time = model.Exactly(ch.At)
					tainted++
				}
			}
		}
		res := ran(t, s.tell(after(160)), Options{})
		clean(t, res)
		if tainted != 1 {
			t.Errorf("%d nodes are tainted before the zone is halted", tainted)
		}
	}
}

// TestANodeIsJudgedAtItsTurn: a pass that writes for longer than a period declares nodes, too, that were silent past grace
// only when it came to them.
func TestANodeIsJudgedAtItsTurn(t *testing.T) {
	s := newStoryBy(standard, func(c *loop.Clock) { c.Takes, c.EachWrite = time.Millisecond, 300*time.Millisecond })
	s.eachWrite = 300 * time.Millisecond
	s.outage(70, 34)
	late := map[string]model.Instant{}
	s.retell = func(changes []model.Change) { judgedEarlier(changes, after(126), after(113), late) }
	res := ran(t, s.tell(after(700)), Options{})
	clean(t, res)
	if len(late) < 4 {
		t.Fatalf("%d nodes are judged late", len(late))
	}
	for name, at := range late {
		if !slices.ContainsFunc(res.Decisions, func(d model.Decision) bool {
			return d.Kind == model.MarkUnknown && d.Node == name && d.Window.Contains(at) && d.Window.Width() <= evidence.LagBound
		}) {
			t.Errorf("%s is not declared at %s", name, at)
		}
	}
}

// judgedEarlier puts what a pass writes of nodes, from an instant on, between the writes of the pass before, and notes when.
func judgedEarlier(changes []model.Change, from, turn model.Instant, late map[string]model.Instant) {
	for i := range changes {
		ch := &changes[i]
		if ch.Writer != model.WriterNodeLifecycle || ch.At < from || ch.At > from.Add(15*time.Second) {
			continue
		}
		name := strings.TrimPrefix(ch.Key.Name, "web-")
		if n := ch.Node; n != nil && n.Ready().Status == model.StatusUnknown && len(n.Taints) == 0 {
			turn = turn.Add(600 * time.Millisecond)
			late[name] = turn
		}
		if at, ok := late[name]; ok {
			if n := ch.Node; n == nil || len(n.Taints) > 0 {
				at = at.Add(5 * time.Millisecond)
			}
			ch.At, ch.Time = at, model.Exactly(at)
		}
	}
}

// TestWhichPassSawIt: where passes leave no trace, what they decide of what kubelets said is told within all places
// where the first pass after that may lie.
func TestWhichPassSawIt(t *testing.T) {
	p := standard
	p.NodeEvictionRate.Value, p.NodeEvictionRate.From = 0, model.FromFlag // nobody is tainted
	for phase := range 12 {
		s := newStoryBy(p, func(c *loop.Clock) { c.Pass = c.Pass.Add(time.Duration(phase) * 410 * time.Millisecond) })
		s.outage(5, 0)
		for i, node := range []string{"a00", "a01", "a02", "b00"} {
			s.status(node, after(100+float64(i)*1.3), model.StatusFalse)
		}
		decided := map[string]model.Instant{}
		key := func(d *model.Decision) string { return fmt.Sprint(d.Kind, d.Node, d.Zone.Value, d.State) }
		s.loop.Decided = func(list []model.Decision) {
			for i := range list {
				if d := &list[i]; d.Time > after(100) && (d.Kind == model.QueueForTaint && d.Outcome == model.Did || d.Kind == model.ZoneState) {
					decided[key(d)] = cmp.Or(decided[key(d)], d.Time)
				}
			}
		}
		res := ran(t, s.tell(after(130)), Options{Params: p})
		told := 0
		for i := range res.Decisions {
			d := &res.Decisions[i]
			at, ok := decided[key(d)]
			if !ok || d.Time < after(100) {
				continue
			}
			delete(decided, key(d))                                                                                   // it is queued in every pass
			if told++; !d.Window.Contains(at) || d.Window.Width() > p.NodeMonitorPeriod.Value+1500*time.Millisecond { // three nodes of a zone say it within 2.6 s
				t.Errorf("phase %d: %s at %s is told within %s to %s", phase, key(d), at.Sub(noon), d.Window.Earliest.Sub(noon), d.Window.Latest.Sub(noon))
			}
		}
		if told < 5 {
			t.Errorf("phase %d: %d are told", phase, told)
		}
	}
}

// TestARestartIsRecognised by the nodes it registers, by the election of another leader, or
// by both; and by nothing where nothing tells.
func TestARestartIsRecognised(t *testing.T) {
	for _, c := range []struct{ events, lease bool }{{true, false}, {false, true}, {true, true}, {false, false}} {
		s := outage(8, 3)
		s.restart(after(150), c.events, c.lease)
		res := ran(t, s.tell(after(390)), Options{})
		if told := c.events || c.lease; told != (res.Findings() == 0) {
			t.Errorf("events %v, lease %v: %d findings", c.events, c.lease, res.Findings())
			if told {
				clean(t, res)
			}
		} else if n := len(res.run.evidence.Restarts); told != (n == 1) {
			t.Errorf("events %v, lease %v: %d restarts", c.events, c.lease, n)
		}
	}
}

// TestNobodyActsWithoutALeader: of a leader that has died nothing is demanded, and the next one begins anew, with its
// countdowns as well; whenever it died, and however long after its last renewal.
func TestNobodyActsWithoutALeader(t *testing.T) {
	for i := range 40 {
		died, events := after(105+2.3*float64(i)), i%2 == 0
		s := outage(8, 3)
		s.elect(died.Add(-time.Duration(i%7)*1700*time.Millisecond), died, died.Add(20*time.Second), events)
		res := ran(t, s.tell(after(390)), Options{})
		if n := res.Findings(); n > 0 || len(res.run.evidence.Vacancies) != 1 {
			t.Errorf("died at %v: %d findings, vacancies %v", died.Sub(noon), n, res.run.evidence.Vacancies)
			clean(t, res)
		}
		for k := range res.Decisions {
			if d := &res.Decisions[k]; d.Window.Earliest > died.Add(time.Second) && d.Window.Latest < died.Add(19*time.Second) && d.Controller != model.PodGC {
				t.Errorf("died at %v: %s %s at %v, when nobody led", died.Sub(noon), d.Kind, d.Subject(), d.Time.Sub(noon))
			}
		}
	}
}

// TestOrphansAreCollected: the pods of a node that was deleted are explained by pod garbage
// collection, and count in no total.
func TestOrphansAreCollected(t *testing.T) {
	for _, watched := range []bool{false, true} {
		s := outage(4, 0)
		s.remove("b01", after(100))
		s.remove("b02", after(131))
		h := s.tell(after(390))
		if watched { // nobody says who wrote what
			page, _ := historytest.ReadChanges(h, h.PageAt(0))
			for i := range page {
				page[i].Writer = model.WriterUnknown
			}
		}
		res := ran(t, h, Options{})
		clean(t, res)
		collected := 0
		for _, d := range res.Decisions {
			if d.Kind == model.CollectPod {
				collected++
				if d.Basis != model.Observed || d.Observed == nil || d.Window.Width() > 2*evidence.LagBound || d.Rule != model.RuleNodeMissed {
					t.Errorf("%s %s %s in %v", d.Pod, d.Basis, d.Rule, d.Window)
				}
			}
		}
		if collected != 2 || len(res.Writes) != 0 {
			t.Errorf("%d pods are collected, %d writes count", collected, len(res.Writes))
		}
	}
}

// TestFlagsAreInferred from the distances of passes and of tokens, where there are enough of
// them. Flags that were given are contradicted instead, and nothing is decided under them.
func TestFlagsAreInferred(t *testing.T) {
	real := standard
	real.NodeMonitorPeriod.Value, real.NodeEvictionRate.Value = 4*time.Second, 0.25
	for _, c := range []struct {
		silent int
		from   model.Provenance
		period time.Duration
		rate   float32
	}{
		{12, model.FromDefault, 4 * time.Second, 0.25},
		{12, model.FromFlag, 4 * time.Second, 0.25},
		{1, model.FromDefault, 5 * time.Second, 0.1},
	} {
		given := standard
		given.NodeMonitorPeriod.From, given.NodeEvictionRate.From = c.from, c.from
		res := ran(t, outageWith(real, 12, c.silent).tell(after(700)), Options{Params: given})
		if p := res.Params; p.NodeMonitorPeriod.Value != c.period || p.NodeEvictionRate.Value != c.rate {
			t.Errorf("%d silent, flags from %s: period %s, rate %v", c.silent, c.from, p.NodeMonitorPeriod.Value, p.NodeEvictionRate.Value)
		}
		if by := c.from == model.FromFlag; by && (len(res.Contradicted) != 2 || len(res.Decisions) > 0) || !by && len(res.Contradicted) > 0 {
			t.Errorf("%d silent, flags from %s: %d decisions, contradicted %v", c.silent, c.from, len(res.Decisions), res.Contradicted)
		}
		if c.silent < 12 || c.from != model.FromDefault {
			continue
		}
		clean(t, res)
		for flag, value := range map[string]float64{"node-monitor-period": 4, "node-eviction-rate": 0.25} {
			if fit := res.Fits[flag]; fit.Min > value || fit.Max < value || fit.Max-fit.Min > value/10 || fit.Evidence < 3 {
				t.Errorf("%s fits %+v", flag, fit)
			}
		}
	}
}
