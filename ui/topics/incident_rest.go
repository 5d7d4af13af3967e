package topics

import (
	"cmp"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/simulate/whatif"
	"kardia/ui/doc"
	"kardia/ui/words"
)

func (t *Incident) zones(d *doc.Doc) {
	t.chapter(d, "zones")
	if len(t.Zones) == 0 {
		d.Say(doc.Plain, t.unless(words.Of("incident.text.no-zones")))
		return
	}
	if v := t.Doubt; v.Known() {
		until := words.Of("incident.text.until", "at", second(v.Latest)).If(v.Latest.Bounded()).Or(words.Of("incident.text.on"))
		d.Say(doc.Plain, words.Of("incident.text.doubt", "at", second(v.Earliest), "until", until))
	}
	d.Say(doc.Plain, words.Of("incident.text.zones"))
	table(d, "zones", t.Zones, func(z *incident.Zone) []string {
		return []string{clock(z.At), t.relative(z.At), z.Zone.String(), z.State.String(), words.Of("incident.text.of", "k", z.NotReady, "of", z.Counted).String(),
			model.Number(z.Rate).String() + "/s", strconv.Itoa(z.Waiting), yesNo(z.Master)}
	})
	d.Say(doc.Plain, words.Of("incident.text.zones-cut", "k", incident.MaxInstants).If(t.ZonesCut))
}

func yesNo(is bool) string {
	return words.Of("incident.yes").If(is).Or(words.Of("incident.no")).String()
}

// because is why the first pod was deleted or, without one, why the first node was declared Unknown.
func (t *Incident) because(d *doc.Doc) {
	code := "why-pod"
	if t.Chain != nil && t.Chain.Decision.Pod == (model.Key{}) {
		code = "why-node"
	}
	t.chapter(d, code)
	if t.Chain == nil {
		says := words.Of("incident.text.no-cause").If(len(t.Silences) > 0 || t.First(incident.IsDelete) != nil).Or(words.Of("incident.text.no-chain"))
		d.Say(doc.Plain, t.unless(says))
		return
	}
	d.Say(doc.Plain, words.Of("incident.text.chain"))
	d.Code(t.Why)
}

// Refused is why there is no answer to what other grace periods would have done; "" if there is one.
func (t *Incident) Refused() string {
	if w := t.WhatIf; w.TooMany > 0 {
		return words.Of("branch.report.too-many", "n", w.TooMany).String()
	}
	if r := t.WhatIf.Refused; r != nil {
		return BranchRefusal(r).String()
	}
	return ""
}

func (t *Incident) whatIf(d *doc.Doc) {
	t.chapter(d, "what-if")
	w := t.WhatIf
	if w == nil {
		d.Say(doc.Plain, t.unless(words.Of("branch.report.nothing")))
		return
	}
	if why := t.Refused(); why != "" {
		d.Say(doc.Plain, words.Of("branch.report.refused", "why", why))
		return
	}
	d.Say(doc.Plain, words.Of("branch.report.method", "fit", BranchFit(w.Fit)))
	d.Say(doc.Plain, words.Of("branch.report.pods"))
	d.Say(doc.Plain, words.Of("branch.report.before").If(!t.Watched()))
	tab, unknown := heads("what-if"), clock(0)
	was := [3]string{unknown, unknown, unknown}
	if n := len(w.Graces); n > 0 {
		a := w.Graces[n-1].Answer
		if was[0] = strconv.Itoa(a.Nodes.Recorded); w.ShowsPods {
			was[1], was[2] = strconv.Itoa(a.Pods.Recorded), strconv.Itoa(a.Pods.LaterRecorded)
		}
	}
	inForce := t.Judgement.Params["node-monitor-grace-period"].Value
	tab.Add(words.Of("incident.text.as-it-was", "value", inForce).String(), was[0], was[1], was[2], "–", "–")
	for _, g := range w.Graces {
		row := []string{g.Grace.String(), between(g.Nodes.Least, g.Nodes.Most).String(), unknown, unknown, unknown, unknown}
		if p := &g.Answer.Pods; w.ShowsPods {
			row = append(row[:2], fewer(p.Recorded, between(p.Least, p.Most)), between(p.LaterLeast, p.LaterMost).String(), byName(&p.Spared), byName(&p.Lost))
		}
		tab.Add(row...)
	}
	d.Table(tab)
}

