package screen

import (
	"cmp"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/paint"
)

// told is how well a write must be dated to show when the controllers wrote last. A difference seen after a gap may
// have been written at any time in it.
const told = 5 * time.Second

// Alive lists the signs that the controllers are alive: overdue actions, the renewals of the leader's lease, the last
// write of theirs that was seen. The wordings get shorter; ill is that something is overdue, or that no leader has
// renewed for as long as its lease lasts.
func (s *Snapshot) Alive() (texts []string, ill bool) {
	var long, short []string
	if o := s.Controllers(); o.State != nil && o.State.Overdue.Known() {
		text := "overdue " + paint.Duration(o.State.Overdue.For(s.From()))
		long, short, ill = append(long, text), append(short, text), true
	}
	l := leader(s)
	if l != nil {
		ago, word := max(0, s.From().Sub(cmp.Or(l.Heard, l.Renewed))), " renewed "
		if ago > time.Duration(l.Seconds)*time.Second && l.Seconds > 0 {
			word, ill = " last renewed ", true
		}
		text := word + paint.Duration(ago) + " ago"
		if s.At.Sub(s.From()) > told { // nothing arrives: the state then is not that of now
			text = " heard last " + paint.Duration(max(0, s.At.Sub(cmp.Or(l.Heard, l.Renewed)))) + " ago"
		}
		long, short = append(long, "leader"+text), append(short, "leader"+text)
	}
	if r := s.Controllers().Restart; r != nil {
		text := "restarted " + paint.Duration(max(s.From().Sub(max(r.Time, r.Window.Latest)), 0)) + " ago"
		long, short = append(long, text), append(short, text)
	}
	write, sign := lastWrite(s), lastSign(s)
	switch ago := func(at model.Instant) string { return paint.Duration(max(s.From().Sub(at), 0)) + " ago" }; {
	case write.Known() && write >= sign:
		long, short = append(long, "wrote last "+ago(write)), append(short, "wrote "+ago(write))
	case sign.Known() && l != nil: // whose renewals are signs of it, too
		long, short = append(long, "last known to write "+ago(sign)), append(short, "wrote "+ago(sign))
	case sign.Known():
		long, short = append(long, "last sign of it "+ago(sign)), append(short, "last sign "+ago(sign))
	case len(long) == 0:
		long, short = append(long, "no sign of it yet"), append(short, "no sign yet")
	}
	texts = []string{strings.Join(long, ", ")}
	if s.Leaderless() {
		if short = append(short, "no leader's lease"); ill {
			texts[0] += ", no leader's lease is known"
		} else {
			texts[0] += "; " + Unknowable
		}
	}
	for n := len(short); n > 0; n-- {
		texts = append(texts, strings.Join(short[:n], ", "))
	}
	return texts, ill
}

// Unknowable is the rest of the sentence if the controllers run without a leader's lease: they write nothing while
// nothing is due.
const Unknowable = "no leader's lease is known: whether it runs cannot be seen while nothing is due"

// Leaderless reports that leaders' leases are watched, and that there is none of the controllers: they run without
// (--leader-elect=false), or their lease is elsewhere.
func (s *Snapshot) Leaderless() bool {
	for i := range s.Status {
		if st := &s.Status[i]; st.Kind == model.KindLeaderLease {
			return st.Listed && leader(s) == nil && s.Cluster != nil && s.Cluster.NodeCount() > 0
		}
	}
	return false
}

// lastSign is the time of the controllers' last recorded Event, or of their last decision that timestamps and Events
// show.
func lastSign(s *Snapshot) (last model.Instant) {
	if s.Cluster != nil {
		s.Cluster.Rows(func(row *model.NodeRow) bool {
			last = max(last, row.ByControllers(s.From()))
			return true
		})
	}
	all := s.Judged.Decisions()
	for i := 0; i < len(all) && all[i].Time < s.Coverage.Earliest; i++ {
		if d := &all[i]; d.Basis == model.Reconstructed && d.Window.Bounded() && d.Window.Latest <= s.From() {
			last = max(last, d.Window.Latest)
		}
	}
	return last
}

// leader is the leader's lease, if a renewal was heard by the instant shown, or the lease itself shows one; nil if not.
func leader(s *Snapshot) *model.Leader {
	if s.Cluster == nil {
		return nil
	}
	list := s.Cluster.Leaders()
	for i := range list {
		if l := &list[i]; l.Name == model.ControllerManager && !l.Gone && cmp.Or(l.Heard, l.Renewed).Bounded() && s.From() >= l.Heard {
			return l
		}
	}
	return nil
}

// lastWrite is the last write of the controllers that was seen by the instant shown.
func lastWrite(s *Snapshot) model.Instant {
	if s.Judged == nil || s.Judged.Result == nil {
		return 0
	}
	writes := s.Judged.Result.Writes
	for i := len(writes) - 1; i >= 0; i-- {
		if w := writes[i].Time; w.Bounded() && w.Latest <= s.From() && w.Width() <= told {
			return w.Latest
		}
	}
	return 0
}
