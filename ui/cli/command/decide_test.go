package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/internal/golden"
)

// decision is what decisions prints, as a script reads it.
type decision struct {
	ID, Kind, Outcome, Basis, Node, Zone, Pod string
	Time                                      time.Time
	Causes                                    []string
	Observed                                  *struct {
		Time   time.Time
		Window *struct{ Earliest, Latest time.Time }
	}
}

func readDecisions(t *testing.T, line string) (list []decision) {
	t.Helper()
	got := kardia(t, nil, line)
	if got.code != OK {
		t.Fatalf("%s: exit %d, %s", line, got.code, got.err)
	}
	for _, text := range strings.Split(strings.TrimSpace(got.out), "\n") {
		var d decision
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		list = append(list, d)
	}
	return list
}

// TestDecisionsGolden holds what each command says of a real incident.
func TestDecisionsGolden(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"decisions-node-loss":  "decisions demo:node-loss --node ip-10-0-2-003",
		"why-pod":              "why demo:node-loss --pod default/quick-ip-10-0-2-003-0",
		"why-zone":             "why demo:all-dark --zone zone-1 --at +150s",
		"evictions-all-dark":   "get evictions demo:all-dark --at +150s",
		"evictions-zone":       "get evictions demo:zone-outage --at +140s",
		"zones-all-dark":       "get zones demo:all-dark --at +150s",
		"verify-node-loss":     "verify demo:node-loss",
		"margin-all-dark":      "margin demo:all-dark",
		"impact":               "get impact demo:zone-outage --at +150s",
		"impact.json":          "get impact demo:node-loss --at +200s -o json",
		"verdict-zone":         "verdict demo:zone-outage --at +75s",
		"verdict-zone-back":    "verdict demo:zone-outage --at +302s",
		"verdict-all-dark":     "verdict demo:all-dark --at +150s",
		"verdict-node.json":    "verdict demo:node-loss --at +100s -o json",
		"whatif-node-loss":     "whatif demo:node-loss --node-monitor-grace-period=180s",
		"whatif-zone-outage":   "whatif demo:zone-outage --node-monitor-grace-period=120s",
		"whatif-tolerations":   "whatif demo:all-dark --toleration-seconds 900",
		"whatif-sweep":         "whatif demo:node-loss --sweep node-monitor-grace-period=60s..420s/60s",
		"whatif-from.json":     "whatif demo:node-loss --from +370s --toleration-seconds 400 -o json",
		"whatif-edits":         "whatif demo:zone-outage --from +60s --edit return_b-003_+120s --edit kill_a-001_+70s --for 5m",
		"decision-taint.jsonl": "decisions demo:node-loss --kind TaintNoExecute -o jsonl",
	} {
		words := strings.Fields(line)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		got := kardiaIn(t.Context(), nil, "kardia", words...)
		if got.code != OK {
			t.Errorf("%s: exit %d\n%s%s", line, got.code, got.out, got.err)
		}
		golden.Compare(t, "decide/"+name+".txt", got.out)
	}
}

// TestVerifyDemos: every write of the real controllers is explained, and the totals are
// those of the recordings; a wrong flag is found out.
func TestVerifyDemos(t *testing.T) {
	t.Parallel()
	for demo, writes := range map[string]int{"shop": 86, "zone-outage": 95, "node-loss": 23, "all-dark": 96} {
		got := kardia(t, nil, "verify -o json demo:"+demo)
		var v struct{ Observed, Explained int }
		if err := json.Unmarshal([]byte(got.out), &v); err != nil {
			t.Fatal(err)
		}
		if got.code != OK || v.Observed != writes || v.Explained != writes {
			t.Errorf("%s: exit %d, %+v, want %d\n%s", demo, got.code, v, writes, got.err)
		}
		if got := kardia(t, nil, "verify --node-monitor-grace-period 40s demo:"+demo); got.code != Found {
			t.Errorf("%s with a grace of 40s: exit %d", demo, got.code)
		}
	}
}

