package scenario

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// heardBy is what was heard of a sandbox by an instant.
func heardBy(t *testing.T, b *Sandbox, until time.Duration) string {
	t.Helper()
	s, err := b.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for ch := range s.Changes() {
		if ch.Arrival.Sub(s.Start) <= until {
			fmt.Fprintln(&out, ch.Kind, ch.Op, ch.Key, ch.Version, ch.Arrival)
		}
	}
	return out.String()
}

// An action at an instant changes nothing before it. Another action at an earlier time takes back the later ones. Undo
// takes back the last. The saved file is a scenario.
func TestASandboxIsATimeline(t *testing.T) {
	b, err := NewSandbox("", "")
	if err != nil {
		t.Fatal(err)
	}
	calm := heardBy(t, b, 2*time.Minute)
	if err := b.Do(2*time.Minute, "kill b-2"); err != nil {
		t.Fatal(err)
	}
	if got := heardBy(t, b, 2*time.Minute); got != calm {
		t.Error("what was heard before is otherwise")
	}
	if got := heardBy(t, b, 5*time.Minute); got == calm {
		t.Error("nothing came of it")
	}
	if err := b.Do(4*time.Minute, "kill zone=c"); err != nil {
		t.Fatal(err)
	}
	if err := b.Do(3*time.Minute, "return b-2"); err != nil {
		t.Fatal(err)
	}
	text := b.Text()
	if !strings.HasSuffix(text, "length 18m0s\nat 2m0s kill b-2\nat 3m0s return b-2\n") {
		t.Errorf("saved:\n%s", text)
	}
	if _, err := Parse("saved", text); err != nil {
		t.Errorf("what was saved: %v", err)
	}
	if what, at, ok := b.Undo(); !ok || what != "return b-2" || at != 3*time.Minute {
		t.Errorf("undone is %q at %s", what, at)
	}
	b.Undo()
	if _, _, ok := b.Undo(); ok || heardBy(t, b, 2*time.Minute) != calm {
		t.Error("not all was undone")
	}
}

// An impossible action is reported, and nothing is done.
func TestASandboxRefuses(t *testing.T) {
	b, _ := NewSandbox("", "")
	for what, why := range map[string]string{"explode b-2": `nothing is called "explode"`, "kill b-9": "b-9", "kill": "expected", "kill b-1\nat 1s kill b-2": "one thing at a time"} {
		if err := b.Do(time.Minute, what); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", what, err)
		}
	}
	if _, _, ok := b.Undo(); ok {
		t.Error("something was done")
	}
	if _, err := NewSandbox("file", "no scenario"); err == nil {
		t.Error("no scenario is one")
	}
}
