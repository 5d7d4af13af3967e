package screentest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kardia/internal/golden"
	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/explain/compare"
	"kardia/model/explain/impact"
	"kardia/model/explain/margin"
	"kardia/model/explain/outlook"
	"kardia/model/explain/verdict"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/phases"
	"kardia/model/past"
	"kardia/model/simulate/alternative"
	"kardia/model/simulate/forecast"
	"kardia/model/simulate/whatif"
	"kardia/sources/open"
	"kardia/ui/screen"
)

// Partial is a recording of a zone of 20 nodes of which 11 died at once: its queue is halted.
var Partial = IncidentPath("partial")

// IncidentPath is the path of a recorded incident, from the directory of the package under test.
func IncidentPath(name string) string {
	path := filepath.Join("sources", "open", "testdata", "incidents", name)
	for range 5 {
		if _, err := os.Stat(path); err == nil {
			break
		}
		path = filepath.Join("..", path)
	}
	return path
}

// recording is an incident and what the models found in it.
type recording struct {
	opened *open.Opened
	result *infer.Result
	index  *why.Index
}

var (
	recordings      = map[string]*recording{}
	recordingsMutex sync.Mutex
)

// recorded opens an incident and judges it, once.
func recorded(t fataler, path string) *recording {
	t.Helper()
	recordingsMutex.Lock()
	defer recordingsMutex.Unlock()
	if r := recordings[path]; r != nil {
		return r
	}
	opened, err := open.Open(context.Background(), []string{path}, open.Options{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	v, _ := model.ParseVersion(opened.ServerVersion)
	result, err := infer.Run(opened.History, infer.Options{Params: model.Defaults(v)})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	r := &recording{opened, result, why.Of(result, opened.History)}
	recordings[path] = r
	return r
}

// Recorded is a recorded incident (demo:NAME or a directory) at a time after the start of its coverage, with all
// results of the models.
func Recorded(t fataler, path string, after time.Duration) *screen.Snapshot {
	t.Helper()
	r := recorded(t, path)
	h := r.opened.History
	at := h.Coverage().Earliest.Add(after)
	cursor := history.NewCursor(h)
	if err := cursor.Seek(at); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	state, err := r.result.At(at)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	known, err := r.result.Known(at)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	next := forecast.Run(known, forecast.Options{})
	evidence, err := verdict.Look(history.NewCursor(h), at, verdict.View{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	s := &screen.Snapshot{
		Revision: 1, Cluster: cursor.State(), At: at, Params: r.result.Params, Mode: screen.Paused, Name: r.opened.Name, Speed: 1, Loading: 1,
		Coverage: h.Coverage(), Gaps: h.Gaps(), Kinds: map[model.Kind]bool{},
		Track: func(node string, w model.Interval) *past.Track {
			track, _ := past.BuildTrack(h, node, w)
			return track
		},
		Margin: func(over model.Interval) screen.Margin {
			g := r.result.Params.NodeMonitorGracePeriod.Value
			found, _ := margin.Of(h, margin.Options{Over: over, Graces: margin.Graces(g), InForce: g, Period: r.result.Params.NodeMonitorPeriod.Value})
			return screen.Margin{Found: found}
		},
		Alternatives: alternatives(known, next),
		Judged: &outlook.Judgement{Result: r.result, Index: r.index, Until: h.Coverage().Latest, State: state, Forecast: next, Verdicts: verdict.Of(evidence),
			Marked: impact.Marked(cursor.State(), r.result.Decisions, at), Later: forecast.PodsLater(next, r.result.Decisions, h.Coverage().Latest)},
	}
	view, err := caveat.At(h, at)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	s.Caveats = caveat.Of(view)
	for _, source := range h.Sources() {
		for kind, n := range source.Kinds {
			s.Kinds[kind] = s.Kinds[kind] || n > 0
		}
	}
	return s
}

// alternatives tries them once for each node.
func alternatives(s *infer.State, f *forecast.Forecast) func(string) *alternative.Tried {
	tried := map[string]*alternative.Tried{}
	return func(node string) *alternative.Tried {
		if tried[node] == nil {
			tried[node] = alternative.Of(s, f, node)
		}
		return tried[node]
	}
}

// WithModels adds to a made-up Snapshot the models' results. They have known its nodes and pods for a minute, and seen
// the last heartbeat of those that are not silent just now.
func WithModels(s *screen.Snapshot) *screen.Snapshot {
	state := &infer.State{At: s.At, Cache: informer.New(), Nodes: nodelifecycle.New(s.Params), Taints: tainteviction.New(s.Params),
		Pods: podgc.New(s.Params), Params: s.Params, Clock: loop.StartingAt(s.At.Add(3*time.Second), 5*time.Second, time.Millisecond)}
	state.Clock.Tick = s.At.Add(nodelifecycle.TickPeriod / 2)
	for _, off := range [...]time.Duration{-time.Second, time.Second} { // the passes may come a second earlier or later
		clock := state.Clock
		clock.Pass = clock.Pass.Add(off)
		state.Phases = append(state.Phases, phases.Phase{Clock: clock})
	}
	version := uint64(0)
	s.Cluster.Nodes(func(row *model.NodeRow) bool {
		version++
		if row.Node != nil {
			state.Cache.SetNode(row.Name, row.Node, version, 0, 0)
		}
		if row.Lease.Seen {
			state.Cache.SetLease(row.Name, row.Lease.Renewed.Add(-time.Minute), version, 0)
		}
		for _, p := range row.Pods() {
			state.Cache.SetPod(nil, p)
		}
		return true
	})
	state.Nodes.Pass(s.At.Add(-time.Minute), state.Cache, nodelifecycle.Hidden{})
	s.Cluster.Nodes(func(row *model.NodeRow) bool {
		if age := row.Ages(s.At).Age; row.Lease.Seen && age.Known && age.Value < forecast.SilentAfter {
			version++
			state.Cache.SetLease(row.Name, row.Lease.Renewed, version, 0)
		}
		return true
	})
	state.Nodes.Pass(s.At, state.Cache, nodelifecycle.Hidden{})
	state.Nodes.Tick(s.At, state.Cache, nodelifecycle.Hidden{})
	s.Cluster.Nodes(func(row *model.NodeRow) bool {
		if row.Node != nil {
			state.Taints.NodeChanged(s.At, row.Name, state.Cache)
		}
		return true
	})
	next := forecast.Run(state, forecast.Options{})
	s.Judged = &outlook.Judgement{Result: &infer.Result{Params: s.Params}, Index: why.New(nil, nil, nil), Until: s.At,
		State: state, Forecast: next}
	s.Alternatives = alternatives(state, next)
	return s
}

// Telling is an incident at an instant at which a screen has much to show.
type Telling struct {
	Name, Path string
	After      time.Duration
	// Zone and Node are those to look at.
	Zone model.ZoneKey
	Node string
}

// Tellings are a zone in full disruption while countdowns run, every zone dark, and a zone
// whose queue is halted.
var Tellings = []Telling{
	{"zone-outage", "demo:zone-outage", 120 * time.Second, model.ZoneKey{Region: "us-east-1", Zone: "us-east-1b"}, "b-006"},
	{"all-dark", "demo:all-dark", 180 * time.Second, model.ZoneKey{Region: "dc1", Zone: "zone-2"}, "q-000"},
	{"partial", Partial, 100 * time.Second, model.ZoneKey{Region: "local", Zone: "zone-a"}, "b-004"},
}

// TellingGoldens compares a view of every Telling at every size with
// testdata/telling/NAME-SIZE.txt, the line about the view at the end.
func TellingGoldens(t *testing.T, view func(Telling) screen.View) {
	t.Helper()
	p := Painters()["dark"]
	for _, k := range Tellings {
		s := Recorded(t, k.Path, k.After)
		for _, size := range Sizes {
			v := view(k)
			area := screen.Arrange(size.W, size.H).Area()
			lines := v.Render(s, p, area)
			CheckFrame(t, lines, p, area.W, area.H)
			golden.Compare(t, "telling/"+k.Name+"-"+size.Name+".txt", Plain(append(lines, v.Context(s, p, area.W))))
		}
	}
}

// Reading are models that have read a part of a recording, and NoLeases is why they judge nothing of an input without
// leases.
var (
	Reading  = outlook.Missing{Reason: outlook.ReadingRecording, Percent: 43}
	NoLeases = outlook.Missing{Reason: outlook.Unsupported, Result: &infer.Result{Unsupported: []infer.Note{{Code: infer.LeasesMissing}}}}
)

// Undecided are the words that every view must have while there is no judgement, and if there can be none.
var Undecided = map[string]*outlook.Judgement{
	"decisions: being worked out, 43%":  {Missing: Reading},
	"decisions: being worked out":       {},
	"decisions: not judged, ! says why": {Missing: NoLeases},
}

// Beside is another recorded incident, to be compared with one.
func Beside(t fataler, path, other string) *screen.Beside {
	t.Helper()
	a, b := recorded(t, path), recorded(t, other)
	is := func(r *recording) compare.Incident {
		judged, err := compare.Judged(r.opened.History.Fork(), r.result)
		if err != nil {
			t.Fatalf("%v", err)
		}
		return judged
	}
	return &screen.Beside{Name: b.opened.Name, Comparison: compare.Of(is(a), is(b)), A: a.index, B: b.index}
}

// Branched is a recorded incident with a branch from the instant shown on.
func Branched(t fataler, path string, after time.Duration, o screen.BranchOrder) *screen.Snapshot {
	t.Helper()
	s := Recorded(t, path, after)
	r := recorded(t, path)
	o.From = s.At
	base, err := whatif.Prepare(r.opened.History, r.result, whatif.Options{From: o.From, For: o.For})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	branch, err := o.Of(base.Params)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	s.Branch = &screen.Branch{Order: o, Progress: 1, From: base.From, Until: base.Until, Recorded: s.Coverage.Latest, Fit: &base.Fit, Params: base.Params, Answer: base.Branch(branch), NoPods: !base.ShowsPods}
	return s
}
