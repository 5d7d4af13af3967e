package command

import (
	"slices"
	"strings"
	"testing"
)

// What makes no sense is refused with what would, and leaves stdout empty.
func TestWhatIfRefuses(t *testing.T) {
	for line, c := range map[string]struct {
		code Code
		says string
	}{
		"demo:node-loss --base grace=3":                                                   {Misused, "no such flag"},
		"demo:node-loss --base node-monitor-grace-period":                                 {Misused, "NAME=VALUE"},
		"demo:node-loss --base node-monitor-grace-period=soon":                            {Misused, "duration"},
		"demo:node-loss --base node-monitor-grace-period=20s":                             {Found, "contradicts what was seen"},
		"demo:node-loss --node-monitor-grace-period 1s":                                   {Misused, "--node-monitor-period"},
		"demo:node-loss --edit kill_a":                                                    {Misused, "and then a TIME"},
		"demo:node-loss --edit kill_nobody_+60s":                                          {Misused, "there is no node nobody"},
		"demo:node-loss --edit break_ip-10-0-2-003_+60s":                                  {Misused, "wants 'kill NODE'"},
		"demo:node-loss --edit kill_ip-10-0-2-003_+60h":                                   {Misused, "--for lets it go on for longer"},
		"demo:node-loss --from +0s":                                                       {Misused, "a branch can start from"},
		"demo:node-loss --for -5m":                                                        {Misused, "--for must be"},
		"demo:node-loss --toleration-for shop":                                            {Misused, "--toleration-seconds with --toleration-for is required"},
		"demo:node-loss --toleration-seconds -1":                                          {Misused, "--toleration-seconds must be"},
		"demo:node-loss --sweep node-monitor-grace-period=20s..10s/1s":                    {Misused, "--sweep must be"},
		"demo:node-loss --sweep node-monitor-grace-period=20s..24h/1s":                    {Misused, "at most 200"},
		"demo:node-loss --sweep node-eviction-rate=NaN..1/1":                              {Misused, "--sweep must be"},
		"demo:node-loss --sweep node-eviction-rate=0..1/0":                                {Misused, "--sweep must be"},
		"demo:node-loss --sweep zone=1..2/1":                                              {Misused, "no such flag"},
		"demo:node-loss --sweep large-cluster-size-threshold=1.5..2.5/1":                  {Misused, "whole number"},
		"demo:zone-outage --for 24h --kubernetes-version nonsense":                        {Misused, "Kubernetes version"},
		"../../../sources/open/testdata/incidents/partial/audit.log.zst":                  {Partial, "no answer"},
		"../../../sources/open/testdata/incidents/partial/audit.log.zst --from 05:07:20 ": {Partial, "no answer"},
	} {
		words := strings.Fields("whatif " + line)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		got := kardiaIn(t.Context(), nil, "kardia", words...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", line, got.code, c.code, c.says, got.out, got.err)
		}
	}
}

func TestSweepValues(t *testing.T) {
	for text, want := range map[string][]string{
		"a=20s..1m/20s":  {"20s", "40s", "1m0s"},
		"a=0.1..0.3/0.1": {"0.1", "0.2", "0.3"},
		"a=10..35/10":    {"10", "20", "30"},
		"a=50s..50s/1s":  {"50s"},
	} {
		if name, got, err := sweepValues(text); err != nil || name != "a" || !slices.Equal(got, want) {
			t.Errorf("%s: %s %q %v", text, name, got, err)
		}
	}
}
