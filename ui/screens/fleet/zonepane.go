package fleet

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// zonePlan is the zones' shares of the room.
type zonePlan struct {
	label, heat int // widths of the name and of the row of cells
	rows        int // heat rows a zone may take
	info        bool
	from, to    int // the zones shown
}

func (c *rendering) zonesPane(width int) []paint.Row {
	pane := widget.Pane{Bare: c.bare(), Focused: c.focus == paneZones}
	if !c.bare() {
		pane.Title, pane.Note, pane.End = "Zones", words.Of("fleet.heartbeats", "how", c.measured()).In(c.p), words.Of("fleet.cells").In(c.p)
	}
	c.w, _ = pane.Inner(width, 0)
	_, y := pane.Origin()
	plan := c.planZones()
	rows, aggregated := c.zoneRows(plan, y)
	note := ""
	if !plan.info {
		note = worstOf(aggregated)
	}
	return pane.Around(c.p, append(rows, c.legend(note)), width)
}

// zoneRows are the zones from line y on, and the names of those with cells for several nodes, by their number.
func (c *rendering) zoneRows(plan zonePlan, y int) (rows []paint.Row, aggregated map[int][]string) {
	aggregated = map[int][]string{}
	c.where.zones = c.where.zones[:0]
	for i := plan.from; i < plan.to; i++ {
		z := &c.nodes.Zones[i]
		per := widget.PerCell(len(z.Nodes), plan.heat, plan.rows)
		if per > 1 {
			aggregated[per] = append(aggregated[per], c.p.Text(z.Short))
		}
		from := len(rows)
		rows = append(rows, c.heatRows(i, plan, per)...)
		if plan.info {
			rows = append(rows, c.zoneInfo(z, plan, per))
		}
		c.where.zones = append(c.where.zones, zoneSpan{from + y, len(rows) + y, i})
	}
	if hidden := len(c.nodes.Zones) - (plan.to - plan.from); hidden > 0 {
		rows = append(rows, c.hiddenZones(plan, hidden))
	}
	return rows, aggregated
}

// worstOf names the zones with cells for several nodes.
func worstOf(aggregated map[int][]string) string {
	if len(aggregated) > 2 {
		return words.Of("fleet.worst-of-several").String()
	}
	var parts []string
	for _, per := range slices.Sorted(maps.Keys(aggregated)) {
		names := strings.Join(aggregated[per], " ")
		if len(aggregated[per]) > 4 {
			names = words.Of("count.zones", "n", len(aggregated[per])).String()
		}
		parts = append(parts, words.Of("fleet.worst-of", "zones", names, "n", per).String())
	}
	return strings.Join(parts, ", ")
}

// planZones divides the room. First every zone gets its rows of cells up to a third of the height. Then cells
// aggregate, then the second lines go, then zones.
func (c *rendering) planZones() zonePlan {
	zones := c.nodes.Zones
	p := zonePlan{rows: 1, to: len(zones)}
	for i := range zones {
		p.label = max(p.label, paint.Width(c.zoneLabel(&zones[i], longestLabel)))
	}
	if c.area.Tier == screen.Compact {
		p.label = min(max(p.label, 6), longestLabel)
		p.heat = c.w - p.label - zoneCount - 2 - c.counts()
	} else {
		p.label = min(max(p.label, 15), c.w/5) + 1
		p.heat = c.w - p.label - zoneCount - 2
		for p.rows = max(c.area.H/3, 1); p.rows > 1 && c.heatHeight(p) > c.area.H/3; p.rows-- {
		}
	}
	limit := max(c.area.H/2-3, 3)
	height := c.heatHeight(p)
	p.info = c.area.Tier != screen.Compact && height+len(zones) <= limit
	if height <= limit {
		return p
	}
	p.rows = 1
	c.around(&p, max(min(limit-1, len(zones)), 1))
	return p
}

// around leaves so many zones around the cursor.
func (c *rendering) around(p *zonePlan, shown int) {
	p.from = min(max(c.zoneCursor()-shown/2, 0), len(c.nodes.Zones)-shown)
	p.to = p.from + shown
}

func (c *rendering) heatHeight(p zonePlan) int {
	n := 0
	for i := range c.nodes.Zones {
		n += min(widget.HeatRows(len(c.nodes.Zones[i].Nodes), p.heat, 1), p.rows)
	}
	return n
}

