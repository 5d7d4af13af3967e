package open

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/read/input"
)

// totals are the independent count of the audit logs.
var totals = map[string]string{
	"node-loss":   "AddNoSchedule 3, EvictPod 6, MarkPodsNotReady 8, MarkUnknown 1, RemoveNoSchedule 3, TaintNoExecute 1, UntaintNoExecute 1",
	"zone-outage": "AddNoSchedule 10, EvictPod 20, MarkPodsNotReady 25, MarkUnknown 10, RemoveNoSchedule 10, TaintNoExecute 10, UntaintNoExecute 10",
	"all-dark":    "AddNoSchedule 11, EvictPod 16, MarkPodsNotReady 22, MarkUnknown 11, RemoveNoSchedule 11, TaintNoExecute 13, UntaintNoExecute 12",
	"partial":     "AddNoSchedule 11, EvictPod 1, MarkPodsNotReady 11, MarkUnknown 11, RemoveNoSchedule 11, TaintNoExecute 1, UntaintNoExecute 1",
	"notready":    "AddNoSchedule 2, EvictPod 2, MarkPodsNotReady 0, MarkUnknown 1, RemoveNoSchedule 2, TaintNoExecute 2, UntaintNoExecute 2",
	"restart":     "AddNoSchedule 2, EvictPod 4, MarkPodsNotReady 4, MarkUnknown 2, RemoveNoSchedule 0, TaintNoExecute 4, UntaintNoExecute 2",
}

func count(v verify.Report) string {
	var parts []string
	for _, k := range []model.DecisionKind{model.AddNoSchedule, model.EvictPod, model.MarkPodsNotReady, model.MarkUnknown,
		model.RemoveNoSchedule, model.TaintNoExecute, model.UntaintNoExecute} {
		parts = append(parts, fmt.Sprintf("%s %d", k, v.ByKind[k].Observed))
	}
	return strings.Join(parts, ", ")
}

// TestWindowsAreNarrow: over the writes of the three demos together, those without a stamp of
// their own among them.
func TestWindowsAreNarrow(t *testing.T) {
	for evidence, c := range map[string]struct {
		files func(string) bool
		p95   time.Duration
	}{"watch files": {watchFiles, 1500 * time.Millisecond}, "audit log": {auditLog, 50 * time.Millisecond}, "both": {everything, 50 * time.Millisecond}} {
		var widths []time.Duration
		for _, name := range []string{"node-loss", "zone-outage", "all-dark"} {
			res, _ := shadowed(t, incident(t, name, c.files).History, flags)
			widths = append(widths, windowWidths(res, func(*infer.Write) bool { return true })...)
		}
		if got := p95(widths); got > c.p95 {
			t.Errorf("%s: p95 %s, want %s", evidence, got, c.p95)
		}
	}
}

// stampedP95 is the p95 of the windows of writes that leave a stamp. The removal of a node's
// last taint leaves none: from watch files alone it is known only to lie between the versions
// around it, which may be seconds apart, and no model can know better.
func stampedP95(res *infer.Result) time.Duration {
	return p95(windowWidths(res, func(w *infer.Write) bool {
		return w.Kind != model.RemoveNoSchedule && w.Kind != model.UntaintNoExecute
	}))
}

// p95 is by nearest rank.
func p95(widths []time.Duration) time.Duration {
	slices.Sort(widths)
	return widths[(95*len(widths)+99)/100-1]
}

// windowWidths are those of the decisions behind the writes that count.
func windowWidths(res *infer.Result, counts func(*infer.Write) bool) (widths []time.Duration) {
	windows := map[model.DecisionID]model.Interval{}
	for i := range res.Decisions {
		windows[res.Decisions[i].ID] = res.Decisions[i].Window
	}
	for i := range res.Writes {
		if w := &res.Writes[i]; w.Decision != 0 && counts(w) {
			widths = append(widths, windows[w.Decision].Width())
		}
	}
	return widths
}

// TestTheTotalsAreThoseOfTheAuditLog counts the writes of the two controllers without any of
// Kardia's code: what their requests that succeeded changed, from version to version.
func TestTheTotalsAreThoseOfTheAuditLog(t *testing.T) {
	for name, want := range totals {
		files := slices.DeleteFunc(filesOf(t, name), func(f input.File) bool { return !auditLog(strings.TrimSuffix(f.Path, ".zst")) })
		if len(files) != 1 {
			t.Fatalf("%s: %d audit logs", name, len(files))
		}
		r, err := files[0].Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := countAudit(string(data)); got != want {
			t.Errorf("%s:\n%s, want\n%s", name, got, want)
		}
	}
}

