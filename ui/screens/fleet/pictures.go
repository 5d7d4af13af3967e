package fleet

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

// The pictures that a fleet has if there is room: how it beats, and how far it is from trouble.

const (
	pulseWidth = 30
	// pulseSeconds is how far back the pulse is seen node by node: a kubelet's default interval,
	// in which each that beats renews once.
	pulseSeconds = 10
	// marginRows is how high the picture of the margin is, at least and at most.
	marginRows, tallMargin = 3, 8
)

// pulse is the renewals of the last seconds by zone, a bar a second, and how many a second that is. It is read off the
// last renewal of each node: silent nodes are not in it.
func (c *rendering) pulse(width, h int) []paint.Row {
	pane := widget.Pane{Title: "Pulse", End: fmt.Sprintf("renewals, %d s", pulseSeconds)}
	w, room := pane.Inner(width, h)
	_, top := pane.Origin()
	rows := make([]paint.Row, room)
	label, names := 2, make([]string, len(c.nodes.Zones))
	for i := range c.nodes.Zones {
		names[i] = c.p.Text(c.nodes.Zones[i].Short)
		label = max(label, min(paint.Width(names[i]), w-pulseSeconds-11))
	}
	short := c.p.Shorten(names, label)
	for _, span := range c.where.zones { // each beside its cells
		z := &c.nodes.Zones[span.zone]
		l := c.p.Line(w).Left(themes.Dim, short(names[span.zone]), label).Skip(2)
		rows[span.from-top] = c.beats(l, c.renewals(z))
	}
	return pane.Rows(c.p, rows, width, h)
}

// beats draws renewals by the second, the last at the right.
func (c *rendering) beats(l *paint.Line, counts [pulseSeconds]int) paint.Row {
	most, sum := 1, 0
	for _, n := range counts {
		most, sum = max(most, n), sum+n
	}
	for i := len(counts) - 1; i >= 0; i-- {
		if counts[i] == 0 {
			l.Skip(1)
			continue
		}
		l.Glyph(themes.Dim, c.p.Glyphs.Bars[(counts[i]*8+most-1)/most-1])
	}
	l.Skip(2)
	if sum == 0 {
		return l.Put(themes.Unknown, "none").Row()
	}
	return l.Put(themes.Text, fmt.Sprintf("%.1f/s", float64(sum)/pulseSeconds)).Row()
}

// renewals counts the last renewals of a zone's nodes by how many seconds ago they were.
func (c *rendering) renewals(z *nodes.Zone) (counts [pulseSeconds]int) {
	for _, i := range z.Nodes {
		if e := &c.nodes.Entries[i]; e.Then.Age.Known && e.Then.From != model.AgeStatus {
			if second := int(e.Then.Age.Value / time.Second); second >= 0 && second < pulseSeconds {
				counts[second]++
			}
		}
	}
	return counts
}

// margin is how many nodes have which age, up to the grace period: the spread of the heartbeats,
// and the room that is left. It is nil if there is no room, or no age.
func (c *rendering) margin(width, h int) []paint.Row {
	pane := widget.Pane{Title: "Margin", End: "nodes by the age of their heartbeat"}
	w, room := pane.Inner(width, h)
	tall := tallMargin
	if len(c.listed) == 0 {
		tall *= 2 // a calm fleet has little else to show
	}
	rows := min(room-2, tall)
	if rows < marginRows || c.grace < time.Second {
		return nil
	}
	lead := 5
	cells := max(min(w-lead-2, 100), 10)
	counts, most, beyond, oldest := c.spread(cells)
	if oldest == nil {
		return nil
	}
	var out []paint.Row
	for row := range rows {
		l := c.p.Line(w)
		if row == 0 {
			l.Right(themes.Faint, fmt.Sprint(most), lead-1).Skip(1)
		}
		l.To(lead)
		for i, n := range counts {
			level := (n*rows*8+most-1)/most - (rows-1-row)*8
			token := widget.Level(c.grace*time.Duration(i)/time.Duration(cells), c.grace, false)
			switch {
			case level <= 0:
				l.Skip(1)
			case level >= 8:
				l.Glyph(token, c.p.Glyphs.Full)
			default:
				l.Glyph(token, c.p.Glyphs.Bars[level-1])
			}
		}
		out = append(out, l.Glyph(themes.Dim, c.p.Glyphs.Grace).Row())
	}
	pane.Note = fmt.Sprintf("oldest %s of %s, %s to spare", paint.Duration(oldest.Then.Age.Value), paint.Duration(c.grace), paint.AtMost(c.grace-oldest.Then.Age.Value))
	if ends := c.controllers.Silence(oldest.Row).GraceEnds; ends.Known() { // which is what counts
		pane.Note = fmt.Sprintf("oldest %s, its grace of %s ends %s", paint.Duration(oldest.Then.Age.Value), paint.Duration(c.grace), c.p.In(c.s.From(), ends))
	}
	if c.s.AsOf.Known() {
		pane.Note += " as of " + c.p.Clock(c.s.AsOf)
	}
	if beyond > 0 {
		pane.Note += fmt.Sprintf("; %d beyond", beyond)
	}
	return pane.Rows(c.p, append(out, c.ages(w, lead, cells)), width, pane.Outer(len(out)+1))
}

