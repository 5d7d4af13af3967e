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
	"kardia/ui/words"
)

// The pictures of a fleet, if there is room: its pulse, and its margin.

const (
	// pulseSeconds is the length of the pulse: a kubelet's default interval, in which each live node renews once.
	pulseSeconds = 10
	// marginRows is the height of the picture of the margin, at least and at most.
	marginRows, tallMargin = 3, 8
)

// pulse draws the renewals of a zone in the last seconds, one bar a second, the newest at the right, and their rate. It
// counts each node's last renewal, so silent nodes are not in it. Without leases there is no pulse.
func (c *rendering) pulse(l *paint.Line, z *nodes.Zone) {
	word := words.Label("renewals") + " "
	if l.Rest() < paint.Width(word)+pulseSeconds+8 || !c.s.Has(model.KindNodeLease) || !z.Oldest.Known {
		return
	}
	l.Put(themes.Faint, word)
	counts, most, sum := c.renewals(z), 1, 0
	for _, n := range counts {
		most, sum = max(most, n), sum+n
	}
	if sum == 0 {
		l.Put(themes.Unknown, words.Label("none"))
		return
	}
	l.Put(themes.Text, fmt.Sprintf("%.1f/s", float64(sum)/pulseSeconds)).Skip(1)
	for i := len(counts) - 1; i >= 0; i-- {
		if counts[i] == 0 {
			l.Skip(1)
			continue
		}
		l.Glyph(themes.Dim, widget.Bar(c.p, counts[i], most, false))
	}
}

// renewals counts the last renewals of a zone's nodes by their age in seconds.
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

// margin is the number of nodes by age, up to the grace period: their spread, and the room left. May be nil.
func (c *rendering) margin(width, h int) []paint.Row {
	pane := widget.Pane{Title: "Margin", End: words.Of("fleet.by-age").In(c.p)}
	w, room := pane.Inner(width, h)
	tall := tallMargin
	if len(c.listed) == 0 {
		tall *= 2 // a calm fleet has little else to show
	}
	rows := min(room-2, tall)
	if c.bare() || rows < marginRows || c.grace < time.Second {
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
	note := words.Of("fleet.margin", "oldest", oldest.Then.Age.Value, "grace", words.Setting(c.grace), "spare", paint.AtMost(c.grace-oldest.Then.Age.Value))
	if ends := c.outlook.Silence(oldest.Row).GraceEnds; ends.Known() { // the important number
		note = words.Of("fleet.margin-ends", "oldest", oldest.Then.Age.Value, "grace", words.Setting(c.grace), "in", c.p.In(c.s.From(), ends))
	}
	if c.s.AsOf.Known() {
		note = words.Chain(note, words.Of("fleet.as-of", "at", c.s.AsOf))
	}
	if beyond > 0 {
		note = words.Chain(note, words.Of("fleet.beyond", "n", beyond))
	}
	pane.Note = note.In(c.p)
	return pane.Rows(c.p, append(out, c.ages(w, lead, cells)), width, pane.Outer(len(out)+1))
}

// spread counts the nodes by age in cells up to the grace period, and those beyond it; oldest is the oldest within it.
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
	text := words.Of("fleet.grace", "grace", words.Setting(c.grace)).In(c.p)
	return l.To(min(lead+cells-paint.Width(text)/2, w-paint.Width(text))).Put(themes.Faint, text).Row()
}

// oldest are the nodes with the oldest heartbeats, to the scale of the grace period, for a calm fleet.
func (c *rendering) oldest(width, room int) []paint.Row {
	const least, most, zone = 5, 8, 12
	if c.bare() || room < least || c.grace < time.Second {
		return nil
	}
	pane := widget.Pane{Title: "Oldest heartbeats", End: words.Of("fleet.of-grace", "grace", words.Setting(c.grace)).In(c.p)}
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
	return pane.Around(c.p, rows, width)
}

// longestSilent are at most n nodes with the oldest heartbeats known to the second, the oldest first.
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
