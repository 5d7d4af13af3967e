package screen

import (
	"cmp"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/paint"
)

// leaderOf is the lease under which the instances of the controller manager elect one.
const leaderOf = "kube-controller-manager"

// told is how well a write must be dated to say when the controllers wrote last: what is seen as a
// difference after a gap may have been written at any time in it.
const told = 5 * time.Second

// Alive says by which signs the controllers are alive: what is overdue, the renewals of the
// leader's lease, the last write of theirs that was seen. The wordings say less and less; ill is that
// something is overdue, or that no leader has renewed for as long as its lease lasts.
func (s *Snapshot) Alive() (texts []string, ill bool) {
	var long, short []string
	if o := s.Controllers(); o.State != nil && o.State.Overdue.Known() {
		text := "overdue " + paint.Duration(o.State.Overdue.For(s.From()))
		long, short, ill = append(long, text), append(short, text), true
	}
	if l := leader(s); l != nil {
		ago, word := max(0, s.From().Sub(cmp.Or(l.Heard, l.Renewed))), " renewed "
		if ago > time.Duration(l.Seconds)*time.Second && l.Seconds > 0 {
			word, ill = " last renewed ", true
		}
		text := word + paint.Duration(ago) + " ago"
		if s.At.Sub(s.From()) > told { // nothing arrives: what was so then is not so now
			text = " heard last " + paint.Duration(max(0, s.At.Sub(cmp.Or(l.Heard, l.Renewed)))) + " ago"
		}
		long, short = append(long, "leader"+text), append(short, "leader"+text)
	}
	if r := s.Controllers().Restart; r != nil {
		text := "started anew " + paint.Duration(max(s.From().Sub(max(r.Time, r.Window.Latest)), 0)) + " ago"
		long, short = append(long, text), append(short, text)
	}
	if at := lastWrite(s); at.Known() {
		ago := paint.Duration(s.From().Sub(at)) + " ago"
		long, short = append(long, "wrote last "+ago), append(short, "wrote "+ago)
	}
	if len(long) == 0 {
		return []string{"no sign of it yet", "no sign yet"}, false
	}
	texts = []string{strings.Join(long, ", ")}
	for n := len(short); n > 0; n-- {
		texts = append(texts, strings.Join(short[:n], ", "))
	}
	return texts, ill
}

// leader is the leader's lease, if a renewal was heard by the instant shown, or is told by the lease itself; nil if not.
func leader(s *Snapshot) *model.Leader {
	if s.Cluster == nil {
		return nil
	}
	list := s.Cluster.Leaders()
	for i := range list {
		if l := &list[i]; l.Name == leaderOf && !l.Gone && cmp.Or(l.Heard, l.Renewed).Bounded() && s.From() >= l.Heard {
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
