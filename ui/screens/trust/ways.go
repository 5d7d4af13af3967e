package trust

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

// ways are the connections between node and control plane, each with its last evidence, and which of them silence
// concerns.
func (g *page) ways() {
	var f widget.Facts
	list := g.s.Nodes()
	f.Add("heartbeat", "kubelet to API server, by its client certificate: a lease that is renewed proves this way, and no other")
	if text := g.proven(list); text != "" {
		f.Add("", text)
	}
	if texts, ill := g.s.Alive(); g.s.Has(model.KindLeaderLease) || len(texts) > 0 && g.s.Judged != nil {
		token := themes.Text
		if ill {
			token = themes.Warn
		}
		f.Put("decisions", token, "kube-controller-manager to API server: "+texts[0])
	}
	if g.s.Mode.Watches() {
		token, text := themes.Text, "Kardia to API server: showing the state of "+g.p.Clock(g.s.Confirmed())
		if g.s.Lost != "" || g.s.Blind {
			token, text = themes.Warn, text+"; nothing arrives, so no silence is judged"
		}
		f.Put("what you see", token, text)
	}
	g.toKubelets(&f, list)
	f.Add("silence", silence(list)+" the first: machine, network, kubelet or certificate; v narrows it")
	g.part("WAYS", &f)
}

// proven is for how many nodes the connection of heartbeats is proven of late, and by which heartbeat last.
func (g *page) proven(list *nodes.List) string {
	fresh, newest := 0, -1
	for i := range list.Entries {
		age := list.Entries[i].Then.Age
		if age.Known && age.Value < model.LateAfter && list.Entries[i].Then.From != model.AgeStatus {
			if fresh++; newest < 0 || age.Value < list.Entries[newest].Then.Age.Value {
				newest = i
			}
		}
	}
	if newest < 0 {
		return ""
	}
	e := &list.Entries[newest]
	return fmt.Sprintf("proven by %d of %d nodes within %s, last by %s, %s ago", fresh, len(list.Entries), paint.Duration(model.LateAfter), g.p.Text(e.Row.Name),
		paint.Duration(e.Then.Age.Value.Truncate(time.Second)))
}

// silence begins the sentence on the connections that silence concerns: whose it is now.
func silence(list *nodes.List) string {
	late := 0
	for i := range list.Entries {
		if e := &list.Entries[i]; e.Late || e.Health == model.HealthUnknown {
			late++
		}
	}
	if late == 0 {
		return "would speak of"
	}
	return "of " + decision.Counted(late, "node") + " speaks of"
}

// reverse is the observations of the connection from API servers to kubelets by the instant shown.
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

// toKubelets is the connection for reading logs and running commands, with the newest request that took it, as an audit
// log shows: a watch shows none.
func (g *page) toKubelets(f *widget.Facts, list *nodes.List) {
	const way = "API server to kubelet, port 10250, or by Konnectivity: a heartbeat says nothing of it"
	const try = "kubectl get --raw /api/v1/nodes/NAME/proxy/healthz tries it"
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
	if through.newest == nil && not.newest == nil {
		f.Add("log, exec", way+", and nothing that is read here takes it. "+try)
		return
	}
	f.Add("log, exec", way+". "+try)
	if through.newest != nil {
		f.Add("", g.request(&through)+": it is proven for that node at that time")
	}
	if s := not.newest; s != nil {
		token, text := themes.Dim, g.request(&not)
		if through.newest == nil || through.newest.Until < s.At {
			token = themes.Warn
			if on := g.nodeOf(s); on != "" && beats(list, on) {
				text += ". " + g.p.Text(on) + " renews its lease: this way is broken, and not the node"
			}
		}
		f.Put("", token, text)
	}
}

// request is the newest of the requests that took the way, and how many did.
func (g *page) request(r *reverse) string {
	s, verb := r.newest, "got through"
	if s.What == history.SaidUnreached {
		verb = "did not get through"
	}
	at := min(s.Until, g.s.At)
	text := verb + " last " + paint.Duration(g.s.At.Sub(at)) + " ago, at " + g.p.Clock(at)
	if s.Text != "" {
		text += ": " + s.Text
	}
	if on := g.nodeOf(s); on != "" && on != s.Node {
		text += ", on " + on
	}
	return text + fmt.Sprintf(" (%s of %s by then)", decision.Counted(r.times, "request"), model.Counted(len(r.of), "pod or node", "pods and nodes"))
}

// nodeOf is the node whose kubelet was asked; "" if it is not known.
func (g *page) nodeOf(s *history.Statement) string {
	if s.Node != "" || g.s.Cluster == nil {
		return s.Node
	}
	if p := g.s.Cluster.Pod(s.Pod); p != nil {
		return p.Node
	}
	return ""
}

// beats reports that a node was heard of late.
func beats(list *nodes.List, name string) bool {
	i := list.Find(name)
	if i < 0 {
		return false
	}
	age := list.Entries[i].Then.Age
	return age.Known && age.Value < model.LateAfter && list.Entries[i].Then.From != model.AgeStatus
}
