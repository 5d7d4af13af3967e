package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPages: commands and help topics have pages, indented lists keep their lines, and no page has a path of this machine.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SOURCE_DATE_EPOCH", "1767225600")
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"man/kardia.1":             `kardia-exit-codes(1)`,
		"man/kardia-get-nodes.1":   `"Jan 2026"`,
		"man/kardia-exit-codes.1":  "\n    0  done, and nothing found\n    1  failed",
		"man/kardia-environment.1": "$XDG_CONFIG_HOME/kardia/config.yaml\n",
		"completions/kardia.bash":  "__start_kardia",
		"completions/_kardia":      "#compdef kardia",
		"completions/kardia.fish":  "complete -c kardia",
		"completions/kardia.ps1":   "Register-ArgumentCompleter",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q: %v\n%s", name, want, err, text)
		}
	}
	home, _ := os.UserHomeDir()
	pages, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, page := range pages {
		if text, _ := os.ReadFile(page); home != "" && strings.Contains(string(text), home+"/") {
			t.Errorf("%s has the path %s", page, home)
		}
	}
}
