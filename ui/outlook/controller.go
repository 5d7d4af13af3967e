package outlook

import (
	"kardia/model"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// leaderOf is the lease under which the instances of the controller manager elect one.
const leaderOf = "kube-controller-manager"

// Controller says by which signs the controllers are alive, in a few words: the renewals of the
// leader's lease, the last write of theirs that was seen, and what is overdue. "" where nothing
// tells.
func (o *Outlook) Controller(s *screen.Snapshot, p *paint.Painter) (text string, ill bool) {
	if o.State != nil && o.State.Overdue.Known() {
		text, ill = "overdue "+paint.Duration(o.State.Overdue.For(s.From())), true
	}
	add := func(more string) {
		if text != "" {
			text += ", "
		}
		text += more
	}
	if s.Cluster != nil {
		for _, l := range s.Cluster.Leaders() {
			if at := max(l.Heard, l.Renewed); l.Name == leaderOf && at.Known() && s.From() >= at {
				add("leader renewed " + paint.Duration(s.From().Sub(at)) + " ago")
			}
		}
	}
	if at := lastWrite(s); at.Known() {
		add("wrote last " + paint.Duration(s.From().Sub(at)) + " ago")
	}
	return text, ill
}

// lastWrite is the last write of the controllers that was seen by the instant shown.
func lastWrite(s *screen.Snapshot) model.Instant {
	if s.Judged == nil || s.Judged.Result == nil {
		return 0
	}
	writes := s.Judged.Result.Writes
	for i := len(writes) - 1; i >= 0; i-- {
		if at := writes[i].Time.Latest; at.Bounded() && at <= s.From() {
			return at
		}
	}
	return 0
}
