package screen

import (
	"cmp"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/ui/paint"
)

// emptyLive is why a live session shows no node: only a complete list of nodes can show that there are none.
func emptyLive(s *Snapshot, p *paint.Painter) string {
	for i := range s.Status {
		switch st := &s.Status[i]; {
		case st.Kind != model.KindNode || st.State == stream.Live:
		case st.State == stream.Forbidden:
			return "you may list neither nodes nor leases: kardia rbac prints the role"
		case st.State == stream.Disconnected:
			return "nothing was received yet: " + p.Text(cmp.Or(st.Why, st.State.String()))
		default:
			return "nothing was received yet: " + st.State.String()
		}
	}
	return "this cluster has no nodes at " + p.Clock(s.At)
}

// Refused reports that a live session may read nothing at all.
func Refused(s *Snapshot) bool {
	for i := range s.Status {
		if s.Status[i].State != stream.Forbidden {
			return false
		}
	}
	return len(s.Status) > 0
}

// Empty reports that everything asked for is here, and there is no node in it.
func Empty(s *Snapshot) bool {
	if s.Loading < 1 || s.Cluster != nil && s.Cluster.NodeCount() > 0 {
		return false
	}
	for i := range s.Status {
		if st := s.Status[i].State; st == stream.Waiting || st == stream.Loading {
			return false
		}
	}
	return true
}

// EmptyText is why there is no node to show.
func EmptyText(s *Snapshot, p *paint.Painter) string {
	switch {
	case s.Loading < 1:
		return "nothing to show yet: the recording is still being opened"
	case s.Coverage.Known() && s.Reach().Width() == 0 && s.Cluster != nil && s.Cluster.NodeCount() > 0:
		return "one time was captured: there is no time to go through"
	case !Empty(s) && s.Lost != "":
		return "nothing to show yet: the API server has not answered (" + p.Text(s.Lost) + ")"
	case !Empty(s):
		return "nothing to show yet: the first list is still on its way"
	case s.Coverage.Known() && s.At < s.Coverage.Earliest:
		if s.Remembered.Known() {
			return "nobody watched at " + p.Clock(s.At) + ": , and . step through what timestamps and Events tell of it, 4 lists that, and ctrl+end goes to what was seen, from " + p.Clock(s.Coverage.Earliest) + " on"
		}
		return "nothing is known yet: coverage starts at " + p.Clock(s.Coverage.Earliest)
	case s.Mode.Watches():
		return emptyLive(s, p)
	}
	if len(s.Said) > 0 || s.Remembered.Known() {
		return "no node is known at " + p.Clock(s.At) + Named(s) + ": the timeline (4) shows logs and Events"
	}
	return "no node is known at " + p.Clock(s.At) + Named(s)
}

// Named is how many nodes are named somewhere of which neither the Node nor the lease was seen. It is the end of a
// sentence that reports that no node is known; "" if none is named.
func Named(s *Snapshot) string {
	if s.Cluster == nil {
		return ""
	}
	n := 0
	s.Cluster.Rows(func(row *model.NodeRow) bool {
		if !row.Exists() && !row.Gone && row.Name != "" && (row.PodCount() > 0 || len(row.Events()) > 0) {
			n++
		}
		return true
	})
	if n == 0 {
		return ""
	}
	return ", but " + model.Counted(n, "node is", "nodes are") + " named by pods or Events, without Node or lease"
}