func between(least, most int) words.Between { return words.Between{Least: least, Most: most} }

// fewer is the number of deleted pods, and the difference to the observed number.
func fewer(were int, are words.Between) string {
	switch {
	case are.Most < were:
		return words.Of("branch.report.fewer", "pods", are, "by", between(were-are.Most, were-are.Least)).String()
	case are.Least > were:
		return words.Of("branch.report.more", "pods", are, "by", between(are.Least-were, are.Most-were)).String()
	}
	return are.String()
}

// byName names pods, the only possible ones apart.
func byName(s *whatif.Set) string {
	names := func(list []whatif.Pod) string {
		var names []string
		for i := range list {
			names = append(names, list[i].Key.String())
		}
		return some(names, 3)
	}
	certain := words.Text(names(s.Certain)).If(len(s.Certain) > 0)
	possible := words.Of("incident.text.possibly", "names", names(s.Possible)).If(len(s.Possible) > 0)
	return cmp.Or(words.Join("; ", certain, possible).String(), words.Of("incident.none").String())
}

// MeasureName is what a length of time is of, and MeasureIs from when to when.
func MeasureName(m *incident.Measure) string {
	return words.Of("incident.measure." + m.Of + ".name").String()
}
func MeasureIs(m *incident.Measure) string {
	return words.Of("incident.measure." + m.Of + ".is").String()
}

func (t *Incident) times(d *doc.Doc) {
	t.chapter(d, "times")
	d.Say(doc.Plain, t.unless(words.Say{}).If(t.Captured))
	tab, fill := heads("times"), words.Of("incident.fill-in").String()
	for i := range t.Times {
		m := &t.Times[i]
		row := []string{MeasureName(m), MeasureIs(m), strconv.Itoa(len(m.Lengths))}
		for _, hundredths := range [...]int{0, 50, 95, 100} {
			is := "–"
			if length := m.At(hundredths); length.Known {
				is = took(length.Value)
			}
			row = append(row, is)
		}
		tab.Add(append(row, strconv.Itoa(m.Open))...)
	}
	for _, human := range heads("human-times").Head {
		name, is, _ := strings.Cut(human, ": ")
		tab.Add(name, is, fill, fill, fill, fill, fill, "")
	}
	d.Table(tab)
	d.Say(doc.Plain, words.Of("incident.text.times", "p50", incident.LeastForMedian, "p95", incident.LeastForP95))
}

func (t *Incident) flags(d *doc.Doc) {
	t.chapter(d, "flags")
	d.Say(doc.Plain, t.starts())
	d.Say(doc.Plain, words.Of("incident.text.flags"))
	tab := heads("flags")
	for _, name := range sorted(t.Judgement.Params) {
		p := t.Judgement.Params[name]
		fits := words.Of("incident.flag.untried").If(p.Untried).Or(words.Of("incident.flag.anything"))
		from := words.Of("incident.flag.input").If(p.From == model.FromFile).Or(words.Text(p.From.String()))
		fit := &p.Fits.Value
		if p.Fits.Known {
			if fits = Fit(fit.Min, fit.Max, fit.Unit); !FlagOr(&fit.Or).Missing() {
				fits = words.Of("incident.flag.or", "fits", fits, "or", FlagOr(&fit.Or))
			}
		}
		tab.Add("--"+name, p.Value, from.String(), fits.String(), strconv.Itoa(fit.Evidence))
	}
	d.Table(tab)
	d.Say(doc.Plain, t.explained())
}

func (t *Incident) starts() words.Say {
	if t.Undecided.Is() {
		return words.Of("incident.starts.not-known", "why", t.why())
	}
	var began, changed []string
	var before words.Say
	for _, d := range t.Decided {
		switch {
		case d.Kind != model.ControllerStart:
		case t.LongAgo(d):
			before = words.Of("incident.starts.before", "at", day(d.Time))
		default:
			began = append(began, second(d.Time)+" ("+strings.ReplaceAll(d.Controller.String(), "-", " ")+")")
		}
	}
	for i := range t.Rows() {
		if row := &t.rows[i]; row.Kind == incident.OfLeader {
			changed = append(changed, second(row.At)+" ("+some(row.Subjects, 2)+")")
		}
	}
	leaders := words.Of("incident.starts.no-leases")
	restarts := words.Of("incident.starts.began", "at", some(began, 6), "only", t.supposed()).If(len(began) > 0).Or(words.Of("incident.starts.none"))
	if len(changed) > 0 {
		leaders = words.Of("incident.starts.leader", "at", some(changed, 6))
	} else if t.ShowsLeaders {
		leaders = words.Of("incident.starts.no-leader")
	}
	return words.Join(" ", restarts, leaders, before)
}

