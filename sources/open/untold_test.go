package open

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/processes"
)

// delayed is an incident without Events and leader leases in which some writes of the controllers were made later
// than they were.
func delayed(t testing.TB, name string, later func(ch *model.Change) time.Duration) history.History {
	t.Helper()
	h := incident(t, name, everything).History
	list := slices.DeleteFunc(changesOf(t, h), func(ch model.Change) bool { return ch.Kind == model.KindEvent || ch.Kind == model.KindLeaderLease })
	var versions []uint64
	for i := range list {
		ch := &list[i]
		versions = append(versions, ch.Version)
		by := later(ch)
		if by == 0 {
			continue
		}
		ch.At, ch.Arrival = ch.At.Add(by), ch.Arrival.Add(by)
		ch.Time = model.Interval{Earliest: ch.Time.Earliest.Add(by), Latest: ch.Time.Latest.Add(by)}
		if ch.Pod != nil {
			p := *ch.Pod
			if p.Deletion.Known() {
				p.Deletion = p.Deletion.Add(by)
			}
			if p.Disrupted.Known() {
				p.Disrupted = p.Disrupted.Add(by)
			}
			ch.Pod = &p
		}
		if ch.Node != nil {
			n := *ch.Node
			n.Taints = slices.Clone(n.Taints)
			for k := range n.Taints {
				if taint := &n.Taints[k]; taint.Effect == model.NoExecute && taint.Added.Known() {
					taint.Added = taint.Added.Add(by)
				}
			}
			ch.Node = &n
		}
	}
	slices.SortStableFunc(list, func(a, b model.Change) int { return cmp.Compare(a.At, b.At) })
	slices.Sort(versions)
	for i := range list {
		list[i].Version, list[i].Previous = versions[i], 0
	}
	return history.NewMemory(list, h.Coverage(), nil, h.Sources())
}

// taints says that a Change is a controller's that puts a NoExecute taint on a node.
func taints(ch *model.Change) bool {
	return ch.Node != nil && ch.Writer == model.WriterNodeLifecycle && ch.Node.HasNoExecute()
}

func verified(t *testing.T, h history.History) verify.Report {
	t.Helper()
	res, _ := shadowed(t, h, flags)
	found, err := hypotheses.Search(res)
	if err != nil {
		t.Fatal(err)
	}
	return verify.Evaluate(found)
}

// TestAStallNobodyTellsOf: taints that were due come when the controllers go on, a token apart, and countdowns that
// have ended meanwhile end then, together: a new process would have taken the taints off first.
func TestAStallNobodyTellsOf(t *testing.T) {
	stood, went := model.At(time.Date(2026, 11, 20, 23, 53, 50, 0, time.UTC)), model.At(time.Date(2026, 11, 20, 23, 54, 40, 0, time.UTC))
	by, moved, ended := map[string]time.Duration{}, time.Duration(0), 0
	v := verified(t, delayed(t, "zone-outage", func(ch *model.Change) time.Duration {
		switch {
		case taints(ch) && ch.At > stood && ch.At < went.Add(time.Minute):
			if moved == 0 {
				moved = went.Sub(ch.At)
			}
			by[ch.Key.Name] = moved
		case ch.Pod != nil && ch.Writer == model.WriterTaintEviction && by[ch.Pod.Node] != 0:
		case ch.Pod != nil && ch.Writer == model.WriterTaintEviction && ch.At > stood && ch.At < went:
			ended++
			return went.Add(time.Duration(ended) * 2 * time.Millisecond).Sub(ch.At)
		default:
			return 0
		}
		return moved
	}))
	i := slices.IndexFunc(v.Hypotheses, func(h verify.Hypothesis) bool { return h.Kind == processes.Stalled })
	if ended < 2 || v.Exit != 3 || i < 0 || !v.Hypotheses[i].Counts || v.ExplainedIf < 2 || v.Explained+v.ExplainedIf != v.Observed {
		t.Fatalf("%d countdowns ended: exit %d, %d explained and %d if, of %d: %+v", ended, v.Exit, v.Explained, v.ExplainedIf, v.Observed, v.Hypotheses)
	}
	if x := &v.Hypotheses[i]; went < x.Window.Earliest.Add(-time.Second) || went > x.Window.Latest.Add(time.Second) || x.Window.Width() > 2*time.Second || len(x.For) == 0 || len(x.Against) == 0 {
		t.Errorf("%+v", x)
	}
}

// TestATokenNobodyTellsOf: a taint that comes one token late. The tick that came with the pass read the node before it
// was declared, and its token was burnt. The models do and report the same, and nothing needs a hypothesis.
func TestATokenNobodyTellsOf(t *testing.T) {
	tainted := false
	h := delayed(t, "node-loss", func(ch *model.Change) time.Duration {
		first := taints(ch) && !tainted
		if tainted = tainted || first; first || ch.Pod != nil && ch.Writer == model.WriterTaintEviction {
			return 10 * time.Second
		}
		return 0
	})
	if v := verified(t, h); v.Exit != 0 || v.Explained != v.Observed || len(v.Hypotheses) > 0 {
		t.Errorf("exit %d, %d explained of %d: %+v", v.Exit, v.Explained, v.Observed, v.Hypotheses)
	}
	res, _ := shadowed(t, h, flags)
	if !slices.ContainsFunc(res.Decisions, func(d model.Decision) bool {
		return d.Kind == model.TaintNoExecute && d.Outcome == model.Declined && d.Rule == model.RuleTokenSpent
	}) {
		t.Error("that a token was burnt is not told")
	}
}