func countAudit(log string) string {
	var writes []gjson.Result
	for _, line := range strings.Split(log, "\n") {
		e := gjson.Parse(line)
		if e.Get("stage").Str == "ResponseComplete" && e.Get("responseStatus.code").Int() < 300 && e.Get("responseObject.metadata.resourceVersion").Exists() {
			writes = append(writes, e)
		}
	}
	slices.SortStableFunc(writes, func(a, b gjson.Result) int {
		const version = "responseObject.metadata.resourceVersion"
		return cmp.Compare(a.Get(version).Int(), b.Get(version).Int())
	})
	n, taints, deleted := map[string]int{}, map[string]map[string]string{}, map[string]bool{}
	for _, e := range writes {
		agent, node := e.Get("userAgent").Str, e.Get("objectRef.name").Str
		mine := strings.HasSuffix(agent, ":node-controller") || strings.HasSuffix(agent, "/node-controller") || strings.Contains(agent, "taint-eviction")
		what := e.Get("verb").Str + " " + e.Get("objectRef.resource").Str + " " + e.Get("objectRef.subresource").Str
		switch {
		case mine && what == "update nodes status":
			n["MarkUnknown"]++
		case mine && what == "update pods status":
			n["MarkPodsNotReady"]++
		case mine && what == "delete pods " && !deleted[node]:
			n["EvictPod"]++
			deleted[node] = true
		}
		if e.Get("objectRef.resource").Str != "nodes" {
			continue
		}
		now := map[string]string{}
		for _, taint := range e.Get("responseObject.spec.taints").Array() {
			now[taint.Get("key").Str+":"+taint.Get("effect").Str] = taint.Get("timeAdded").Str
		}
		for taint, added := range now {
			before, had := taints[node][taint]
			if mine && strings.HasSuffix(taint, ":NoSchedule") && !had {
				n["AddNoSchedule"]++
			}
			if mine && strings.HasSuffix(taint, ":NoExecute") && (!had || before != added) {
				n["TaintNoExecute"]++
			}
		}
		for taint := range taints[node] {
			if _, has := now[taint]; mine && !has {
				n[map[bool]string{true: "UntaintNoExecute", false: "RemoveNoSchedule"}[strings.HasSuffix(taint, ":NoExecute")]]++
			}
		}
		taints[node] = now
	}
	var parts []string
	for _, k := range []string{"AddNoSchedule", "EvictPod", "MarkPodsNotReady", "MarkUnknown", "RemoveNoSchedule", "TaintNoExecute", "UntaintNoExecute"} {
		parts = append(parts, fmt.Sprintf("%s %d", k, n[k]))
	}
	return strings.Join(parts, ", ")
}

func shadowed(t *testing.T, h history.History, p model.Params) (*infer.Result, verify.Report) {
	t.Helper()
	res, err := infer.Run(h, infer.Options{Params: p})
	if err != nil {
		t.Fatal(err)
	}
	return res, verify.Evaluate(&hypotheses.Found{Base: res, Result: res})
}

var flags = model.Defaults(model.Version{Major: 1, Minor: 36})

