package evidence

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func after(seconds float64) model.Instant {
	return noon.Add(time.Duration(seconds * float64(time.Second)))
}

// aNode is one that is as long there as it needs to be, with a Ready condition and taints.
func aNode(ready model.Status, since model.Instant, taints ...model.Taint) *model.Node {
	reason := ""
	if ready == model.StatusUnknown {
		reason = model.ReasonUnknown
	}
	return &model.Node{UID: model.UUID([16]byte{1}), Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Zone: "z"}, Taints: taints,
		Conditions: []model.Condition{{Type: "Ready", Status: ready, Reason: reason, Transition: since, Heartbeat: noon.Add(-time.Second)}}}
}

func nodeChange(op model.Op, at model.Instant, writer model.Writer, version uint64, n *model.Node) model.Change {
	return model.Change{Kind: model.KindNode, Op: op, Key: model.Key{Name: "a"}, UID: n.UID, Version: version, Time: model.Exactly(at), At: at, Quality: model.ByServer, Writer: writer, Node: n}
}

func renewal(node string, at model.Instant, version uint64) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: node}, Version: version,
		Time: model.Exactly(at), At: at, Lease: model.Lease{Renewed: at, Holder: node}}
}

func read(t *testing.T, until model.Instant, gaps []history.Gap, changes ...model.Change) *Evidence {
	t.Helper()
	coverage := model.Interval{Earliest: noon, Latest: after(300)}
	kinds := map[model.Kind]int{}
	for i := range changes {
		kinds[changes[i].Kind]++
	}
	watch := history.Source{Kinds: kinds, Coverage: coverage, Quality: model.ByArrival}
	e, err := Read(NewInput(history.NewMemory(changes, coverage, gaps, []history.Source{watch}), nil), Scope{Coverage: coverage, Until: until, Period: 5 * time.Second, Prologue: time.Minute, Share: 1})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What the controllers wrote is seen from version to version; what others wrote is none of it. A node known
// by its lease only is unseen, and a node that is registered again has a new process.
func TestWhatASourceShows(t *testing.T) {
	unreachable := model.Taint{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: after(70)}
	again := model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: "a.1"}, Time: model.Exactly(after(100)), At: after(100),
		Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "a"}}, Reason: model.ReasonRegisteredNode, Component: "node-controller"}}
	story := []model.Change{
		nodeChange(model.OpModify, after(1), model.WriterKubelet, 10, aNode(model.StatusTrue, noon.Add(-time.Hour))),
		renewal("a", after(2), 11), renewal("b", after(3), 12),
		nodeChange(model.OpModify, after(60), model.WriterNodeLifecycle, 20, aNode(model.StatusUnknown, after(60))),
		nodeChange(model.OpModify, after(70), model.WriterNodeLifecycle, 21, aNode(model.StatusUnknown, after(60), unreachable)),
		again,
	}
	e := read(t, model.FarFuture, nil, story...)
	var kinds []model.DecisionKind
	for i := range e.Writes {
		kinds = append(kinds, e.Writes[i].Kind)
	}
	if want := []model.DecisionKind{model.MarkUnknown, model.TaintNoExecute}; !slices.Equal(kinds, want) {
		t.Fatalf("written: %v, not %v", kinds, want)
	}
	if w := &e.Writes[0]; w.Beat != after(2) || !w.Exact || w.Across || w.Soonest != after(60) || w.Zone != model.Some(model.ZoneKey{Zone: "z"}) {
		t.Errorf("the first write: %+v", w)
	}
	if !slices.Equal(e.Unseen, []string{"b"}) || e.Nodes != 1 || e.Counts[model.KindNodeLease] != 2 {
		t.Errorf("unseen %v, %d nodes, counts %v", e.Unseen, e.Nodes, e.Counts)
	}
	if len(e.Restarts) != 1 || !e.Restarts[0].Contains(after(100)) || e.Registrations != 1 {
		t.Errorf("restarts %v", e.Restarts)
	}
	if h := e.Heard["a"]; !h.Lease.Contains(after(2)) {
		t.Errorf("a was heard %+v", h)
	}
	// Nothing of what comes after an instant is known before it.
	if e := read(t, after(65), nil, story...); len(e.Writes) != 1 || len(e.Restarts) != 0 || e.Last != after(60) {
		t.Errorf("by 65 s: %d writes, restarts %v, last %v", len(e.Writes), e.Restarts, e.Last)
	}
}

