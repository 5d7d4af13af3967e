package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneNodeIsNotTheCluster: what kubectl describes shows one node, and nothing is said of all nodes; who else acts on
// it is named, with the reason why not yet.
func TestOneNodeIsNotTheCluster(t *testing.T) {
	const path = "testdata/described/alpha-1.txt"
	for command, c := range map[string]struct {
		code Code
		want []string
	}{
		"check":       {Partial, []string{"node alpha-1 is silent", "nodes were not listed, so others may exist"}},
		"verdict":     {Partial, []string{"node alpha-1 is silent; the input does not show if there are other nodes", "ACTOR    Karpenter's node repair deletes the machine and makes another, from 10:25:30Z; not yet: more than 20% nodes are unhealthy", "node-readiness-controller keeps new pods away with its taint"}},
		"get nodes":   {Partial, []string{"r1/r1-a", "≥5m16s", "readiness.k8s.io/network"}},
		"margin":      {Partial, []string{"grace 29s to 43s by the timestamps: which is in force is not known", "  fits"}},
		"report":      {Partial, []string{"nodes were not listed, so others may exist", "more than 20% nodes are unhealthy in the nodepool"}},
		"info":        {OK, []string{"describe"}},
		"get pods":    {Partial, []string{}},
		"why":         {Partial, []string{"alpha-1  declared Unknown"}},
		"get actions": {Misused, nil},
	} {
		args := command + " " + path
		if command == "why" {
			args += " --node alpha-1"
		}
		got := kardia(t, nil, args)
		if got.code != c.code {
			t.Errorf("%s: exit %d, want %d\n%s", command, got.code, c.code, got.err)
		}
		for _, want := range c.want {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s does not say %q:\n%s", command, want, got.out)
			}
		}
		for _, never := range []string{"only node", "every zone", "all nodes were Ready", "OK  "} {
			if strings.Contains(got.out, never) {
				t.Errorf("%s says %q:\n%s", command, never, got.out)
			}
		}
	}
	if got := kardia(t, nil, "replay "+path+" --once"); strings.Contains(got.out, "all nodes silent") || strings.Contains(got.out, "only node") || !strings.Contains(got.out, "node alpha-1 silent since") {
		t.Errorf("%s", got.out)
	}
	if got := kardia(t, nil, "margin "+path+" --node-monitor-grace-period 50s"); got.code != Found || !strings.Contains(got.err, "40s (29s to 43s)") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

// TestManyNodesThatAreDescribed: people describe the nodes that are ill. That all of them are says nothing of the others.
func TestManyNodesThatAreDescribed(t *testing.T) {
	text, err := os.ReadFile("testdata/described/alpha-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "nodes.txt")
	all := ""
	for _, name := range []string{"alpha-1", "alpha-2", "alpha-3", "alpha-4"} {
		all += strings.ReplaceAll(string(text), "alpha-1", name) + "\n\n"
	}
	if err := os.WriteFile(path, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := kardia(t, nil, "verdict "+path); got.code != Partial || !strings.Contains(got.out, "4 nodes are silent or not ready; the input does not show if there are other nodes") {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
}