// TestVerifyCanFail: the same incidents, falsified, are not explained.
func TestVerifyCanFail(t *testing.T) {
	forged := flags
	forged.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 40 * time.Second, From: model.FromFlag}
	for name, c := range map[string]struct {
		incident string
		params   model.Params
		change   func(list []model.Change) []model.Change
	}{
		"a grace of 40 s":            {"node-loss", forged, func(l []model.Change) []model.Change { return l }},
		"a pod deletion 15 s later":  {"node-loss", flags, func(l []model.Change) []model.Change { return moved(l, "app-ip-10-0-2-003-0", 15*time.Second) }},
		"a pod deletion 15 s sooner": {"zone-outage", flags, func(l []model.Change) []model.Change { return moved(l, "app-b-003-0", -15*time.Second) }},
		"a taint removal cut out":    {"node-loss", flags, withoutUntaint},
		"two renewals dropped":       {"node-loss", flags, withoutTwoBeats},
		"a foreign taint relabelled": {"node-loss", flags, withForeignTaint},
		"a restart left untold": {"restart", flags, func(l []model.Change) []model.Change {
			return slices.DeleteFunc(l, func(ch model.Change) bool { return ch.Kind == model.KindEvent })
		}},
	} {
		for evidence, files := range map[string]func(string) bool{"watch files": watchFiles, "audit log": auditLog, "both": everything} {
			t.Run(name+", "+evidence, func(t *testing.T) {
				h := incident(t, c.incident, files).History
				list := c.change(changesOf(t, h))
				slices.SortStableFunc(list, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
				sources := slices.Clone(h.Sources())
				for i := range sources {
					if sources[i].Format == "watch" { // and the watch is seen to go on
						sources[i].Coverage.Latest = h.Coverage().Latest
					}
				}
				res, v := shadowed(t, history.NewMemory(list, h.Coverage(), nil, sources), c.params)
				if v.Exit != 3 {
					t.Errorf("exit %d, %d of %d explained", v.Exit, v.Explained, v.Observed)
				}
				found, err := hypotheses.Search(res)
				if err != nil {
					t.Fatal(err)
				}
				supposed := verify.Evaluate(found)
				if counts := supposed.ExplainedIf > 0; supposed.Exit != 3 || counts && c.incident != "restart" {
					t.Errorf("with hypotheses exit %d, %d explained if: %v", supposed.Exit, supposed.ExplainedIf, supposed.Hypotheses)
				}
				t.Logf("%d unexplained %v, %d unobserved %v", len(v.Unexplained), v.Unexplained[:min(1, len(v.Unexplained))], len(v.Unobserved), v.Unobserved[:min(1, len(v.Unobserved))])
			})
		}
	}
}

// moved shifts what taint eviction did to a pod.
func moved(list []model.Change, pod string, by time.Duration) []model.Change {
	for i := range list {
		if ch := &list[i]; ch.Kind == model.KindPod && ch.Key.Name == pod && ch.Pod != nil && ch.Pod.Disrupted.Known() {
			ch.Time.Earliest, ch.Time.Latest, ch.At = ch.Time.Earliest.Add(by), ch.Time.Latest.Add(by), ch.Effective().Add(by)
		}
	}
	return list
}

// withoutUntaint leaves out every version of a node from the removal of its NoExecute taint on.
func withoutUntaint(list []model.Change) []model.Change {
	tainted, cut := false, false
	return slices.DeleteFunc(list, func(ch model.Change) bool {
		if ch.Kind != model.KindNode || ch.Key.Name != "ip-10-0-2-003" || ch.Node == nil {
			return false
		}
		has := slices.ContainsFunc(ch.Node.Taints, func(t model.Taint) bool { return t.Effect == model.NoExecute })
		cut = cut || tainted && !has
		tainted = tainted || has
		return cut
	})
}

// withoutTwoBeats leaves out the last two renewals before the silence.
func withoutTwoBeats(list []model.Change) []model.Change {
	var beats []int
	for i := range list {
		if list[i].Kind == model.KindNodeLease && list[i].Key.Name == "ip-10-0-2-003" {
			beats = append(beats, i)
		}
		if n := list[i].Node; list[i].Key.Name == "ip-10-0-2-003" && n != nil && n.Ready() != nil && n.Ready().Status == model.StatusUnknown {
			break
		}
	}
	last := beats[len(beats)-1]
	list = slices.Delete(list, last, last+1)
	last = beats[len(beats)-2]
	return slices.Delete(list, last, last+1)
}

// withForeignTaint lets a person's NoExecute taint on a healthy node claim to be the
// controller's.
func withForeignTaint(list []model.Change) []model.Change {
	for i := range list {
		if ch := list[i]; ch.Kind == model.KindNode && ch.Node != nil && ch.Key.Name == "ip-10-0-1-001" && ch.Op == model.OpModify {
			n := *ch.Node
			n.Taints = append(slices.Clone(n.Taints), model.Taint{Key: "node.kubernetes.io/unreachable", Effect: model.NoExecute, Added: ch.Time.Latest})
			ch.Node, ch.Writer, ch.Version = &n, model.WriterNodeLifecycle, ch.Version+1
			return slices.Insert(list, i+1, ch)
		}
	}
	return list
}

