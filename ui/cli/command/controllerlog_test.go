package command

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// zoneOutageLog is the controller manager's log of demo:zone-outage, with changes: pairs of what a line holds and what it holds
// instead.
func zoneOutageLog(t *testing.T, changes ...string) (path string) {
	t.Helper()
	f, err := os.Open("../../../sources/read/klog/testdata/zone-outage.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for i := 0; i+1 < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("the log does not hold %q", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	path = filepath.Join(t.TempDir(), "kube-controller-manager.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What zone us-east-1b is judged to be when four of its ten nodes are not Ready any more, and two others when it was.
const (
	judgedNormal  = "I1120 23:56:59.028751   22331 node_lifecycle_controller.go:1063] \"Controller detected that zone is now in new state\" zone=\"us-east-1:\\x00:us-east-1b\" newState=\"Normal\"\n"
	judgedPartial = "I1120 23:56:59.028751   22331 node_lifecycle_controller.go:1063] \"Controller detected that zone is now in new state\" zone=\"us-east-1:\\x00:us-east-1b\" newState=\"PartialDisruption\"\n"
	normalLater   = "I1120 23:57:09.050000   22331 node_lifecycle_controller.go:1063] \"Controller detected that zone is now in new state\" zone=\"us-east-1:\\x00:us-east-1b\" newState=\"Normal\"\n"
)

// The states of zones that a log tells of bound the threshold: a value that they disprove is refused, one that is not given is
// inferred from them, and the passes of which the log tells bound the period.
func TestTheControllersLogBoundsFlags(t *testing.T) {
	t.Parallel()
	truth, partial := zoneOutageLog(t), zoneOutageLog(t, judgedNormal, judgedPartial+normalLater)
	for _, c := range []struct {
		line        string
		code        Code
		shows, hide []string
	}{
		{"verify demo:zone-outage " + truth, OK, []string{"unhealthy-zone-threshold       0.55    default   0.4001 or more", "0 contradictions"}, nil},
		{"verify demo:zone-outage --unhealthy-zone-threshold 0.2", OK, []string{"0.2     flag      -"}, nil}, // without the log anything would do
		{"verify --unhealthy-zone-threshold 0.2 demo:zone-outage " + truth, Found, []string{"0.55 fits", "0.4001 or more"}, nil},
		{"verify --unhealthy-zone-threshold 0.41 demo:zone-outage " + truth, OK, []string{"0 contradictions"}, nil},
		{"verify demo:zone-outage " + partial, OK, []string{"0.4     inferred   0 to 0.4", "0 contradictions"}, nil},
		{"verify --unhealthy-zone-threshold 0.55 demo:zone-outage " + partial, Found, []string{"0.4 fits", "0 to 0.4"}, nil},
		{"verify --unhealthy-zone-threshold 0.3 demo:zone-outage " + partial, OK, []string{"0 contradictions"}, nil},
		{"report demo:zone-outage " + truth, OK, []string{"0.4001 or more"}, nil},
		// Where no observation bounds a flag, other values are tried: "anything" is said only if verify accepts any.
		{"verify --secondary-node-eviction-rate 1 demo:zone-outage", OK, []string{"95 of 95"}, nil},
		{"verify scenario:small-zone-partial", OK, []string{"unhealthy-zone-threshold       0.55    input   0.55 to 0.6"}, nil},
		{"verify --unhealthy-zone-threshold 0.9 scenario:small-zone-partial", Found, []string{"0.55 fits"}, nil},
	} {
		got := kardia(t, nil, c.line)
		if got.code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.line, got.code, c.code, got.err)
		}
		for _, want := range c.shows {
			if !strings.Contains(got.out+got.err, want) {
				t.Errorf("%s: %q is missing in\n%s%s", c.line, want, got.err, got.out)
			}
		}
		for _, not := range c.hide {
			if strings.Contains(got.out+got.err, not) {
				t.Errorf("%s: %q is said in\n%s", c.line, not, got.out)
			}
		}
	}
}

