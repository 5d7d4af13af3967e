package loss_test

import (
	"testing"
	"time"

	"kardia/internal/played"
	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/model/history"
	"kardia/model/infer"
)

// of reads the only loss in a History.
func of(t *testing.T, h history.History, p model.Params) loss.Loss {
	t.Helper()
	res, err := infer.Run(h, infer.Options{Params: p})
	if err != nil {
		t.Fatal(err)
	}
	var decided []*model.Decision
	for i := range res.Decisions {
		decided = append(decided, &res.Decisions[i])
	}
	list, err := loss.Of(h, decided)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Declared.Node != "a-2" {
		t.Fatalf("%d losses: %+v", len(list), list)
	}
	return list[0]
}

// The last heartbeat of a node is the last renewal before its fault: kubelets renew every ten seconds. It is dated by the
// recorder's clock if the kubelet's is off.
func TestLastHeartbeat(t *testing.T) {
	type is struct {
		// fault is when renewals end: the last one is at most a renewal period earlier.
		fault string
		// ahead is how far the kubelet's clock is ahead.
		ahead time.Duration
		// counted: the controller counted its grace period from that heartbeat.
		counted bool
		// declared is within a monitor period of it, if it is set.
		declared string
	}
	const three = "nodes a-1..a-3 zone=a\n"
	for what, c := range map[string]struct {
		statements string
		is
	}{
		"a machine is switched off":                             {"at 1m kill a-2", is{fault: "1m", counted: true}},
		"its clock is ahead":                                    {"at 5s skew a-2 by=+90s\nat 1m kill a-2", is{fault: "1m", ahead: 90 * time.Second, counted: true}},
		"its clock is behind":                                   {"at 5s skew a-2 by=-40s\nat 2m kill a-2", is{fault: "2m", ahead: -40 * time.Second, counted: true}},
		"its renewals are refused":                              {"length 2m\nat 1m deny-leases a-2", is{fault: "1m", counted: true}},
		"another leader starts to count when it sees the lease": {"at 1m kill a-2\nat 1m30s failover for=15s", is{fault: "1m", counted: true, declared: "2m35s"}},
	} {
		s := played.Play(t, three+c.statements)
		l := of(t, s.History, s.Params)
		fault := s.At(c.fault)
		if at := l.Last.At(); at > fault || at < fault.Add(-10500*time.Millisecond) || l.Last.Status {
			t.Errorf("%s: last heard %v after the start", what, at.Sub(s.Start))
		}
		if off := l.Last.Off.Value - c.ahead; off.Abs() > time.Second || l.Last.IsOff() != (c.ahead != 0) {
			t.Errorf("%s: its clock is %v ahead", what, l.Last.Off.Value)
		}
		if l.CountedFrom != model.InputNone || l.Counted() != c.counted || l.Unheeded {
			t.Errorf("%s: counted %v from %q, unheeded %v", what, l.Counted(), l.CountedFrom, l.Unheeded)
		}
		if c.declared == "" {
			continue
		}
		if d := l.Declared.Time.Sub(s.At(c.declared)); d < -time.Second || d > 6*time.Second {
			t.Errorf("%s: declared %v after the start", what, l.Declared.Time.Sub(s.Start))
		}
	}
}

// A node whose clock is set back keeps renewing. The controller ignores renewTimes before the last, and declares it.
func TestRenewalsOfAClockSetBack(t *testing.T) {
	s := played.Play(t, "nodes a-1..a-3 zone=a\nlength 3m\nat 30s skew a-2 by=-10m")
	l := of(t, s.History, s.Params)
	if !l.Unheeded || l.Counted() {
		t.Errorf("unheeded %v, counted %v", l.Unheeded, l.Counted())
	}
	if at := l.Last.Says.Sub(s.Start); at > 30*time.Second || at < 19*time.Second {
		t.Errorf("the controller counts from %v", at)
	}
}

// A node was declared before the recording starts. Its last heartbeat is the renewTime of the lease that was listed.
func TestDeclaredBeforeTheRecording(t *testing.T) {
	s := played.Play(t, "nodes a-1..a-3 zone=a\nlength 6m\nat 1m kill a-2")
	truth := of(t, s.History, s.Params)
	for what, h := range map[string]history.History{"a later recording": s.From(t, "5m"), "a dump": s.Captured(t, "5m")} {
		if l := of(t, h, s.Params); l.Declared.Basis != model.Reconstructed || l.Last.Says != truth.Last.Says || l.Last.Status || l.Counted() {
			t.Errorf("%s: %s, last heard %v, and truly %v", what, l.Declared.Basis, l.Last.Says.Sub(s.Start), truth.Last.Says.Sub(s.Start))
		}
	}
	// An Event alone tells of the declaration: the lease is the one that the watch starts with.
	byEvent := model.Decision{Kind: model.MarkUnknown, Outcome: model.Did, Basis: model.Reconstructed, Node: "a-2", Window: truth.Declared.Window}
	for since, want := range map[string]model.Instant{"5m": truth.Last.Says, "1m20s": 0} {
		list, err := loss.Of(s.From(t, since), []*model.Decision{&byEvent})
		if err != nil || len(list) != 1 || list[0].Last.Says != want {
			t.Errorf("watched from %s on: %+v, %v", since, list, err)
		}
	}
}

// A node that returns has no loss, and its earlier one stays. A declaration that failed is none.
func TestOnlyDeclarationsAreLosses(t *testing.T) {
	s := played.Play(t, "nodes a-1..a-3 zone=a\nlength 2m")
	failed := []*model.Decision{{Kind: model.MarkUnknown, Outcome: model.Failed, Node: "a-2"}, {Kind: model.TaintNoExecute, Outcome: model.Did, Node: "a-2"}}
	if list, err := loss.Of(s.History, failed); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// Clocks are counted by how the ages of heartbeats are known; those that are off are listed, the furthest first.
func TestClocks(t *testing.T) {
	known := model.Some(10 * time.Second)
	skew := func(d time.Duration) model.Ages { return model.Ages{Age: known, Heard: known, Skew: model.Some(d)} }
	var c loss.Clocks
	for node, ages := range map[string]model.Ages{
		"heard": {Age: known, Heard: known}, "said": {Age: known, Says: known}, "never": {},
		"b-ahead": skew(3 * time.Second), "a-behind": skew(-3 * time.Second), "far": skew(-90 * time.Second),
		"at-the-edge": skew(loss.ClockOff), "latency": skew(loss.ClockOff - 1),
	} {
		c.Take(node, &ages)
	}
	c.Sort()
	if c.Heard != 6 || c.Said != 1 || c.Unknown != 1 {
		t.Errorf("%d heard, %d said, %d unknown", c.Heard, c.Said, c.Unknown)
	}
	want := []loss.Clock{{Node: "far", By: -90 * time.Second}, {Node: "a-behind", By: -3 * time.Second}, {Node: "b-ahead", By: 3 * time.Second}, {Node: "at-the-edge", By: loss.ClockOff}}
	for i := range want {
		if len(c.Off) != len(want) || c.Off[i] != want[i] {
			t.Fatalf("off are %v", c.Off)
		}
	}
}
