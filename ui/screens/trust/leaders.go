package trust

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// leaders are the leaders in the control plane, since when, and what restarted with each.
func (g *page) leaders(f *widget.Facts) {
	if g.s.Cluster != nil && g.s.Has(model.KindLeaderLease) { // else its absence is reported elsewhere
		g.holders(f)
	}
	g.unled(f)
	if r := g.s.Outlook().Restart; r != nil {
		f.Say(words.Label("restarted"), themes.Warn, words.Of("trust.leader.restarted", "when", topics.DecisionTime(r.Decision, g.s.From()), "what", screen.Restarted(r)))
	}
}

// unled is the times without a leader of kube-controller-manager, as far as known by the time shown.
func (g *page) unled(f *widget.Facts) {
	if g.s.Result() == nil {
		return
	}
	for _, v := range g.s.Judged.Result.Unled() {
		since := g.p.DateTime(v.Earliest)
		switch {
		case v.Latest >= g.s.From() && !g.s.Outlook().Leaderless(): // that is known later only
		case v.Latest >= g.s.From():
			f.Say(words.Label("no leader"), themes.Warn, words.Of("trust.leader.none", "since", since))
		default:
			f.Say(words.Label("no leader"), themes.Warn, words.Of("trust.leader.none-until", "since", since, "until", v.Latest, "for", v.Width()))
		}
	}
}

func (g *page) holders(f *widget.Facts) {
	for _, l := range g.s.Cluster.Leaders() {
		if l.Gone || l.Holder == "" {
			f.Say(l.Name, themes.Warn, words.Of("trust.leader.unheld"))
			continue
		}
		name, _, _ := strings.Cut(l.Holder, "_") // the rest makes it unique
		ago, lasts := g.s.From().Sub(l.Heard), time.Duration(l.Seconds)*time.Second
		key, renewed, token := "leads", words.Say{}, themes.Text
		if l.Heard.Bounded() && g.s.From() >= l.Heard {
			renewed = words.Of("trust.leader.renewed", "for", ago)
			if lasts > 0 && ago > lasts {
				key, renewed, token = "led", words.Of("trust.leader.ran-out", "for", ago, "lasts", lasts), themes.Warn
			}
		}
		since := ""
		if l.Acquired.Bounded() {
			since = g.p.DateTime(l.Acquired)
			key += "-since"
		}
		f.Say(l.Name, token, words.Of("trust.leader.holder."+key, "name", name, "since", since, "transitions", int(l.Transitions), "renewed", renewed))
	}
}
