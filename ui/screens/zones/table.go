package zones

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

type column = widget.Column[*nodes.Zone]

func (c *rendering) table(width int) widget.Table[*nodes.Zone] {
	thinks := c.p.Glyphs.Inferred // the mark of the controller's own judgement, which no object shows
	all := []column{{Title: "ZONE", Width: 4, Most: max(c.w/4, 4), Cell: func(z *nodes.Zone) (themes.Token, string) { return themes.Text, c.label(z) }}}
	if c.outlook.Judged {
		all = append(all, column{Title: "STATE", Width: 9, Symbol: thinks, Cell: c.state})
	}
	all = append(all,
		c.count("NODES", "N", 0, themes.Text, func(z *nodes.Zone) int { return z.ZoneSummary.Nodes }),
		c.count("READY", "READY", 3, themes.Dim, func(z *nodes.Zone) int { return z.Ready }),
		c.count("UNKNOWN", "UNK", 0, themes.Unknown, func(z *nodes.Zone) int { return z.Unknown }),
		c.count("NOT READY", "NOT", 1, themes.NotReady, func(z *nodes.Zone) int { return z.NotReady }))
	share := column{Title: "SHARE NOT READY", Called: "SHARE NOT READY", Brief: "NOT READY", Width: c.shareWidth(), Draw: c.drawShare,
		Text: func(z *nodes.Zone) string { return percent(c.share(z)) }}
	if c.outlook.Judged {
		limit := c.p.Glyphs.Grace + " " + strconv.FormatFloat(float64(c.threshold())*100, 'f', -1, 32) + "%"
		share.Symbol, share.Title, share.Brief = thinks, "SHARE NOT READY "+limit, "SHARE "+limit
		if c.tier == screen.Tiny {
			share.Brief, share.Drop = "SHARE", 12
			all[2].Drop = 13
		}
		all = append(all, share,
			column{Title: "TAINTS", Width: 8, Symbol: thinks, Cell: c.rate},
			column{Title: "QUEUE", Width: 7, Symbol: thinks, Cell: c.queued},
			c.count("TAINTED", "TNT", 5, themes.Text, c.tainted),
			column{Title: "TO EVICT", Brief: "EVICT", Width: c.width("TO EVICT", "EVICT"), Drop: 2, Cell: c.armedPods})
	}
	all = append(all,
		c.count("LATE", "LATE", 6, themes.Warn, func(z *nodes.Zone) int { return z.Late }),
		c.age("OLDEST", 7, func(z *nodes.Zone) model.Maybe[time.Duration] { return z.Oldest }),
		c.age("MEDIAN", 8, func(z *nodes.Zone) model.Maybe[time.Duration] { return z.Median }),
		c.count("CORDONED", "CRD", 9, themes.Cordoned, func(z *nodes.Zone) int { return z.Cordoned }),
		c.count("NOSTATUS", "NST", 10, themes.Text, func(z *nodes.Zone) int { return z.Never }),
		c.count("LEASE-ONLY", "LSE", 11, themes.Text, func(z *nodes.Zone) int { return z.Unseen }))
	if !c.outlook.Judged {
		all = append(all, share)
	}
	t := widget.Table[*nodes.Zone]{Columns: all}
	t.Measure(len(c.nodes.Zones), func(i int) *nodes.Zone { return &c.nodes.Zones[i] })
	t.Only(c.columns)
	t.Fit(width)
	return t
}

func (c *rendering) count(title, brief string, drop int, token themes.Token, of func(*nodes.Zone) int) column {
	// A number that is cut reads as another one.
	return column{Title: title, Brief: brief, Width: c.width(title, brief), Most: c.w, Drop: drop, Cell: func(z *nodes.Zone) (themes.Token, string) {
		return token.If(of(z) > 0, themes.Dim), strconv.Itoa(of(z))
	}}
}

