package drive_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"kardia/internal/played"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// stories are faults of a cluster, and the decisions that they lead to.
var stories = map[string]struct {
	statements string
	decides    []model.DecisionKind
}{
	"a node dies, and its pods are deleted": {
		"length 3m\nat 30s kill a-2",
		[]model.DecisionKind{model.MarkUnknown, model.MarkPodsNotReady, model.QueueForTaint, model.TaintNoExecute, model.ScheduleEviction, model.EvictPod}},
	"it returns before its pods' countdowns end": {
		"length 3m\nat 30s kill a-2\nat 1m35s return a-2",
		[]model.DecisionKind{model.MarkUnknown, model.TaintNoExecute, model.ScheduleEviction, model.UntaintNoExecute, model.CancelEviction}},
	"its kubelet reports NotReady, and Ready again": {
		"length 2m30s\nat 30s notready a-2\nat 1m50s ready a-2",
		[]model.DecisionKind{model.TaintNoExecute, model.EvictPod, model.UntaintNoExecute}},
	"a zone goes dark, and returns": {
		"length 4m\nat 30s kill zone=b\nat 3m return zone=b",
		[]model.DecisionKind{model.ZoneState, model.TaintNoExecute, model.EvictPod, model.UntaintNoExecute}},
	"all zones go dark, and return": {
		"length 4m\nat 30s partition all\nat 3m heal all",
		[]model.DecisionKind{model.EnterMasterDisruption, model.ExitMasterDisruption}},
	"the leader dies during countdowns": {
		"length 4m\nat 30s kill a-2\nat 1m35s failover for=10s",
		[]model.DecisionKind{model.ControllerStart, model.ScheduleEviction, model.EvictPod}},
	"there is no leader for a while": {
		"length 4m\nat 30s kill a-2\nat 40s controllers-off\nat 2m controllers-on",
		[]model.DecisionKind{model.MarkUnknown, model.EvictPod}},
	"a node is marked out of service": {
		"length 3m\nat 30s kill a-2\nat 1m40s out-of-service a-2",
		[]model.DecisionKind{model.EvictPod, model.CollectPod}},
	"a node is short of memory, and then of nothing": {
		"length 2m\nat 30s pressure a-2 memory\nat 1m relieve a-2 memory",
		[]model.DecisionKind{model.AddNoSchedule, model.RemoveNoSchedule}},
	"a node is deleted": {
		"length 2m\nat 30s kill a-2\nat 31s delete a-2",
		[]model.DecisionKind{model.ForgetNode}},
	"the API server stands still": {
		"length 3m\nat 30s kill a-2\nat 1m stall for=15s",
		[]model.DecisionKind{model.MarkUnknown, model.TaintNoExecute}},
}

const cluster = "nodes a-1..a-4 zone=a\nnodes b-1..b-3 zone=b\ndeployment shop/web replicas=9 tolerate=40s\n"

// passTakes is how long after the start of its pass a decision is made, at most.
const passTakes = 10 * time.Millisecond

// The models driven over a recording make the decisions that were truly made, at times that bound the true ones.
func TestTheTruthIsWithinTheWindows(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(stories)) {
		t.Run(name, func(t *testing.T) {
			s := played.Play(t, cluster+stories[name].statements)
			res, err := infer.Run(s.History, infer.Options{Params: s.Params})
			if err != nil {
				t.Fatal(err)
			}
			for i := range res.Writes {
				if w := &res.Writes[i]; w.Decision == 0 {
					t.Errorf("%s of %s, %v after the start, is unexplained: %v", w.Kind, w.Subject(), w.Time.Earliest.Sub(s.Start), w.Unexplained)
				}
			}
			for _, id := range res.Unobserved {
				t.Errorf("decision %d was not made", id)
			}
			made := map[model.DecisionKind]bool{}
			for i := range s.Decided {
				d := &s.Decided[i]
				made[d.Kind] = true
				if !slices.ContainsFunc(res.Decisions, func(x model.Decision) bool { return sameAs(d, &x) }) {
					t.Errorf("%v after the start: %s of %s %s is in no window", d.Time.Sub(s.Start), d.Outcome, d.Kind, d.Subject())
				}
			}
			for _, kind := range stories[name].decides {
				if !made[kind] {
					t.Errorf("the story has no %s", kind)
				}
			}
		})
	}
}

// sameAs reports whether a decision of the models may be a true one.
func sameAs(truth, x *model.Decision) bool {
	return x.Kind == truth.Kind && x.Node == truth.Node && x.Pod == truth.Pod && x.Zone == truth.Zone && x.Outcome == truth.Outcome &&
		x.Window.Earliest <= truth.Time && truth.Time <= x.Window.Latest.Add(passTakes)
}

// A recording that starts during an outage shows which countdowns run. The pods that they end for are deleted as predicted.
func TestARecordingThatStartsLater(t *testing.T) {
	for what, c := range map[string]struct{ statements, from string }{
		"during the countdowns":             {"length 4m\nat 30s kill a-2 b-1", "1m45s"},
		"during the silence":                {"length 4m\nat 30s kill a-2 b-1", "1m"},
		"before the taints are removed":     {"length 4m\nat 30s kill a-2\nat 2m30s return a-2", "2m10s"},
		"long after the taint":              {"deployment shop/db replicas=7 tolerate=150s\nlength 5m\nat 30s kill a-2 b-1", "3m30s"},
		"in a dark zone, whose taints wait": {"length 4m\nat 30s kill zone=b", "1m30s"},
	} {
		s := played.Play(t, cluster+c.statements)
		h := s.From(t, c.from)
		res, err := infer.Run(h, infer.Options{Params: s.Params})
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for i := range res.Writes {
			w := &res.Writes[i]
			if w.Time.Latest < s.At(c.from) {
				continue
			}
			written++
			if w.Decision == 0 {
				t.Errorf("%s: %s of %s, %v after the start, is unexplained: %v", what, w.Kind, w.Subject(), w.Time.Earliest.Sub(s.Start), w.Unexplained)
			}
		}
		if written == 0 {
			t.Errorf("%s: nothing was written", what)
		}
	}
}

// The models' cache at a time shows the nodes as the recording shows them, in any order of times.
func TestTheCacheAtATime(t *testing.T) {
	s := played.Play(t, cluster+"length 30m\nat 30s kill a-2 b-1\nat 2m30s return a-2\nat 25m kill b-2")
	res, err := infer.Run(s.History, infer.Options{Params: s.Params})
	if err != nil {
		t.Fatal(err)
	}
	for _, since := range []string{"29m", "20s", "1m40s", "26m30s", "1m25s", "2m20s", "15m"} {
		state, err := res.At(s.At(since))
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := history.StateAt(s.History, s.At(since))
		if err != nil {
			t.Fatal(err)
		}
		for row := range nodes.Nodes {
			is := state.Cache.Node(row.Name)
			if is == nil || is.ReadyStatus() != row.Node.ReadyStatus() || is.TaintedAsNotWell() != row.Node.TaintedAsNotWell() {
				t.Errorf("%s: %s is %+v, and in the recording %+v", since, row.Name, is, row.Node)
			}
		}
	}
}