// What must have been written in a gap is told by the stamps of what stands there afterwards, in order, as
// a difference that nobody saw being made.
func TestWhatStampsTellOfAGap(t *testing.T) {
	unreachable := model.Taint{Key: model.TaintUnreachable, Effect: model.NoExecute, Added: after(70)}
	gap := history.Gap{Interval: model.Interval{Earliest: after(40), Latest: after(90)}}
	listed := nodeChange(model.OpModify, after(90.5), model.WriterUnknown, 30, aNode(model.StatusUnknown, after(60), unreachable))
	listed.Time.Earliest, listed.Quality = after(40), model.ByArrival
	e := read(t, model.FarFuture, []history.Gap{gap},
		nodeChange(model.OpBaseline, after(0), model.WriterUnknown, 10, aNode(model.StatusTrue, noon.Add(-time.Hour))),
		renewal("a", after(2), 11),
		listed)
	if len(e.Writes) != 2 {
		t.Fatalf("%d writes, not the declaration and the taint", len(e.Writes))
	}
	for i, at := range []float64{60, 70} {
		if w := &e.Writes[i]; !w.Across || w.Exact || !w.Time.Contains(after(at)) || w.Time.Width() > 2*time.Second {
			t.Errorf("write %d: %+v", i, w)
		}
	}
	if !e.Gaps.Hides(model.KindNode, model.Exactly(after(50))) || e.Gaps.Hides(model.KindNode, model.Exactly(after(120))) {
		t.Errorf("the gaps are %v", e.Gaps)
	}
}

// A pod that was there when its node was declared is marked by the pass; one that comes to the node later is marked by
// a worker as it comes.
func TestWhoMarksAPod(t *testing.T) {
	pod := func(op model.Op, name string, at float64, version uint64, ready model.Status) model.Change {
		writer := model.WriterUnknown
		if op == model.OpModify {
			writer = model.WriterNodeLifecycle
		}
		key := model.Key{Namespace: "default", Name: name}
		return model.Change{Kind: model.KindPod, Op: op, Key: key, Version: version, Time: model.Exactly(after(at)), At: after(at), Quality: model.ByServer, Writer: writer,
			Pod: &model.Pod{Key: key, UID: model.UUID([16]byte{name[0]}), Created: after(at).Add(-time.Second), Node: "a", Ready: ready}}
	}
	e := read(t, model.FarFuture, nil,
		nodeChange(model.OpModify, after(1), model.WriterKubelet, 10, aNode(model.StatusTrue, noon.Add(-time.Hour))),
		renewal("a", after(2), 11),
		pod(model.OpAdd, "there", 3, 12, model.StatusTrue),
		nodeChange(model.OpModify, after(60), model.WriterNodeLifecycle, 13, aNode(model.StatusUnknown, after(60))),
		pod(model.OpModify, "there", 60.1, 14, model.StatusFalse),
		pod(model.OpAdd, "late", 60.5, 15, model.StatusTrue),
		pod(model.OpModify, "late", 60.6, 16, model.StatusFalse))
	var got []bool
	for i := range e.Writes {
		if e.Writes[i].Kind == model.MarkPodsNotReady {
			got = append(got, e.Writes[i].ByWorker)
		}
	}
	if want := []bool{false, true}; !slices.Equal(got, want) {
		t.Errorf("marked by a worker: %v, not %v", got, want)
	}
}

