package compare

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// lost is what comes of one node: heard last at, declared, tainted and its pod deleted so long after.
func lost(node string, at model.Instant, declared, tainted, deleted time.Duration) []model.Decision {
	return []model.Decision{
		{ID: model.DecisionID(at.Add(declared)), Kind: model.MarkUnknown, Node: node, Time: at.Add(declared), Inputs: []model.Input{{Kind: model.KindNodeLease, At: at}}},
		{Kind: model.TaintNoExecute, Node: node, Time: at.Add(tainted)},
		{Kind: model.EvictPod, Node: node, Pod: model.Key{Namespace: "default", Name: "p-" + node}, Time: at.Add(deleted)},
	}
}

// whole is an incident that would tell of every decision, and of each declaration when the node was heard last.
func whole(all []model.Decision) Incident {
	is := Incident{Tells: func(model.DecisionKind) bool { return true }}
	for i := range all {
		d := &all[i]
		is.Decisions = append(is.Decisions, d)
		if d.Kind == model.MarkUnknown && len(d.Inputs) > 0 {
			is.Losses = append(is.Losses, loss.Loss{Declared: d, Last: loss.Beat{Says: d.Inputs[0].At}})
		}
	}
	return is
}

// TestTheFirstSilence: an incident begins with the node that was heard last the longest ago, also where another was
// declared before it.
func TestTheFirstSilence(t *testing.T) {
	all := append(lost("late", noon.Add(time.Second), 50*time.Second, 51*time.Second, 351*time.Second), lost("early", noon, 52*time.Second, 53*time.Second, 353*time.Second)...)
	if c := Of(whole(all), whole(all)); !c.ByHeartbeat || c.A != (Side{Start: noon, Node: "early"}) || c.A != c.B {
		t.Errorf("%+v", c.A)
	}
}

// TestOneIncidentWithItself: nothing comes later, and each decision stands beside itself.
func TestOneIncidentWithItself(t *testing.T) {
	all := lost("a", noon, 50*time.Second, 51*time.Second, 351*time.Second)
	c := Of(whole(all), whole(all))
	if !c.ByName || !c.ByHeartbeat || c.A != c.B || c.A.Start != noon || len(c.Rows) != 3 {
		t.Fatalf("%+v", c)
	}
	for _, r := range c.Rows {
		if r.A == nil || r.B == nil || r.A.ID != r.B.ID || r.A.Kind != r.B.Kind {
			t.Errorf("%+v", r)
		}
	}
}

// TestShorterGrace: the same nodes, declared 10 s sooner, two days later.
func TestShorterGrace(t *testing.T) {
	before := lost("a", noon, 50*time.Second, 51*time.Second, 351*time.Second)
	after := lost("a", noon.Add(48*time.Hour), 40*time.Second, 41*time.Second, 341*time.Second)
	c := Of(whole(before), whole(after))
	if d := c.Delays[0]; d.A.Max != 50*time.Second || d.B.Max != 40*time.Second {
		t.Errorf("%+v", c.Delays)
	}
	for _, r := range c.Rows {
		if later := c.Later(r); later != model.Some(-10*time.Second) {
			t.Errorf("%s: %v later", r.Kind, later)
		}
	}
}

// TestOtherNames: the n-th of each kind stand side by side, and what one side has more stands alone.
func TestOtherNames(t *testing.T) {
	one := lost("a", noon, 50*time.Second, 51*time.Second, 351*time.Second)
	two := append(lost("x", noon, 50*time.Second, 51*time.Second, 351*time.Second), model.Decision{Kind: model.MarkUnknown, Node: "y", Time: noon.Add(400 * time.Second)})
	c := Of(whole(one), whole(two))
	last := c.Rows[len(c.Rows)-1]
	if c.ByName || len(c.Rows) != 4 || last.A != nil || last.B.Node != "y" || c.Later(last).Known || c.After(last) != 400*time.Second || c.Kinds[0].A.N != 1 || c.Kinds[0].B.N != 2 {
		t.Errorf("%+v", c)
	}
}