func (t *Incident) explained() words.Say {
	v := &t.Judgement
	if v.Observed == 0 {
		return words.Of("incident.explained.none")
	}
	says := words.Of("incident.explained.all", "k", v.Observed).If(v.Explained == v.Observed && v.Observed > 1).
		Or(words.Of("incident.explained.some", "k", v.Explained, "writes", words.Of("count.writes", "n", v.Observed)))
	unseen := words.Of("incident.explained.seen")
	if len(v.Why) > 0 {
		unseen = words.Of("incident.explained.unjudged")
	} else if n := len(v.Unobserved); n > 0 {
		unseen = words.Of("incident.explained.unseen", "n", n)
	}
	var logs words.Say
	supposed := words.Of("incident.explained.if", "k", v.ExplainedIf).If(v.ExplainedIf > 0)
	if l := v.Testimony; l != nil && l.Statements > 0 {
		logs = words.Of("incident.explained.logs", "logs", capital(Logs(l).String()), "says", Testimony(l.Statements, len(l.Confirmed), len(l.Contradicted), l.NotCompared))
	}
	return words.Join(" ", words.Of("incident.explained.says", "writes", says, "unseen", unseen), supposed, logs)
}

// IncidentUnknown is what is not known, why, and what would have shown it.
func IncidentUnknown(u *incident.Unknown) [3]string {
	var what, why words.Say
	if h := u.Hypothesis; h != nil {
		none := words.Of("incident.nothing").String()
		what = Note(&h.What)
		why = words.Of("incident.hypothesis", "writes", words.Of("count.writes", "n", u.N), "for", cmp.Or(strings.Join(Notes(h.For), "; "), none), "against", cmp.Or(strings.Join(Notes(h.Against), "; "), none))
	} else if u.Note != nil {
		why = Note(u.Note)
	} else if why = words.Text(u.Why); u.Code == "bounded" {
		why = words.Of("hypothesis.bounded")
	}
	widest := words.Text(model.Length(u.Window.Width()))
	is := func(part string) string {
		return words.Of("incident.unknown."+u.Code+"."+part, "n", u.N, "what", what, "why", why, "from", day(u.Window.Earliest), "to", day(u.Window.Latest), "for", widest,
			"kind", u.Kind, "flags", strings.Join(u.Names, ", "), "writer", WriterUntold()).String()
	}
	if u.Code == "more-gaps" || u.Code == "bounded" { // nothing would have
		return [3]string{is("what"), is("why")}
	}
	return [3]string{is("what"), is("why"), is("tells")}
}

func (t *Incident) unknown(d *doc.Doc) {
	t.chapter(d, "unknown")
	tab := heads("unknown")
	for i := range t.Unknown {
		says := IncidentUnknown(&t.Unknown[i])
		tab.Add(says[:]...)
	}
	d.Table(tab)
}

func (t *Incident) people(d *doc.Doc) {
	t.chapter(d, "people")
	d.Say(doc.Plain, words.Of("incident.text.people"))
	fill := words.Of("incident.fill-in").String()
	tab, actions := heads("people"), heads("actions")
	for _, what := range heads("people-asked").Head {
		tab.Add(what, fill)
	}
	d.Table(tab)
	actions.Add(fill, fill, fill)
	d.Table(actions)
}

func (t *Incident) appendix(d *doc.Doc) {
	t.chapter(d, "appendix")
	table(d, "inputs", t.Sources, func(s *Source) []string {
		return []string{s.Path, s.Format, strconv.Itoa(s.Changes), day(s.From), day(s.To), cmp.Or(s.Quality, "–")}
	})
	d.Say(doc.Plain, words.Of("incident.text.skipped", "n", t.Skipped).If(t.Skipped > 0))
	for _, text := range Notes(t.Judgement.Assumptions) {
		d.Say(doc.Plain, words.Of("incident.text.assumed", "what", text))
	}
	d.Code(strings.Join(t.Commands, "\n") + "\n")
}
