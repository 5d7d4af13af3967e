package hypotheses_test

import (
	"slices"
	"testing"
	"time"

	"kardia/internal/played"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/hypotheses/hypothesestest"
	"kardia/model/infer/processes"
)

const cluster = "nodes a-1..a-4 zone=a\nnodes b-1..b-3 zone=b\ndeployment shop/web replicas=9 tolerate=40s\nlength 4m\nat 30s kill a-2 b-1\n"

// search is what is supposed of a scenario under its true flags.
func search(t *testing.T, h history.History, params model.Params) *hypotheses.Found {
	t.Helper()
	found, err := hypothesestest.Search(h, params)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// unled leaves out what shows which process leads: leader leases, and Events.
func unled(ch *model.Change) bool {
	return ch.Kind == model.KindLeaderLease || ch.Kind == model.KindEvent
}

// A restart that no lease and no Event shows leaves deletions that are late for the first process. It is supposed, within
// a window that holds its true time.
func TestAHiddenRestartIsSupposed(t *testing.T) {
	s := played.Play(t, cluster+"at 1m35s failover for=10s")
	found := search(t, s.Without(t, unled), s.Params)
	list := found.Leading()
	if len(list) != 1 || list[0].Kind != processes.Restarted || !list[0].Counts || len(list[0].Writes) < 2 {
		t.Fatalf("%d hypotheses lead: %+v", len(list), list)
	}
	h := list[0]
	if !h.Window.Overlaps(model.Interval{Earliest: s.At("1m35s"), Latest: s.At("1m50s")}) || !h.Window.Contains(h.Time) {
		t.Errorf("it restarted within %v to %v of the start", h.Window.Earliest.Sub(s.Start), h.Window.Latest.Sub(s.Start))
	}
	if len(h.For) == 0 || len(h.Against) == 0 {
		t.Errorf("for it is %v, against it %v", h.For, h.Against)
	}
	if before, after := found.Base.Findings(), found.Result.Findings(); before < 2 || after > 0 {
		t.Errorf("%d findings are open without it, %d with it", before, after)
	}
	settled := found.If()
	for _, number := range h.Writes {
		if settled[number] != h.ID {
			t.Errorf("the write %d holds if %q", number, settled[number])
		}
	}
	if !slices.ContainsFunc(found.Result.Assumptions, func(n infer.Note) bool { return n.Code == infer.Supposed && n.Name == h.ID }) {
		t.Error("its result does not say what it assumes")
	}
}

// Of a recording that shows the restart, and of one without leaders in which nothing restarted, nothing is supposed.
func TestNothingIsSupposedWithoutNeed(t *testing.T) {
	shown := played.Play(t, cluster+"at 1m35s failover for=10s")
	if found := search(t, shown.History, shown.Params); len(found.Hypotheses) > 0 || found.Result != found.Base {
		t.Errorf("a restart that is shown: %+v", found.Hypotheses)
	}
	calm := played.Play(t, cluster)
	if found := search(t, calm.Without(t, unled), calm.Params); len(found.Hypotheses) > 0 || found.Result != found.Base {
		t.Errorf("no restart: %+v", found.Hypotheses)
	}
}

// Under a wrong flag that nobody has stated, the true value is supposed, and settles everything.
func TestTheTrueFlagIsSupposed(t *testing.T) {
	s := played.Play(t, cluster)
	params := s.Params
	params.NodeMonitorGracePeriod.Value += 20 * time.Second
	found := search(t, s.History, params)
	list := found.Leading()
	if len(list) != 1 || list[0].Kind != processes.Differs || list[0].What.Name != "node-monitor-grace-period=50s" {
		t.Fatalf("%+v", list)
	}
	if found.Base.Findings() < 2 || found.Result.Findings() > 0 {
		t.Errorf("%d findings are open without it, %d with it", found.Base.Findings(), found.Result.Findings())
	}
}

// A person removes a taint, and the controller adds it again: a second process would explain no more.
func TestAPersonsWriteIsNoRestart(t *testing.T) {
	s := played.Play(t, cluster+"at 2m untaint a-2 node.kubernetes.io/unreachable:NoExecute")
	for _, h := range search(t, s.Without(t, unled), s.Params).Hypotheses {
		if h.Counts && h.Kind == processes.Restarted {
			t.Errorf("%+v", h)
		}
	}
}

// Nothing shows that the leader ended before the deletions were due. That no controller deletes pods is supposed.
func TestDeletionsThatNeverCome(t *testing.T) {
	s := played.Play(t, cluster+"at 1m32s controllers-off")
	list := search(t, s.Without(t, unled), s.Params).Leading()
	if len(list) != 1 || list[0].Kind != processes.Absent || list[0].For[0].N < 2 {
		t.Errorf("%+v", list)
	}
}

// A flag that was given by hand is not refused for what a restart explains that nothing shows.
func TestAGivenFlagAndAHiddenRestart(t *testing.T) {
	s := played.Play(t, cluster+"at 1m35s failover for=10s")
	grace := model.FlagNamed("node-monitor-grace-period")
	params := s.Params
	if err := grace.Set(&params, "50s", model.FromFlag); err != nil {
		t.Fatal(err)
	}
	res, err := hypotheses.Run(s.Without(t, unled), infer.Options{Params: params})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Contradicted) > 0 || grace.Value(&res.Params) != "50s" {
		t.Errorf("it is refused: %+v, and %s taken", res.Contradicted, grace.Value(&res.Params))
	}
	if err := grace.Set(&params, "20s", model.FromFlag); err != nil {
		t.Fatal(err)
	}
	if res, err = hypotheses.Run(s.Without(t, unled), infer.Options{Params: params}); err != nil {
		t.Fatal(err)
	}
	if len(res.Contradicted) != 1 || res.Contradicted[0].Flag != grace.Name {
		t.Errorf("one that no restart saves is taken: %+v", res.Contradicted)
	}
}