func (c *rendering) age(title string, drop int, of func(*nodes.Zone) model.Maybe[time.Duration]) column {
	return column{Title: title, Width: max(len(title), paint.DurationWidth), Drop: drop, Draw: func(l *paint.Line, z *nodes.Zone, w int) {
		d := of(z)
		token := themes.Dim
		if d.Known && !z.Coarse {
			token = widget.Level(d.Value, c.grace, false)
		}
		l.Left(token, c.p.AgeOf(model.Ages{Age: d, AtLeast: z.AtLeast, AtMost: z.Coarse}, w), w)
	}}
}

func (c *rendering) width(title, brief string) int {
	if c.compact {
		return max(len(brief), 3)
	}
	return len(title)
}

func (c *rendering) shareWidth() int {
	switch {
	case c.tier == screen.Tiny && c.outlook.Judged:
		return 7
	case c.compact:
		return 17
	case c.tier == screen.Standard && c.outlook.Judged:
		return 25
	}
	return 27
}

func (c *rendering) label(z *nodes.Zone) string {
	if c.compact {
		return c.p.Text(z.Short)
	}
	return c.p.Text(z.Name)
}

// threshold is the share from which a zone counts as disrupted.
func (c *rendering) threshold() float32 {
	if st := c.outlook.State; st != nil {
		return st.Params.UnhealthyZoneThreshold.Value
	}
	return c.s.Params.UnhealthyZoneThreshold.Value
}

// drawShare draws the share of nodes that are not Ready: by the controller's count or, if no models run, among the
// nodes whose state was seen.
func (c *rendering) drawShare(l *paint.Line, z *nodes.Zone, width int) {
	share := c.share(z)
	if !share.Known {
		l.Left(themes.Dim, c.unknown(), width)
		return
	}
	token := themes.Unknown.If(share.Value > 0, themes.Dim)
	bar := min(width, 40) - 7
	switch {
	case bar <= 0:
	case c.outlook.Judged:
		widget.ThresholdBar(l, c.p, share.Value, float64(c.threshold()), bar, token)
	default:
		widget.ShareBar(l, c.p, share.Value, bar, token)
	}
	l.Right(token, percent(share), 7)
}

func percent(share model.Maybe[float64]) string {
	if !share.Known {
		return "?"
	}
	return fmt.Sprintf("%.1f%%", share.Value*100)
}

func (c *rendering) share(z *nodes.Zone) (share model.Maybe[float64]) {
	if is := c.outlook.Zone(z.Zone); is != nil {
		counted := is.Share()
		share = model.Maybe[float64]{Value: float64(counted.Value), Known: counted.Known}
	} else if seen := z.ZoneSummary.Nodes - z.Unseen; !c.outlook.Judged && seen > 0 {
		share = model.Some(float64(seen-z.Ready) / float64(seen))
	}
	return share
}

// unknown stands for a missing or impossible result of the models.
func (c *rendering) unknown() string {
	if c.outlook.State == nil && c.outlook.Missing.Pending() {
		return c.p.Glyphs.Ellipsis
	}
	return "?"
}

func (c *rendering) state(z *nodes.Zone) (themes.Token, string) {
	is := c.outlook.Zone(z.Zone)
	if is == nil {
		return themes.Dim, c.unknown()
	}
	return themes.Dim.If(is.State == model.ZoneNormal, themes.Text), topics.ZoneState(is.State).String()
}

func (c *rendering) rate(z *nodes.Zone) (themes.Token, string) {
	is := c.outlook.Zone(z.Zone)
	if is == nil {
		return themes.Dim, c.unknown()
	}
	word, halted := topics.ZoneRate(c.outlook, is.Rate)
	return themes.Halted.If(halted, themes.Dim), word
}

func (c *rendering) queued(z *nodes.Zone) (themes.Token, string) {
	is := c.outlook.Zone(z.Zone)
	if is == nil {
		return themes.Dim, c.unknown()
	}
	return themes.Text.If(len(is.Waiting) > 0, themes.Dim), strconv.Itoa(len(is.Waiting))
}