// TestATerminatingPodIsNotSpared: the pod was deleted when its countdown ran out; that its node came back before it was
// gone spared it nothing. Another of the same zone, which was not deleted, was spared.
func TestATerminatingPodIsNotSpared(t *testing.T) {
	t.Parallel()
	got := kardia(t, nil, "why demo:all-dark --pod default/app-p-001-0")
	if got.code != OK || !strings.Contains(got.out, "default/app-p-001-0  taint eviction") || strings.Contains(got.out, "SPARED") {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
	if got := kardia(t, nil, "why demo:all-dark --pod default/app-q-001-0"); !strings.Contains(got.out, "\nSPARED\n") {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
}

// TestAContradictedFlag: no command tells a decision under a flag that contradicts what was seen;
// each says so at once, with the value that fits.
func TestAContradictedFlag(t *testing.T) {
	t.Parallel()
	const flag = " demo:node-loss --node-monitor-grace-period 20s"
	for _, line := range []string{"decisions", "decisions -o jsonl", "decisions --all", "why --node ip-10-0-2-003", "get evictions", "verify", "verify -o json", "get zones", "get impact", "check", "margin", "verdict", "replay --once --at +240s"} {
		got := kardia(t, nil, line+flag)
		if got.code != Found || !strings.Contains(got.err, "--node-monitor-grace-period=20s contradicts what was seen, 50s fits") {
			t.Errorf("%s: exit %d, %s", line, got.code, got.err)
		}
		for _, invented := range []string{"MarkUnknown", "23:43:37", "grace 20s", "in force"} {
			if strings.Contains(got.out, invented) && !strings.Contains(line, "verify") {
				t.Errorf("%s tells of %s:\n%s", line, invented, got.out)
			}
		}
	}
	var v struct {
		Observed, Explained int
		Unobserved          []any
		Contradicted        []struct{ Flag, Given, Fits string }
	}
	if err := json.Unmarshal([]byte(kardia(t, nil, "verify -o json"+flag).out), &v); err != nil {
		t.Fatal(err)
	}
	if v.Observed != 23 || v.Explained != 0 || len(v.Unobserved) > 0 || len(v.Contradicted) != 1 || v.Contradicted[0].Fits != "50s" {
		t.Errorf("%+v", v)
	}
	for _, fits := range []string{"--node-monitor-grace-period 46s", "--node-eviction-rate 0.5"} { // one node, and no second token
		if got := kardia(t, nil, "verify demo:node-loss "+fits); got.code != OK {
			t.Errorf("%s: exit %d\n%s", fits, got.code, got.err)
		}
	}
}

// TestDecisionsFilter: each filter keeps what it names, and nothing else.
func TestDecisionsFilter(t *testing.T) {
	all := readDecisions(t, "decisions demo:zone-outage -o jsonl")
	ids := map[string]bool{}
	for _, d := range readDecisions(t, "decisions demo:zone-outage --all -o jsonl") {
		ids[d.ID] = true
	}
	for i, d := range all {
		for _, id := range append(d.Causes, d.ID) {
			// The first state of a zone was decided before the recording begins.
			if !ids[id] && d.Kind != "ZoneState" {
				t.Errorf("%s %s rests on %s, which --all does not print", d.Kind, d.Node, id)
			}
		}
		if i > 0 && d.Time.Before(all[i-1].Time) {
			t.Errorf("%s comes after %s", all[i-1].Time, d.Time)
		}
	}
	for line, keeps := range map[string]func(decision) bool{
		"--node b-003":                func(d decision) bool { return d.Node == "b-003" },
		"--zone us-east-1b":           func(d decision) bool { return d.Zone == "us-east-1b" },
		"--pod default/app-b-003-0":   func(d decision) bool { return d.Pod == "default/app-b-003-0" },
		"--kind evictpod,MarkUnknown": func(d decision) bool { return d.Kind == "EvictPod" || d.Kind == "MarkUnknown" },
		"--from 23:54:00 --to 23:54:30": func(d decision) bool {
			return d.Time.Format("15:04:05") >= "23:54:00" && d.Time.Format("15:04:05") < "23:54:30"
		},
		"--node b-003 --kind MarkUnknown":   func(d decision) bool { return d.Node == "b-003" && d.Kind == "MarkUnknown" },
		"--zone us-east-1b --kind EvictPod": func(d decision) bool { return d.Zone == "us-east-1b" && d.Kind == "EvictPod" },
	} {
		want := 0
		for _, d := range all {
			if keeps(d) {
				want++
			}
		}
		got := readDecisions(t, "decisions demo:zone-outage -o jsonl "+line)
		for _, d := range got {
			if !keeps(d) {
				t.Errorf("%s keeps %+v", line, d)
			}
		}
		if want == 0 || len(got) != want {
			t.Errorf("%s: %d decisions, want %d", line, len(got), want)
		}
	}
}

// TestDeclinedOnDemand: --all says for every pass what it left undone, and never what it did.
func TestDeclinedOnDemand(t *testing.T) {
	span := " --node b-003 --from 23:53:00 --to 23:54:00 -o jsonl"
	for _, d := range readDecisions(t, "decisions demo:zone-outage"+span) {
		if d.Outcome == "declined" {
			t.Errorf("not asked for: %s %s", d.Kind, d.Time)
		}
	}
	declined, did := map[string][]time.Time{}, map[string]time.Time{}
	var last time.Time
	for _, d := range readDecisions(t, "decisions demo:zone-outage --all"+span) {
		what := d.Kind + " " + d.Pod
		switch d.Outcome {
		case "declined":
			declined[what] = append(declined[what], d.Time)
			if at, ok := did[what]; ok && d.Basis != "observed" && d.Kind != "EvictPod" {
				t.Errorf("%s at %s is declined at %s", what, at, d.Time)
			}
		case "did":
			did[what] = d.Time
		}
		if d.Time.Before(last) {
			t.Errorf("%s %s is out of order", what, d.Time)
		}
		last = d.Time
	}
	// It is declared in the fifth pass, tainted in the second after that.
	if n := len(declined["MarkUnknown "]); n != 4 {
		t.Errorf("declined to declare it %d times: %v", n, declined["MarkUnknown "])
	}
	if n := len(declined["TaintNoExecute "]); n != 1 {
		t.Errorf("declined to taint it %d times: %v", n, declined["TaintNoExecute "])
	}
	if n := len(declined["EvictPod default/app-b-003-0"]); n < 3 {
		t.Errorf("declined to delete a pod %d times", n)
	}
	got := kardia(t, nil, "decisions demo:zone-outage --all --kind MarkUnknown --node a-000 --from 23:53:00 --to 23:53:30")
	if got.code != OK || strings.Count(got.out, "declined") < 5 {
		t.Errorf("a node that beats: exit %d\n%s%s", got.code, got.out, got.err)
	}
}

// TestEvictionsHappen: what was expected of a pod at any instant of the outage is what came
// to it: deleted within its window, or not at all where its node came back first.
func TestEvictionsHappen(t *testing.T) {
	t.Parallel()
	type window struct{ earliest, latest time.Time }
	deleted := map[string]window{}
	for _, d := range readDecisions(t, "decisions demo:zone-outage --kind EvictPod -o jsonl") {
		if d.Observed != nil {
			w := window{d.Observed.Time, d.Observed.Time}
			if d.Observed.Window != nil {
				w.earliest = d.Observed.Window.Earliest
			}
			deleted[d.Pod] = w
		}
	}
	// A delete is sent a little after it is decided.
	const lag = 500 * time.Millisecond
	seen, became := 0, 0
	for second := 90; second <= 240; second += 10 {
		line := fmt.Sprintf("get evictions demo:zone-outage --at +%ds -o json", second)
		got := kardia(t, nil, line)
		var e struct {
			Evictions []struct {
				Namespace, Pod, State string
				Earliest, Latest      time.Time
				Became                *struct {
					Fate string
					Time time.Time
				}
			}
		}
		if err := json.Unmarshal([]byte(got.out), &e); err != nil {
			t.Fatalf("%s: %v, %s", line, err, got.err)
		}
		for _, e := range e.Evictions {
			w, was := deleted[e.Namespace+"/"+e.Pod]
			if b := e.Became; b != nil && (b.Fate != "came-true" || !was || b.Time.Before(w.earliest.Add(-lag)) || b.Time.After(w.latest)) {
				t.Errorf("%s: %s became %v, and was deleted %v within %v", line, e.Pod, *b, was, w)
			} else if b != nil {
				became++
			}
			switch {
			case e.State == "forever" && was:
				t.Errorf("%s: %s stays forever, and was deleted", line, e.Pod)
			case !was || e.Earliest.IsZero():
			case w.latest.Before(e.Earliest) || w.earliest.After(e.Latest.Add(lag)):
				t.Errorf("%s: %s is due from %s to %s, and was deleted at %s", line, e.Pod, e.Earliest, e.Latest, w.latest)
			default:
				seen++
			}
		}
	}
	if seen < 100 || became < 100 {
		t.Errorf("only %d expectations were met, and %d told", seen, became)
	}
}

// TestNobody: a subject that does not exist is no subject without decisions.
func TestNobody(t *testing.T) {
	for line, says := range map[string]string{
		"why demo:all-dark --node nonsense":    `there is no node "nonsense"`,
		"why demo:all-dark --zone nonsense":    `there is no zone "nonsense"`,
		"why demo:all-dark --pod default/none": `there is no pod "default/none"`,
		"decisions demo:all-dark --node p-03":  "Near that: p-003.",
		"decisions demo:all-dark --node nope":  "There are p-000, p-001, ",
		"decisions demo:all-dark --zone zone":  "Near that: none, dc1/zone-1, dc1/zone-2.",
		"decisions demo:all-dark --pod a/b":    `there is no pod "a/b"`,
		"get nodes demo:all-dark --node P-003": "Near that: p-003",
		"replay demo:all-dark --node nope":     "There are p-000, p-001, ",
		"demo all-dark --node P-003":           "Near that: p-003",
	} {
		if got := kardia(t, nil, line); got.code != Misused || !strings.Contains(got.err, says) || got.out != "" {
			t.Errorf("%s: exit %d, %s", line, got.code, got.err)
		}
	}
}

// TestNothingInvented: a capture supports no judgement, and says so.
func TestNothingInvented(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.json")
	const list = `{"apiVersion":"v1","kind":"NodeList","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"a",
"uid":"11111111-1111-4111-8111-111111111111","resourceVersion":"5","creationTimestamp":"2026-01-01T00:00:00Z"},
"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}]}`
	if err := os.WriteFile(path, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"verify", "decisions", "why --node a"} {
		got := kardia(t, nil, line+" "+path)
		if got.code != Partial || !strings.Contains(got.err, "a capture shows one time") || strings.Contains(got.out, "silent") {
			t.Errorf("%s: exit %d\n%s%s", line, got.code, got.out, got.err)
		}
	}
	if got := kardia(t, nil, "get zones -o json "+path); !strings.Contains(got.out, `"state": null`) || !strings.Contains(got.out, `"rate": null`) {
		t.Error(got.out)
	}
}

// TestANodeThatReturnsIsNotOverdue: in the seconds between the kubelet's return and the pass that
// sees it, what the controller has counted so far says nothing of what it will decide.
func TestANodeThatReturnsIsNotOverdue(t *testing.T) {
	for _, line := range []string{
		"why demo:node-loss --node ip-10-0-2-003 --at 23:50:44",
		"why demo:zone-outage --node b-003 --at 23:57:06.6",
	} {
		got := kardia(t, nil, line)
		if got.code != OK || strings.Contains(got.out, "-6m") || strings.Contains(got.out, "−") || !strings.Contains(got.out, "a heartbeat came that no pass has counted yet") {
			t.Errorf("%s: exit %d\n%s%s", line, got.code, got.out, got.err)
		}
	}
}
