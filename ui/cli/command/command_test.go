package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"kardia/internal/golden"
	"kardia/model"
	"kardia/sources/capture/stream"
)

// fakeKube is a cluster that says what a test wants it to say.
type fakeKube struct {
	refuses error // Reach's answer
	batch   stream.Batch
	later   stream.Batch // what comes a little after batch, to who is still there
	fails   error        // Run's answer
	// pods is how many there are in all, podsOn on nodes; watched the kinds that were asked for last.
	pods    int
	podsOn  map[string]int
	watched []model.Kind
}

func (k *fakeKube) AddFlags(flags *pflag.FlagSet) { flags.String("context", "", "kubeconfig context") }
func (k *fakeKube) Context() string               { return "prod" }
func (k *fakeKube) Contexts() []string            { return []string{"prod", "staging"} }
func (k *fakeKube) Role() string                  { return "kind: ClusterRole\n" }
func (k *fakeKube) Reach(context.Context) (string, error) {
	return "v1.36.3", k.refuses
}
func (k *fakeKube) Watch(_ io.Writer, _ string, kinds ...model.Kind) (stream.Stream, error) {
	k.watched = kinds
	return k, nil
}
func (k *fakeKube) Pods(_ context.Context, _, node string) (int, error) {
	if node == "" {
		return k.pods, nil
	}
	return k.podsOn[node], nil
}

func (k *fakeKube) Name() string          { return "prod" }
func (k *fakeKube) ServerVersion() string { return "v1.36.3" }
func (k *fakeKube) Run(ctx context.Context, deliver func(stream.Batch)) error {
	if k.fails != nil {
		return k.fails
	}
	deliver(k.batch)
	if len(k.later.Changes) > 0 {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(200 * time.Millisecond):
			deliver(k.later)
		}
	}
	<-ctx.Done()
	return nil
}

// result is what a run left behind.
type result struct {
	code     Code
	out, err string
}

// kardia runs the program with the words of a command line.
func kardia(t *testing.T, kube *fakeKube, line string) result {
	t.Helper()
	return kardiaIn(context.Background(), kube, "kardia", strings.Fields(line)...)
}

func kardiaIn(ctx context.Context, kube *fakeKube, name string, args ...string) result {
	if kube == nil {
		kube = &fakeKube{refuses: errors.New("connection refused")}
	}
	return kardiaOn(ctx, kube, append([]string{name}, args...)...)
}

// kardiaOn runs the program on any cluster; the first word is the program's name.
func kardiaOn(ctx context.Context, kube Kube, args ...string) result {
	var out, stderr bytes.Buffer
	borrows := shelved.borrower()
	defer borrows.giveBack()
	code := Run(ctx, World{Args: args, In: strings.NewReader(""), Out: &out, Err: &stderr, Kube: kube, Opens: borrows.opens, Judges: borrows.judges})
	return result{code, out.String(), stderr.String()}
}

// Who names what can be opened, and no command, is told the one that opens it.
func TestWhatCanBeOpenedIsNoCommand(t *testing.T) {
	for _, path := range []string{"demo:all-dark", "testdata", "testdata/help-kardia-get.txt"} {
		if got := kardia(t, nil, path); got.code != Misused || !strings.Contains(got.err, "'kardia replay "+path+"' opens it") {
			t.Errorf("%s: exit %d, %s", path, got.code, got.err)
		}
	}
}

