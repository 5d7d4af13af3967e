package screen

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// emptyLive is why a live session shows no node: only a complete list can show that there are none.
func emptyLive(s *Snapshot, p *paint.Painter) words.Say {
	for i := range s.Status {
		switch st := &s.Status[i]; {
		case st.Kind != model.KindNode || st.State == stream.Live:
		case st.State == stream.Forbidden:
			return words.Of("empty.forbidden")
		case st.State == stream.Disconnected:
			return words.Of("empty.not-received", "why", p.Text(cmp.Or(st.Why, st.State.String())))
		default:
			return words.Of("empty.not-received", "why", st.State)
		}
	}
	return words.Of("empty.cluster", "at", s.At)
}

// Refused reports that a live session may read nothing at all.
func Refused(s *Snapshot) bool {
	return len(s.Status) > 0 && !slices.ContainsFunc(s.Status, func(st stream.Status) bool { return st.State != stream.Forbidden })
}

// Empty reports that everything asked for is here, and there is no node in it.
func Empty(s *Snapshot) bool {
	if s.Loading < 1 || s.Cluster != nil && s.Cluster.NodeCount() > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Status, func(st stream.Status) bool { return st.State == stream.Waiting || st.State == stream.Loading })
}

// EmptyText is why there is no node to show.
func EmptyText(s *Snapshot, p *paint.Painter) string { return empty(s, p).In(p) }

func empty(s *Snapshot, p *paint.Painter) words.Say {
	switch {
	case s.Loading < 1:
		return words.Of("empty.opening")
	case s.Coverage.Known() && s.Reach().Width() == 0 && s.Cluster != nil && s.Cluster.NodeCount() > 0:
		return words.Of("empty.one-time")
	case !Empty(s) && s.Lost != "":
		return words.Of("empty.no-answer", "why", p.Text(s.Lost))
	case !Empty(s):
		return words.Of("empty.listing")
	case s.Coverage.Known() && s.At < s.Coverage.Earliest:
		if s.Remembered.Known() {
			return words.Of("empty.unwatched", "at", s.At, "from", s.Coverage.Earliest)
		}
		return words.Of("empty.before", "from", s.Coverage.Earliest)
	case s.Mode.Watches():
		return emptyLive(s, p)
	}
	named, logs := words.Say{}, words.Say{}
	if n := onlyNamed(s); n > 0 {
		named = words.Of("empty.named", "n", n)
	}
	if len(s.Said) > 0 || s.Remembered.Known() {
		logs = words.Of("empty.timeline")
	}
	return words.Of("empty.none", "at", s.At, "named", named, "logs", logs)
}

// onlyNamed counts nodes that are named somewhere without a Node or lease of theirs.
func onlyNamed(s *Snapshot) (n int) {
	if s.Cluster == nil {
		return 0
	}
	s.Cluster.Rows(func(row *model.NodeRow) bool {
		if !row.Exists() && !row.Gone && row.Name != "" && (row.PodCount() > 0 || len(row.Events()) > 0) {
			n++
		}
		return true
	})
	return n
}
