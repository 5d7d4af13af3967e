package trust

import (
	"cmp"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// renewsWithin is the greatest age of a live API server's renewal when its lease is read: it renews every ten seconds.
// Its lease is deleted an hour after the last.
// Source: kubernetes: pkg/controlplane/apiserver, IdentityLeaseRenewIntervalPeriod and IdentityLeaseDurationSeconds.
const renewsWithin = 30 * time.Second

func (g *page) servers(f *widget.Facts) {
	if g.s.Cluster == nil {
		return
	}
	list, read := g.s.Cluster.Servers()
	switch why := g.s.Lacks(model.KindServerLease); {
	case why != "":
		f.Say(words.Label("not known"), themes.Text, words.Of("trust.server.unread", "why", why))
	case len(list) == 0:
		f.Say(words.Label("none"), themes.Text, words.Of("trust.server.none"))
	default:
		g.serving(f, list, g.readLast(read))
	}
}

// readLast is the time at which the leases were read last. A live view rereads even unchanged ones.
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
		say, token := g.server(s, read)
		if token == themes.Text {
			renewed++
		}
		doubtful = doubtful || token == themes.Warn
		f.Say(g.p.Middle(g.p.Text(cmp.Or(s.Host, s.Lease)), 24), token, say)
	}
	if doubtful {
		g.doubt(words.Of("trust.server.doubt", "renewed", renewed, "n", len(list)))
	}
	when := words.Say{}
	if read.Bounded() {
		when = words.Of("trust.server.read", "at", read)
	}
	f.Say(words.Label("in all"), themes.Text, words.Of("trust.server.all", "n", len(list), "renewed", renewed, "read", when))
}

// server is one of them. Its age is as of the last read of the leases.
func (g *page) server(s *model.Server, read model.Instant) (say words.Say, token themes.Token) {
	switch age := max(read.Sub(s.Renewed), 0); {
	case !s.Renewed.Bounded() || !read.Bounded():
		say, token = words.Of("trust.server.unknown"), themes.Dim
	case age > renewsWithin:
		say, token = words.Of("trust.server.silent", "for", age, "since", s.Renewed), themes.Warn
	default:
		say, token = words.Of("trust.server.renews", "for", age), themes.Text
	}
	more := []words.Say{say}
	if s.Made.Bounded() {
		more = append(more, words.Of("trust.server.made", "at", g.p.DateTime(s.Made)))
	}
	if s.Host != "" {
		more = append(more, words.Text("; "+s.Lease))
	}
	if s.Holder != "" && s.Holder != s.Lease {
		more = append(more, words.Of("trust.server.held", "by", s.Holder))
	}
	return words.Chain(more...), token
}
