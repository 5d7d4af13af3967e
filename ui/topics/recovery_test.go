package topics_test

import (
	"strings"
	"testing"
	"time"

	"kardia/model/explain/recovery"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Every finding of a check, and every way out, has its sentence.
func TestRecovery(t *testing.T) {
	for f := recovery.NodeUnseen; f <= recovery.Marked; f++ {
		c := recovery.Check{Finding: f, For: time.Minute, Volumes: 2, Unread: "forbidden"}
		if says := topics.CheckSay(&c, words.Range{Least: c.For, Most: c.For}).String(); strings.HasPrefix(says, "recovery.") || !strings.Contains(says, " ") {
			t.Errorf("%s: %q", f, says)
		}
	}
	for w := recovery.Returns; w <= recovery.Force; w++ {
		if says := topics.ExitSay(&recovery.Exit{Way: w, Pods: 1}).String(); !strings.Contains(says, ": gone ") {
			t.Errorf("%s: %q", w, says)
		}
	}
}
