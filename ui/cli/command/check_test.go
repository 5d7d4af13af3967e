package command

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// TestCheck: one line and an exit code, for what was asked to fail and nothing else.
func TestCheck(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		code Code
		says string
	}{
		"check demo:zone-outage --at +20s":                                          {OK, "OK  28 nodes"},
		"check demo:zone-outage --at +75s":                                          {Found, "FAILED  28 nodes: 10 late; zone us-east-1/us-east-1b: 10 of its 10 nodes fell silent together"},
		"check demo:zone-outage --at +75s --fail-on unknown":                        {OK, "OK  28 nodes: 10 late; zone"},
		"check demo:zone-outage --at +75s --fail-on unknown,eviction-within=3m":     {Found, "18 to 20 pods deleted within 3m0s"},
		"check demo:zone-outage --at +75s --fail-on eviction-within=30s":            {OK, "10 late"},
		"check demo:all-dark --at +150s --fail-on unknown":                          {Found, "11 Unknown; every node is silent"},
		"check demo:node-loss --fail-on late,not-ready,unknown,eviction-within=15m": {OK, "OK  12 nodes"},
		"check demo:node-loss --at +100s --fail-on eviction-within=15m -o json":     {Found, `"rule": "V10"`},
		"check demo:node-loss --at +110s --fail-on degraded":                        {Found, "1 not well (ip-10-0-3-002: MemoryPressure=True)"},
		"check demo:node-loss --at +110s --fail-on being-removed -o json":           {OK, `"kind": "condition"`},
		"check demo:zone-outage":                                                    {OK, "OK  28 nodes; 5 pods still show not Ready though their nodes recovered"},
		"check demo:zone-outage --fail-on pods-not-ready":                           {Found, "FAILED  28 nodes; 5 pods still show not Ready"},
		"check demo:zone-outage --at +75s --fail-on pods-not-ready":                 {OK, "10 late"},
		"check demo:node-loss --fail-on soon":                                       {Misused, ""},
		"check demo:node-loss --fail-on eviction-within=soon":                       {Misused, ""},
		"check demo:node-loss --fail-on late,,unknown":                              {Misused, ""},
	} {
		got := kardia(t, nil, line)
		if got.code != want.code || !strings.Contains(got.out, want.says) {
			t.Errorf("%s: exit %d, want %d\n%s%s", line, got.code, want.code, got.out, got.err)
		}
		if !strings.Contains(line, "json") && strings.Count(got.out, "\n") > 1 {
			t.Errorf("%s: more than one line\n%s", line, got.out)
		}
	}
}

// While no controller would declare or taint a node check never says OK: that is a finding or, where it was not asked for, not
// known; and not known while the lease of the leader is only late.
func TestCheckIsNotOKWithoutALeader(t *testing.T) {
	unled := put(t, filepath.Join(t.TempDir(), "unled.scenario"), []byte("scenario 1\nversion 1.36\nlength 4m\nnodes a-1..a-3 zone=a\nnodes b-1..b-3 zone=b\nat 1m controllers-off\nat 3m controllers-on\n"))
	for line, want := range map[string]struct {
		code Code
		says string
	}{
		"check --at +50s ":                        {OK, "OK  6 nodes"},
		"check --at +75s ":                        {Partial, "NOT KNOWN  6 nodes; not known: kube-controller-manager may have no leader"},
		"check --at +120s ":                       {Found, "FAILED  6 nodes; kube-controller-manager has no leader"},
		"check --at +120s -o json ":               {Found, `"code": "no-leader"`},
		"check --at +120s --fail-on unknown ":     {Partial, "NOT KNOWN  6 nodes; kube-controller-manager has no leader"},
		"check --at +120s --fail-on not-acting ":  {Found, "FAILED  6 nodes; kube-controller-manager has no leader"},
		"check --at +210s --fail-on not-acting ":  {OK, "OK  6 nodes"},
		"check --at +120s --fail-on not-leading ": {Misused, ""},
	} {
		if got := kardia(t, nil, line+unled); got.code != want.code || !strings.Contains(got.out, want.says) {
			t.Errorf("%s: exit %d, want %d\n%s%s", line, got.code, want.code, got.out, got.err)
		}
	}
}

