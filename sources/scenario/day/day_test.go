package day

import (
	"crypto/sha256"
	"encoding/gob"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
)

// small is a quarter of an hour of 30 nodes, ten of which are cut off for a third of it.
func small() Day { return FullDay().Scaled(30, 15*time.Minute) }

func TestSameDaySameChanges(t *testing.T) {
	digest := func(d Day) [32]byte {
		hash := sha256.New()
		out := gob.NewEncoder(hash)
		for ch := range d.Changes() {
			if err := out.Encode(ch); err != nil {
				t.Fatal(err)
			}
		}
		return [32]byte(hash.Sum(nil))
	}
	if again, first := digest(small()), digest(small()); again != first {
		t.Error("the same Day has other Changes")
	}
	other := small()
	other.Seed++
	if digest(other) == digest(small()) {
		t.Error("another seed has the same Changes")
	}
}

// A recorder's Changes are in the order of arrival, and in that of versions after the state at the start.
func TestOrder(t *testing.T) {
	d := small()
	var arrival model.Instant
	var version uint64
	began := false
	for ch := range d.Changes() {
		if ch.Op == model.OpBaseline {
			if began {
				t.Fatalf("%v %s belongs to the state at the start", ch.Kind, ch.Key)
			}
			continue
		}
		began = true
		if ch.Arrival < arrival || ch.Version <= version {
			t.Fatalf("%v %s: version %d at %v after %d at %v", ch.Kind, ch.Key, ch.Version, ch.Arrival, version, arrival)
		}
		arrival, version = ch.Arrival, ch.Version
		if !ch.Time.Contains(ch.Arrival) || ch.Arrival < d.Start || ch.Arrival > d.End().Add(time.Second) {
			t.Fatalf("%v %s: written %v, arrived %v", ch.Kind, ch.Key, ch.Time, ch.Arrival)
		}
	}
}

// The rhythm is the kubelet's: a renewal 10.0 to 10.4 s after the one before was answered,
// a post every five minutes.
func TestRhythm(t *testing.T) {
	d := small()
	d.Outage.For, d.Creations = 0, 0
	last := map[string]*model.Change{}
	renewals, posts := 0, 0
	var latency time.Duration
	for ch := range d.Changes() {
		switch ch.Kind {
		case model.KindNode:
			if ch.Op != model.OpBaseline {
				posts++
			}
		case model.KindNodeLease:
			c := *ch
			if before := last[ch.Key.Name]; before != nil && before.Op != model.OpBaseline {
				renewals++
				latency += ch.Arrival.Sub(ch.Lease.Renewed)
				if apart := ch.Lease.Renewed.Sub(before.Lease.Renewed); apart < 10*time.Second || apart > 10*time.Second+500*time.Millisecond {
					t.Fatalf("%s renewed %v and %v", ch.Key.Name, before.Lease.Renewed, ch.Lease.Renewed)
				}
			}
			last[ch.Key.Name] = &c
		}
	}
	if mean := latency / time.Duration(renewals); mean < 5*time.Millisecond || mean > 12*time.Millisecond {
		t.Errorf("renewals arrive %v after they were begun, on average", mean)
	}
	if posts < 60 || posts > 120 {
		t.Errorf("30 nodes posted %d times in a quarter of an hour", posts)
	}
}

// The state at the end is the one of a cluster that has recovered.
func TestPodsComeAndGo(t *testing.T) {
	d := small()
	d.Creations = 30_000
	c := model.NewCluster()
	created, deleted, versions := 0, 0, 0
	for ch := range d.Changes() {
		own := *ch
		c.Fold(&own)
		if ch.Kind != model.KindPod || ch.Op == model.OpBaseline {
			continue
		}
		versions++
		switch ch.Op {
		case model.OpAdd:
			created++
		case model.OpDelete:
			deleted++
		}
	}
	if created < 250 || created > 400 || deleted < created/2 || versions < 6*created {
		t.Errorf("%d created, %d deleted, %d versions", created, deleted, versions)
	}
	if n := c.PodCount(); n < d.Pods || n > d.Pods+60 {
		t.Errorf("%d pods at the end, and %d at the start", n, d.Pods)
	}
	if c.Stale > 0 {
		t.Errorf("%d Changes came too late", c.Stale)
	}
}

// verdictOn drives the models over what was recorded of a Day. stamped may set when a Change is
// known to have been written.
func verdictOn(t *testing.T, d Day, stamped func(*model.Change)) verify.Report {
	t.Helper()
	var changes []model.Change
	for ch := range d.Changes() {
		changes = append(changes, *ch)
		if own := &changes[len(changes)-1]; stamped != nil && own.Op != model.OpBaseline {
			stamped(own)
		}
	}
	h := history.NewMemory(changes, model.Interval{Earliest: d.Start, Latest: d.End()}, nil, []history.Source{{Path: "scenario"}})
	r, err := infer.Run(h, infer.Options{Params: model.Defaults(d.Version)})
	if err != nil {
		t.Fatal(err)
	}
	v := verify.Evaluate(&hypotheses.Found{Base: r, Result: r})
	if v.Exit != 0 || v.Explained != v.Observed {
		t.Errorf("%d nodes, seed %d: %d of %d writes explained: %v, %v, %v", d.Nodes, d.Seed, v.Explained, v.Observed, v.Why, v.Unexplained, v.Unobserved)
	}
	return v
}

// The control plane's writes are decisions of the models, and the models driven over what was
// recorded find every one of them.
func TestEveryWriteIsExplained(t *testing.T) {
	for seed := range uint64(4) {
		d := small()
		d.Seed = seed
		v := verdictOn(t, d, nil)
		for _, kind := range []model.DecisionKind{model.MarkUnknown, model.MarkPodsNotReady, model.TaintNoExecute, model.UntaintNoExecute} {
			if v.ByKind[kind].Observed < 10 {
				t.Errorf("seed %d: %d × %v", seed, v.ByKind[kind].Observed, kind)
			}
		}
	}
}

// Some of many nodes renew within the window of a pass. Only the time of their declaration shows whether it had counted
// them.
func TestRenewalsWithinAPass(t *testing.T) {
	verdictOn(t, FullDay().Scaled(200, 10*time.Minute), nil)
}

// Evictions come a toleration after the taint, of pods that are terminating already too, and
// whether a pass saw a status that was posted within its window shows in what it took off.
func TestEvictionsAndReturns(t *testing.T) {
	for _, seed := range []uint64{2, 4, 7} {
		d := FullDay().Scaled(500, 20*time.Minute)
		d.Seed = seed
		verdictOn(t, d, nil)
	}
}

// Where writes are known to the millisecond, no tick may use up a token later than it did.
func TestTokensToTheMillisecond(t *testing.T) {
	d := small()
	d.Seed = 4
	verdictOn(t, d, func(ch *model.Change) { ch.Time.Earliest = ch.Arrival.Add(-2 * time.Millisecond) })
}