// The watch of pods may be ahead of that of nodes: who marked a pod is known once its node is seen to be declared, if that
// was written before.
func TestPodsAreSeenMarkedBeforeTheirNode(t *testing.T) {
	pod := func(op model.Op, name string, at float64, version uint64, ready model.Status) model.Change {
		key := model.Key{Namespace: "default", Name: name}
		return model.Change{Kind: model.KindPod, Op: op, Key: key, Version: version, Arrival: after(at), Time: model.Exactly(after(at)), At: after(at),
			Pod: &model.Pod{Key: key, UID: model.UUID([16]byte{name[0]}), Created: noon, Node: "a", Ready: ready}}
	}
	node := func(at float64, version uint64, ready model.Status, since model.Instant) model.Change {
		return nodeChange(model.OpModify, after(at), model.WriterUnknown, version, aNode(ready, since))
	}
	for name, is := range map[string]struct {
		declared uint64
		at       float64
		ready    model.Status
		marked   int
	}{
		"it was written before":             {13, 60.2, model.StatusUnknown, 1},
		"it was written after: the kubelet": {15, 60.2, model.StatusUnknown, 0},
		"its kubelet says so itself":        {13, 60.2, model.StatusFalse, 0},
		"long after":                        {13, 63, model.StatusUnknown, 0},
	} {
		e := read(t, model.FarFuture, nil,
			node(1, 10, model.StatusTrue, noon.Add(-time.Hour)),
			renewal("a", after(2), 11),
			pod(model.OpAdd, "there", 3, 12, model.StatusTrue),
			pod(model.OpModify, "there", 60.1, 14, model.StatusFalse),
			node(is.at, is.declared, is.ready, after(60)))
		marked := 0
		for i := range e.Writes {
			if w := &e.Writes[i]; w.Kind == model.MarkPodsNotReady {
				marked++
				if w.Evidence[0].Position != 4 || w.Evidence[0].Version != 14 || w.Pod.Name != "there" || w.Time != model.Exactly(after(60.1)) {
					t.Errorf("%s: marked by %+v", name, w.Write)
				}
			}
		}
		if marked != is.marked {
			t.Errorf("%s: %d pods marked, not %d", name, marked, is.marked)
		}
	}
}

// A process that starts registers all nodes in one pass, and its Events are written one after another: where the API server
// is slow, of 5,000 nodes for minutes. However late one is written, it tells of that pass, and of no other start.
func TestOneStartIsToldForMinutes(t *testing.T) {
	story := []model.Change{
		nodeChange(model.OpModify, after(1), model.WriterKubelet, 10, aNode(model.StatusTrue, noon.Add(-time.Hour))),
		renewal("a", after(2), 11), renewal("a", after(300), 99),
	}
	registered := func(recorded, written float64) model.Change {
		return model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: fmt.Sprint("a.", written)}, Time: model.Exactly(after(written)), At: after(written),
			Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "a"}}, Reason: model.ReasonRegisteredNode, Component: "node-controller", First: after(recorded).Truncate(time.Second)}}
	}
	for name, c := range map[string]struct {
		events []model.Change
		begins []float64
	}{
		"written for a minute and a half":      {[]model.Change{registered(100.5, 100.6), registered(100.5, 140), registered(100.5, 190)}, []float64{100.58}},
		"the first is late already":            {[]model.Change{registered(100.5, 130), registered(100.5, 190)}, []float64{100.58}},
		"a node that has just come":            {[]model.Change{registered(-3595, 130)}, nil},
		"before anybody watched":               {[]model.Change{registered(-40, 50), registered(-40, 130)}, nil},
		"two, and the first is told on for it": {[]model.Change{registered(60, 60.1), registered(150, 150.2), registered(60, 200), registered(150, 210)}, []float64{60.08, 150.18}},
		"by a clock that is behind":            {[]model.Change{registered(98, 100.6), registered(98, 150)}, []float64{100.58}},
	} {
		e := read(t, model.FarFuture, nil, slices.Concat(story[:2], c.events, story[2:])...)
		if len(e.Restarts) != len(c.begins) || e.Registrations != len(c.begins) {
			t.Errorf("%s: restarts %v", name, e.Restarts)
			continue
		}
		for i, at := range c.begins {
			if v := e.Restarts[i]; !v.Contains(after(at)) || v.Width() > 2*time.Second {
				t.Errorf("%s: began in %v", name, v)
			}
		}
	}
}