// spread counts the nodes by age in cells up to the grace period, and those beyond it; oldest is the
// oldest within it.
func (c *rendering) spread(cells int) (counts []int, most, beyond int, oldest *nodes.Entry) {
	counts = make([]int, cells)
	for i := range c.nodes.Entries {
		e := &c.nodes.Entries[i]
		age := max(e.Then.Age.Value, 0)
		switch {
		case !e.Then.Age.Known || e.Then.From == model.AgeStatus || e.Then.AtLeast:
			continue
		case age >= c.grace:
			beyond++
			continue
		}
		k := int(age * time.Duration(cells) / c.grace)
		counts[k]++
		most = max(most, counts[k])
		if oldest == nil || age > oldest.Then.Age.Value {
			oldest = e
		}
	}
	return counts, most, beyond, oldest
}

// ages is the axis below the picture: a label each ten seconds, and the grace period at its end.
func (c *rendering) ages(w, lead, cells int) paint.Row {
	l := c.p.Line(w)
	every := 10 * time.Second
	for every*time.Duration(cells) < 6*c.grace {
		every *= 2
	}
	for age := time.Duration(0); age < c.grace; age += every {
		at := lead + int(age*time.Duration(cells)/c.grace)
		if text := paint.Duration(age); at+len(text) < lead+cells-len("grace 50s")/2 {
			l.To(at).Put(themes.Faint, text)
		}
	}
	text := "grace " + paint.Duration(c.grace)
	return l.To(min(lead+cells-len(text)/2, w-len(text))).Put(themes.Faint, text).Row()
}

// oldest is the nodes that were not heard for longest, each to the scale of the grace period: what a calm
// fleet has left to look at.
func (c *rendering) oldest(width, room int) []paint.Row {
	const least, most, zone = 5, 8, 12
	if c.bare() || room < least || c.grace < time.Second {
		return nil
	}
	pane := widget.Pane{Title: "Oldest heartbeats", End: "of " + paint.Duration(c.grace) + " grace"}
	w, h := pane.Inner(width, room)
	name := min(max(c.nodes.LongestName, 12), w/3)
	bar := w - 2 - name - 2 - zone - 2 - paint.DurationWidth - 2
	if bar < 10 {
		return nil
	}
	var rows []paint.Row
	silent := c.longestSilent(min(h, most))
	labels := make([]string, len(silent))
	for i, e := range silent {
		labels[i] = c.p.Text(c.nodes.Label(e.Row.Name))
	}
	short := c.p.Shorten(labels, name)
	for i, e := range silent {
		l := c.p.Line(w).Skip(2).Left(themes.Dim, short(labels[i]), name).Skip(2)
		l.Left(themes.Dim, c.p.Text(c.nodes.Zones[e.Zone].Short), zone).Skip(2)
		widget.AgeBar(l, c.p, e.Then.Age.Value, c.grace, bar, widget.Level(e.Then.Age.Value, c.grace, false))
		rows = append(rows, l.Right(themes.Dim, c.p.AgeOf(e.Then, paint.DurationWidth), paint.DurationWidth).Row())
	}
	if len(rows) == 0 {
		return nil
	}
	return pane.Rows(c.p, rows, width, pane.Outer(len(rows)))
}

// longestSilent are at most n nodes with the oldest heartbeats that are known to the second, the oldest first.
func (c *rendering) longestSilent(n int) []*nodes.Entry {
	list := make([]*nodes.Entry, 0, n+1)
	for i := range c.nodes.Entries {
		e := &c.nodes.Entries[i]
		if !e.Then.Age.Known || e.Then.From == model.AgeStatus {
			continue
		}
		at := len(list)
		for at > 0 && list[at-1].Then.Age.Value < e.Then.Age.Value {
			at--
		}
		if at < n {
			list = slices.Insert(list, at, e)
			list = list[:min(len(list), n)]
		}
	}
	return list
}
