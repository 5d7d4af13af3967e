package infer

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

var taken = model.At(time.Date(2026, 1, 5, 10, 0, 5, 0, time.UTC))

// lost is a node that was heard last some time before it was declared Unknown, by the clocks of both.
type lost struct {
	name   string
	silent time.Duration
	// confirmed is how much later than its renewTime the API server wrote the lease; not shown where it is 0.
	confirmed time.Duration
	reason    string
}

// inCapture runs over a capture that shows such nodes, and one that beats.
func inCapture(t *testing.T, params model.Params, nodes ...lost) *Result {
	t.Helper()
	declared := taken.Add(-5 * time.Minute)
	var changes []model.Change
	add := func(name string, status model.Status, reason string, since, renewed, written model.Instant) {
		changes = append(changes,
			model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, At: taken, Time: model.Interval{Earliest: since, Latest: model.FarFuture}, Node: &model.Node{Created: since.Add(-time.Hour),
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: status, Reason: reason, Transition: since, Heartbeat: renewed.Add(-time.Minute)}}}},
			model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, At: taken, Time: model.Interval{Earliest: written, Latest: model.FarFuture}, Lease: model.Lease{Renewed: renewed}})
	}
	add("beats", model.StatusTrue, "KubeletReady", declared.Add(-time.Hour), taken, taken)
	for _, n := range nodes {
		renewed := declared.Add(-n.silent)
		reason := n.reason
		if reason == "" {
			reason = "NodeStatusUnknown"
		}
		add(n.name, model.StatusUnknown, reason, declared, renewed, renewed.Add(n.confirmed))
	}
	captured := &history.Captured{Taken: model.Interval{Earliest: taken, Latest: model.FarFuture}, At: taken, Leases: taken, Statuses: taken}
	source := history.Source{Format: "objects", Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1}, Coverage: model.Exactly(taken), Captured: captured}
	res, err := Run(history.NewMemory(changes, model.Exactly(taken), nil, []history.Source{source}), Options{Params: params})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestACaptureDisprovesItsGrace: a node that was declared after a shorter silence than the grace period disproves it; a
// longer silence proves nothing, for much may delay a declaration.
func TestACaptureDisprovesItsGrace(t *testing.T) {
	s := time.Second
	for what, c := range map[string]struct {
		nodes []lost
		value time.Duration
		from  model.Provenance
		max   float64 // of the fit; 0 where there is none
	}{
		"41 s, so that 40 s was in force":         {[]lost{{name: "a", silent: 41 * s}}, 40 * s, model.FromInferred, 43},
		"53 s agrees with the default":            {[]lost{{name: "a", silent: 53 * s}}, 50 * s, model.FromDefault, 55},
		"90 s may have been delayed":              {[]lost{{name: "a", silent: 90 * s}}, 50 * s, model.FromDefault, 92},
		"27 s agrees with no default":             {[]lost{{name: "a", silent: 27 * s}}, 25 * s, model.FromInferred, 29},
		"a clock that is ahead, as managedFields": {[]lost{{name: "a", silent: 41 * s, confirmed: -12 * s}}, 50 * s, model.FromDefault, 55},
		"one clock of three is ahead":             {[]lost{{name: "a", silent: 12 * s}, {name: "b", silent: 53 * s}, {name: "c", silent: 54 * s}}, 50 * s, model.FromDefault, 55},
		"never posted, which another flag times":  {[]lost{{name: "a", silent: 41 * s, reason: "NodeStatusNeverUpdated"}}, 50 * s, model.FromDefault, 0},
		"renewed after it was declared":           {[]lost{{name: "a", silent: -20 * s}}, 50 * s, model.FromDefault, 0},
	} {
		res := inCapture(t, model.Defaults(model.Version{}), c.nodes...)
		p, fit := res.Params.NodeMonitorGracePeriod, res.Fits["node-monitor-grace-period"]
		if p.Value != c.value || p.From != c.from || fit.Max != c.max || len(res.Contradicted) > 0 {
			t.Errorf("%s: %s from %s, fits %+v", what, p.Value, p.From, fit)
		}
	}
}

// TestAGraceGivenByHandIsContradicted by the timestamps of a capture, as by a recording; one that they allow is not, and
// one that the input states is only shown beside them.
func TestAGraceGivenByHandIsContradicted(t *testing.T) {
	for _, c := range []struct {
		grace time.Duration
		from  model.Provenance
		wrong bool
	}{{50 * time.Second, model.FromFlag, true}, {40 * time.Second, model.FromFlag, false}, {35 * time.Second, model.FromFlag, false}, {50 * time.Second, model.FromFile, false}} {
		params := model.Defaults(model.Version{})
		params.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: c.grace, From: c.from}
		res := inCapture(t, params, lost{name: "a", silent: 41 * time.Second})
		if got := len(res.Contradicted) == 1; got != c.wrong || got && res.Contradicted[0].Fits != "40s" {
			t.Errorf("%s from %s: %+v", c.grace, c.from, res.Contradicted)
		}
		if res.Params.NodeMonitorGracePeriod.Value != c.grace {
			t.Errorf("%s was replaced", c.grace)
		}
	}
}