// Where the controller's log and the models disagree, the report says so first, and its exit code is that of verify; what the
// log says of zones is what the timeline, the table of zones and 'get zones' say.
func TestTheControllersLogIsBelieved(t *testing.T) {
	t.Parallel()
	const dark = "23:57:00Z"
	full := zoneOutageLog(t, judgedNormal, strings.Replace(judgedPartial, "PartialDisruption", "FullDisruption", 1)+normalLater)
	input := " demo:zone-outage " + full
	report := kardia(t, nil, "report"+input)
	lines := strings.SplitN(report.out, "\n", 6)
	if len(lines) < 5 || !strings.HasPrefix(lines[4], "The controllers' own logs and the models disagree in 2 statements: ZoneState of us-east-1/us-east-1b at 23:56:59Z") {
		t.Errorf("the report begins\n%.600s", report.out)
	}
	if judged := kardia(t, nil, "verify"+input); judged.code != Found || report.code != judged.code {
		t.Errorf("verify exits with %d, report with %d", judged.code, report.code)
	}
	var made struct {
		Zones []struct{ Time, Zone, State string }
	}
	if err := json.Unmarshal([]byte(kardia(t, nil, "report -o json"+input).out), &made); err != nil {
		t.Fatal(err)
	}
	state := ""
	for _, z := range made.Zones {
		if z.Zone == "us-east-1/us-east-1b" && z.Time < "2026-11-20T"+dark {
			state = z.State
		}
	}
	zones := kardia(t, nil, "get zones -o wide --at "+dark+input)
	if state != "FullDisruption" || !strings.Contains(zones.out, "40.0%") || !strings.Contains(zones.out, "FullDisruption") {
		t.Errorf("the table of zones has %s, 'get zones'\n%s", state, zones.out)
	}
	dim := zoneOutageLog(t, judgedNormal, judgedNormal+"I1120 23:56:59.029751   22331 node_lifecycle_controller.go:1222] Controller detected that all Nodes are not-Ready. Entering master disruption mode.\n"+
		"I1120 23:57:09.050000   22331 node_lifecycle_controller.go:1222] Controller detected that some Nodes are Ready. Exiting master disruption mode.\n")
	for at, want := range map[string]string{"23:56:50Z": `"masterDisruption": false`, dark: `"masterDisruption": true`, "23:57:30Z": `"masterDisruption": false`} {
		if got := kardia(t, nil, "get zones -o json --at "+at+" demo:zone-outage "+dim); !strings.Contains(got.out, want) {
			t.Errorf("at %s %s is missing in\n%s%.1500s", at, want, got.err, got.out)
		}
	}
	decided := kardia(t, nil, "decisions -o wide --kind ZoneState"+input)
	if !strings.Contains(decided.out, "in its own log: FullDisruption") || strings.Contains(decided.out, "FullDisruption → Normal") {
		t.Errorf("%s", decided.out)
	}
}

// A hypothesis is the same in every command, and settles two writes or more: after a restart that explains 15 of them, two nodes
// that came back are no second one.
func TestOneHypothesisForAllCommands(t *testing.T) {
	t.Parallel()
	const cut, supposed = " testdata/witness/restart-and-return.mcap", "restarted, after nothing had been done since 2026-11-28T11:11:30"
	for line, want := range map[string]string{
		"verify":                               "H1  explained only if this holds: kube-controller-manager " + supposed,
		"decisions --kind ControllerStart":     "11:11:44.564Z",
		"why --node b5":                        supposed,
		"get evictions -o json":                "the controllers restarted 2026-11-28T11:11:44",
		"get evictions -o json --at 11:13:30Z": "the controllers restarted 2026-11-28T11:11:44",
		"check":                                supposed,
		"get zones":                            supposed,
		"report":                               "restarted at 11:11:44Z (supposed: no source shows it, and 15 writes are explained only so)",
	} {
		got := kardia(t, nil, line+cut)
		if !strings.Contains(got.out+got.err, want) {
			t.Errorf("%s: %q is missing in\n%s%s", line, want, got.err, got.out)
		}
		for _, second := range []string{"restarted between 2026-11-28T11:13", "restarted at 11:13"} {
			if strings.Contains(got.out+got.err, second) {
				t.Errorf("%s supposes a second restart", line)
			}
		}
	}
}

// A what-if counts as verify does: what pod garbage collection deletes is not judged; of pods that the input does not show
// nothing is said, not 0; and a taint that was swapped counts in the taint delay.
func TestWhatIfCountsAsVerifyDoes(t *testing.T) {
	const witness = "testdata/witness/"
	for _, c := range []struct {
		line        string
		code        Code
		shows, hide []string
	}{
		{"whatif --node-monitor-grace-period 60s " + witness + "collected.scenario", OK, []string{"reproduces 14 of 14 recorded writes and adds none"}, nil},
		{"report " + witness + "collected.scenario", OK, []string{"the simulation reproduces 14 of 14 recorded writes and adds none", "Spared by name"}, []string{"No answer"}},
		{"whatif --node-monitor-grace-period 2m " + witness + "metadata-renewals.log", Partial, nil, []string{"0 were deleted"}},
		{"whatif -o json --node-monitor-grace-period 60s " + witness + "swapped.scenario", OK, []string{`"deletedRecorded"`}, nil},
		{"report " + witness + "swapped.scenario", OK, []string{"| Taint delay | node tainted NoExecute − declared Unknown | 1 |"}, nil},
	} {
		got := kardia(t, nil, c.line)
		if got.code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.line, got.code, c.code, got.err)
		}
		for _, want := range c.shows {
			if !strings.Contains(got.out+got.err, want) {
				t.Errorf("%s: %q is missing in\n%s%.3000s", c.line, want, got.err, got.out)
			}
		}
		for _, not := range c.hide {
			if strings.Contains(got.out+got.err, not) {
				t.Errorf("%s: %q is said", c.line, not)
			}
		}
	}
	// A recording without pods: the demo's nodes and leases.
	for line, want := range map[string]string{"": "PODS       not known: the input shows no pods", " -o json": `"pods": null`} {
		nodes := podless(t)
		if got := kardia(t, nil, "whatif --node-monitor-grace-period 2m "+nodes+line); got.code != Partial || !strings.Contains(got.out, want) {
			t.Errorf("exit %d: %q is missing in\n%s%.2000s", got.code, want, got.err, got.out)
		}
	}
}

// podless is demo:zone-outage without its pods.
func podless(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"nodes.watch.jsonl.zst", "leases.watch.jsonl.zst"} {
		b, err := os.ReadFile("../../../sources/demo/zone-outage/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
