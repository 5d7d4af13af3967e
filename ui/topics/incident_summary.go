package topics

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/explain/problem"
	"kardia/ui/words"
)

// Summary is the incident in a few sentences, each based on figures below it. Contradictions between the controllers'
// own logs and the models come first.
func (t *Incident) Summary() (list []string) {
	for _, says := range [][]words.Say{{t.disagrees()}, {t.saidSo(true), t.saidSo(false), t.fell(), t.beating(), t.unheeded(), t.expected(), t.leads()},
		{t.declared()}, {t.deleted()}, {t.held()}, {t.ended(), t.removals(namedActs), t.acts(namedActs)}, {t.clocksOff()}} {
		if text := words.Join(" ", says...).String(); text != "" {
			list = append(list, text)
		}
	}
	return list
}

func (t *Incident) why() string {
	if t.Undecided.Why != nil {
		return Note(t.Undecided.Why).String()
	}
	return caveats(t.Undecided.Caveats)
}

// unless is a sentence that something did not happen, if that is known.
func (t *Incident) unless(says words.Say) words.Say {
	if t.Undecided.Is() {
		return words.Of("incident.undecided", "why", t.why())
	}
	return says
}

// fell is which nodes fell silent, when and where.
func (t *Incident) fell() words.Say {
	is := t.Fell()
	n := len(is.Nodes)
	switch {
	case n == 0 && t.Undecided.Is():
		return words.Of("incident.fell.not-known", "why", t.why())
	case n == 0:
		already := words.Of("incident.fell.already", "n", t.UnknownBefore).If(t.UnknownBefore > 0)
		return words.Of("incident.fell.none", "from", day(t.From), "to", day(t.To), "already", already)
	}
	heard := words.Of("incident.fell.between", "from", day(is.First), "to", second(is.Last))
	switch {
	case is.First == 0:
		heard = words.Of("incident.fell.unheard", "n", n)
	case second(is.First) == second(is.Last):
		heard = words.Of("incident.fell.at", "at", day(is.First))
	}
	return words.Of("incident.fell.says."+fallen(&is), "who", t.who(&is), "where", t.where(&is), "heard", heard)
}

// fallen is the code for how nodes fell silent: some renewed throughout.
func fallen(is *incident.Fell) string {
	if is.Beat {
		return "beat"
	}
	return "fell"
}

// who are the nodes that fell silent: how many of how many, or the name of one.
func (t *Incident) who(is *incident.Fell) words.Say {
	n := len(is.Nodes)
	who := words.Of("count.nodes", "n", n)
	if all := t.Existed; all >= n && !t.Captured && t.Node == "" {
		if who = words.Of("incident.fell.of", "k", n, "nodes", words.Of("count.nodes", "n", all)); n == all && n > 1 {
			who = words.Of("incident.fell.all", "k", n)
		}
	}
	if n == 1 {
		return words.Of("incident.fell.named", "who", who, "node", is.Nodes[0])
	}
	return who
}

func (t *Incident) where(is *incident.Fell) string {
	names, sizes := map[string]int{}, map[string]int{}
	for zone, n := range is.Zones {
		names[zoneOr(zone, "")] = n
	}
	for zone, n := range t.InZone {
		sizes[zone.String()] = n
	}
	var list []string
	for _, zone := range sorted(names) {
		n, of := names[zone], sizes[zone]
		key := "some"
		switch {
		case of < n || t.Captured || t.Node != "":
			key = "in"
		case of == n:
			key = "all"
		}
		list = append(list, words.Of("incident.fell.zone-"+key, "k", n, "of", of, "zone", zoneName(zone)).String())
	}
	return some(list, 6)
}

func zoneOr(zone model.Maybe[model.ZoneKey], or string) string {
	if !zone.Known {
		return or
	}
	return zone.Value.String()
}

func zoneName(zone string) words.Say {
	switch zone {
	case "none":
		return words.Of("incident.zone.none")
	case "":
		return words.Of("incident.zone.unknown")
	}
	return words.Of("incident.zone.name", "zone", zone)
}

