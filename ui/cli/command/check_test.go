package command

import (
	"strings"
	"testing"
)

// TestCheck: one line and an exit code, for what was asked to fail and nothing else.
func TestCheck(t *testing.T) {
	for line, want := range map[string]struct {
		code Code
		says string
	}{
		"check demo:zone-outage --at +20s":                                          {OK, "OK  28 nodes"},
		"check demo:zone-outage --at +75s":                                          {Found, "FAILED  28 nodes: 10 late; zone us-east-1/us-east-1b: 10 of its 10 nodes fell silent together"},
		"check demo:zone-outage --at +75s --fail-on unknown":                        {OK, "OK  28 nodes: 10 late; zone"},
		"check demo:zone-outage --at +75s --fail-on unknown,eviction-within=3m":     {Found, "0 to 20 pods deleted within 3m0s"},
		"check demo:zone-outage --at +75s --fail-on eviction-within=30s":            {OK, "10 late"},
		"check demo:all-dark --at +150s --fail-on unknown":                          {Found, "11 Unknown; every node is silent"},
		"check demo:node-loss --fail-on late,not-ready,unknown,eviction-within=15m": {OK, "OK  12 nodes"},
		"check demo:node-loss --at +100s --fail-on eviction-within=15m -o json":     {Found, `"rule": "V10"`},
		"check demo:node-loss --fail-on soon":                                       {Misused, ""},
		"check demo:node-loss --fail-on eviction-within=soon":                       {Misused, ""},
		"check demo:node-loss --fail-on late,,unknown":                              {Misused, ""},
	} {
		got := kardia(t, nil, line)
		if got.code != want.code || !strings.Contains(got.out, want.says) {
			t.Errorf("%s: exit %d, want %d\n%s%s", line, got.code, want.code, got.out, got.err)
		}
		if !strings.Contains(line, "json") && strings.Count(got.out, "\n") > 1 {
			t.Errorf("%s: more than one line\n%s", line, got.out)
		}
	}
}
