package trust

import (
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// ways are the connections between node and control plane, with their last evidence, and those that silence concerns.
func (g *page) ways(f *widget.Facts) {
	list := g.s.Nodes()
	f.Say(words.Label("heartbeat"), themes.Text, words.Of("trust.way.heartbeat"))
	g.proven(f, list)
	if texts, ill := g.s.Alive(); g.s.Has(model.KindLeaderLease) || len(texts) > 0 && g.s.Judged != nil {
		f.Say(words.Label("decisions"), warns(ill), words.Of("trust.way.decisions", "what", texts[0]))
	}
	if g.s.Mode.Watches() {
		key := "see"
		if g.s.Lost != "" || g.s.Blind {
			key = "do-not"
		}
		f.Say(words.Label("what you see"), warns(key == "do-not"), words.Of("trust.way.you."+key, "at", g.s.Confirmed()))
	}
	g.toKubelets(f, list)
	silent := 0
	for i := range list.Entries {
		if e := &list.Entries[i]; e.Late || e.Health == model.HealthUnknown {
			silent++
		}
	}
	if silent == 0 {
		f.Say(words.Label("silence"), themes.Text, words.Of("trust.way.no-silence"))
	} else {
		f.Say(words.Label("silence"), themes.Text, words.Of("trust.way.silence", "n", silent))
	}
}

func warns(ill bool) themes.Token { return themes.Warn.If(ill, themes.Text) }

// proven is the number of nodes whose heartbeat connection is recently proven, and the last heartbeat.
func (g *page) proven(f *widget.Facts, list *nodes.List) {
	fresh, newest := 0, -1
	for i := range list.Entries {
		if age := list.Entries[i].Then.Age; beats(&list.Entries[i]) {
			if fresh++; newest < 0 || age.Value < list.Entries[newest].Then.Age.Value {
				newest = i
			}
		}
	}
	if newest >= 0 {
		e := &list.Entries[newest]
		f.Say("", themes.Text, words.Of("trust.way.proven", "fresh", fresh, "all", len(list.Entries), "within", model.LateAfter, "name", e.Row.Name, "for", e.Then.Age.Value.Truncate(time.Second)))
	}
}

// reverse is the observations of the connection from API servers to kubelets by the time shown.
type reverse struct {
	newest *history.Statement // nil for none
	times  int
	of     map[string]bool // pods and nodes
}

func (r *reverse) put(s *history.Statement) {
	if r.of == nil {
		r.of = map[string]bool{}
	}
	r.newest, r.times, r.of[s.Subject()] = s, r.times+s.Times, true
}

// toKubelets is the connection for logs and commands, with its newest request in an audit log; a watch shows none.
func (g *page) toKubelets(f *widget.Facts, list *nodes.List) {
	var through, not reverse
	for i := range g.s.Said {
		switch s := &g.s.Said[i]; {
		case s.At > g.s.At:
		case s.What == history.SaidReached:
			through.put(s)
		case s.What == history.SaidUnreached:
			not.put(s)
		}
	}
	unused := words.Say{}
	if through.newest == nil && not.newest == nil {
		unused = words.Of("trust.way.unused")
	}
	f.Say(words.Label("log, exec"), themes.Text, words.Of("trust.way.to-kubelet", "unused", unused))
	if through.newest != nil {
		f.Say("", themes.Text, words.Of("trust.way.through", "last", g.request(&through)))
	}
	if s := not.newest; s != nil {
		token, key, on := themes.Dim, "alone", g.nodeOf(s)
		if through.newest == nil || through.newest.Until < s.At {
			token = themes.Warn
			if i := list.Find(on); i >= 0 && beats(&list.Entries[i]) {
				key = "broken"
			}
		}
		f.Say("", token, words.Of("trust.way.failed."+key, "last", g.request(&not), "node", on))
	}
}

// request is the newest request on the connection, and their number.
func (g *page) request(r *reverse) words.Say {
	s := r.newest
	at, text, on := min(s.Until, g.s.At), "", words.Say{}
	if s.Text != "" {
		text = ": " + s.Text
	}
	if name := g.nodeOf(s); name != "" && name != s.Node {
		on = words.Of("trust.way.on", "node", name)
	}
	return words.Of("trust.way.last", "for", g.s.At.Sub(at), "at", at, "text", text, "on", on,
		"requests", words.Of("trust.way.requests", "n", r.times), "subjects", words.Of("trust.way.subjects", "n", len(r.of)))
}

func (g *page) nodeOf(s *history.Statement) string {
	if s.Node != "" || g.s.Cluster == nil {
		return s.Node
	}
	if p := g.s.Cluster.Pod(s.Pod); p != nil {
		return p.Node
	}
	return ""
}

func beats(e *nodes.Entry) bool {
	age := e.Then.Age
	return age.Known && age.Value < model.LateAfter && e.Then.From != model.AgeStatus
}