// TestMisuse: a command line that makes no sense gets exit code 2, one line that says why
// and one that says where to look, on stderr.
func TestMisuse(t *testing.T) {
	for line, says := range map[string]string{
		"nonsense":                                `there is no command "nonsense"`,
		"get":                                     "say what to get: nodes, zones, pods, evictions, impact or statements",
		"get leases":                              `there is no command "leases"`,
		"get nodes --nonsense":                    "unknown flag: --nonsense",
		"get nodes -o xml demo:all-dark":          "must be one of table, json",
		"get nodes --at +1s":                      "--at needs a PATH",
		"get zones demo:all-dark --node x":        "unknown flag: --node",
		"get nodes demo:all-dark --at tomorrow":   `"tomorrow" is not a time`,
		"get nodes demo:all-dark --at +2h":        "outside the recording",
		"get nodes demo:nonsense":                 "zone-outage, node-loss, all-dark",
		"demo nonsense":                           "zone-outage, node-loss, all-dark",
		"demo one two":                            `unexpected argument "two"`,
		"demo --view podz":                        "must be one of fleet, node, zones",
		"demo --node x --view zones":              "--node is shown by --view node",
		"demo --size 120":                         "as in 120x36",
		"demo --size 0x10":                        "as in 120x36",
		"demo --size 100000x100000":               "each from 1 to 1000",
		"demo --theme mauve":                      "must be one of auto, dark, light",
		"demo --glyphs runes":                     "must be one of auto, unicode, ascii",
		"demo --context prod":                     "unknown flag: --context",
		"replay":                                  "takes at least one PATH",
		"info":                                    "takes at least one PATH",
		"live audit.log":                          "'replay' shows recordings",
		"help nonsense":                           `there is no command "nonsense"`,
		"rbac now":                                `unexpected argument "now"`,
		"rbac --serviceaccount kardia":            `--serviceaccount "kardia" is not NAMESPACE:NAME`,
		"version --output xml":                    "must be one of table, json",
		"demo --node-monitor-period 0s":           `"--node-monitor-period" flag: must be a duration above 0`,
		"demo --node-monitor-grace-period 50":     `"--node-monitor-grace-period" flag: must be a duration above 0`,
		"demo --node-startup-grace-period 25h":    "up to 24h",
		"demo --node-eviction-rate -1":            `"--node-eviction-rate" flag: must be a number of 0 or more`,
		"demo --secondary-node-eviction-rate NaN": `"--secondary-node-eviction-rate" flag: must be a number of 0 or more`,
		"demo --large-cluster-size-threshold 1e9": `"--large-cluster-size-threshold" flag: must be a whole number`,
		"why demo:all-dark --node p-000 --node-monitor-period=-5s":                                               `"--node-monitor-period" flag: must be a duration above 0`,
		"get evictions demo:all-dark --node-monitor-grace-period=-50s":                                           `"--node-monitor-grace-period" flag: must be a duration above 0`,
		"verify demo:all-dark --large-cluster-size-threshold=-1":                                                 `"--large-cluster-size-threshold" flag: must be a whole number of 0 or more`,
		"decisions demo:all-dark --unhealthy-zone-threshold=-0.1":                                                `"--unhealthy-zone-threshold" flag: must be a number from 0 to 1`,
		"verify demo:all-dark --node-monitor-grace-period 4s":                                                    "--node-monitor-grace-period 4s must be a duration from --node-monitor-period, 5s, up to 24h",
		"why demo:all-dark --node p-000 --node-monitor-grace-period 4s":                                          "--node-monitor-grace-period 4s must be",
		"get evictions demo:all-dark --node-monitor-period 1m":                                                   "--node-monitor-grace-period 50s must be",
		"demo --unhealthy-zone-threshold 1.1":                                                                    `"--unhealthy-zone-threshold" flag: must be a number from 0 to 1`,
		"decisions demo:all-dark --node-monitor-grace-period 3s":                                                 "--node-monitor-grace-period 3s must be a duration from --node-monitor-period, 5s, up to 24h",
		"demo --node-monitor-period 1m":                                                                          "--node-monitor-grace-period 50s must be a duration from --node-monitor-period, 1m0s",
		"verify demo:all-dark --unhealthy-zone-threshold 1.1":                                                    `"--unhealthy-zone-threshold" flag: must be a number from 0 to 1`,
		"verify demo:all-dark --feature-gates AllAlpha=true":                                                     `"--feature-gates" flag: must be TaintTolerationComparisonOperators=true or =false`,
		"verify demo:all-dark --feature-gates TaintTolerationComparisonOperators=true --kubernetes-version 1.34": "Kubernetes has this gate since v1.35, and the control plane is v1.34",
		"verify demo:all-dark -o jsonl":                                                                          "must be one of table, json",
		"verify":                                                                                                 "--for DURATION is required",
		"verify demo:all-dark --for 5s":                                                                          "--for is for the live cluster",
		"decisions demo:all-dark --kind Nonsense":                                                                `"--kind" flag: must be of MarkUnknown, MarkPodsNotReady`,
		"why demo:all-dark":                                                                                      "one of --pod, --node and --zone is required",
		"why demo:all-dark --pod a/b --node c":                                                                   "one of --pod, --node and --zone is required",
		"why demo:all-dark --pod b":                                                                              `--pod must be namespace/name, not "b"`,
		"get zones demo:all-dark --node-monitor-grace-period 1s":                                                 "--node-monitor-grace-period 1s must be",
		"decisions demo:all-dark --pod x":                                                                        `--pod must be namespace/name, not "x"`,
		"decisions demo:all-dark --from +2h":                                                                     "--from +2h is",
		"decisions demo:all-dark --from +60s --to +30s":                                                          "is after --to",
		"live --kubernetes-version latest":                                                                       `"--kubernetes-version" flag: must be a Kubernetes version`,
		"get pods demo:zone-outage --at -1h -ojson":                                                              "outside the recording",
	} {
		got := kardia(t, nil, line)
		lines := strings.Split(strings.TrimSpace(got.err), "\n")
		if got.code != Misused || got.out != "" || len(lines) != 2 ||
			!strings.HasPrefix(lines[0], "kardia: ") || !strings.Contains(lines[0], says) || !strings.Contains(lines[1], "--help'") {
			t.Errorf("kardia %s: exit %d\nstdout %q\nstderr %s\nwant %q", line, got.code, got.out, got.err, says)
		}
	}
}

func TestSuggestion(t *testing.T) {
	if got := kardia(t, nil, "dmeo"); !strings.Contains(got.err, "Did you mean 'kardia demo'?") {
		t.Error(got.err)
	}
}

