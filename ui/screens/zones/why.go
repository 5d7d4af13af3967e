package zones

import (
	"slices"
	"strconv"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// reasons are the causes of the selected zone's state and rate, what would change them, and their history.
func (c *rendering) reasons(z *outlook.Zone, w, h int) (rows []paint.Row) {
	held, ok := why.Zone(c.outlook.State, z.Zone)
	zone := c.p.Text(c.nodes.Zones[c.rows.Cursor].Short)
	question := words.Of("zones.why", "zone", zone, "state", topics.StateName(z.State))
	if z.Rate == 0 {
		question = words.Of("zones.why-stopped", "zone", zone)
	}
	reason := c.pane(question.In(c.p), c.inferred())
	inner, _ := reason.Inner(w, h)
	add := func(pane widget.Pane, list []paint.Row) {
		if room := h - len(rows); room >= pane.Outer(1) && len(list) > 0 {
			if whole := len(list); pane.Outer(whole) > room {
				list = append(list[:room-pane.Outer(0)-1:whole], c.p.Line(inner).Skip(2).Put(themes.Faint, c.p.Glyphs.Ellipsis+" "+words.Of("zones.more").In(c.p)).Row())
			}
			rows = append(rows, pane.Rows(c.p, list, w, min(room, pane.Outer(len(list))))...)
		}
	}
	if !ok {
		add(reason, []paint.Row{c.p.Line(inner).Skip(2).Put(themes.Dim, words.Of("zones.unjudged").In(c.p)).Row()})
		return rows
	}
	var is doc.Doc
	is.Checks(topics.Checks(held.Checks))
	is.Say(doc.Plain, c.conclusion(&held))
	if len(held.Changes) == 1 && held.Changes[0].Kind == why.NextPass {
		is.Say(doc.Plain, words.Of("zones.last-pass"))
	}
	add(reason, render.Terminal(is, c.p, inner))
	var list []paint.Row
	for i := range held.Changes {
		if held.Changes[i].Kind == why.AllFail { // the first question about a dark zone is how its deletions end
			list = append(list, c.running(z, inner)...)
		}
		list = append(list, c.change(&held.Changes[i], inner)...)
	}
	if !slices.ContainsFunc(held.Changes, func(k why.Change) bool { return k.Kind == why.AllFail }) {
		list = append(list, c.running(z, inner)...)
	}
	if len(list) == 0 {
		list = append(list, c.p.Line(inner).Skip(2).Put(themes.Dim, words.Label("nothing within this zone")).Row())
	}
	add(c.pane(words.Label("What would change it"), c.predicted()), list)
	add(c.pane(words.Label("How it came about"), c.inferred()), c.history(z, inner))
	return rows
}

// running is what ends the running countdowns, which is not what changes the zone's rate.
func (c *rendering) running(z *outlook.Zone, w int) []paint.Row {
	if z.Armed == 0 {
		return nil
	}
	return c.folded(words.Of("zone.countdowns-end").String(), w)
}

// conclusion is the result of the comparisons.
func (c *rendering) conclusion(h *why.ZoneHeld) words.Say {
	var since words.Say
	if d := c.s.Judged.Index.Decision(h.View.StateBy); d != nil {
		since = words.Of("zones.since", "at", topics.DecisionTime(d, c.s.From()))
	}
	word, halted := topics.ZoneRate(c.outlook, h.View.Rate)
	rate := words.Of("zones.taints", "rate", word)
	switch {
	case h.Master:
		rate = words.Of("zones.master-rate")
	case halted && h.View.Rate == 0:
		rate = words.Of("zones.rate-zero")
	}
	return words.Of("zones.is", "state", topics.StateName(h.View.State), "since", since, "rate", rate)
}

// folded is a sentence in as many lines as it takes.
func (c *rendering) folded(text string, w int) []paint.Row {
	return c.p.Folded(c.p.Line(w).Skip(2), themes.Text, text)
}

// change is one possible change of the zone's state, and the new state.
func (c *rendering) change(k *why.Change, w int) []paint.Row {
	is, then, counted := topics.WouldShort(k)
	what, becomes, share := is.In(c.p), then.In(c.p), ""
	if counted {
		share = topics.Share(k.NotReady, k.Counted)
	}
	if c.compact {
		share = ""
	}
	if share == "" {
		return c.folded(what+" → "+becomes, w)
	}
	if paint.Width(what) > 20 || paint.Width(share) > 16 || 41+paint.Width("→ "+becomes) > w {
		return c.folded(what+", "+share+" → "+becomes, w)
	}
	l := c.p.Line(w).Skip(2).Left(themes.Text, what, 20).Skip(1).Left(themes.Dim, share, 16).Skip(1)
	return []paint.Row{l.Put(themes.Text, c.p.Text("→ "+becomes)).Row()}
}

// history is the zone's last changes of state up to the time shown, the latest first.
func (c *rendering) history(z *outlook.Zone, w int) []paint.Row {
	const most = 4
	var rows []paint.Row
	decisions := c.s.Judged.Decisions()
	for i := len(decisions) - 1; i >= 0 && len(rows) < most; i-- {
		d := &decisions[i]
		if d.Time > c.s.At || !(d.Kind == model.ZoneState && d.Zone == model.Some(z.Zone) ||
			d.Kind == model.EnterMasterDisruption || d.Kind == model.ExitMasterDisruption) {
			continue
		}
		l := c.p.Line(w).Skip(2).Left(themes.Dim, topics.DecisionTime(d, c.s.From()).In(c.p), screen.DecisionTimeWidth).Skip(1)
		text := c.p.Text(topics.What(d))
		if d.Kind == model.ZoneState && paint.Width(text) > l.Rest() {
			text = c.p.Text("→ " + topics.ZoneState(d.State.To).String())
		}
		rows = append(rows, l.Put(themes.Text, text).Row())
	}
	return rows
}

// lately is the last decisions about the zone, its nodes and their pods, in at most room lines.
func (c *rendering) lately(room int) []paint.Row {
	pane := widget.Pane{Title: words.Of("pane.lately", "zone", c.p.Text(c.nodes.Zones[c.rows.Cursor].Name)).In(c.p)}
	return c.s.LatelyIn(pane, func(d *model.Decision) bool { return d.Zone == c.selected }, c.p, c.w, room)
}

func (c *rendering) assumptions() paint.Row {
	params := &c.outlook.State.Params
	number := func(f float32) string { return strconv.FormatFloat(float64(f), 'f', -1, 32) }
	flags := []struct {
		long, brief string
		value       string
		from        model.Provenance
	}{
		{"grace ", "grace ", paint.Setting(params.NodeMonitorGracePeriod.Value), params.NodeMonitorGracePeriod.From},
		{"unhealthy-zone ", "", number(params.UnhealthyZoneThreshold.Value), params.UnhealthyZoneThreshold.From},
		{"rate ", "", number(params.NodeEvictionRate.Value) + "/s", params.NodeEvictionRate.From},
		{"secondary ", "", number(params.SecondaryNodeEvictionRate.Value) + "/s", params.SecondaryNodeEvictionRate.From},
		{"large-cluster ", "", strconv.Itoa(int(params.LargeClusterSizeThreshold.Value)), params.LargeClusterSizeThreshold.From},
	}
	common := flags[0].from
	for _, f := range flags {
		if f.from == model.FromDefault {
			common = model.FromDefault
		}
	}
	l := c.p.Line(c.w).Skip(1).Put(themes.Faint, words.Label("assumes")+"  ")
	for i, f := range flags {
		if i > 0 {
			l.Put(themes.Faint, " "+c.p.Glyphs.Dot+" ")
		}
		word := f.long
		if c.compact {
			word = f.brief
		}
		l.Put(themes.Faint, word).Put(themes.Dim, f.value)
		if f.from != common {
			l.Put(themes.Faint, " ("+words.Of("zones.provenance."+f.from.String()).In(c.p)+")")
		}
	}
	return l.Skip(3).Put(themes.Faint, words.Of("zones.from", "from", words.Of("zones.provenance."+common.String())).In(c.p)).Row()
}
