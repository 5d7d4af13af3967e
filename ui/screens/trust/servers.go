package trust

import (
	"cmp"
	"fmt"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// renewsWithin is how old the renewal of an API server that lives may be when its lease is read: it renews every ten
// seconds. Its lease is deleted an hour after the last.
// Source: kubernetes: pkg/controlplane/apiserver, IdentityLeaseRenewIntervalPeriod and IdentityLeaseDurationSeconds.
const renewsWithin = 30 * time.Second

// servers are the API servers, by the leases by which they report that they live.
func (g *page) servers() {
	var f widget.Facts
	if g.s.Cluster == nil {
		return
	}
	list, read := g.s.Cluster.Servers()
	switch why := g.s.Lacks(model.KindServerLease); {
	case why != "":
		f.Add("not known", "how many there are: the leases by which they say that they live are "+why)
	case len(list) == 0:
		f.Add("none", "says by a lease that it lives: before 1.26 none does, nor where the feature APIServerIdentity is off")
	default:
		g.serving(&f, list, g.readLast(read))
	}
	g.part("API SERVERS", &f)
}

// readLast is when the leases were read last. A live view reads them now and then, also if nothing has changed in them.
func (g *page) readLast(read model.Instant) model.Instant {
	if g.s.Mode == screen.Live {
		for i := range g.s.Status {
			if st := &g.s.Status[i]; st.Kind == model.KindServerLease {
				read = max(read, st.Last)
			}
		}
	}
	return min(read, g.s.At)
}

func (g *page) serving(f *widget.Facts, list []model.Server, read model.Instant) {
	renewed, doubtful := 0, false
	for i := range list {
		s := &list[i]
		text, token := g.server(s, read)
		if token == themes.Text {
			renewed++
		}
		doubtful = doubtful || token == themes.Warn
		f.Put(g.p.Middle(g.p.Text(cmp.Or(s.Host, s.Lease)), 24), token, text)
	}
	if doubtful {
		g.doubt(fmt.Sprintf("%d of %s renew the lease by which they say that they live", renewed, decision.Counted(len(list), "API server")))
	}
	when := ""
	if read.Bounded() {
		when = ", read last at " + g.p.Clock(read)
	}
	f.Add("in all", fmt.Sprintf("%d, of which %d renewed the lease%s. Kubelets talk to whichever their load balancer gives them", len(list), renewed, when))
}

// server is one of them. Its age is as of when the leases were read.
func (g *page) server(s *model.Server, read model.Instant) (text string, token themes.Token) {
	token = themes.Text
	switch age := max(read.Sub(s.Renewed), 0); {
	case !s.Renewed.Bounded() || !read.Bounded():
		text, token = "whether it renews its lease is not known", themes.Dim
	case age > renewsWithin:
		token = themes.Warn
		text = "has not renewed its lease for " + paint.Duration(age) + ", since " + g.p.Clock(s.Renewed) + ": it has ended, or cannot write; its lease is deleted an hour after that"
	default:
		text = "renewed its lease " + paint.Duration(age) + " before that was read"
	}
	if s.Made.Bounded() {
		text += "; made " + g.p.DateTime(s.Made)
	}
	if s.Host != "" {
		text += "; " + s.Lease
	}
	if s.Holder != "" && s.Holder != s.Lease {
		text += ", held by " + s.Holder
	}
	return text, token
}