// zoneCursor is the zone under the cursor: the chosen one in the zones pane, else the selected node's; -1 for none.
func (v *View) zoneCursor() int {
	if v.focus == paneZones && v.zoneSet {
		if i := slices.IndexFunc(v.nodes.Zones, func(z nodes.Zone) bool { return z.Zone == v.zone }); i >= 0 {
			return i
		}
	}
	if i := v.nodes.Find(v.selected); i >= 0 {
		return int(v.nodes.Entries[i].Zone)
	}
	return -1
}

const zoneCount = 6

const longestLabel = 20

// zoneLabel is a zone's name. In a narrow row it is the short one, with an unusual state if that fits beside it.
func (c *rendering) zoneLabel(z *nodes.Zone, width int) string {
	if c.area.Tier != screen.Compact {
		return c.p.Text(z.Name)
	}
	label := c.p.Text(z.Short)
	if is := c.outlook.Zone(z.Zone); is != nil && is.State != model.ZoneNormal {
		for _, state := range []string{" " + is.State.String(), " " + topics.ZoneState(is.State).String()} {
			if room := width - paint.Width(state); room >= min(paint.Width(label), 5) {
				return c.p.Middle(label, room) + state
			}
		}
	}
	return label
}

func (c *rendering) heatRows(zone int, plan zonePlan, per int) []paint.Row {
	z := &c.nodes.Zones[zone]
	cells := c.nodes.Cells(z)
	if plan.rows < 1 {
		cells = nil
	}
	start := plan.label + 1 + zoneCount + 1
	var rows []paint.Row
	room := max(plan.heat, 1) * per
	for first := true; first || len(cells) > 0; first = false {
		l := c.p.Line(c.w)
		if first {
			c.zoneHead(l, zone, plan)
			l.Right(themes.Dim, strconv.Itoa(z.ZoneSummary.Nodes), zoneCount)
		}
		l.To(start)
		n := min(len(cells), room)
		widget.Heat(l, c.p, cells[:n], per)
		cells = cells[n:]
		if first && c.bare() {
			l.To(start + plan.heat)
			c.zoneCounts(l, z)
		}
		rows = append(rows, l.Row())
	}
	return rows
}

func (c *rendering) zoneHead(l *paint.Line, zone int, plan zonePlan) {
	z := &c.nodes.Zones[zone]
	token := themes.Text.If(z.Unknown+z.NotReady+z.Late > 0, themes.Dim)
	switch {
	case zone != c.zoneCursor():
		l.Skip(1)
	case c.focus == paneZones:
		l.Glyph(themes.Accent, c.p.Glyphs.Selected)
		token = themes.Accent
	default:
		l.Glyph(themes.Dim, c.p.Glyphs.Selected)
	}
	l.Left(token, c.zoneLabel(z, plan.label), plan.label)
}

// counts is the width of the counts beside a row of cells without a second line.
func (v *View) counts() int {
	if v.outlook.State != nil {
		return 32
	}
	return 21
}

func (c *rendering) zoneCounts(l *paint.Line, z *nodes.Zone) {
	word, token := words.Of("fleet.count.ok", "n", z.Ready), themes.Dim
	switch {
	case z.Unknown > 0:
		word, token = words.Of("fleet.count.unknown", "n", z.Unknown), themes.Unknown
	case z.NotReady > 0:
		word, token = words.Of("fleet.count.not-ready", "n", z.NotReady), themes.NotReady
	case z.Of[nodes.PastGrace] > 0:
		word, token = words.Of("fleet.count.past-brief", "n", z.Of[nodes.PastGrace]), themes.Unknown
	case z.Of[nodes.Late] > 0: // those known only by their leases, too
		word, token = words.Of("fleet.count.late", "n", z.Of[nodes.Late]), themes.Warn
	case z.Unseen == z.ZoneSummary.Nodes:
		word = words.Text(words.Label("unseen"))
	}
	l.Skip(1).Right(token, word.In(c.p), 12)
	is := c.outlook.Zone(z.Zone)
	switch {
	case c.outlook.State == nil:
		l.Right(c.ageToken(z.Oldest), c.p.AgeOf(model.Ages{Age: z.Oldest, AtLeast: z.AtLeast, AtMost: z.Coarse}, 7), 7)
	case is != nil:
		token, word := c.rate(is)
		l.Skip(1).Glyph(themes.Faint, c.p.Glyphs.Inferred).Skip(1).Left(token, word, 7)
		l.Right(themes.Dim, words.Of("fleet.queue", "n", len(is.Waiting)).In(c.p), 9)
	}
}

