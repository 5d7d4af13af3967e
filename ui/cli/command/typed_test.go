package command

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kardia/ui/paint"
)

// TestAsPeopleTypeIt: what people of kubectl type works, or is refused with the right command.
func TestAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"check demo:node-loss --context nope":    "--context is for a live cluster",
		"get ev":                                 "kardia replay PATH --view events",
		"get all":                                "nodes, zones, pods, evictions, impact or statements",
		"get leases":                             "kardia get nodes",
		"get nodes demo:node-loss -l zone=b":     "Choose with --node or --zone.",
		"get nodes demo:node-loss --sort-by=age": "-o json and jq",
		"get nodes demo:node-loss -w":            "'kardia live' watches a cluster.",
		"describe node b-003":                    "kardia why --node NAME",
		"top nodes":                              "'kardia live' shows the nodes",
		"logs":                                   "kardia get statements PATH",
		"explain node":                           "'kardia learn'",
		"nodes demo:node-loss":                   "Did you mean 'kardia get nodes'?",
		"options":                                "kardia --help",
		"ls":                                     "kardia info PATH",
		"tutorial":                               "kardia learn tour",
		"config set":                             "kardia config view",
		"decisions demo:node-loss --since 1m":    "Use --from",
		"whatif demo:node-loss --grace-period 120s":    "Did you mean --node-monitor-grace-period",
		"report demo:node-loss -f html":                "Use -o.",
		"get nodes demo:node-loss --at 200s":           "did you mean +200s from the start, or -200s from the end?",
		"get nodes demo:node-loss --at 5m-ago":         "did you mean +5m",
		"verdcit":                                      "Did you mean 'kardia verdict'?",
		"scenario:flapping":                            "'kardia replay scenario:flapping' opens it.",
		"get nodes demo:node-loss -o nmae":             "must be one of table, json, yaml, wide, name",
		"why demo:node-loss --pod nosuchpod --at +90s": "--pod must be namespace/name",
	} {
		if got := kardia(t, nil, line); got.code != Misused || !strings.Contains(got.err, want) || got.out != "" {
			t.Errorf("%s: %+v, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"--version": "kardia devel",
		"get nodes/b-003 demo:zone-outage --no-headers":           "b-003 ",
		"get node/b-003 demo:zone-outage -A -o name":              "node/b-003\n",
		"get zones demo:zone-outage -o name":                      "zone/us-east-1/us-east-1b\n",
		"get pods demo:zone-outage --node a-000 -o name":          "pod/default/app-a-000-0\n",
		"get nodes demo:zone-outage --node b-003 -o yaml":         "  name: b-003\n",
		"why node/b-003 demo:zone-outage":                         "b-003  untaint unreachable:NoExecute",
		"why demo:zone-outage --pod app-b-003-0":                  "app-b-003-0",
		"why demo:zone-outage zone/us-east-1/us-east-1b":          "us-east-1b",
		"__complete replay demo:z":                                "demo:zone-outage\n",
		"__complete get nodes demo:zone-outage --node b":          "b-003\n",
		"__complete get nodes --context p":                        "prod\n",
		"__complete decisions demo:zone-outage --kind M":          "MarkUnknown\n",
		"get zones demo:zone-outage --zone us-east-1b -o json -A": `"us-east-1b"`,
	} {
		got := kardia(t, nil, line)
		if got.code != OK || !strings.Contains(got.out, want) || strings.Contains(got.out, "NAME ") {
			t.Errorf("%s: %+v, want %q", line, got, want)
		}
	}
	if got := kardia(t, nil, "get evictions demo:zone-outage"); got.code != OK || got.out != "" || got.err != "zone-outage at 2026-11-20T23:57:50Z\nNo evictions pending.\n" {
		t.Errorf("nothing pending: %+v", got)
	}
}

// Tables of usual names fit 120 columns; -o wide has the rest.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"get nodes", "get zones", "get pods", "get evictions", "get impact", "decisions"} {
		for _, demo := range []string{"demo:node-loss", "demo:zone-outage", "demo:all-dark"} {
			line := words + " " + demo
			if words != "decisions" {
				line += " --at +200s"
			}
			narrow, wide := widest(kardia(t, nil, line).out), widest(kardia(t, nil, line+" -o wide").out)
			if narrow > 120 || wide < narrow {
				t.Errorf("%s: %d columns, %d with -o wide", line, narrow, wide)
			}
		}
	}
}

func widest(text string) (w int) {
	for line := range strings.Lines(text) {
		w = max(w, paint.Width(strings.TrimSuffix(line, "\n")))
	}
	return w
}

// TestHintsNameCommands: what a hint for another tool's word names is a command.
func TestHintsNameCommands(t *testing.T) {
	root := Tree(World{Args: []string{"kardia"}, Kube: &fakeKube{}})
	named := regexp.MustCompile(`'%s((?: [a-z]+)+)`)
	hints := append(slices.Collect(maps.Values(otherTools)), instead)
	for _, of := range hints {
		for word, hint := range of {
			for _, name := range named.FindAllStringSubmatch(hint, -1) {
				if cmd, rest, err := root.Find(strings.Fields(name[1])); err != nil || len(rest) > 0 && !slices.Contains(cmd.ValidArgs, rest[0]) {
					t.Errorf("%s: %q names no command", word, hint)
				}
			}
		}
	}
}
