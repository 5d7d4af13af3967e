package topics

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/explain/loss"
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
		until := words.Of("incident.text.on")
		if v.Latest.Bounded() {
			until = words.Of("incident.text.until", "at", second(v.Latest))
		}
		d.Say(doc.Plain, words.Of("incident.text.doubt", "at", second(v.Earliest), "until", until))
	}
	d.Say(doc.Plain, words.Of("incident.text.zones"))
	tab := heads("zones")
	for i := range t.Zones[:min(len(t.Zones), most)] {
		z := &t.Zones[i]
		tab.Add(clock(z.At), t.relative(z.At), z.Zone.String(), z.State.String(), words.Of("incident.text.of", "k", z.NotReady, "of", z.Counted).String(),
			model.Number(z.Rate).String()+"/s", strconv.Itoa(z.Waiting), yesNo(z.Master))
	}
	d.Table(tab)
	if t.ZonesCut {
		d.Say(doc.Plain, words.Of("incident.text.zones-cut", "k", incident.MaxInstants))
	}
}

func yesNo(is bool) string {
	if is {
		return words.Of("incident.yes").String()
	}
	return words.Of("incident.no").String()
}

// because is why the first pod was deleted or, if none was, why the first node was declared Unknown.
func (t *Incident) because(d *doc.Doc) {
	code := "why-pod"
	if t.Chain != nil && t.Chain.Decision.Pod == (model.Key{}) {
		code = "why-node"
	}
	t.chapter(d, code)
	if t.Chain == nil {
		d.Say(doc.Plain, t.unless(words.Of("incident.text.no-chain")))
		return
	}
	d.Say(doc.Plain, words.Of("incident.text.chain"))
	d.Code(t.Why)
}

func (t *Incident) margin(d *doc.Doc) {
	t.chapter(d, "margin")
	m, p := t.Margin, &t.Result.Params
	grace := p.NodeMonitorGracePeriod.Value
	if m.Median == 0 && m.Longest == 0 {
		d.Say(doc.Plain, words.Of("incident.margin.not-known"))
	} else {
		which, left := words.Of("incident.margin.undeclared"), words.Say{}
		if m.Untold {
			which, left = words.Say{}, words.Of("incident.sentence", "says", capital(words.Of("margin.undeclared").String()))
		}
		if over := m.Longest - grace; over <= 0 {
			left = words.Join(" ", left, words.Of("incident.margin.left", "grace", took(grace), "for", took(-over)))
		} else if !m.Untold {
			left = words.Of("incident.margin.over", "grace", took(grace), "for", took(over))
		}
		d.Say(doc.Plain, words.Of("incident.margin.says", "pauses", int(m.Paused()), "nodes", words.Of("count.nodes", "n", m.Nodes), "which", which,
			"p50", took(m.Median), "p99", took(m.High), "longest", took(m.Longest), "left", left))
		d.Say(doc.Plain, sentence(StillSilent(m)))
		t.graces(d, grace)
	}
	for _, s := range m.Stalls {
		d.Say(doc.Plain, sentence(words.Of("margin.stall", "n", s.Nodes, "of", s.Of, "from", clock(s.From), "to", clock(s.To))))
	}
	if says := Posting(&m.Posting); !says.Missing() {
		d.Say(doc.Plain, words.Of("incident.margin.posting", "says", says))
	}
	t.late(d)
	t.flaps(d)
	t.nearly(d)
}

// graces is how many silences other grace periods would have declared.
func (t *Incident) graces(d *doc.Doc, inForce time.Duration) {
	if says := Unled(t.Margin.Over, t.Result.Unled()); !says.Missing() {
		d.Say(doc.Plain, words.Of("incident.margin.graces", "if", says))
	}
	tab := heads("graces")
	for _, g := range t.Margin.Graces {
		is := g.Grace.String()
		if g.Grace == inForce {
			is = words.Of("incident.text.as-it-was", "value", is).String()
		}
		tab.Add(is, strconv.Itoa(g.Sure), strconv.Itoa(g.Perhaps), strconv.Itoa(g.Nodes))
	}
	d.Table(tab)
}