// TestWindowsHoldTheTruth: the window that watch files give a decision agrees with the one
// that the audit log, which knows to the millisecond, gives the same decision.
func TestWindowsHoldTheTruth(t *testing.T) {
	for name := range totals {
		truth := map[string][]model.Interval{}
		res, _ := shadowed(t, incident(t, name, auditLog).History, flags)
		each := func(res *infer.Result, visit func(subject string, window model.Interval)) {
			windows := map[model.DecisionID]model.Interval{}
			for i := range res.Decisions {
				windows[res.Decisions[i].ID] = res.Decisions[i].Window
			}
			for i := range res.Writes {
				w := &res.Writes[i]
				visit(w.Kind.String()+" "+w.Subject()+" "+w.Taint, windows[w.Decision])
			}
		}
		each(res, func(subject string, window model.Interval) { truth[subject] = append(truth[subject], window) })
		res, _ = shadowed(t, incident(t, name, watchFiles).History, flags)
		each(res, func(subject string, window model.Interval) {
			if len(truth[subject]) == 0 {
				t.Errorf("%s: %s is not in the audit log", name, subject)
				return
			}
			real := truth[subject][0]
			truth[subject] = truth[subject][1:]
			if !window.Overlaps(real) {
				t.Errorf("%s: %s was decided %s … %s, not %s … %s", name, subject, real.Earliest, real.Latest, window.Earliest, window.Latest)
			}
		})
	}
}

// TestADeletionLeadsBackToAHeartbeat: every deletion seen has causes back to the declaration
// of its node and the renewal that was counted last, each a Change of the input.
func TestADeletionLeadsBackToAHeartbeat(t *testing.T) {
	for name := range totals {
		for evidence, files := range map[string]func(string) bool{"watch files": watchFiles, "audit log": auditLog} {
			res, _ := shadowed(t, incident(t, name, files).History, flags)
			byID := map[model.DecisionID]*model.Decision{}
			for i := range res.Decisions {
				byID[res.Decisions[i].ID] = &res.Decisions[i]
			}
			var beat func(id model.DecisionID) bool
			beat = func(id model.DecisionID) bool {
				d := byID[id]
				if d == nil {
					return false
				}
				if d.Kind == model.MarkUnknown {
					return d.Inputs[0].Kind == model.KindNodeLease && d.Inputs[0].Position > 0
				}
				if name == "notready" && d.Kind == model.QueueForTaint { // tainted for what its kubelet said
					return d.Inputs[0].Kind == model.KindNode && d.Inputs[0].Position > 0
				}
				return slices.ContainsFunc(d.Causes, beat)
			}
			for i := range res.Writes {
				if w := &res.Writes[i]; w.Kind == model.EvictPod && !beat(w.Decision) {
					t.Errorf("%s from %s: the deletion of %s leads to no heartbeat", name, evidence, w.Pod)
				}
			}
		}
	}
}

// TestASecondDeleteShowsOnlyInTheAuditLog: the taint written again starts the countdowns of s-002's pods again; that
// they are deleted twice changes no object.
func TestASecondDeleteShowsOnlyInTheAuditLog(t *testing.T) {
	for evidence, c := range map[string]struct {
		files func(string) bool
		basis model.Basis
	}{"watch files": {watchFiles, model.Inferred}, "audit log": {auditLog, model.Observed}} {
		res, _ := shadowed(t, incident(t, "all-dark", c.files).History, flags)
		n := map[string]int{}
		for _, d := range res.Decisions {
			if d.Kind == model.EvictPod && d.Node == "s-002" {
				if n[d.Pod.Name]++; n[d.Pod.Name] == 2 && (d.Basis != c.basis || d.LeavesTrace != (c.basis == model.Observed)) {
					t.Errorf("%s: %s is deleted again, %s, leaves a trace: %v", evidence, d.Pod, d.Basis, d.LeavesTrace)
				}
			}
		}
		if n["app-s-002-0"] != 2 || n["app-s-002-1"] != 2 {
			t.Errorf("%s: %v", evidence, n)
		}
	}
}

