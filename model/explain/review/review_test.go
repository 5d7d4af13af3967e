package review_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/internal/plain"
	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/model/past"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func sec(n float64) model.Instant { return noon.Add(time.Duration(n * float64(time.Second))) }

func within(from, to float64) model.Interval {
	return model.Interval{Earliest: sec(from), Latest: sec(to)}
}

// silent is a node declared Unknown after a silence, at a time known to a width.
func silent(at float64, id model.DecisionID, silence, width time.Duration) model.Decision {
	return model.Decision{ID: id, Time: sec(at), Window: model.Interval{Earliest: sec(at), Latest: sec(at).Add(width)}, Kind: model.MarkUnknown, Node: fmt.Sprint("n", uint64(id)), Why: model.Reason{Code: model.WhyLeaseSent, Heard: silence},
		Checks: []model.Check{{What: model.ComparedSilence, Left: model.DurationOperand(silence), Op: model.Greater, Right: model.DurationOperand(50 * time.Second), Holds: true}}}
}

// act is what was decided, if anything.
func act(a *review.Anomaly) string {
	if a.Decision == nil {
		return ""
	}
	if d := a.Decision; d.Kind == model.ZoneState {
		return fmt.Sprintf("%s %s → %s", d.Kind, d.State.From, d.State.To)
	}
	return strings.TrimSpace(a.Decision.Kind.String() + " " + plain.Reason(a.Decision.Why))
}

func TestEveryKindOfAnomaly(t *testing.T) {
	lease := func(at, renewed float64) model.Change {
		return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "n9"}, Time: model.Exactly(sec(at)), Arrival: sec(at), Lease: model.Lease{Renewed: sec(renewed)}}
	}
	h := history.NewMemory([]model.Change{lease(1, 1), lease(11, -60), lease(21, 20)}, within(0, 100),
		[]history.Gap{{Interval: within(30, 40), Source: 0, Why: "the watch was cut"}}, []history.Source{{Path: "nodes.watch"}})
	o := &past.Overview{}
	if _, err := o.Extend(h, 100); err != nil {
		t.Fatal(err)
	}
	evict := model.Decision{ID: 3, Time: sec(70), Window: within(70, 80), Kind: model.EvictPod, Node: "n3", Why: model.Because(model.WhyToleratedForNone),
		Checks: []model.Check{{What: model.ComparedToleration, Left: model.DurationOperand(0), Op: model.Greater, Right: model.DurationOperand(0)}}}
	met := model.Decision{ID: 8, Time: sec(2), Kind: model.ZoneState, State: model.Shift[model.DisruptionState]{From: model.ZoneInitial, To: model.ZoneNormal}}
	dark := model.Decision{ID: 9, Time: sec(65), Kind: model.ZoneState, Zone: model.Some(model.ZoneKey{Region: "r", Zone: "a"}), State: model.Shift[model.DisruptionState]{From: model.ZoneNormal, To: model.ZoneFull}}
	r := &infer.Result{
		Decisions: []model.Decision{met, silent(50, 1, 50040*time.Millisecond, 32*time.Millisecond), silent(60, 2, 50040*time.Millisecond, 80*time.Millisecond), dark, evict},
		Writes: []infer.Write{
			{Kind: model.TaintNoExecute, Node: "n4", Time: within(80, 81), Unexplained: infer.Unexplained{Code: evidence.NotDecided}},
			{Kind: model.TaintNoExecute, Node: "n1", Time: within(51, 52), Decision: 1},
		},
		Unobserved: []model.DecisionID{3},
	}
	found := review.Find(h, o, r)
	var got []string
	for _, a := range found.List {
		got = append(got, fmt.Sprintf("%s %s %s: %s %s", a.At.Sub(noon), a.Kind, a.Node, a.For, act(&a)+a.Why))
	}
	want := []string{
		"11s clock step n9: -1m1s ",
		"21s clock step n9: 1m10s ",
		"30s gap : 0s nodes.watch: the watch was cut",
		"50s first Unknown n1: 0s MarkUnknown lease-sent 50s",
		"1m5s zone change : 0s ZoneState Normal → FullDisruption",
		"1m10s effect not seen n3: 0s EvictPod tolerated-for-none",
		"1m10s first deletion n3: 0s EvictPod tolerated-for-none",
		"1m20s unexplained write n4: 0s ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || found.More != 0 {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if a, ok := found.Nearest(sec(30), true); !ok || a.Kind != review.FirstUnknown {
		t.Errorf("after 30 s: %v", a)
	}
	if a, ok := found.Nearest(sec(30), false); !ok || a.At != sec(21) {
		t.Errorf("before 30 s: %v", a)
	}
	if _, ok := found.Nearest(sec(80), true); ok {
		t.Error("after the last one")
	}
	if bare := review.Find(h, nil, nil); len(bare.List) != 1 || bare.List[0].Kind != review.Gap {
		t.Errorf("without models and overview: %v", bare.List)
	}
}

// clocked is a recording that knows the clock it was recorded by.
type clocked struct {
	*history.Memory
	readings []history.ClockReading
}

func (c *clocked) Clocks() []history.ClockReading { return c.readings }

