package contract

import "testing"

// A name in a command is one word of a shell.
func TestShell(t *testing.T) {
	for text, want := range map[string]string{"a.mcap": "a.mcap", "my log": "'my log'", "it's": `'it'\''s'`, "": "''", "$(rm)": "'$(rm)'"} {
		if got := shell(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}