// TestHelp holds every help text, which goes to stdout when it was asked for.
func TestHelp(t *testing.T) {
	for _, command := range []string{"", "demo", "replay", "live", "get", "get nodes", "whatif", "info", "convert", "repair", "rbac", "report", "version", "config",
		"cluster", "environment", "exit-codes", "inputs", "times"} {
		got := kardia(t, nil, command+" --help")
		if got.code != OK || got.err != "" {
			t.Errorf("kardia %s --help: exit %d, stderr %q", command, got.code, got.err)
		}
		golden.Compare(t, "help-"+strings.ReplaceAll(strings.TrimSpace("kardia "+command), " ", "-")+".txt", got.out)
	}
}

// TestHelpCommand: help COMMAND says what COMMAND --help says.
func TestHelpCommand(t *testing.T) {
	for _, command := range []string{"", "get", "get nodes", "exit-codes"} {
		if got, want := kardia(t, nil, "help "+command), kardia(t, nil, command+" --help"); got.out != want.out || got.code != OK {
			t.Errorf("help %s: exit %d\n%s", command, got.code, got.out)
		}
	}
	commands, _, _ := strings.Cut(kardia(t, nil, "help").out, "\nFlags:")
	if got := kardia(t, nil, "help topics"); got.code != OK || !strings.HasSuffix(commands, got.out) {
		t.Errorf("help topics: exit %d\n%s", got.code, got.out)
	}
}

// TestPlugin: called as kubectl-kardia, the program names itself as one types it.
func TestPlugin(t *testing.T) {
	for file, want := range map[string]string{
		"kardia": "kardia", "/usr/bin/kubectl-kardia": "kubectl kardia", "kubectl-node_pulse": "kubectl node-pulse",
		"kubectl-kardia.exe": "kubectl kardia", "cli.test": "kardia",
	} {
		if got := programName(file); got != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
	help := kardiaIn(context.Background(), nil, "kubectl-kardia", "get", "nodes", "--help")
	for _, want := range []string{"\n  kubectl kardia get nodes [PATH…]", "\n  kubectl kardia get nodes demo:zone-outage"} {
		if !strings.Contains(help.out, want) {
			t.Errorf("%q is not in\n%s", want, help.out)
		}
	}
	if got := kardiaIn(context.Background(), nil, "kubectl-kardia", "get"); !strings.HasPrefix(got.err, "kubectl kardia: say what") {
		t.Error(got.err)
	}
}

// TestWorst: where several codes hold, 2, 5, 1, 4, 3 in this order; nothing outdoes ctrl+c.
func TestWorst(t *testing.T) {
	ranked := []Code{Interrupted, Misused, Unreadable, Failed, Partial, Found, OK}
	for i, high := range ranked {
		for _, low := range ranked[i:] {
			if got := worst([]Code{low, high, low}); got != high {
				t.Errorf("%d and %d give %d", low, high, got)
			}
		}
	}
	if worst(nil) != OK {
		t.Error("nothing wrong is not 0")
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, line := range []string{"get nodes demo:all-dark", "info demo:all-dark", "get nodes"} {
		got := kardiaIn(ctx, &fakeKube{refuses: context.Canceled}, "kardia", strings.Fields(line)...)
		if got.code != Interrupted || got.out != "" {
			t.Errorf("kardia %s: exit %d, stdout %q, stderr %q", line, got.code, got.out, got.err)
		}
	}
}

func TestParams(t *testing.T) {
	parse := func(args ...string) model.Params {
		var p paramFlags
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		p.add(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		return p.params("v1.31.2")
	}
	if got := parse(); got != model.Defaults(model.Version{Major: 1, Minor: 31}) {
		t.Errorf("without flags: %+v", got)
	}
	if got := parse("--kubernetes-version=1.36"); got.NodeMonitorGracePeriod.Value.Seconds() != 50 {
		t.Errorf("the version flag does not win: %+v", got)
	}
	got := parse("--node-monitor-grace-period=40s", "--node-eviction-rate=0", "--large-cluster-size-threshold=0", "--unhealthy-zone-threshold=0.25", "--feature-gates=TaintTolerationComparisonOperators=true")
	want := model.Defaults(model.Version{Major: 1, Minor: 31})
	want.NodeMonitorGracePeriod.From = model.FromFlag // the value is 1.31's default, but it was given
	want.NodeEvictionRate = model.Param[float32]{From: model.FromFlag}
	want.LargeClusterSizeThreshold = model.Param[int32]{From: model.FromFlag}
	want.ComparisonOperators = model.Param[bool]{Value: true, From: model.FromFlag}
	want.UnhealthyZoneThreshold = model.Param[float32]{Value: 0.25, From: model.FromFlag}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestRbac(t *testing.T) {
	if got := kardia(t, nil, "rbac"); got.code != OK || got.out != "kind: ClusterRole\n" || !strings.Contains(got.err, "grant nothing until they are bound") {
		t.Errorf("%+v", got)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := kardia(t, nil, "completion "+shell); got.code != OK || !strings.Contains(got.out, "kardia") {
			t.Errorf("%s: exit %d, %d bytes", shell, got.code, len(got.out))
		}
	}
	if got := kardia(t, nil, "__complete demo --view n"); !strings.Contains(got.out, "node\n") {
		t.Error(got.out)
	}
}
