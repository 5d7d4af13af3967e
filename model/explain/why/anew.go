package why

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
)

// HeardSince is when a node was heard last, where that came after all that a State has read of it; ok is false where it
// did not. A State of a live session may be a minute old while nothing is due.
func HeardSince(s *infer.State, row *model.NodeRow) (at model.Instant, ok bool) {
	if s == nil || row == nil || !row.Lease.Seen || row.Lease.Gone {
		return 0, false
	}
	i, known := s.Cache.Lookup(row.Name)
	if !known || row.Lease.Renewed <= s.Cache.Row(i).Lease.Renewed {
		return 0, false
	}
	at = row.Lease.Written.Earliest
	if heard := row.Lease.Heard; heard.Bounded() && (!at.Bounded() || heard < at) {
		at = heard
	}
	return at, at.Bounded()
}

// DeclaredSince says that a node is declared Unknown, and was not when a State was read.
func DeclaredSince(s *infer.State, row *model.NodeRow) bool {
	if s == nil || row == nil || row.Health() != model.HealthUnknown {
		return false
	}
	was := s.Cache.Node(row.Name)
	return was != nil && (was.Ready() == nil || was.Ready().Status != model.StatusUnknown)
}

// TaintedSince is within when a node got the NoExecute taint of the node-lifecycle controller that it had not when a State was
// read; ok is false where it has none, or had it. Its stamp counts where it fits what was seen: the Node may have been written
// again.
func TaintedSince(s *infer.State, row *model.NodeRow) (given model.Interval, ok bool) {
	if s == nil || row == nil || row.Node == nil || !row.Written.Latest.Bounded() || row.Written.Latest <= s.At {
		return given, false
	}
	taint, was := row.Node.NotWellTaint(), s.Cache.Node(row.Name)
	if taint == nil || was == nil || was.TaintedAsNotWell() {
		return given, false
	}
	given = model.Interval{Earliest: s.At, Latest: row.Written.Latest}
	if added := taint.Added; added.Bounded() {
		if both, fits := given.Intersect(model.Interval{Earliest: added, Latest: added.Add(time.Second)}); fits {
			given = both
		}
	}
	return given, true
}

// Anew is what of a list still holds a node back at a later time than that of the State of which it is: not what is done since;
// and where the node was heard, its silence begins anew, as if the pass after the heartbeat had been read.
func Anew(list []Held, s *infer.State, row *model.NodeRow) []Held {
	_, tainted := TaintedSince(s, row)
	if declared := DeclaredSince(s, row); declared || tainted {
		list = slices.DeleteFunc(slices.Clone(list), func(h Held) bool {
			return h.Decision.Node == row.Name && (declared && h.Decision.Kind == model.MarkUnknown || tainted && h.Decision.Kind == model.TaintNoExecute)
		})
	}
	at, ok := HeardSince(s, row)
	if !ok {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		h := &list[i]
		d := &h.Decision
		if d.Kind != model.MarkUnknown || d.Node != row.Name || len(d.Checks) == 0 {
			continue
		}
		checks, due := nodelifecycle.Uncounted(at, time.Duration(d.Checks[0].Right.Int), s.Params.NodeMonitorPeriod.Value)
		d.Why = model.Reason{Code: model.WhyHeardSince, At: at}
		d.Checks = checks
		if d.Window.Latest == model.FarFuture { // it waits for somebody besides
			d.Window.Earliest = max(d.Window.Earliest, due.Earliest)
		} else {
			d.Window = due
		}
		h.Changes = slices.Clone(h.Changes)
		for k := range h.Changes {
			if h.Changes[k].Kind == Passing {
				h.Changes[k].At = d.Window
			}
		}
	}
	return list
}

// ReadySince says that the kubelet of a node of which a State speaks says since that it is Ready, and the controller has not taken
// its taint off yet: it does in the next pass, and its countdowns end with it.
func ReadySince(s *infer.State, row *model.NodeRow) bool {
	if s == nil || row == nil || row.Health() != model.HealthReady || !row.Node.TaintedAsNotWell() {
		return false
	}
	was := s.Cache.Node(row.Name)
	return was != nil && !was.IsReady()
}

// Over says that the silence of a node of which a State speaks is over: it was heard since, or the last of what the silence had
// brought is taken back since, its kubelet says that it is Ready, and no taint is left for which its pods go. What was foreseen of
// it and of them is not to come.
func Over(s *infer.State, row *model.NodeRow) bool {
	if s == nil || row == nil || row.Health() != model.HealthReady || row.Node.HasNoExecute() {
		return false
	}
	if was := s.Cache.Node(row.Name); was != nil && (was.HasNoExecute() || !was.IsReady()) {
		return true
	}
	_, heard := HeardSince(s, row)
	return heard
}
