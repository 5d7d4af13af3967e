package trust

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

// ways are those between node and control plane, each with its last evidence, and which of them silence speaks of.
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
		token, text := themes.Text, "Kardia to API server: what is shown is as of "+g.p.Clock(g.s.Confirmed())
		if g.s.Lost != "" || g.s.Blind {
			token, text = themes.Warn, text+"; nothing arrives, so no silence is judged"
		}
		f.Put("what you see", token, text)
	}
	f.Add("log, exec", "API server to kubelet, port 10250, or by Konnectivity: a heartbeat says nothing of it, and nothing that is read here takes it. kubectl get --raw /api/v1/nodes/NAME/proxy/healthz tries it")
	f.Add("silence", silence(list)+" the first: machine, network, kubelet or certificate; v narrows it")
	g.part("WAYS", &f)
}

// proven says for how many nodes the way of heartbeats is proven of late, and by which heartbeat last.
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

// silence begins the sentence on what silence speaks of: whose it is now.
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