// One look at a cluster tells that the controller does not act: a node has been silent for long, nobody has
// declared it, and the leader's lease says that the process has run all the while.
func TestCheckSaysThatTheControllerDoesNotAct(t *testing.T) {
	now := model.At(time.Now())
	var changes []model.Change
	add := func(ch model.Change) {
		ch.Op, ch.Arrival, ch.At, ch.Time = model.OpBaseline, now, now, model.Interval{Earliest: model.FarPast, Latest: now}
		if ch.Kind == model.KindNodeLease { // managedFields tell when it was written
			ch.Time.Earliest = ch.Lease.Renewed.Truncate(time.Second)
		}
		changes = append(changes, ch)
	}
	for name, ago := range map[string]time.Duration{"well": 9 * time.Second, "lost": 5 * time.Minute} {
		add(model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, Node: &model.Node{Created: now.Add(-time.Hour),
			Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: now.Add(-ago), Transition: now.Add(-time.Hour)}}}})
		add(model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Lease: model.Lease{Renewed: now.Add(-ago), Holder: name}})
	}
	add(model.Change{Kind: model.KindLeaderLease, Key: model.Key{Namespace: "kube-system", Name: "kube-controller-manager"},
		Lease: model.Lease{Holder: "cp-1_a", Acquired: now.Add(-time.Hour), Renewed: now.Add(-2 * time.Second)}})
	var status []stream.Status
	for _, kind := range model.Kinds {
		status = append(status, stream.Status{Kind: kind, State: stream.Live})
	}
	got := kardia(t, &fakeKube{batch: stream.Batch{Changes: changes, Status: status}}, "check")
	if got.code != Found || !strings.Contains(got.out, "1 late; overdue ") || !strings.Contains(got.out, "the controller does not act") {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.err)
	}
}

// TestCheckSaysNothingOfNodesThatWereNotRead: OK is said only of a list that came to its end.
func TestCheckSaysNothingOfNodesThatWereNotRead(t *testing.T) {
	now := model.At(time.Now())
	node := model.Change{Kind: model.KindNode, Op: model.OpBaseline, Arrival: now, At: now, Time: model.Interval{Earliest: model.FarPast, Latest: now},
		Key: model.Key{Name: "well"}, Node: &model.Node{Created: now.Add(-time.Hour),
			Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: now, Transition: now.Add(-time.Hour)}}}}
	lease := node
	lease.Kind, lease.Key, lease.Node = model.KindNodeLease, model.Key{Namespace: model.NodeLeaseNamespace, Name: "well"}, nil
	lease.Lease, lease.Time.Earliest = model.Lease{Renewed: now.Add(-time.Second), Holder: "well"}, now.Truncate(time.Second)
	for _, state := range []stream.State{stream.Live, stream.Forbidden} {
		var status []stream.Status
		for _, kind := range model.Kinds {
			status = append(status, stream.Status{Kind: kind, State: stream.Live, Listed: true})
		}
		status[0] = stream.Status{Kind: model.KindNode, State: state, Why: "the list has more than 500000 objects", Listed: state == stream.Live}
		got := kardia(t, &fakeKube{batch: stream.Batch{Changes: []model.Change{node, lease}, Status: status}}, "check")
		ok, unread := strings.HasPrefix(got.out, "OK"), strings.HasPrefix(got.out, "NOT KNOWN") && strings.Contains(got.out, "more than 500000 objects") && got.code == Partial
		if ok != (state == stream.Live) || unread == ok {
			t.Errorf("nodes %v: exit %d: %s%s", state, got.code, got.out, got.err)
		}
	}
}

// TestCheckWithoutARightToLeases: healthy nodes whose kubelets post a status seldom are not called late where no lease may be
// read; that is not known, as of a recording.
func TestCheckWithoutARightToLeases(t *testing.T) {
	now := model.At(time.Now())
	batch := stream.Batch{}
	for _, name := range []string{"a", "b", "c"} {
		batch.Changes = append(batch.Changes, model.Change{Kind: model.KindNode, Op: model.OpBaseline, Arrival: now, At: now, Time: model.Interval{Earliest: model.FarPast, Latest: now},
			Key: model.Key{Name: name}, Node: &model.Node{Created: now.Add(-time.Hour),
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: now.Add(-12 * time.Minute), Transition: now.Add(-time.Hour)}}}})
	}
	for _, kind := range model.Kinds {
		batch.Status = append(batch.Status, stream.Status{Kind: kind, State: stream.Live, Listed: true})
	}
	batch.Status[1] = stream.Status{Kind: model.KindNodeLease, State: stream.Forbidden, Why: "no right to list leases"}
	for _, line := range []string{"check", "verdict"} {
		got := kardia(t, &fakeKube{batch: batch}, line)
		if got.code != Partial || !strings.Contains(strings.ToLower(got.out), "not known") || !strings.Contains(got.out, "no right to list leases") || strings.Contains(got.out, "late") {
			t.Errorf("%s: exit %d: %s%s", line, got.code, got.out, got.err)
		}
	}
}
