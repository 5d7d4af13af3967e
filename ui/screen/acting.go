package screen

import (
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// leader reports that kube-controller-manager has no leader, or may have none, and what follows from that.
func (n *notices) leader() {
	s := n.s
	switch held, _ := s.Outlook().Holding(); {
	case held.Reason == caveat.MaybeNoLeader:
		n.add(themes.Warn, words.Of("notice.maybe-no-leader", "for", max(0, s.From().Sub(held.Since))))
	case held.Reason == caveat.NoLeader && held.Since.Known():
		n.add(themes.Warn, words.Of("notice.no-leader", "at", held.Since, "lease", model.ControllerManager))
	}
}

// overdue reports that the controller has missed a required action.
func (n *notices) overdue() {
	s := n.s
	if s.Judged == nil || s.Judged.State == nil || !s.Judged.State.Overdue.Known() {
		return
	}
	o := &s.Judged.State.Overdue
	var which, more, why words.Say
	if others := len(o.Decisions) - 1; others >= 0 {
		if others > 0 {
			more = words.Of("notice.overdue.more", "n", others)
		}
		d := &o.Decisions[0]
		which = words.Of("notice.overdue.which", "at", o.Since, "what", n.p.Text(d.Kind.String()+" "+d.Subject()), "more", more)
	}
	if held, _ := caveat.Holding(s.Judged.State); held.Reason == caveat.NoLeader {
		why = words.Say{} // another notice has it
	} else if o.OnlyTaints() {
		why = words.Of("notice.overdue.taints")
	} else {
		why = words.Of("notice.overdue.acts")
	}
	n.add(themes.Warn, words.Of("notice.overdue.says", "overdue", topics.Overdue(o, o.For(s.From())), "which", which, "why", why))
}

// stoodFor is how long a pause of the controller is still reported after its end.
const stoodFor = 5 * time.Minute

// stood reports that the controller paused until recently: its writes came late, by other windows.
func (n *notices) stood() {
	s := n.s
	for i := len(s.Standstills) - 1; i >= 0; i-- {
		if v := s.Standstills[i]; v.Latest <= s.At && s.At.Sub(v.Latest) < stoodFor {
			if r := s.Outlook().Restart; r != nil && r.Time >= v.Latest {
				return // the late countdowns have restarted since
			}
			n.add(themes.Text, words.Of("notice.stood", "from", v.Earliest, "to", v.Latest))
			return
		}
	}
}

// restartedFor is how long every screen shows a restart of the controllers; trust shows it longer.
const restartedFor = 10 * time.Minute

// restarted reports a recent restart of the controllers, and the effect on the countdowns.
func (n *notices) restarted() {
	if r := n.s.Outlook().Restart; r != nil && n.s.From().Sub(r.Time) <= restartedFor {
		n.add(themes.Text, words.Of("notice.restarted", "at", r.Time, "what", Restarted(r)))
	}
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