// late are the longest silences in which nodes were not declared.
func (t *Incident) late(d *doc.Doc) {
	const shown, listed = 10, 50
	tab := heads("late")
	if t.Margin.Untold {
		tab = heads("late-back")
	}
	for i := range t.Margin.Silences[:min(len(t.Margin.Silences), listed)] {
		s := &t.Margin.Silences[i]
		if s.Declared || s.Open && t.Margin.Untold || len(tab.Rows) == shown {
			continue
		}
		to := clock(s.To)
		if s.Open {
			to = words.Of("incident.until.not").String()
		}
		tab.Add(s.Node, took(s.Length()), clock(s.From), to)
	}
	d.Table(tab)
}

// flaps are the nodes that stopped being Ready more than once.
func (t *Incident) flaps(d *doc.Doc) {
	for i := range t.Margin.Flaps {
		f := &t.Margin.Flaps[i]
		stopped := words.Chain(words.Text(f.Node+" "), words.Of("margin.flapped", "n", f.Times, "declared", f.Declared))
		says := words.Join("; ", stopped, FlapRhythm(f), FlapPods(f), FlapCompany(f, 3))
		d.Say(doc.Plain, words.Of("incident.sentence", "says", says))
	}
	if len(t.Margin.Flaps) == 0 && t.ShowsNodes && !t.Undecided.Is() {
		d.Say(doc.Plain, words.Of("incident.margin.no-flaps"))
	}
}

// nearly is how near pods came to being spared.
func (t *Incident) nearly(d *doc.Doc) {
	c := &t.Countdowns
	if n := len(c.Avoidable); n > 0 {
		first := &c.Avoidable[0]
		d.Say(doc.Plain, words.Of("incident.margin.avoidable", "pods", words.Of("incident.pods-were", "n", n), "pod", first.Pod, "node", first.Node, "for", took(first.Later)))
	}
	if c.Forgotten > 0 {
		d.Say(doc.Plain, sentence(t.restarted()))
	}
	switch {
	case c.Cancelled > 0 && c.Left.Known:
		d.Say(doc.Plain, words.Of("incident.margin.cancelled", "n", c.Cancelled, "for", took(c.Left.Value)))
	case !t.Undecided.Is() && t.ShowsPods && c.Forgotten == 0:
		d.Say(doc.Plain, words.Of("incident.margin.none-cancelled"))
	}
}

// Refused is why there is no answer to what other grace periods would have done; "" if there is one.
func (t *Incident) Refused() string {
	if w := t.WhatIf; w.TooMany > 0 {
		return words.Of("branch.report.too-many", "n", w.TooMany).String()
	}
	return t.WhatIf.Refused
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
	if !t.Watched() {
		d.Say(doc.Plain, words.Of("branch.report.before"))
	}
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

// fewer is how many pods are deleted, and how many that is fewer, or more, than those that were.
func fewer(were int, are words.Between) string {
	switch {
	case are.Most < were:
		return words.Of("branch.report.fewer", "pods", are, "by", between(were-are.Most, were-are.Least)).String()
	case are.Least > were:
		return words.Of("branch.report.more", "pods", are, "by", between(are.Least-were, are.Most-were)).String()
	}
	return are.String()
}

// byName names pods, those of which it is only possible apart.
func byName(s *whatif.Set) string {
	names := func(list []whatif.Pod) string {
		var names []string
		for i := range list {
			names = append(names, list[i].Key.String())
		}
		return some(names, 3)
	}
	var certain, possible words.Say
	if len(s.Certain) > 0 {
		certain = words.Text(names(s.Certain))
	}
	if len(s.Possible) > 0 {
		possible = words.Of("incident.text.possibly", "names", names(s.Possible))
	}
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
	if t.Captured {
		d.Say(doc.Plain, t.unless(words.Say{}))
	}
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
		from, fits := words.Text(p.From.String()), words.Of("incident.flag.anything")
		if p.Untried {
			fits = words.Of("incident.flag.untried")
		}
		if p.From == model.FromFile {
			from = words.Of("incident.flag.input")
		}
		fit := &p.Fits.Value
		if p.Fits.Known {
			if fits = Fit(fit.Min, fit.Max, fit.Unit); fit.Or != "" {
				fits = words.Of("incident.flag.or", "fits", fits, "or", fit.Or)
			}
		}
		tab.Add("--"+name, p.Value, from.String(), fits.String(), strconv.Itoa(fit.Evidence))
	}
	d.Table(tab)
	d.Say(doc.Plain, t.explained())
}

