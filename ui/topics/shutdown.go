package topics

import (
	"strings"

	"kardia/model/explain/shutdown"
	"kardia/ui/words"
)

// Shutdown is that a kubelet ends its pods in order, since when, and how that is known.
func Shutdown(s *shutdown.Shutdown) words.Say {
	state := words.Of("shutdown.over").If(s.Over).Or(words.Of("shutdown.runs"))
	since := words.Of("shutdown.since", "since", s.Since).If(s.Since.Bounded())
	by := words.Of("shutdown.by-kubelet", "message", s.Message).If(s.Message != "").Or(words.Of("shutdown.by-pods"))
	return words.Of("shutdown.says", "state", state, "since", since, "by", by)
}

// ShutdownShort is how many pods of each lane have ended; pods reports that pods were read.
func ShutdownShort(s *shutdown.Shutdown, pods bool) words.Say {
	var lanes []string
	for i := range s.Lanes {
		l := &s.Lanes[i]
		lanes = append(lanes, words.Of("shutdown.lane-short", "name", l.Name, "ended", len(l.Ended), "all", l.All()).String())
	}
	far := words.Text(strings.Join(lanes, "; "))
	switch {
	case !pods:
		far = words.Of("shutdown.pods-unread")
	case len(lanes) == 0:
		far = words.Of("shutdown.none-left")
	}
	return words.Of("shutdown.short", "far", far)
}

// ShutdownLane is how far a lane has come, with the names of at most so many pods that are left.
func ShutdownLane(l *shutdown.Lane, most int) words.Say {
	var ending, left words.Say
	if n := len(l.Ending); n > 0 {
		ending = words.Of("shutdown.ending", "n", n)
	}
	if len(l.Left) > 0 {
		var names []string
		for _, p := range l.Left[:min(most, len(l.Left))] {
			name := words.Text(p.Key.String())
			if n, known := p.Priority(); known {
				name = words.Of("shutdown.pod", "pod", p.Key.String(), "priority", n)
			}
			names = append(names, name.String())
		}
		if more := len(l.Left) - most; more > 0 {
			names = append(names, words.Of("shutdown.more", "n", more).String())
		}
		left = words.Of("shutdown.left", "n", len(l.Left), "pods", strings.Join(names, ", "))
	}
	return words.Of("shutdown.lane", "ended", len(l.Ended), "all", l.All(), "ending", ending, "left", left)
}
