package app

import (
	"fmt"
	"strings"
	"testing"

	"kardia/internal/golden"
	"kardia/model"
	"kardia/sources/capture/stream"
)

// golden compares what is on the screen with a file, line by line without trailing spaces.
func (s *stage) golden(name string) {
	s.t.Helper()
	lines := strings.Split(s.screen(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got := strings.Join(lines, "\n") + "\n"
	golden.Compare(s.t, name+".txt", got)
}

// What the app draws around a view, at every tier.
func TestFrames(t *testing.T) {
	for _, size := range [][2]int{{44, 12}, {80, 24}, {120, 36}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			s := replay(t, 100, size[0], size[1])
			s.golden("replay-" + name)
			s.keys("j", "j", "enter", "+").golden("node-" + name)
			s.keys("3", "?").golden("help-" + name)
			s.keys("esc", ":").types("back").golden("palette-" + name)
			s.keys("esc", "1", "/").types("zone:").golden("filter-" + name)

			l, say := watching(t, size[0], size[1])
			say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True"), lease(5, "node-a0")), Status: status(stream.Live)})
			l.golden("live-" + name)
			l.keys("left").golden("held-" + name)
			cut := status(stream.Live)
			cut[0] = stream.Status{Kind: model.KindNode, State: stream.Disconnected, Since: sec(1), Last: sec(1), Retry: sec(9), Why: "connection refused"}
			say(stream.Batch{Status: cut})
			l.keys("f").golden("stale-" + name)
		})
	}
}
