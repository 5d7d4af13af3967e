package open

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
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
	"kardia/model/infer/processes"
)

var randomLogs = flag.String("random.logs", "testdata/random", "audit logs of random scenarios, with what is true of them, as TestAuditLogs of model/conformance writes them")
var randomOnly = flag.String("random.only", "", "those of them that match")

// played is a random scenario that the real controllers played: its audit log, without Events and
// leader leases, and what is true of it.
type played struct {
	Path     string
	Scenario string
	Flags    map[string]string
	Restarts []struct {
		Process          string
		Stopped, Started time.Time
	}
	Forged *struct {
		What, Node, Pod string
		At              time.Time
	}
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

func (p *played) run(t *testing.T, params model.Params) (*infer.Result, *hypotheses.Found) {
	t.Helper()
	o, err := Open(context.Background(), []string{p.Path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := infer.Run(o.History, infer.Options{Params: params})
	if err != nil {
		t.Fatal(err)
	}
	if res, err = hypotheses.Weigh(res); err != nil {
		t.Fatal(err)
	}
	found, err := hypotheses.Search(res)
	if err != nil {
		t.Fatal(err)
	}
	return found.Base, found
}

// open are the numbers of the writes that nothing explains.
func open(r *infer.Result) (list []int) {
	for i := range r.Writes {
		if r.Writes[i].Decision == 0 {
			list = append(list, r.Writes[i].Number)
		}
	}
	return list
}

// tally counts what became of random scenarios.
type tally struct {
	logs, whole            int
	restarts, told, missed int // restarts that leave two or more contradicting writes
	alleged                int // hypotheses of a restart where there was none
	forged, away           int // forged writes, and those that are explained
	caught, unjudged       int // and those that are unexplained, or listed as not judged
	contradicted           int // logs whose true flags, given by hand, are contradicted
	inferred, open, wrong  int // flags that are inferred; not decided; wrong
}

func (n *tally) String() string {
	return fmt.Sprintf(`
logs                                          %4d, explained wholly %d
restarts that leave contradicting writes      %4d, told %d, missed %d
restarts alleged that never were              %4d
forged writes                                 %4d, explained away %d, unexplained %d, not judged %d
logs whose true flags are contradicted        %4d
flags inferred                                %4d, not decided %d, wrong %d`,
		n.logs, n.whole, n.restarts, n.told, n.missed, n.alleged, n.forged, n.away, n.caught, n.unjudged, n.contradicted, n.inferred, n.open, n.wrong)
}

// TestRandomScenarios: whatever a restart leaves that contradicts what is known is told with the
// time of the restart, and a write forged under a controller's identity is never explained.
func TestRandomScenarios(t *testing.T) {
	var n tally
	eachPlayed(t, func(t *testing.T, p *played) {
		n.logs++
		res, found := p.run(t, p.params(t, model.FromFlag))
		v := verify.Evaluate(found)
		if len(res.Contradicted) > 0 {
			n.contradicted++
			t.Errorf("%s: its own flags are contradicted: %v", p.Path, res.Contradicted)
		}
		if v.Exit == 0 {
			n.whole++
		}
		if v.Exit == 0 && (res.Findings() > 0 || v.ExplainedIf > 0) {
			t.Errorf("%s: exit 0 with %d findings", p.Path, res.Findings())
		}
		if p.leavesTraces(t, res) {
			n.restarts++
			if p.tells(found) {
				n.told++
			} else {
				n.missed++
				t.Errorf("%s: the restart at %v is not told: %s", p.Path, p.Restarts, saidBy(found))
			}
		}
		for _, h := range found.Hypotheses {
			if h.Counts && h.Kind == hypotheses.Restart && len(h.Or) == 0 && !p.restarted(&h) {
				n.alleged++
				t.Errorf("%s: there was no restart: %s %v, settles %d of %d", p.Path, h.What, p.Restarts, len(h.Writes), len(open(res)))
			}
		}
		if p.Forged != nil {
			n.forged++
			switch p.becameOf(res, found) {
			case "unexplained":
				n.caught++
			case "not judged":
				n.unjudged++
			default:
				n.away++
				t.Errorf("%s: the forged %s of %s at %s is explained away", p.Path, p.Forged.What, p.Forged.Node, p.Forged.At)
			}
		}
	})
	t.Log(&n)
}

// TestRandomFlags: of logs whose flags nobody states, whatever is inferred contains the truth, or is
// said not to be decided.
func TestRandomFlags(t *testing.T) {
	var n tally
	eachPlayed(t, func(t *testing.T, p *played) {
		n.logs++
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
			case x.Fits.Known && fit.Or != "":
				n.open++
				continue
			case x.From == model.FromInferred:
				n.inferred++
			}
			if value := plain(t, is.Value); x.Fits.Known && (value < fit.Min || value > fit.Max) || x.From == model.FromInferred && !x.Fits.Known {
				n.wrong++
				t.Errorf("%s: %s is taken to be %s (%s), within %v, and is %s", p.Path, name, x.Value, x.From, fit, is.Value)
			}
		}
	})
	t.Log(&n)
}

// plain is the value of a flag as a number, durations in seconds.
func plain(t *testing.T, text string) float64 {
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds()
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// leavesTraces says that driving the models under the true restarts explains two writes or more that
// are not explained without, and are not of one decision.
func (p *played) leavesTraces(t *testing.T, res *infer.Result) bool {
	if len(p.Restarts) == 0 {
		return false
	}
	var list []infer.Assumption
	for _, r := range p.Restarts {
		a := infer.Assumption{Kind: infer.Restarted, Who: processes.TaintEviction, Stopped: model.At(r.Stopped),
			At: model.Interval{Earliest: model.At(r.Started).Add(-50 * time.Millisecond), Latest: model.At(r.Started).Add(100 * time.Millisecond)}}
		if r.Process == "node-lifecycle" {
			a.Who = processes.NodeLifecycle
		}
		if n := len(list); n > 0 && list[n-1].At == a.At {
			list[n-1].Who |= a.Who
			continue
		}
		list = append(list, a)
	}
	truly, err := res.Assuming(list)
	if err != nil {
		t.Fatal(err)
	}
	var settled []int
	for i := range truly.Writes {
		if w := &truly.Writes[i]; w.Decision != 0 && slices.Contains(open(res), w.Number) {
			settled = append(settled, w.Number)
		}
	}
	return len(open(truly)) <= len(open(res))-2 && hypotheses.Traces(res, settled) >= 2
}

const apart = time.Second

// restarted says that a process truly restarted within the window of a hypothesis, or nearly.
func (p *played) restarted(h *hypotheses.Hypothesis) bool {
	for _, r := range p.Restarts {
		if at := model.At(r.Started); h.Window.Earliest.Add(-apart) <= at && at <= h.Window.Latest.Add(apart) {
			return true
		}
	}
	return false
}

func (p *played) tells(found *hypotheses.Found) bool {
	for _, h := range found.Hypotheses {
		if h.Counts && h.Kind == hypotheses.Restart && p.restarted(&h) {
			return true
		}
	}
	return false
}

// becameOf says what is made of the forged write: unexplained, if no decision and no hypothesis that
// counts explains it, or not judged; empty where it is neither.
func (p *played) becameOf(res *infer.Result, found *hypotheses.Found) string {
	kinds := map[string]model.DecisionKind{"taint": model.TaintNoExecute, "untaint": model.UntaintNoExecute, "mark": model.MarkUnknown,
		"pressure": model.AddNoSchedule, "unready": model.MarkPodsNotReady, "evict": model.EvictPod}
	at, settled := model.At(p.Forged.At), found.If()
	is := func(w infer.Write) bool {
		return w.Kind == kinds[p.Forged.What] && w.Node == p.Forged.Node && w.Time.Earliest.Sub(at).Abs() <= time.Millisecond
	}
	switch i := slices.IndexFunc(res.Writes, is); {
	case i >= 0 && res.Writes[i].Decision == 0 && settled[res.Writes[i].Number] == "":
		return "unexplained"
	case i < 0 && slices.ContainsFunc(res.NotJudged, is):
		return "not judged"
	}
	return ""
}

func saidBy(found *hypotheses.Found) (text string) {
	for _, h := range found.Hypotheses {
		text += h.What + "; "
	}
	return text
}

// TestARestartNobodyTellsOf: without Events the restart of a real controller manager is told with its
// time by what it did, from any evidence, and what that settles is explained only if it holds.
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
		if x := v.Hypotheses[0]; x.Kind != hypotheses.Restart || !x.Counts || len(x.For) == 0 || len(x.Against) == 0 ||
			truth < x.Window.Earliest.Add(-c.apart) || truth > x.Window.Latest.Add(c.apart) || x.Window.Width() > 4*c.apart {
			t.Errorf("%s: %+v, and it was %s", evidence, x, truth)
		}
	}
}

// TestWhatIsExplainedNeedsNoHypothesis: incidents that are explained by what is known get none.
func TestWhatIsExplainedNeedsNoHypothesis(t *testing.T) {
	for name := range totals {
		res, _ := shadowed(t, incident(t, name, auditLog).History, flags)
		if found, err := hypotheses.Search(res); err != nil || len(found.Hypotheses) > 0 || found.Result != res {
			t.Errorf("%s: %v %v", name, err, found.Hypotheses)
		}
	}
}
