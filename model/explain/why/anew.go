package why

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer"
)

// HeardSince is the last heartbeat of a node, if it came after all that a State has read of it; else ok is false. A
// live session's State may be a minute old while nothing is due.
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

// DeclaredSince reports whether a node is declared Unknown, and was not when the State was read.
func DeclaredSince(s *infer.State, row *model.NodeRow) bool {
	if s == nil || row == nil || row.Health() != model.HealthUnknown {
		return false
	}
	was := s.Cache.Node(row.Name)
	return was != nil && (was.Ready() == nil || was.Ready().Status != model.StatusUnknown)
}

// TaintedSince is when a node got the node-lifecycle controller's NoExecute taint, if that was after the State was
// read; else ok is false. The taint's timestamp counts only if it fits: the Node may have been written again.
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

// Anew updates a State's list of held steps to a later time. Steps done since are removed. If the node renewed since,
// its silence restarts as if the pass after that heartbeat had been read.
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
		if d.Window.Latest == model.FarFuture { // it waits for something else too
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

// ReadySince reports whether a kubelet has posted Ready since the State was read, and its node still has the taint. The
// next pass removes the taint and cancels the countdowns.
func ReadySince(s *infer.State, row *model.NodeRow) bool {
	if s == nil || row == nil || row.Health() != model.HealthReady || !row.Node.TaintedAsNotWell() {
		return false
	}
	was := s.Cache.Node(row.Name)
	return was != nil && !was.IsReady()
}

// Over reports whether a node's silence has ended since the State was read, so that its predictions no longer hold. The
// node is Ready and has no NoExecute taint; it renewed since, or was NotReady or tainted in the State.
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