// TestFlagsAreInferredFromEnough: three silences or more correct a wrong default; one does not. A flag that was given
// is contradicted by any, and the fitting value is printed instead.
func TestFlagsAreInferredFromEnough(t *testing.T) {
	wrong := flags
	wrong.NodeMonitorGracePeriod.Value = 40 * time.Second
	for name, c := range map[string]struct {
		from model.Provenance
		want string
	}{"zone-outage": {model.FromDefault, "50s inferred"}, "all-dark": {model.FromFlag, "50s default"}, "node-loss": {model.FromDefault, "40s default"}} {
		p := wrong
		p.NodeMonitorGracePeriod.From = c.from
		_, v := shadowed(t, incident(t, name, auditLog).History, p)
		got := v.Params["node-monitor-grace-period"]
		if got.Value+" "+got.From.String() != c.want || !got.Fits.Known {
			t.Errorf("%s: %+v", name, got)
		}
		if v.Exit == 0 != (got.From == model.FromInferred) {
			t.Errorf("%s: exit %d", name, v.Exit)
		}
	}
}

// TestWithoutLeasesNothingIsJudged: exit 4, and why.
func TestWithoutLeasesNothingIsJudged(t *testing.T) {
	h := incident(t, "node-loss", func(path string) bool { return strings.HasSuffix(path, "nodes.watch.jsonl") }).History
	if _, v := shadowed(t, h, flags); v.Exit != 4 || len(v.Why) != 1 {
		t.Errorf("exit %d, %v", v.Exit, v.Why)
	}
}

// TestTheStateAtAnInstant: the controllers' state at an instant, the same each time, and unshared.
func TestTheStateAtAnInstant(t *testing.T) {
	o := incident(t, "zone-outage", everything)
	res, _ := shadowed(t, o.History, flags)
	at := o.History.Coverage().Earliest.Add(125 * time.Second)
	s, err := res.At(at)
	if err != nil {
		t.Fatal(err)
	}
	timers := len(s.Taints.Timers())
	if timers == 0 || !s.Nodes.Waiting() || s.Clock.Pass < at || s.Clock.Pass > at.Add(6*time.Second) {
		t.Errorf("%d timers, waiting %v, next pass in %s", timers, s.Nodes.Waiting(), s.Clock.Pass.Sub(at))
	}
	s.Taints.Fire(at.Add(time.Hour), s.Cache)
	if again, _ := res.At(at); len(again.Taints.Timers()) != timers {
		t.Error("a state handed out is shared")
	}
	other, _ := shadowed(t, o.History, flags)
	same := slices.EqualFunc(res.Decisions, other.Decisions, func(a, b model.Decision) bool {
		return a.ID == b.ID && a.Window == b.Window && a.Basis == b.Basis && slices.Equal(a.Causes, b.Causes)
	})
	if !same {
		t.Error("two runs differ")
	}
}

// TestCausalKnowsOnlyWhatWas: nothing later is seen, and the decisions before are explained.
func TestCausalKnowsOnlyWhatWas(t *testing.T) {
	o := incident(t, "zone-outage", auditLog)
	until := o.History.Coverage().Earliest.Add(150 * time.Second)
	res, err := infer.Run(o.History, infer.Options{Params: flags, Mode: infer.Causal, Until: until})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Decisions {
		if d.Time > until {
			t.Errorf("%s at %s", d.Kind, d.Time)
		}
	}
	v := verify.Evaluate(&hypotheses.Found{Base: res, Result: res})
	if v.Exit != 0 || v.Observed < 50 || v.Mode != infer.Causal {
		t.Errorf("exit %d, observed %d, %v %v", v.Exit, v.Observed, v.Unexplained, v.Unobserved)
	}
}

// TestCausalIsNeverContradicted: whenever reading stops, the writes by then are explained by what was known by then.
func TestCausalIsNeverContradicted(t *testing.T) {
	for name := range totals {
		for evidence, files := range map[string]func(string) bool{"watch files": watchFiles, "audit log": auditLog} {
			h := incident(t, name, files).History
			for after := 60 * time.Second; after < h.Coverage().Width(); after += 19 * time.Second {
				res, err := infer.Run(h, infer.Options{Params: flags, Mode: infer.Causal, Until: h.Coverage().Earliest.Add(after)})
				if err != nil {
					t.Fatal(err)
				}
				if v := verify.Evaluate(&hypotheses.Found{Base: res, Result: res}); v.Exit == 3 {
					t.Errorf("%s from %s, %s: %v %v", name, evidence, after, v.Unexplained, v.Unobserved)
				}
			}
		}
	}
}