// TestNothingLost: without a declaration on either side nothing is compared; without a known heartbeat on one, both
// begin with the declaration.
func TestNothingLost(t *testing.T) {
	one := lost("a", noon, 50*time.Second, 51*time.Second, 351*time.Second)
	if c := Of(whole(one), whole(nil)); len(c.Rows)+len(c.Kinds)+len(c.Delays) > 0 || c.A != (Side{Start: noon, Node: "a"}) || c.B != (Side{}) {
		t.Errorf("%+v", c)
	}
	blind := Incident{Tells: func(model.DecisionKind) bool { return false }}
	if c := Of(whole(one), blind); !c.B.Untold || c.A.Untold {
		t.Errorf("of a capture it is not known whether a node was lost: %+v", c)
	}
	told := lost("a", noon, 50*time.Second, 51*time.Second, 351*time.Second)
	told[0].Inputs = nil // nobody knows when it was heard last
	if c := Of(whole(one), whole(told)); c.ByHeartbeat || c.A.Start != noon.Add(50*time.Second) || c.A.Start != c.B.Start {
		t.Errorf("%+v", c)
	}
}

// TestNotTold: of what an incident cannot tell of, no number is given; of what it can, 0 is one.
func TestNotTold(t *testing.T) {
	a := whole(lost("a", noon, 50*time.Second, 51*time.Second, 351*time.Second))
	b := Incident{Decisions: a.Decisions[:1], Losses: a.Losses, Tells: func(k model.DecisionKind) bool { return k != model.EvictPod }}
	a.Params.NodeMonitorGracePeriod.Value = time.Minute
	c := Of(a, b)
	if len(c.Flags) != 1 || c.Flags[0] != (Flag{"node-monitor-grace-period", "1m0s", "0s"}) || c.Lost.A.N != 1 || c.Deleted.B.Known {
		t.Errorf("%+v", c)
	}
	for _, k := range c.Kinds {
		if want := (Count{Known: k.Kind != model.EvictPod}); k.Kind != model.MarkUnknown && k.B != want {
			t.Errorf("%s: %+v", k.Kind, k.B)
		}
	}
	for i, d := range Of(a, b).Delays[1:] {
		if d.B.N != 0 || d.B.Known != (i == 0) {
			t.Errorf("%s: %+v", d.Step, d.B)
		}
	}
}

// TestATaintThatWasTakenOff: the pods go a toleration after the taint that stands, and what was deleted twice is one pod.
func TestATaintThatWasTakenOff(t *testing.T) {
	all := lost("a", noon, 50*time.Second, 51*time.Second, 245*time.Second)
	pod := all[2]
	untaint := model.Decision{Kind: model.UntaintNoExecute, Node: "a", Time: noon.Add(90 * time.Second)}
	again := model.Decision{Kind: model.TaintNoExecute, Node: "a", Time: noon.Add(200 * time.Second)}
	twice, end := pod, untaint
	twice.Time, end.Time = noon.Add(250*time.Second), noon.Add(300*time.Second)
	c := Of(whole([]model.Decision{all[0], all[1], untaint, again, pod, twice, end}), whole(all))
	want := map[Step]time.Duration{"unknown-tainted": time.Second, "tainted-deleted": 45 * time.Second,
		"heartbeat-deleted": 245 * time.Second, "unknown-untainted": 250 * time.Second}
	for _, d := range c.Delays {
		if is, ok := want[d.Step]; ok && (d.A.N != 1 || d.A.Min != is) {
			t.Errorf("%s: %+v, want once %v", d.Step, d.A, is)
		}
	}
	for _, k := range c.Kinds {
		if k.Kind == model.TaintNoExecute && (k.A.N != 2 || k.A.Nodes != 1) {
			t.Errorf("tainted %d times, %d nodes, want one node twice", k.A.N, k.A.Nodes)
		}
		if k.Kind == model.EvictPod && k.A.N != 1 {
			t.Errorf("%d pods deleted, want 1", k.A.N)
		}
	}
}
