package trust

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// leaders are the leaders in the control plane, since when, and what restarted with each.
func (g *page) leaders() {
	var f widget.Facts
	if g.s.Cluster != nil && g.s.Has(model.KindLeaderLease) { // else that it is not there has been said
		g.holders(&f)
	}
	g.unled(&f)
	if r := g.s.Controllers().Restart; r != nil {
		f.Put("restarted", themes.Warn, decision.Time(r.Decision, g.s.From(), g.p)+": "+screen.Restarted(r)+". Since then it counts each node's silence from its first pass on, and countdowns from when it saw their taints; RegisteredNode of every node says no more")
	}
	g.part("WHO LEADS", &f)
}

// unled is when kube-controller-manager had no leader, as far as that was by the instant shown.
func (g *page) unled(f *widget.Facts) {
	if g.s.Judged == nil || g.s.Judged.Result == nil {
		return
	}
	for _, v := range g.s.Judged.Result.Unled() {
		switch {
		case v.Latest >= g.s.From() && !g.s.Controllers().Leaderless(): // that is known later only
		case v.Latest >= g.s.From():
			f.Put("no leader", themes.Warn, "since "+g.p.DateTime(v.Earliest)+", as far as is known: no node is declared or tainted, and no pod deleted, meanwhile")
		default:
			f.Put("no leader", themes.Warn, "from "+g.p.DateTime(v.Earliest)+", when it was last known to act, to "+g.p.Clock(v.Latest)+", for "+paint.Duration(v.Width()))
		}
	}
}

// holders are the holders of the leader leases.
func (g *page) holders(f *widget.Facts) {
	for _, l := range g.s.Cluster.Leaders() {
		if l.Gone || l.Holder == "" {
			f.Put(l.Name, themes.Warn, "its lease has no holder")
			continue
		}
		name, _, _ := strings.Cut(l.Holder, "_") // what follows makes it unique
		heard := l.Heard.Bounded() && g.s.From() >= l.Heard
		ago, lasts := g.s.From().Sub(l.Heard), time.Duration(l.Seconds)*time.Second
		ranOut := heard && lasts > 0 && ago > lasts
		text, token := name+" leads", themes.Text
		if ranOut {
			text, token = name+" led last,", themes.Warn
		}
		if l.Acquired.Bounded() {
			text += " since " + g.p.DateTime(l.Acquired)
		}
		text += fmt.Sprintf(", transition %d", l.Transitions)
		if heard {
			text += ", renewed " + paint.Duration(ago) + " ago"
		}
		if ranOut {
			text += fmt.Sprintf(": longer than the %s that it lasts", paint.Duration(lasts))
		}
		f.Put(l.Name, token, text)
	}
}
