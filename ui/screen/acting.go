package screen

import (
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// leaderNotice reports that kube-controller-manager has no leader, or may have none, and what follows from that.
func leaderNotice(s *Snapshot, p *paint.Painter) []Notice {
	switch held, _ := s.Outlook().Holding(); {
	case held.Reason == caveat.MaybeNoLeader:
		return warns(words.Of("notice.maybe-no-leader", "for", max(0, s.From().Sub(held.Since))), p)
	case held.Reason == caveat.NoLeader && held.Since.Known():
		return warns(words.Of("notice.no-leader", "at", held.Since, "lease", model.ControllerManager), p)
	}
	return nil
}

// overdueNotice reports that the controller has missed a required action.
func overdueNotice(s *Snapshot, p *paint.Painter) []Notice {
	if s.Judged == nil || s.Judged.State == nil || !s.Judged.State.Overdue.Known() {
		return nil
	}
	o := &s.Judged.State.Overdue
	var which, more, why words.Say
	if n := len(o.Decisions) - 1; n >= 0 {
		if n > 0 {
			more = words.Of("notice.overdue.more", "n", n)
		}
		d := &o.Decisions[0]
		which = words.Of("notice.overdue.which", "at", o.Since, "what", p.Text(d.Kind.String()+" "+d.Subject()), "more", more)
	}
	if held, _ := caveat.Holding(s.Judged.State); held.Reason == caveat.NoLeader {
		why = words.Say{} // another notice has it
	} else if o.OnlyTaints() {
		why = words.Of("notice.overdue.taints")
	} else {
		why = words.Of("notice.overdue.acts")
	}
	return warns(words.Of("notice.overdue.says", "overdue", topics.Overdue(o, o.For(s.From())), "which", which, "why", why), p)
}

func warns(say words.Say, p *paint.Painter) []Notice { return []Notice{{themes.Warn, say.In(p)}} }

// stoodFor is how long a pause of the controller is still reported after its end.
const stoodFor = 5 * time.Minute

// stoodNotice reports that the controller paused until recently: its writes came late, by other windows.
func stoodNotice(s *Snapshot, p *paint.Painter) []Notice {
	for i := len(s.Standstills) - 1; i >= 0; i-- {
		if v := s.Standstills[i]; v.Latest <= s.At && s.At.Sub(v.Latest) < stoodFor {
			if r := s.Outlook().Restart; r != nil && r.Time >= v.Latest {
				return nil // the late countdowns have restarted since
			}
			return []Notice{{themes.Text, words.Of("notice.stood", "from", v.Earliest, "to", v.Latest).In(p)}}
		}
	}
	return nil
}

// restartedFor is how long every screen shows a restart of the controllers; trust shows it longer.
const restartedFor = 10 * time.Minute

// restartNotice reports a recent restart of the controllers, and the effect on the countdowns.
func restartNotice(s *Snapshot, p *paint.Painter) []Notice {
	r := s.Outlook().Restart
	if r == nil || s.From().Sub(r.Time) > restartedFor {
		return nil
	}
	return []Notice{{themes.Text, words.Of("notice.restarted", "at", r.Time, "what", Restarted(r)).In(p)}}
}

// Restarted is the effect of a restart of the controllers on countdowns.
func Restarted(r *why.Restart) words.Say {
	later := words.Range{Least: r.Most, Most: r.Most}
	if r.Least > 0 && r.Most-r.Least >= time.Second {
		later.Least = r.Least
	}
	switch {
	case r.Countdowns == 0: // none ran, or none runs any more
		return words.Of("notice.countdowns.none")
	case r.Ran > r.Countdowns:
		return words.Of("notice.countdowns.some", "k", r.Countdowns, "of", r.Ran, "later", later)
	}
	return words.Of("notice.countdowns.all", "n", r.Countdowns, "later", later)
}
