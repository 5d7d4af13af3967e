package open

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/hypotheses/hypothesestest"
	"kardia/model/infer/processes"
)

var randomLogs = flag.String("random.logs", "testdata/random", "audit logs of random scenarios, with what is true of them, as TestAuditLogs of model/conformance writes them")
var randomOnly = flag.String("random.only", "", "those of them that match")

// played is a random scenario that the real controllers played: its audit log, without Events and leader leases, and
// the truth about it.
type played struct {
	Path     string
	Scenario string
	Flags    map[string]string
	hypothesestest.Truth
}

func eachPlayed(t *testing.T, visit func(t *testing.T, p *played)) {
	paths, err := filepath.Glob(filepath.Join(*randomLogs, "*.truth.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenarios in %s: %v", *randomLogs, err)
	}
	for _, path := range paths {
		if ok, err := regexp.MatchString(*randomOnly, filepath.Base(path)); err != nil || !ok {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := &played{Path: strings.TrimSuffix(path, ".truth.json") + ".log.gz"}
		if err := json.Unmarshal(text, p); err != nil {
			t.Fatal(err)
		}
		visit(t, p)
	}
}

// params are the flags it was played under.
func (p *played) params(t *testing.T, from model.Provenance) model.Params {
	out := flags
	duration := func(to *model.Param[time.Duration], name string) {
		d, err := time.ParseDuration(p.Flags[name])
		if err != nil {
			t.Fatal(err)
		}
		*to = model.Param[time.Duration]{Value: d, From: from}
	}
	number := func(name string) float64 {
		f, err := strconv.ParseFloat(p.Flags[name], 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	duration(&out.NodeMonitorPeriod, "node-monitor-period")
	duration(&out.NodeMonitorGracePeriod, "node-monitor-grace-period")
	duration(&out.NodeStartupGracePeriod, "node-startup-grace-period")
	out.NodeEvictionRate = model.Param[float32]{Value: float32(number("node-eviction-rate")), From: from}
	out.SecondaryNodeEvictionRate = model.Param[float32]{Value: float32(number("secondary-node-eviction-rate")), From: from}
	out.LargeClusterSizeThreshold = model.Param[int32]{Value: int32(number("large-cluster-size-threshold")), From: from}
	out.UnhealthyZoneThreshold = model.Param[float32]{Value: float32(number("unhealthy-zone-threshold")), From: from}
	return out
}

func (p *played) run(t *testing.T, params model.Params) *hypotheses.Found {
	t.Helper()
	o, err := Open(context.Background(), []string{p.Path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := hypothesestest.Search(o.History, params)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRandomScenarios: a restart that leaves contradicting writes is reported with its time, and a write forged under a
// controller's identity is never explained.
func TestRandomScenarios(t *testing.T) {
	var n hypothesestest.Tally
	eachPlayed(t, func(t *testing.T, p *played) {
		found := p.run(t, p.params(t, model.FromFlag))
		if v := verify.Evaluate(found); v.Exit == 0 && (found.Base.Findings() > 0 || v.ExplainedIf > 0) {
			t.Errorf("%s: exit 0 with %d findings", p.Path, found.Base.Findings())
		}
		wrong, err := n.Judge(&p.Truth, found)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wrong {
			t.Errorf("%s: %s", p.Path, w)
		}
	})
	t.Log(&n)
}

// TestRandomFlags: from logs without stated flags, every inferred value contains the truth, or is reported as not
// decided.
func TestRandomFlags(t *testing.T) {
	var logs, inferred, undecided, wrong int
	eachPlayed(t, func(t *testing.T, p *played) {
		logs++
		o, err := Open(context.Background(), []string{p.Path}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, _ := shadowed(t, o.History, flags)
		used, truth := verify.Evaluate(&hypotheses.Found{Base: res, Result: res}).Params, p.params(t, model.FromFlag)
		for name, is := range verify.Evaluate(&hypotheses.Found{Base: &infer.Result{Params: truth}, Result: &infer.Result{}}).Params {
			x := used[name]
			fit := x.Fits.Value
			switch {
			case x.Fits.Known && fit.Or.Code != 0:
				undecided++
				continue
			case x.From == model.FromInferred:
				inferred++
			}
			if value := numeric(t, is.Value); x.Fits.Known && (value < fit.Min || value > fit.Max) || x.From == model.FromInferred && !x.Fits.Known {
				wrong++
				t.Errorf("%s: %s is taken to be %s (%s), within %v, and is %s", p.Path, name, x.Value, x.From, fit, is.Value)
			}
		}
	})
	t.Logf("%d logs, flags inferred %d, not decided %d, wrong %d", logs, inferred, undecided, wrong)
}

// numeric is the value of a flag as a number, durations in seconds.
func numeric(t *testing.T, text string) float64 {
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds()
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestARestartNobodyTellsOf: without Events the restart of a real controller manager is found with its time by its
// effects, from any evidence, and an explanation by it counts only if it holds.
func TestARestartNobodyTellsOf(t *testing.T) {
	truth := model.At(time.Date(2026, 11, 21, 5, 7, 51, 610e6, time.UTC)) // its first pass, by its own log
	for evidence, c := range map[string]struct {
		files func(string) bool
		apart time.Duration
	}{"watch files": {watchFiles, time.Second}, "audit log": {auditLog, 50 * time.Millisecond}, "both": {everything, 50 * time.Millisecond}} {
		h := incident(t, "restart", c.files).History
		list := slices.DeleteFunc(changesOf(t, h), func(ch model.Change) bool { return ch.Kind == model.KindEvent || ch.Kind == model.KindLeaderLease })
		res, known := shadowed(t, history.NewMemory(list, h.Coverage(), nil, h.Sources()), flags)
		found, err := hypotheses.Search(res)
		if err != nil {
			t.Fatal(err)
		}
		v := verify.Evaluate(found)
		if len(v.Hypotheses) != 1 || v.Exit != 3 || v.ExplainedIf < 2 || v.Explained+v.ExplainedIf != v.Observed || v.Explained != known.Explained {
			t.Errorf("%s: exit %d, %d explained and %d if, of %d: %v", evidence, v.Exit, v.Explained, v.ExplainedIf, v.Observed, v.Hypotheses)
			continue
		}
		if x := v.Hypotheses[0]; x.Kind != processes.Restarted || !x.Counts || len(x.For) == 0 || len(x.Against) == 0 ||
			truth < x.Window.Earliest.Add(-c.apart) || truth > x.Window.Latest.Add(c.apart) || x.Window.Width() > 4*c.apart {
			t.Errorf("%s: %+v, and it was %s", evidence, x, truth)
		}
	}
}

// TestWhatIsExplainedNeedsNoHypothesis: incidents that known facts explain get none.
func TestWhatIsExplainedNeedsNoHypothesis(t *testing.T) {
	for name := range totals {
		res, _ := shadowed(t, incident(t, name, auditLog).History, flags)
		if found, err := hypotheses.Search(res); err != nil || len(found.Hypotheses) > 0 || found.Result != res {
			t.Errorf("%s: %v %v", name, err, found.Hypotheses)
		}
	}
}
