package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	breed  = flag.Bool("mutants", false, "build the models with each mutant and see that the test notices")
	mutant = flag.String("mutant", "", "only mutants whose name contains this")
)

// mutants are mistakes to make in the models on purpose: one text of one file is
// replaced by another, in an overlay that only the test's own build sees.
var mutants = []struct{ name, file, old, new string }{
	{"expiry at equality", "control/nodelifecycle/health.go", "expired := c.now > r.probe.Add(grace)", "expired := c.now >= r.probe.Add(grace)"},
	{"grace longer by a pass", "control/nodelifecycle/health.go", "return c.params.NodeMonitorGracePeriod.Value\n\t}", "return c.params.NodeMonitorGracePeriod.Value + c.params.NodeMonitorPeriod.Value\n\t}"},
	{"startup grace for all", "control/nodelifecycle/health.go", "grace := c.grace(ready != nil)", "grace := c.grace(false)"},
	{"no empty lease slot (N10)", "control/nodelifecycle/health.go", "if l := &row.Lease; savedLease.olderThan(l) {", "_ = savedLease\n\tif l := &row.Lease; r.lease.olderThan(l) {"},
	{"status heartbeat must be later", "control/nodelifecycle/health.go", "case r.saved.heartbeat != ready.Heartbeat:", "case r.saved.heartbeat < ready.Heartbeat:"},
	{"any write of the lease counts", "control/nodelifecycle/health.go", "s.renewed.Known() && l.Renewed.Known() && s.renewed < l.Renewed", "s.renewed.Known() && l.Renewed.Known()"},
	{"PIDPressure forgotten", "control/nodelifecycle/health.go", "model.ConditionDiskPressure, model.ConditionPIDPressure}", "model.ConditionDiskPressure}"},
	{"pressure keeps its reason", "control/nodelifecycle/health.go", "Reason: model.ReasonUnknown", "Reason: have.Reason"},
	{"two of three is partial", "control/nodelifecycle/zone.go", "case z.notReady > 2 &&", "case z.notReady >= 2 &&"},
	{"more than the threshold", "control/nodelifecycle/zone.go", "/float32(z.counted()) >= c.params", "/float32(z.counted()) > c.params"},
	{"large includes the limit", "control/nodelifecycle/zone.go", "large := z.counted() > limit", "large := z.counted() >= limit"},
	{"a full zone needs two nodes", "control/nodelifecycle/zone.go", "case z.ready == 0 && z.notReady > 0:", "case z.ready == 0 && z.notReady > 1:"},
	{"token not drained on swap", "control/nodelifecycle/limiter.go", "if !l.accept(t) {\n\t\tnext.accept(t)\n\t}", ""},
	{"never reports 0", "control/nodelifecycle/limiter.go", "limiter{qps: 1, never: true}", "limiter{qps: 0, never: true}"},
	{"a burst of two", "control/nodelifecycle/limiter.go", "tokens = min(tokens, 1) - 1", "tokens = min(tokens, 2) - 1"},
	{"a node without Ready leaves the queue", "control/nodelifecycle/tick.go", "later(retryWait)", "z.queue.finish(head.row)"},
	{"a gone node stays at the head", "control/nodelifecycle/tick.go", "wasted(model.WhyTokenForNoNode)\n\t\tz.queue.finish(head.row)", "wasted(model.WhyTokenForNoNode)"},
	{"entering strips no taints", "control/nodelifecycle/disruption.go", `c.reachable(int32(i), view.Row(int32(i)), h, model.RuleSnapshotTaints, model.WhyMasterStarts, c.masterID)`, ""},
	{"entering strips what stands by then (Z15)", "control/nodelifecycle/taints.go", "has := noExecuteTaints(r.node)", "if row.Node == nil {\n\t\treturn\n\t}\n\thas := noExecuteTaints(row.Node)"},
	{"leaving keeps the probes", "control/nodelifecycle/disruption.go", "r.probe, r.transition = c.now, c.now\n", ""},
	{"leaving sets only what changed", "control/nodelifecycle/disruption.go", "c.settleAs(z, c.stateOf(z), id, true)", "c.settle(z, id)"},
	{"entering keeps the rates", "control/nodelifecycle/disruption.go", `c.setRate(z, 0, model.RuleMasterDisruption, nil, c.masterID)`, ""},
	{"a tainted node may be queued again", "control/nodelifecycle/queue.go", "e.waiting, e.steady = false, false\n\t\tq.waiting--", "q.remove(row)"},
	{"a waiting node keeps its place", "control/nodelifecycle/queue.go", "e.processAt = at\n", ""},
	{"swap leaves the old taint", "control/nodelifecycle/taints.go", "return append(writes, w), true", "return writes, true"},
	{"a new process strips nothing", "control/nodelifecycle/pass.go", `c.reachable(i, row, h, model.RuleNewToProcess, model.WhyNodeIsNew, id)`, "_ = id"},
	{"excluded nodes count", "control/nodelifecycle/pass.go", "if !c.excluded(row) {", "if true {"},
	{"silent after NotReady marks pods", "control/nodelifecycle/pass.go", "case v.current != model.StatusTrue && v.observed == model.StatusTrue, // M3", "case v.current != model.StatusTrue && v.observed != model.StatusUnknown,"},
	{"queued a pass later, as in 1.33", "control/nodelifecycle/versions.go", "taintsByObserved: !v.AtLeast(1, 34)", "taintsByObserved: true"},
	{"pressure taint stays when lost", "wellknown.go", `{ConditionMemoryPressure, StatusTrue, TaintMemoryPressure},`, `{ConditionMemoryPressure, StatusTrue, TaintMemoryPressure}, {ConditionMemoryPressure, StatusUnknown, TaintMemoryPressure},`},
	{"a second toleration moves the countdown", "control/tainteviction/evaluate.go", "old.created < c.now", "old.created > c.now"},
	{"the last toleration that matches", "control/tainteviction/evaluate.go", "used, found = append(used, &tolerations[k]), true\n\t\t\t\tbreak", "if found {\n\t\t\t\t\tused = used[:len(used)-1]\n\t\t\t\t}\n\t\t\t\tused, found = append(used, &tolerations[k]), true"},
	{"the longest toleration", "control/tainteviction/evaluate.go", "if t.Seconds.Value < shortest {", "if shortest == math.MaxInt64 || t.Seconds.Value > shortest {"},
	{"negative seconds are for ever", "control/tainteviction/evaluate.go", "if t.Seconds.Value <= 0 {\n\t\t\treturn 0, i", "if t.Seconds.Value < 0 {\n\t\t\treturn -1, i"},
	{"an empty value matches all", "control/tainteviction/evaluate.go", "return t.Value == taint.Value", `return t.Value == taint.Value || t.Value == "" || taint.Value == ""`},
	{"Gt holds at equality", "control/tainteviction/evaluate.go", "return value > bound", "return value >= bound"},
	{"numbers may begin with zeros", "control/tainteviction/evaluate.go", "return n, err == nil && strconv.FormatInt(n, 10) == s", "return n, err == nil"},
	{"countdowns survive the taint", "control/tainteviction/controller.go", `c.cancel(pod.Key, model.RuleTaintsGone,`, "_ = pod\n\t\t\tcontinue\n\t\t\tc.cancel(pod.Key, model.RuleTaintsGone,"},
	{"deleting the node ends countdowns", "control/tainteviction/controller.go", "c.know(name, false)\n\treturn nil", "c.know(name, false)\n\tfor k, t := range c.timers {\n\t\tif t.node == name {\n\t\t\tdelete(c.timers, k)\n\t\t}\n\t}\n\treturn nil"},
	{"tombstones, as in 1.32", "control/tainteviction/controller.go", "return !v.AtLeast(1, 33)", "return true"},
}

// TestMutants proves that TestAgreement can fail. Each mutant costs a build of the models
// and a link; without -mutants only the texts are looked for.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		if !strings.Contains(m.name, *mutant) {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			path, err := filepath.Abs(filepath.Join("..", m.file))
			if err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(source), m.old); n != 1 {
				t.Fatalf("%s has the text %d times, not once", m.file, n)
			}
			if *breed {
				breedOne(t, path, strings.Replace(string(source), m.old, m.new, 1))
			}
		})
	}
}

// breedOne builds this test with one file replaced, and wants it to disagree.
func breedOne(t *testing.T, path, source string) {
	dir := t.TempDir()
	mutated, overlay := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutated}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{mutated: []byte(source), overlay: replace} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "mutant.test")
	if out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("does not compile: %v\n%s", err, out)
	}
	out, err := exec.Command(binary, "-test.run", "^TestAgreement", "-scenarios", fmt.Sprint(*scenarios), "-seed", fmt.Sprint(*seed), "-stop").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "only the ") {
		t.Fatalf("not caught: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "only the ") {
			t.Logf("caught: %s", strings.TrimSpace(line))
			break
		}
	}
}
