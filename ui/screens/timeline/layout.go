package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.update(s)
	v.x, v.y, v.h, v.picture = 0, 0, 0, widget.Scale{}
	v.panelX, v.panelY, v.listY, v.list.page = 0, 0, area.H, 0
	if !s.Reach().Bounded() || s.Reach().Width() <= 0 {
		return paint.Fill([]paint.Row{p.Line(area.W).Skip(1).Put(themes.Text, screen.EmptyText(s, p)).Row()}, area.H)
	}
	rows := v.above(s, p, area)
	v.h = len(rows)
	if room := area.H - len(rows); room > 2 && area.Tier > screen.Tiny {
		rows = append(rows, p.Rule(area.W))
	}
	return paint.Fill(append(rows, v.below(s, p, area, len(rows))...), area.H)
}

// above is the picture of time: as many lanes as have room, the most important.
func (v *View) above(s *screen.Snapshot, p *paint.Painter, area screen.Area) []paint.Row {
	room := area.H * 9 / 20
	if area.Tier == screen.Tiny {
		room = area.H / 2
	}
	c := v.lanes(s, p, area.W, area.Tier <= screen.Compact)
	list := []lane{{0, c.playhead()}}
	past := s.Timeline
	if past == nil || past.Overview == nil {
		list = append(list, lane{2, c.waiting(past)})
	} else {
		list = append(list, lane{6, c.changes()}, lane{9, c.beats()})
		list = append(list, c.zones()...)
		if row, any := c.taints(); any {
			list = append(list, lane{4, row})
		}
		if row, any := c.deletions(); any {
			list = append(list, lane{4, row})
		}
	}
	if n := len(s.Said); n > 0 {
		list = append(list, lane{5, c.points(words.Label("logs"), themes.Text, p.Glyphs.Here, paint.FirstFit(c.tail-1, words.Of("count.lines", "n", n).In(p), strconv.Itoa(n)), n, func(i int) model.Instant { return s.Said[i].At })})
	}
	if past != nil {
		if len(past.Marks) > 0 {
			list = append(list, lane{5, c.marks()})
		}
		if n := len(past.Hits); past.Query != "" {
			list = append(list, lane{5, c.points("/"+past.Query, themes.Accent, p.Glyphs.Hit, words.Of("timeline.found", "n", n+past.MoreHits).In(p), n, func(i int) model.Instant { return past.Hits[i].At })})
		}
		if found := past.Anomalies.List; len(found) > 0 {
			list = append(list, lane{5, c.points(words.Label("anomalies"), themes.Warn, p.Glyphs.NotReady, fmt.Sprint(len(found)+past.Anomalies.More), len(found), func(i int) model.Instant { return found[i].At })})
		}
	}
	list = append(list, lane{3, c.coverage()})
	room = max(room, 1)
	axis := lane{1, c.axis(&v.window, len(list)+1-room)}
	return fit(append([]lane{axis}, list...), room)
}

// fit leaves out the lanes of the greatest rank until the rest has room.
func fit(list []lane, room int) []paint.Row {
	for len(list) > room {
		worst := 0
		for i := range list {
			if list[i].rank >= list[worst].rank {
				worst = i
			}
		}
		list = slices.Delete(list, worst, worst+1)
	}
	rows := make([]paint.Row, len(list))
	for i := range list {
		rows[i] = list[i].row
	}
	return rows
}

func (c *lanes) waiting(past *screen.Timeline) paint.Row {
	l := c.p.Line(c.w).Skip(1)
	switch {
	case past != nil && past.Problem != "":
		l.Put(themes.Warn, c.p.Text(past.Problem))
	case past != nil:
		l.Glyph(themes.Predicted, c.p.Glyphs.Predicted).Put(themes.Dim, " "+words.Of("timeline.reading", "percent", int(past.Progress*100)).In(c.p))
	default:
		l.Put(themes.Dim, words.Of("timeline.unread").In(c.p))
	}
	return l.Row()
}

// roomForKinds is the width from which a zone's lanes have their kinds beside them.
const roomForKinds = 60