// starts is when the controller manager restarted, or its leader changed, as far as the input shows.
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
	restarts, leaders := words.Of("incident.starts.none"), words.Of("incident.starts.no-leases")
	if len(began) > 0 {
		restarts = words.Of("incident.starts.began", "at", some(began, 6), "only", t.supposed())
	}
	if len(changed) > 0 {
		leaders = words.Of("incident.starts.leader", "at", some(changed, 6))
	} else if t.ShowsLeaders {
		leaders = words.Of("incident.starts.no-leader")
	}
	return words.Join(" ", restarts, leaders, before)
}

// explained is how much of what was seen the models explain.
func (t *Incident) explained() words.Say {
	v := &t.Judgement
	if v.Observed == 0 {
		return words.Of("incident.explained.none")
	}
	says := words.Of("incident.explained.some", "k", v.Explained, "writes", words.Of("count.writes", "n", v.Observed))
	if v.Explained == v.Observed && v.Observed > 1 {
		says = words.Of("incident.explained.all", "k", v.Observed)
	}
	unseen := words.Of("incident.explained.seen")
	if len(v.Why) > 0 {
		unseen = words.Of("incident.explained.unjudged")
	} else if n := len(v.Unobserved); n > 0 {
		unseen = words.Of("incident.explained.unseen", "n", n)
	}
	var supposed, logs words.Say
	if v.ExplainedIf > 0 {
		supposed = words.Of("incident.explained.if", "k", v.ExplainedIf)
	}
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

// people are the places that a person fills in.
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
	tab := heads("inputs")
	for i := range t.Sources[:min(len(t.Sources), most)] {
		s := &t.Sources[i]
		tab.Add(s.Path, s.Format, strconv.Itoa(s.Changes), day(s.From), day(s.To), cmp.Or(s.Quality, "–"))
	}
	d.Table(tab)
	if t.Skipped > 0 {
		d.Say(doc.Plain, words.Of("incident.text.skipped", "n", t.Skipped))
	}
	for _, text := range Notes(t.Judgement.Assumptions) {
		d.Say(doc.Plain, words.Of("incident.text.assumed", "what", text))
	}
	d.Code(strings.Join(t.Commands, "\n") + "\n")
}

// apart is how far a clock is ahead, or behind where that is negative.
func apart(ahead time.Duration) words.Say {
	if ahead < 0 {
		return words.Of("incident.clock.behind", "for", took(-ahead))
	}
	return words.Of("incident.clock.ahead", "for", took(ahead))
}

// said is when a sign of life was sent by the kubelet's clock, and how far that was off, if it was.
func said(b *loss.Beat) string {
	if !b.IsOff() {
		return clock(b.Says)
	}
	return words.Of("incident.text.off", "at", clock(b.Says), "apart", apart(b.Off.Value)).String()
}

// clocks is how far kubelets' clocks were off.
func (t *Incident) clocks(d *doc.Doc) {
	is := &t.Standing.Clocks
	nodes := words.Of("count.nodes", "n", is.Heard)
	switch {
	case is.Heard == 0:
		d.Say(doc.Plain, words.Of("incident.clock.not-known"))
		return
	case len(is.Off) == 0:
		d.Say(doc.Plain, words.Of("incident.clock.none", "off", took(loss.ClockOff), "nodes", nodes))
		return
	}
	d.Say(doc.Plain, words.Of("incident.clock.some", "nodes", nodes, "k", len(is.Off), "off", took(loss.ClockOff)))
	tab := heads("clocks")
	for _, c := range is.Off[:min(len(is.Off), most)] {
		tab.Add(c.Node, strings.Replace(took(c.By), "-", "−", 1))
	}
	d.Table(tab)
}
