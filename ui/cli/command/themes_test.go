package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A theme in the person's configuration can be named, wins over one of ours, and what is wrong
// with it, or with another file there, is said.
func TestThemesOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	dark, err := os.ReadFile("../../../themes/dark.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "themes"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"dark": strings.Replace(string(dark), "#9996f0", "#25b1c1", 1), "broken": "tokens: [", "mine": string(dark)} {
		if err := os.WriteFile(filepath.Join(dir, "themes", name+".yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	frame := func(theme string) result {
		var out, stderr bytes.Buffer
		code := Run(t.Context(), World{Args: []string{"kardia", "demo", "--at", "+200s", "--size", "80x24", "--theme", theme}, In: strings.NewReader(""),
			Out: &out, Err: &stderr, ConfigDir: dir, Kube: &fakeKube{}, Environ: []string{"LANG=C.UTF-8"}})
		return result{code, out.String(), stderr.String()}
	}
	if got := frame("dark"); got.code != OK || !strings.Contains(got.err, "accent and unknown are 0.0 apart") || !strings.Contains(got.err, "broken.yaml") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	if got := frame("mine"); got.code != OK || strings.Contains(got.err, "apart") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	if got := frame("plaid"); got.code != Misused || !strings.Contains(got.err, "mine") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
}
