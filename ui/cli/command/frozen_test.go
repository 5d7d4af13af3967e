package command

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// frozen is a recording of an API server that was frozen for 45 s and for 70 s. Between the two the kubelets of az-2
// stopped; the pass of 11:05:47 declared its six nodes, and the API server wrote that at 11:06:41.
const frozen = "../../../sources/open/testdata/incidents/frozen/"

// frozenInputs are what the recording is read from: each is told of alone, and all together.
var frozenInputs = map[string]string{
	"all":     "../../../sources/open/testdata/incidents/frozen",
	"audit":   frozen + "audit.log.zst",
	"watches": frozen + "nodes.watch.jsonl.zst " + frozen + "leases.watch.jsonl.zst " + frozen + "pods.watch.jsonl.zst " + frozen + "events.watch.jsonl.zst",
	"live":    frozen + "recorded.mcap",
}

// A write that waited in an API server is dated by the stamp in the object, and by its arrival: the flags stay what they are,
// and the default is not refused. 1m40s had been inferred from the wait, and 50s was refused.
func TestAWriteComesLate(t *testing.T) {
	t.Parallel()
	for name, input := range frozenInputs {
		for _, flags := range []string{"", " --node-monitor-grace-period 50s"} {
			got := kardia(t, nil, "verify "+input+flags)
			if got.code != OK || !strings.Contains(got.out, "43 of 43 writes explained, 0 effects not seen") || strings.Contains(got.out, "inferred") {
				t.Errorf("%s: verify%s: exit %d\n%s%s", name, flags, got.code, got.err, got.out)
			}
		}
		if six := regexp.MustCompile(`node-monitor-grace-period +50s +default .* 1\n`); !six.MatchString(kardia(t, nil, "verify "+input).out) {
			t.Errorf("%s: six nodes that one pass declared are one observation:\n%s", name, kardia(t, nil, "verify "+input).out)
		}
		decisions := kardia(t, nil, "decisions --kind MarkUnknown "+input).out
		if strings.Count(decisions, "MarkUnknown") != 6 || strings.Count(decisions, "11:05:47.") != 6 {
			t.Errorf("%s: six nodes were declared in one pass:\n%s", name, decisions)
		}
	}
	if got := kardia(t, nil, "verify "+frozenInputs["all"]); !strings.Contains(got.out, "28 confirm one, 0 contradictions") {
		t.Error(got.out)
	}
}

// While the API server takes no write no zone is to blame, but the one that had died before; once it answers again, kubelets
// have some seconds to renew.
func TestAStallIsNoFaultOfAZone(t *testing.T) {
	t.Parallel()
	const calm, stall, dark = "node is silent, declared Unknown or not ready", "(rule V4: control plane", "6 nodes"
	for at, wants := range map[string]map[string][]string{
		"11:03:30": {"": {calm}},
		"11:04:00": {"": {stall, "from 11:03:39Z to 11:04:26Z"}},
		"11:04:28": {"": {calm}},
		"11:05:48": {"": {stall, "from 11:05:28Z to 11:06:41Z", dark}, "all": {"zone eu-central-1/az-2: 6 of its 6 nodes"}},
		"11:06:00": {"": {stall, dark}, "live": {"zone eu-central-1/az-2: 6 of its 6 nodes"}},
		"11:06:42": {"": {dark}, "watches": {"zone eu-central-1/az-2: 6 of its 6 nodes"}},
	} {
		for name, input := range frozenInputs {
			got := kardia(t, nil, "verdict --at 2026-11-28T"+at+"Z "+input).out
			for _, want := range slices.Concat(wants[""], wants[name]) {
				if !strings.Contains(got, want) {
					t.Errorf("%s at %s: %q is missing in\n%s", name, at, want, got)
				}
			}
			for _, hide := range []string{"zone eu-central-1/az-1", "zone eu-central-1/az-3", "a clock"} {
				if strings.Contains(got, hide) {
					t.Errorf("%s at %s: %q stands in\n%s", name, at, hide, got)
				}
			}
		}
	}
}

// What the summary of a report names its timeline has, too: when the API server stopped answering, and when it answered again.
func TestAStallIsInTheTimeline(t *testing.T) {
	t.Parallel()
	for name, input := range frozenInputs {
		got := kardia(t, nil, "report "+input).out
		for _, row := range []string{`\n\| 11:03:3\d\.\d+Z .* \| the API server \| stopped answering: nothing was written for 4\d`, `\n\| 11:04:26\.\d+Z .* \| answered again: the first write after 4\d`,
			`\n\| 11:05:2\d\.\d+Z .* \| the API server \| stopped answering: nothing was written for 1m1\ds`, `\n\| 11:06:4\d\.\d+Z .* \| answered again: the first write after 1m1\ds`} {
			if !regexp.MustCompile(row).MatchString(got) {
				t.Errorf("%s: no row %s", name, row)
			}
		}
		if t.Failed() {
			t.Fatal(got[strings.Index(got, "## Timeline"):])
		}
	}
}

// A restart that nothing records is simulated when it is supposed, as one that Events show is when it came.
func TestARestartIsSimulated(t *testing.T) {
	t.Parallel()
	silent := strings.ReplaceAll(restarted, "../../../sources/open/testdata/incidents/restart/events.watch.jsonl.zst", "")
	for _, input := range []string{restarted, silent} {
		got := kardia(t, nil, "whatif --node-monitor-grace-period 60s "+input)
		for _, want := range []string{"reproduces 18 of 18 recorded writes", "the controllers start again at 2026-11-21T05:07:51"} {
			if !strings.Contains(got.out, want) || (input == silent) != strings.Contains(got.err, "assumed, without direct evidence: kube-controller-manager restarted") {
				t.Errorf("%s: %q is missing in\n%s%s", input, want, got.err, got.out)
			}
		}
	}
}

// A simulation in which the API server takes no write either makes the writes that were recorded; it had made 12 of 43.
func TestAStallIsSimulated(t *testing.T) {
	t.Parallel()
	for name, input := range frozenInputs {
		got := kardia(t, nil, "whatif --node-monitor-grace-period 60s "+input).out
		for _, want := range []string{"reproduces 43 of 43 recorded writes", "the API server takes no write from 2026-11-28T11:05:28", "11:05:57.0–"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, got)
			}
		}
	}
}
