package topics

import (
	"cmp"
	"strings"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/model/explain/incident"
	"kardia/model/explain/recovery"
	"kardia/model/simulate/forecast"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Stands lists the problems of a node.
func Stands(n *incident.NodeStands) (is []string) {
	add := func(s words.Say) { is = append(is, s.String()) }
	since := func(what words.Say, at model.Instant) words.Say {
		return words.Of("incident.stands.since", "what", what, "at", day(at)).If(at.Bounded()).Or(what)
	}
	if n.Late.Known {
		add(words.Of("incident.stands.late", "for", model.Length(n.Late.Value)))
	}
	if ready := n.Node.Ready(); ready == nil {
		add(words.Of("incident.stands.never"))
	} else if ready.Status != model.StatusTrue {
		add(since(words.Of("incident.stands.ready", "status", ready.Status, "reason", ready.Reason), ready.Transition))
	}
	for i := range n.Node.Taints {
		t := &n.Node.Taints[i]
		if t.Effect != model.NoExecute {
			continue
		}
		what, at := words.Of("incident.stands.tainted", "key", t.Key, "effect", t.Effect), n.Node.TaintSince(t)
		if at.Width() > 0 && at.Latest.Bounded() {
			add(words.Of("incident.stands.by", "what", what, "at", day(at.Latest)))
		} else {
			add(since(what, at.Latest))
		}
	}
	if n.Node.Unschedulable {
		add(cordoned(n))
	}
	if n.Leaving != nil {
		add(ActorSays(n.Leaving))
	}
	for i := range n.Problems {
		what := Problem(&n.Problems[i])
		at := n.Problems[i].Since
		add(words.Of("incident.stands.problem", "what", what, "at", day(at)).If(at.Bounded()).Or(what))
	}
	return is
}

// cordoned is how long a node has taken no pods, and by whose act.
func cordoned(n *incident.NodeStands) words.Say {
	if n.Cordoned.Bounded() {
		if who := Writer(n.CordonedBy.Writer, n.CordonedBy.By); who != "" {
			return words.Of("incident.stands.cordoned-by", "at", day(n.Cordoned), "who", who)
		}
		return words.Of("incident.stands.cordoned-unnamed", "at", day(n.Cordoned))
	}
	since := words.Say{}
	for i := range n.Node.Taints {
		if t := &n.Node.Taints[i]; t.Key == model.TaintUnschedulable && t.Added.Bounded() {
			since = words.Of("incident.stands.added", "at", day(t.Added))
		}
	}
	return words.Of("incident.stands.cordoned", "since", since)
}

// Exits are the ways by which stuck pods go.
func Exits(list []recovery.Exit) (says []string) {
	for i := range list {
		twice := Twice().If(len(list[i].Commands) > 0)
		says = append(says, words.Join("; ", ExitSay(&list[i]), twice).String())
	}
	return says
}

// CheckAnswer is how a check came out, in JSON.
func CheckAnswer(c *recovery.Check) string {
	return map[recovery.Answer]string{recovery.Yes: "yes", recovery.No: "no", recovery.Unasked: "not-known"}[c.Answer]
}

func (t *Incident) standing(d *doc.Doc) {
	t.chapter(d, "standing")
	is := t.Standing
	if is == nil {
		d.Say(doc.Plain, words.Of("incident.text.end-not-known"))
		return
	}
	nodes, pods := words.Of("incident.stood.well"), words.Of("incident.stood.no-pods")
	switch {
	case len(is.Nodes) > 0:
		nodes = words.Of("incident.stood.unwell", "nodes", words.Of("incident.nodes-were", "n", len(is.Nodes)))
	case len(is.Caveats) > 0:
		nodes = words.Of("incident.stood.unseen")
	case is.Unlisted:
		nodes = words.Of("incident.stood.input-well")
	}
	doubt := words.Of("incident.stood.doubt", "why", caveats(is.Caveats)).If(len(is.Caveats) > 0)
	if n := len(is.Stuck); n > 0 {
		pods = words.Of("incident.stood.stuck", "n", n)
	} else if !t.ShowsPods {
		pods = words.Of("incident.stood.pods-not-known")
	}
	d.Say(doc.Plain, words.Of("incident.stood.says", "at", day(t.To), "nodes", nodes, "doubt", doubt, "pods", words.Join("; ", pods, t.marked())))
	d.Table(standingNodes(is))
	stuckPods(d, is)
	table(d, "actors", is.Actors, func(a *actors.Due) []string {
		return []string{ActorWho(&a.Actor).String(), ActorDoes(&a.Actor).String(), cmp.Or(ActorTime(&a.Actor).String(), clock(0)), cmp.Or(ActorHalts(&a.Actor).String(), "–"),
			ActorNodes(a, mostNames).String(), words.Join("; ", ActorBecause(&a.Actor)...).String()}
	})
	checks(d, is)
	t.clocks(d)
	t.coming(d)
}

// marked is how many pods show not Ready still at the end, if any.
func (t *Incident) marked() words.Say {
	if t.Standing == nil {
		return words.Say{}
	}
	n := len(t.Standing.Marked)
	return Marked(n).If(n > 0)
}

func stuckPods(d *doc.Doc, is *incident.Standing) {
	table(d, "stuck", is.Stuck, func(s *incident.Stuck) []string {
		waits := words.Of("incident.stood.waits-kubelet").If(s.Heard).Or(words.Of("incident.stood.waits-node"))
		return []string{s.Pod.Key.String(), s.Node, day(s.Since), waits.String()}
	})
	d.Say(doc.Plain, words.Of("incident.text.json-more").If(max(len(is.Nodes), len(is.Stuck)) > most))
	d.Say(doc.Plain, words.Of("incident.stood.exits").If(len(is.Exits) > 0))
	var list []words.Say
	for _, text := range Exits(is.Exits) {
		list = append(list, words.Text(text))
	}
	d.List(list...)
}

// standingNodes are nodes with problems; nodes of one zone with the same problems share a row.
func standingNodes(is *incident.Standing) *doc.Grid {
	type same struct{ zone, are, known string }
	nodes := map[same][]string{}
	var order []same
	for i := range is.Nodes {
		n := &is.Nodes[i]
		k := same{n.Node.Zone.String(), strings.Join(Stands(n), "; "), words.Of("incident.stood.then").String()}
		if n.LastKnown.Known() {
			k.known = words.Of("incident.stood.last", "at", day(n.LastKnown)).String()
		}
		if nodes[k] == nil {
			order = append(order, k)
		}
		nodes[k] = append(nodes[k], n.Name)
	}
	tab := heads("stands")
	for _, k := range order[:min(len(order), most)] {
		tab.Add(some(nodes[k], mostNames), k.zone, k.are, k.known)
	}
	return tab
}

// sameCheck is a check with the same result on several nodes, apart from durations.
type sameCheck struct {
	check recovery.Check
	nodes []string
	lasts words.Range
}

// sameChecks are the checks of all nodes, each once with the nodes that share it. The first check of each node comes
// first, then the second, and so on.
func sameChecks(nodes []incident.NodeStands) (list []*sameCheck) {
	type key struct {
		nth   int
		check recovery.Check // without how long it lasts
	}
	by := map[key]*sameCheck{}
	for nth, some := 0, true; some; nth++ {
		some = false
		for i := range nodes {
			if nth >= len(nodes[i].Checks) {
				continue
			}
			some = true
			c := nodes[i].Checks[nth]
			k := key{nth, c}
			k.check.For = 0
			if by[k] == nil {
				by[k] = &sameCheck{check: c, lasts: words.Range{Least: c.For, Most: c.For}}
				list = append(list, by[k])
			}
			s := by[k]
			s.nodes, s.lasts = append(s.nodes, nodes[i].Name), words.Range{Least: min(s.lasts.Least, c.For), Most: max(s.lasts.Most, c.For)}
		}
	}
	return list
}

// checks are the conditions for declaring silent nodes out of service.
func checks(d *doc.Doc, is *incident.Standing) {
	const mostRows = 50
	tab, list := heads("checks"), sameChecks(is.Nodes)
	for _, s := range list[:min(len(list), mostRows)] {
		tab.Add(some(s.nodes, mostNames), CheckSay(&s.check, s.lasts).String(), strings.ReplaceAll(CheckAnswer(&s.check), "-", " "), cmp.Or(CheckCommand(&s.check), "–"))
	}
	d.Table(tab)
	d.Say(doc.Plain, words.Of("incident.text.more-checks", "n", len(list)-mostRows).If(len(list) > mostRows))
}

func (t *Incident) coming(d *doc.Doc) {
	list := t.Standing.Coming
	switch {
	case t.Standing.Forecast == nil:
		if t.ShowsPods {
			why := cmp.Or(t.why(), words.Of("incident.text.unwatched").String())
			d.Say(doc.Plain, words.Of("incident.text.coming-not-known", "why", why))
		}
		return
	case len(list) == 0:
		d.Say(doc.Plain, words.Of("forecast.report.none"))
		return
	}
	d.Say(doc.Plain, words.Of("forecast.report.pods", "n", len(list)))
	table(d, "coming", list, func(e *forecast.Eviction) []string {
		when, sure := words.Of("incident.text.not-in-state").String(), "–"
		if from, to := e.Window.Earliest, e.Window.Latest; e.Window.Known() && from.Bounded() {
			sure = yesNo(e.Certain)
			switch {
			case !to.Bounded():
				when = words.Of("incident.text.at-earliest", "at", second(from)).String()
			case second(from) == second(to):
				when = second(from)
			default:
				when = words.Of("incident.range", "least", second(from), "most", second(to)).String()
			}
		}
		return []string{e.Pod.String(), e.Node, when, t.relative(e.Window.Earliest), sure, EvictionWhy(&e.Why).String()}
	})
}
