package screen

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// leaderNotice reports that kube-controller-manager has no leader, or may have none, and what follows from that.
func leaderNotice(s *Snapshot, p *paint.Painter) []Notice {
	switch held, _ := s.Controllers().Holding(); {
	case held.Reason == caveat.MaybeNoLeader:
		return []Notice{{themes.Warn, fmt.Sprintf("leader's lease %s old: if the leader exited, all restarts with the next one   renewed every 2s, given up after 12s", paint.Duration(max(0, s.From().Sub(held.Since))))}}
	case held.Reason == caveat.NoLeader && held.Since.Known():
		return []Notice{{themes.Warn, "no leader since " + p.Clock(held.Since) + ": countdowns and grace periods restart with the next   by the lease of " + model.ControllerManager}}
	}
	return nil
}

// overdueNotice reports that the controller has missed a required action.
func overdueNotice(s *Snapshot, p *paint.Painter) []Notice {
	if s.Judged == nil || s.Judged.State == nil || !s.Judged.State.Overdue.Known() {
		return nil
	}
	o := &s.Judged.State.Overdue
	text := topics.Overdue(o, o.For(s.From())).In(p)
	if len(o.Decisions) > 0 {
		d := &o.Decisions[0]
		text += ", as it must have by " + p.Clock(o.Since) + ": " + p.Text(d.Kind.String()+" "+d.Subject())
		if n := len(o.Decisions) - 1; n > 0 {
			text += fmt.Sprintf(", and %d more", n)
		}
	}
	if held, _ := caveat.Holding(s.Judged.State); held.Reason == caveat.NoLeader {
		return []Notice{{themes.Warn, text}} // why has been said
	}
	if o.OnlyTaints() {
		return []Notice{{themes.Warn, text + "   stalled, or its --node-eviction-rate is lower than assumed: at 0 no node is ever tainted"}}
	}
	return []Notice{{themes.Warn, text + "   stalled, dead, without a leader, its cache behind, or our flags are wrong"}}
}

// stoodFor is how long after the controller acts again its pause is still reported.
const stoodFor = 5 * time.Minute

// stoodNotice reports that the controller did not act until lately: events then came late, by other windows than were
// predicted.
func stoodNotice(s *Snapshot, p *paint.Painter) []Notice {
	for i := len(s.Standstills) - 1; i >= 0; i-- {
		if v := s.Standstills[i]; v.Latest <= s.At && s.At.Sub(v.Latest) < stoodFor {
			if r := s.Controllers().Restart; r != nil && r.Time >= v.Latest {
				return nil // the late countdowns have restarted since
			}
			return []Notice{{themes.Text, fmt.Sprintf("the controller was not acting from %s to %s: due actions came late", p.Clock(v.Earliest), p.Clock(v.Latest))}}
		}
	}
	return nil
}

// restartedFor is for how long every screen shows that the controllers restarted; trust does for longer.
const restartedFor = 10 * time.Minute

// restartNotice reports that the controllers restarted lately, and the effect on the countdowns.
func restartNotice(s *Snapshot, p *paint.Painter) []Notice {
	r := s.Controllers().Restart
	if r == nil || s.From().Sub(r.Time) > restartedFor {
		return nil
	}
	return []Notice{{themes.Text, p.Text("controller restarted " + p.Clock(r.Time) + ": " + Restarted(r))}}
}

// Restarted is what began again with the controllers.
func Restarted(r *why.Restart) string {
	text := "1 countdown restarts, ends "
	switch {
	case r.Countdowns == 0: // none ran, or none runs any more
		return "graces and countdowns restarted then"
	case r.Ran > r.Countdowns:
		text = fmt.Sprintf("%d of %d countdowns restart by now, end ", r.Countdowns, r.Ran)
	case r.Countdowns > 1:
		text = strconv.Itoa(r.Countdowns) + " countdowns restart, end "
	}
	if r.Least > 0 && r.Most-r.Least >= time.Second {
		text += paint.Duration(r.Least) + "–"
	}
	return text + paint.Duration(r.Most) + " later"
}
