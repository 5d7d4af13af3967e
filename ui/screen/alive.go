package screen

import (
	"cmp"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/words"
)

// told is the widest window of a write that shows when the controllers wrote last: after a gap, windows are wider.
const told = 5 * time.Second

// Alive lists the signs of life of the controllers: overdue actions, renewals of the leader's lease, the last observed
// write. The wordings get shorter. ill reports an overdue action, or an expired lease.
func (s *Snapshot) Alive() (texts []string, ill bool) {
	var long, short []string
	add := func(text, brief words.Say) { long, short = append(long, text.String()), append(short, brief.String()) }
	both := func(text words.Say) { add(text, text) }
	ago := func(at model.Instant) time.Duration { return max(0, s.From().Sub(at)) }
	if o := s.Outlook(); o.State != nil && o.State.Overdue.Known() {
		both(words.Of("alive.overdue", "for", o.State.Overdue.For(s.From())))
		ill = true
	}
	l := leader(s)
	if l != nil {
		at := cmp.Or(l.Heard, l.Renewed)
		late := l.Seconds > 0 && ago(at) > time.Duration(l.Seconds)*time.Second
		ill = ill || late
		switch {
		case s.At.Sub(s.From()) > told: // nothing arrives: the state then is not that of now
			both(words.Of("alive.seen", "for", max(0, s.At.Sub(at))))
		case late:
			both(words.Of("alive.late", "for", ago(at)))
		default:
			both(words.Of("alive.renewed", "for", ago(at)))
		}
	}
	if r := s.Outlook().Restart; r != nil {
		both(words.Of("alive.restarted", "for", ago(max(r.Time, r.Window.Latest))))
	}
	switch write, sign := lastWrite(s), lastSign(s); {
	case write.Known() && write >= sign:
		add(words.Of("alive.wrote", "for", ago(write)), words.Of("alive-short.wrote", "for", ago(write)))
	case sign.Known() && l != nil: // whose renewals are signs of it, too
		add(words.Of("alive.wrote-by", "for", ago(sign)), words.Of("alive-short.wrote", "for", ago(sign)))
	case sign.Known():
		add(words.Of("alive.sign", "for", ago(sign)), words.Of("alive-short.sign", "for", ago(sign)))
	case len(long) == 0:
		add(words.Of("alive.none"), words.Of("alive-short.none"))
	}
	texts = []string{strings.Join(long, ", ")}
	if s.Leaderless() {
		if short = append(short, words.Of("alive-short.no-lease").String()); ill {
			texts[0] += ", " + words.Of("alive.no-lease").String()
		} else { // the controllers write nothing while nothing is due
			texts[0] += "; " + words.Of("alive.unknowable").String()
		}
	}
	for n := len(short); n > 0; n-- {
		texts = append(texts, strings.Join(short[:n], ", "))
	}
	return texts, ill
}

// Leaderless reports whether leaders' leases are watched and none is of the controllers. They run without one
// (--leader-elect=false), or their lease is elsewhere.
func (s *Snapshot) Leaderless() bool {
	for i := range s.Status {
		if st := &s.Status[i]; st.Kind == model.KindLeaderLease {
			return st.Listed && leader(s) == nil && s.Cluster != nil && s.Cluster.NodeCount() > 0
		}
	}
	return false
}

// lastSign is the time of the controllers' last Event, or of their last decision that timestamps and Events show.
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

// leader is the leader's lease if a renewal was seen by the time shown, or the lease shows one; nil otherwise.
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

func lastWrite(s *Snapshot) model.Instant {
	r := s.Result()
	if r == nil {
		return 0
	}
	writes := r.Writes
	for i := len(writes) - 1; i >= 0; i-- {
		if w := writes[i].Time; w.Bounded() && w.Latest <= s.From() && w.Width() <= told {
			return w.Latest
		}
	}
	return 0
}