// Who reads an incident looks for the first late heartbeat, the longest silences that ended, and those
// that nearly led to a node being declared Unknown. A gap of the recording is nobody's silence.
func TestSilences(t *testing.T) {
	var changes []model.Change
	version := uint64(0)
	add := func(node string, at float64) {
		version++
		changes = append(changes, model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: node}, Version: version, Time: model.Exactly(sec(at)), Arrival: sec(at), At: sec(at), Lease: model.Lease{Renewed: sec(at)}})
	}
	post := func(node string, at float64, status model.Status) {
		version++
		changes = append(changes, model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: node}, Version: version, Time: model.Exactly(sec(at)), At: sec(at),
			Node: &model.Node{Created: noon, Conditions: []model.Condition{{Type: "Ready", Status: status}}}})
	}
	for _, node := range []string{"calm", "late", "near", "lost", "silent"} {
		post(node, 0, model.StatusTrue)
	}
	for at := 1.0; at < 400; at += 10 {
		if at > 200 && at < 300 {
			continue // the recorder was away
		}
		add("calm", at)
		if at < 100 || at > 125 {
			add("late", at)
		}
		if at < 80 || at > 128 {
			add("near", at)
		}
		if at < 40 || at > 190 {
			add("lost", at)
		}
		if at < 350 {
			add("silent", at)
		}
	}
	post("lost", 95, model.StatusUnknown)
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.At, b.At) })
	h := history.NewMemory(changes, within(0, 400), []history.Gap{{Interval: within(200, 300), Why: "away"}}, []history.Source{{Path: "own"}})
	o := &past.Overview{}
	if _, err := o.Extend(h, 1000); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range review.Find(h, o.Snapshot(), &infer.Result{Params: model.Defaults(model.Version{Major: 1, Minor: 36})}).List {
		if a.Kind >= review.LateBeat {
			got = append(got, fmt.Sprintf("%s %s %s: %s %s", a.At.Sub(noon), a.Kind, a.Node, a.For, act(&a)+a.Why))
		}
	}
	want := []string{
		"51s first late beat lost: 0s ",
		"2m11s long silence late: 40s ",
		"2m11s near miss near: 1m0s ",
		"3m11s long silence lost: 2m40s ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if bare := review.Find(h, o, nil); slices.ContainsFunc(bare.List, func(a review.Anomaly) bool { return a.Kind == review.NearMiss }) {
		t.Error("without a grace period nothing is a near miss")
	}
}

func TestTheRecordersOwnClock(t *testing.T) {
	h := &clocked{history.NewMemory(nil, within(0, 100), nil, nil), []history.ClockReading{
		{At: sec(0), Wall: sec(0)},
		{At: sec(11), Wall: sec(9), Set: -2 * time.Second, Slept: model.Some(time.Duration(0)), During: within(10, 11)},
		{At: sec(50), Wall: sec(50), Set: time.Millisecond, Slept: model.Some(30 * time.Second), During: within(19, 50)},
	}}
	found := review.Find(h, nil, nil)
	if len(found.List) != 2 {
		t.Fatalf("%+v", found.List)
	}
	for i, want := range []review.Anomaly{
		{At: sec(10), Kind: review.ClockStep, Window: within(10, 11), Clock: &h.readings[1]},
		{At: sec(19), Kind: review.ClockStep, Window: within(19, 50), Clock: &h.readings[2]},
	} {
		if found.List[i] != want {
			t.Errorf("%+v\nwant\n%+v", found.List[i], want)
		}
	}
}

func TestAnomaliesAreBounded(t *testing.T) {
	r := &infer.Result{}
	for i := range 5000 {
		r.Writes = append(r.Writes, infer.Write{Time: within(float64(i), float64(i))})
	}
	found := review.Find(history.NewMemory(nil, within(0, 1), nil, nil), nil, r)
	if len(found.List) != 2000 || found.More != 3000 || found.List[0].At != sec(0) {
		t.Errorf("%d listed, %d more", len(found.List), found.More)
	}
}

func TestZoneStates(t *testing.T) {
	b, a := model.ZoneKey{Zone: "b"}, model.ZoneKey{Zone: "a"}
	change := func(at float64, p model.ZoneKey, from, to model.DisruptionState, o model.Outcome) model.Decision {
		return model.Decision{Time: sec(at), Kind: model.ZoneState, Zone: model.Some(p), State: model.Shift[model.DisruptionState]{From: from, To: to}, Outcome: o}
	}
	list := review.States([]model.Decision{
		change(10, b, model.ZoneInitial, model.ZoneNormal, model.Did), change(20, a, model.ZoneNormal, model.ZonePartial, model.Did),
		change(30, b, model.ZoneNormal, model.ZoneFull, model.Declined), change(40, a, model.ZonePartial, model.ZoneNormal, model.Did),
		{Time: sec(50), Kind: model.SetRate, Zone: model.Some(a), Rate: model.Shift[float32]{From: 0.1}},
	})
	if len(list) != 2 || list[0].Zone != a || list[1].Zone != b {
		t.Fatalf("%+v", list)
	}
	for at, want := range map[float64]model.DisruptionState{0: model.ZoneNormal, 20: model.ZonePartial, 39: model.ZonePartial, 40: model.ZoneNormal, 99: model.ZoneNormal} {
		if got := list[0].At(sec(at)); got != want {
			t.Errorf("a at %v is %q, want %q", at, got, want)
		}
	}
	if list[1].At(sec(0)) != model.ZoneInitial || list[1].At(sec(35)) != model.ZoneNormal {
		t.Errorf("b: %+v", list[1])
	}
}