// zoneInfo is the line under a zone's cells: its state, and the unusual numbers.
func (c *rendering) zoneInfo(z *nodes.Zone, plan zonePlan, per int) paint.Row {
	l := c.p.Line(c.w)
	is := c.outlook.Zone(z.Zone)
	if is != nil {
		state := is.State.String()
		if room := plan.label + zoneCount - 5; room < len("PartialDisruption") {
			state = topics.ZoneState(is.State).String()
		}
		l.Skip(3).Glyph(themes.Faint, c.p.Glyphs.Inferred).Skip(1).Put(themes.Dim.If(is.State == model.ZoneNormal, themes.Text), state)
	}
	l.To(plan.label + 1 + zoneCount + 1)
	number := func(word, value string, t themes.Token) {
		if l.Rest() > paint.Width(word)+1+paint.Width(value) { // whole, or not at all
			l.Put(themes.Faint, word+" ").Put(t, value).Skip(3)
		}
	}
	if is != nil {
		token, word := c.rate(is)
		number(words.Label("taints"), word, token)
	}
	number(words.Label("ready"), percent(z), themes.Dim)
	for _, n := range [...]struct {
		word  string
		n     int
		token themes.Token
	}{{words.Label("unknown"), z.Unknown, themes.Unknown}, {words.Label("past grace"), z.Of[nodes.PastGrace], themes.Unknown}, {words.Label("not ready"), z.NotReady, themes.NotReady}, {words.Label("queue"), queued(is), themes.Text},
		{words.Label("never posted"), z.Never, themes.Text}, {model.HealthUnseen.String(), z.Unseen, themes.Text}} {
		if n.n > 0 {
			number(n.word, strconv.Itoa(n.n), n.token)
		}
	}
	number(words.Label("oldest"), c.p.AgeOf(model.Ages{Age: z.Oldest, AtLeast: z.AtLeast, AtMost: z.Coarse}, paint.DurationWidth), c.ageToken(z.Oldest))
	number(words.Label("median"), c.p.AgeOf(model.Ages{Age: z.Median, AtLeast: z.AtLeast, AtMost: z.Coarse}, paint.DurationWidth), c.ageToken(z.Median))
	if per > 1 {
		number(words.Label("one cell ="), words.Of("fleet.worst", "n", per).In(c.p), themes.Faint)
	}
	c.pulse(l, z)
	return l.Row()
}

func queued(z *outlook.Zone) int {
	if z == nil {
		return 0
	}
	return len(z.Waiting)
}

func (c *rendering) rate(z *outlook.Zone) (themes.Token, string) {
	word, halted := topics.ZoneRate(c.outlook, z.Rate)
	return themes.Halted.If(halted, themes.Dim), word
}

func (c *rendering) ageToken(age model.Maybe[time.Duration]) themes.Token {
	if !age.Known {
		return themes.Dim
	}
	return widget.Level(age.Value, c.grace, false)
}

// percent is the share of ready nodes among those whose state is known; unseen nodes do not count.
func percent(z *nodes.Zone) string {
	seen := z.ZoneSummary.Nodes - z.Unseen
	if seen == 0 {
		return "?"
	}
	if z.Ready == seen {
		return "100%"
	}
	return fmt.Sprintf("%.1f%%", min(float64(z.Ready)*100/float64(seen), 99.9))
}

func (c *rendering) hiddenZones(plan zonePlan, hidden int) paint.Row {
	unknown, notReady := 0, 0
	for i := range c.nodes.Zones {
		if i < plan.from || i >= plan.to {
			unknown += c.nodes.Zones[i].Unknown
			notReady += c.nodes.Zones[i].NotReady
		}
	}
	return c.p.Line(c.w).Skip(1).Put(themes.Dim, c.p.Glyphs.Ellipsis).Skip(1).Put(themes.Dim, words.Of("fleet.more-zones", "n", hidden, "unknown", unknown, "not-ready", notReady).In(c.p)).Row()
}

func (c *rendering) measured() words.Say {
	var from [model.AgeStatus + 1]int
	for i := range c.nodes.Entries {
		from[c.nodes.Entries[i].Ages.From]++
	}
	total := len(c.nodes.Entries) - from[model.AgeUnknown]
	switch {
	case total == 0:
		return words.Of("fleet.ages.none")
	case from[model.AgeHeard] == total:
		return words.Of("fleet.ages.heard")
	case from[model.AgeRenewTime]+from[model.AgeWritten] == total:
		return words.Of("fleet.ages.renew-time")
	case from[model.AgeStatus] == total:
		return words.Of("fleet.ages.status")
	}
	return words.Of("fleet.ages.mixed", "heard", from[model.AgeHeard], "renewed", from[model.AgeRenewTime]+from[model.AgeWritten], "status", from[model.AgeStatus])
}
