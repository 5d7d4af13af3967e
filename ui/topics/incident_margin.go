package topics

import (
	"strconv"
	"strings"
	"time"

	"kardia/model/explain/loss"
	"kardia/ui/doc"
	"kardia/ui/words"
)

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
	says := Posting(&m.Posting)
	d.Say(doc.Plain, words.Of("incident.margin.posting", "says", says).If(!says.Missing()))
	t.late(d)
	t.flaps(d)
	t.nearly(d)
}

func (t *Incident) graces(d *doc.Doc, inForce time.Duration) {
	says := Unled(t.Margin.Over, t.Result.Unled())
	d.Say(doc.Plain, words.Of("incident.margin.graces", "if", says).If(!says.Missing()))
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

// late are the longest silences without a declaration.
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

func (t *Incident) flaps(d *doc.Doc) {
	for i := range t.Margin.Flaps {
		f := &t.Margin.Flaps[i]
		stopped := words.Chain(words.Text(f.Node+" "), words.Of("margin.flapped", "n", f.Times, "declared", f.Declared))
		says := words.Join("; ", stopped, FlapRhythm(f), FlapPods(f), FlapCompany(f, 3))
		d.Say(doc.Plain, words.Of("incident.sentence", "says", says))
	}
	d.Say(doc.Plain, words.Of("incident.margin.no-flaps").If(len(t.Margin.Flaps) == 0 && t.ShowsNodes && !t.Undecided.Is()))
}

// nearly is how near pods came to being spared.
func (t *Incident) nearly(d *doc.Doc) {
	c := &t.Countdowns
	if n := len(c.Avoidable); n > 0 {
		first := &c.Avoidable[0]
		d.Say(doc.Plain, words.Of("incident.margin.avoidable", "pods", words.Of("incident.pods-were", "n", n), "pod", first.Pod, "node", first.Node, "for", took(first.Later)))
	}
	d.Say(doc.Plain, sentence(t.restarted()).If(c.Forgotten > 0))
	switch {
	case c.Cancelled > 0 && c.Left.Known:
		d.Say(doc.Plain, words.Of("incident.margin.cancelled", "n", c.Cancelled, "for", took(c.Left.Value)))
	case !t.Undecided.Is() && t.ShowsPods && c.Forgotten == 0:
		d.Say(doc.Plain, words.Of("incident.margin.none-cancelled"))
	}
}

// apart is how far a clock is ahead; negative is behind.
func apart(ahead time.Duration) words.Say {
	return words.Of("incident.clock.behind", "for", took(-ahead)).If(ahead < 0).Or(words.Of("incident.clock.ahead", "for", took(ahead)))
}

// said is the time of a sign of life by the kubelet's clock, and that clock's error, if any.
func said(b *loss.Beat) string {
	if !b.IsOff() {
		return clock(b.Says)
	}
	return words.Of("incident.text.off", "at", clock(b.Says), "apart", apart(b.Off.Value)).String()
}

// clocks is the error of kubelets' clocks.
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