// saidSo is the nodes that were not ready by their kubelets' own report, or by that of others.
func (t *Incident) saidSo(kubelets bool) words.Say {
	var nodes []string
	var from, to model.Instant
	seen := false
	for _, u := range t.Unready {
		if u.By.OfKubelet() != kubelets {
			continue
		}
		seen = seen || u.By != model.WriterUnknown
		nodes, from, to = append(nodes, u.Node), cmp.Or(from, u.From), max(to, u.From)
	}
	if len(nodes) == 0 {
		return words.Say{}
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	unseen := words.Of("incident.said.unseen").If(!seen && kubelets)
	key := map[bool]string{true: "kubelet", false: "person"}[kubelets]
	return words.Of("incident.said."+key, "n", len(nodes), "nodes", words.Of("count.nodes", "n", len(nodes)), "names", some(nodes, 3), "when", span(from, to), "unseen", unseen)
}

// beating is the declared nodes that renewed throughout, if others did not; unheeded's renewals did not count.
func (t *Incident) beating() words.Say {
	nodes, beating := t.Beating(), 0
	for i := range t.Silences {
		if t.Silences[i].Beat() {
			beating++
		}
	}
	return words.Of("incident.beating", "nodes", words.Of("count.nodes", "n", len(nodes)), "names", some(nodes, 3)).If(beating > 0 && beating < len(t.Silences))
}

func (t *Incident) unheeded() words.Say {
	nodes := t.Unheeded()
	return words.Of("incident.unheeded", "n", len(nodes), "nodes", words.Of("count.nodes", "n", len(nodes)), "names", some(nodes, 3)).If(len(nodes) > 0)
}

// expected counts declarations that the models expect and the input does not show.
func (t *Incident) expected() words.Say {
	n := t.Expected()
	return words.Of("incident.expected", "n", n, "at", second(t.Doubt.Earliest)).If(n > 0)
}

// leads reports that there was no leader at the end, so silent nodes were not declared.
func (t *Incident) leads() words.Say {
	var failed, unled words.Say
	if n := len(t.LeaseFailures); n > 0 {
		f := t.LeaseFailures[n-1].Fact()
		failed = words.Of("incident.sentence", "says", capital(Fact(&f).String()))
	}
	if t.Unled.Known() {
		silent := words.Of("incident.unled-silent", "n", t.Undeclared).If(t.Undeclared > 0)
		unled = words.Of("incident.unled", "at", second(t.Unled), "silent", silent)
	}
	return words.Join(" ", failed, unled)
}

func (t *Incident) declared() words.Say {
	if len(t.Silences) == 0 {
		return words.Say{}
	}
	is, again := t.Declared(), len(t.Silences)-len(t.Lost())
	what := words.Of("incident.declared.again", "times", len(t.Silences)).If(again > 0).Or(words.Of("incident.declared.once", "n", len(t.Silences)))
	after := words.Of("incident.declared.after", "for", tookBetween(is.Least, is.Most)).If(is.Measured)
	pods := words.Of("incident.declared.pods", "n", is.Pods).If(is.Pods > 0)
	return words.Of("incident.declared.says", "what", what, "when", span(is.First, is.Last), "after", after, "pods", pods)
}

func (t *Incident) ended() words.Say {
	if len(t.Silences) == 0 || t.Captured {
		return words.Say{}
	}
	if !t.SeesNodes {
		n, last := t.Untainted()
		return words.Of("incident.ended.untainted", "nodes", words.Of("count.nodes", "n", n), "at", second(last)).If(n > 0).Or(words.Of("incident.ended.not-known"))
	}
	is := t.Ended()
	var back words.Say
	if n := is.Nodes - is.Silent - is.Gone; n > 0 {
		who := words.Of("incident.nodes-were", "n", n).If(n < is.Nodes).Or(words.Of("incident.ended.all", "n", n))
		after := words.Of("incident.ended.after", "n", len(t.Silences), "for", took(is.Longest)).If(is.Longest > 0)
		back = words.Of("incident.ended.back", "who", who, "at", second(is.Back), "after", after)
	}
	gone := words.Of("incident.ended.gone", "who", words.Of("incident.nodes-were", "n", is.Gone)).If(is.Gone > 0)
	silent := words.Of("incident.ended.silent", "who", words.Of("incident.nodes-were", "n", is.Silent), "at", second(t.To)).If(is.Silent > 0)
	return sentence(back, gone, silent, t.marked())
}

const namedActs = 3

func (t *Incident) removals(most int) words.Say {
	var list []words.Say
	for i := range t.Removed[:min(len(t.Removed), most)] {
		list = append(list, words.Of("incident.sentence", "says", Removal(&t.Removed[i])))
	}
	more := len(t.Removed) - most
	return words.Join(" ", append(list, words.Of("incident.acts.more-removed", "n", more).If(more > 0))...)
}

// acts are the acts of persons on nodes, except removals of lost nodes and writes of not ready.
func (t *Incident) acts(most int) words.Say {
	list := t.byHand()
	n := len(list) - most
	more := words.Of("incident.acts.more", "k", n).If(n > 0)
	return words.Of("incident.acts.says", "acts", words.Join("; ", list[:min(len(list), most)]...), "more", more).If(len(list) > 0)
}

func (t *Incident) byHand() (list []words.Say) {
	for i := range t.Rows() {
		row := &t.rows[i]
		if !t.ByPerson(row.Event) {
			continue
		}
		who := words.Of("incident.acts.person")
		if row.By != nil && row.By.Who() != "" {
			who = words.Text(row.By.Who())
		}
		what, _, _ := strings.Cut(row.What, ";")
		list = append(list, words.Of("incident.acts.act", "names", some(row.Subjects, 3), "what", what, "at", second(row.At), "who", who))
	}
	return list
}

// clocksOff is the nodes with a problem of their clocks at the end.
func (t *Incident) clocksOff() words.Say {
	if t.Standing == nil {
		return words.Say{}
	}
	var who []string
	for _, c := range t.Standing.Unwell {
		who = append(who, c.Node)
	}
	switch len(who) {
	case 0:
		return words.Say{}
	case 1:
		return words.Of("incident.clock.node", "node", who[0], "apart", apart(t.Standing.Unwell[0].By))
	}
	return words.Of("incident.clock.nodes", "k", len(who), "names", some(who, 3), "off", took(problem.ClockOff), "node", who[0], "apart", apart(t.Standing.Unwell[0].By))
}

// disagrees is a contradiction between the controllers' own logs and the models.
func (t *Incident) disagrees() words.Say {
	l := t.Judgement.Testimony
	if l == nil || len(l.Contradicted) == 0 {
		return words.Say{}
	}
	first, n := &l.Contradicted[0], len(l.Contradicted)-1
	more := words.Of("incident.disagrees-more", "k", n).If(n > 0)
	return words.Of("incident.disagrees", "logs", capital(Logs(l).String()), "n", len(l.Contradicted), "kind", first.Kind, "subject", first.Subject,
		"at", second(first.At), "detail", first.What, "more", more)
}