func (c *rendering) armedPods(z *nodes.Zone) (themes.Token, string) {
	if c.outlook.Forecast == nil || !c.s.Has(model.KindPod) || !z.Zone.Known {
		return themes.Dim, c.unknown()
	}
	armed := c.podsDue(z)
	return themes.Evict.If(armed > 0, themes.Dim), strconv.Itoa(armed)
}

// podsDue counts the pods of a zone with a running countdown. A capture does not show the controller's state of the
// zone; the taints in it show the countdowns all the same.
func (c *rendering) podsDue(z *nodes.Zone) (n int) {
	if is := c.outlook.Zone(z.Zone); is != nil {
		return is.Armed
	}
	for _, i := range z.Nodes {
		if is := c.outlook.Node(c.nodes.Entries[i].Row.Name); is != nil {
			n += is.Count[forecast.Due]
		}
	}
	return n
}

// tainted counts a zone's nodes with a NoExecute taint for silence, or for not being ready.
func (c *rendering) tainted(z *nodes.Zone) int {
	n := 0
	for _, i := range z.Nodes {
		if node := c.nodes.Entries[i].Row.Node; node != nil && node.TaintedAsNotWell() {
			n++
		}
	}
	return n
}

// tablePane is the zones, with the cursor in sight, in at most h lines; top is where it begins.
func (c *rendering) tablePane(h, top int) []paint.Row {
	pane := widget.Pane{Title: "Zones", Focused: true, Bare: c.compact, End: c.legend()}
	if c.tier == screen.Tiny {
		pane.End = ""
	}
	if c.outlook.Judged {
		pane.Note = words.Of("zones.master", "is", c.master()).In(c.p)
		if c.outlook.Leaderless() {
			pane.Note = words.Of("zones.no-leader").In(c.p)
		}
	}
	if h < 4 {
		pane.Title = ""
	}
	w, room := pane.Inner(c.w, min(h, pane.Outer(len(c.nodes.Zones)+1)))
	t := c.table(w)
	var rows []paint.Row
	if room > 1 {
		rows = append(rows, t.Titles(c.p, w))
	}
	c.rows.Fit(len(c.nodes.Zones), room-len(rows))
	_, y := pane.Origin()
	c.top = top + y + len(rows)
	rows = append(rows, t.Rows(c.p, w, &c.rows, true, func(i int) (*nodes.Zone, string) { return &c.nodes.Zones[i], "" })...)
	if in := c.rows.InSight(); in != "" {
		pane.End = in
	}
	return pane.Rows(c.p, rows, c.w, pane.Outer(len(rows)))
}

func (c *rendering) master() string {
	switch {
	case c.outlook.State == nil:
		return c.unknown()
	case c.outlook.State.Arrived:
		return words.Label("not known in a capture")
	case c.outlook.Unsettled:
		return words.Label("not known after a gap")
	case c.outlook.Master:
		return words.Label("yes")
	case len(c.outlook.Zones) == 0: // of no zone is it known whether it is dark
		return words.Label("not known")
	}
	return words.Label("no")
}

// legend is the evidence of the columns.
func (c *rendering) legend() string {
	if !c.outlook.Judged {
		return ""
	}
	inferred := c.inferred()
	if at := c.s.JudgedAsOf; at.Known() {
		inferred = c.p.Glyphs.Inferred + " " + words.Of("fleet.judged", "at", at).In(c.p)
	}
	text := inferred + "  " + c.predicted()
	if c.compact {
		return text
	}
	return words.Label("unmarked: observed") + "  " + text
}

func (c *rendering) inferred() string { return c.p.Glyphs.Inferred + " " + words.Label("inferred") }

func (c *rendering) predicted() string { return c.p.Glyphs.Predicted + " " + words.Label("predicted") }