// zones are the lanes of zones that had trouble: the state, if the models know it, and the number of Unknown nodes.
func (c *lanes) zones() []lane {
	var lanes []lane
	for _, z := range c.pasts {
		rank := 2
		if len(lanes) > 4 {
			rank = 7
		}
		label := func(what string) string {
			if c.w < roomForKinds {
				return c.p.Text(z.name)
			}
			return c.p.Middle(c.p.Text(z.name), c.lead-3-paint.Width(what)) + " " + what
		}
		if z.state != nil {
			lanes = append(lanes, lane{rank, c.state(z.state, label(words.Label("state")))})
		}
		if z.unknown > 0 {
			row, _ := c.unknown(z.states, label(words.Label("unknown")))
			lanes = append(lanes, lane{rank + 1, row})
		}
	}
	return lanes
}

type zoneHistory struct {
	name    string // without the common prefix of all zones
	state   *review.ZoneStates
	states  *past.ZoneHistory
	unknown int32 // how many nodes were Unknown at most
}

func zonesOf(past *screen.Timeline, covered model.Interval) []zoneHistory {
	var list []zoneHistory
	var names []string
	for _, z := range past.Overview.Zones() {
		item := zoneHistory{name: words.Label("others"), states: z}
		if !z.Rest {
			item.name = cmp.Or(z.Zone.Zone, z.Zone.String())
			if z.Zone != (model.ZoneKey{}) {
				names = append(names, item.name)
			}
			for i := range past.States {
				if past.States[i].Zone == z.Zone && len(past.States[i].Spans) > 0 {
					item.state = &past.States[i]
				}
			}
		}
		if whole, ok := z.Over(covered); ok {
			item.unknown = whole.MostUnknown
		}
		if item.unknown > 0 || item.state != nil {
			list = append(list, item)
		}
	}
	if cut := nodes.ZonePrefix(names); cut > 0 {
		for i := range list {
			list[i].name = strings.TrimPrefix(list[i].name, names[0][:cut])
		}
	}
	return list
}

func (v *View) below(s *screen.Snapshot, p *paint.Painter, area screen.Area, above int) []paint.Row {
	room := area.H - above
	if room <= 0 {
		return nil
	}
	if v.list.read == nil || v.list.count() == 0 {
		return []paint.Row{v.undecided(s, p, area.W)}
	}
	if area.Tier == screen.Tiny {
		v.listY = above
		return v.list.drawn(p, area.W, room, true)
	}
	left := max(area.W*23/50, min(area.W/2, 40))
	list := v.list.pane(p, left)
	list.Bare, list.Focused = area.Tier == screen.Compact, !v.panelFocused
	w, page := list.Inner(left, room)
	_, y := list.Origin()
	v.listY = above + y
	rows := list.Rows(p, v.list.drawn(p, w, page, !v.panelFocused), left, room)
	for len(rows) < room {
		rows = append(rows, paint.Row{})
	}
	v.panelX, v.panelY = left, above
	right := area.W - left
	if list.Bare {
		right--
	}
	return p.Beside(rows, left, v.full(s, p, right, room, list.Bare), area.W, list.Bare)
}

func (v *View) full(s *screen.Snapshot, p *paint.Painter, width, room int, bare bool) []paint.Row {
	d := v.list.chosen()
	pane := widget.Pane{Title: "Details", Focused: v.panelFocused, Bare: bare}
	w, _ := pane.Inner(width, room)
	if d == nil || w < 8 {
		return nil
	}
	rows := render.Terminal(topics.Details(d, s.Result(), s.At), p, w-1)
	return pane.List(p, widget.List{N: len(rows), Draw: func(i int) paint.Row { return p.Line(w).Skip(1).Append(rows[i]).Row() }}, &v.panel, width, room)
}

func (v *View) undecided(s *screen.Snapshot, p *paint.Painter, width int) paint.Row {
	l := p.Line(width).Skip(1)
	known, missing := s.Result() != nil, s.Outlook().Missing
	switch {
	case known && v.list.about.Kind != screen.NoSubject:
		l.Put(themes.Text, words.Of("timeline.none-about", "subject", p.Text(v.list.about.Name())).In(p)).Put(themes.Dim, words.Of("esc-shows-all").In(p))
	case known:
		l.Put(themes.Text, words.Of("timeline.none").In(p))
	case missing.Pending():
		l.Glyph(themes.Predicted, p.Glyphs.Predicted).Skip(1).Put(themes.Dim, p.Text(topics.Unjudged(missing)))
	default:
		l.Put(themes.Warn, p.Text(topics.Unjudged(missing)))
	}
	return l.Row()
}
