// Package margin is the screen of how near nodes came to being declared Unknown. It shows the intervals of their
// heartbeats, the grace periods that tolerate these, and each node's longest silence. Example: 43 s of a 50 s grace.
package margin

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is the margin as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "margin", Key: "9", Title: "Margin",
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Sort, screen.Reverse},
		Columns: []string{"NODE", "ZONE", "LONGEST", "OF GRACE", "LEFT", "ENDED", "NEAR", "DECLARED", "FLAPS", "NOW"},
		New:     func() screen.View { return New() }}
}

const (
	byLongest = iota
	byMisses
	byZone
	byName
)

// row is a node, and its other problems; nil for none. declared is the time from which it can have been declared
// Unknown for the last such silence.
type row struct {
	margin.Near
	flaps    *margin.Flaps
	cordon   *margin.Cordon
	declared model.Instant
}

// View is the person's place on the margin screen.
type View struct {
	list.List[row, string]
	is   screen.Margin
	over model.Interval // the time shown
	// shared is what the node of sharing has in common with those that flap with it.
	sharing sharing
	shared  string
}

type sharing struct {
	in   *margin.Margin
	node string
}

// New is all nodes, the one that came nearest first.
func New() *View {
	v := &View{}
	v.List = list.New(list.Of[row, string]{Title: "Nodes", Orders: []string{"longest silence", "near misses", "zone", "name"}, Opens: true, Read: v.read, Compare: v.compare, Table: v.table, Full: v.inFull, Empty: v.empty, Above: v.top, Says: v.says, Stale: v.stale,
		Key:     func(r *row) string { return r.Node },
		Subject: func(r *row) screen.Subject { return screen.SubjectNode(r.Node) }})
	return v
}

// stale reads the margin, and reports whether it has changed.
func (v *View) stale(s *screen.Snapshot) bool {
	before := v.is
	if v.is = (screen.Margin{}); s.Margin != nil {
		v.over = s.MarginOver()
		v.is = s.Margin(v.over)
	}
	return v.is != before
}

func (v *View) found() *margin.Margin {
	if f := v.is.Found; f != nil && (f.Median > 0 || f.Longest > 0 || len(f.Silences) > 0) {
		return f
	}
	return nil
}

func (v *View) read(s *screen.Snapshot) (rows []row) {
	f := v.found()
	if f == nil {
		return nil
	}
	flaps, cordons := map[string]*margin.Flaps{}, map[string]*margin.Cordon{}
	for i := range f.Flaps {
		flaps[f.Flaps[i].Node] = &f.Flaps[i]
	}
	for i := range f.Cordons {
		cordons[f.Cordons[i].Node] = &f.Cordons[i]
	}
	declared := map[string]model.Instant{}
	for i := range f.Silences {
		if x := &f.Silences[i]; x.Declared {
			declared[x.Node] = max(declared[x.Node], x.From.Add(s.Params.NodeMonitorGracePeriod.Value))
		}
	}
	rows = make([]row, 0, len(f.Nears))
	for i := range f.Nears {
		name := f.Nears[i].Node
		r := row{f.Nears[i], flaps[name], cordons[name], declared[name]}
		if v.Concerns(r.Node, r.Zone) && v.Match(r.Node+" "+r.Zone.Value.String()) {
			rows = append(rows, r)
		}
	}
	return rows
}

// compare is the selected order. No two nodes compare equal.
func (v *View) compare(a, b *row) int {
	order := 0
	switch v.Order {
	case byMisses:
		order = cmp.Or(cmp.Compare(b.Misses, a.Misses), cmp.Compare(b.Declared, a.Declared))
	case byZone:
		order = cmp.Compare(a.Zone.Value.String(), b.Zone.Value.String())
	}
	if v.Order != byName {
		x, _, _ := a.Worst()
		y, _, _ := b.Worst()
		order = cmp.Or(order, cmp.Compare(y, x))
	}
	if order == 0 { // names take long to compare, and there may be thousands
		order = model.CompareNames(a.Node, b.Node)
	}
	return order
}

func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	switch {
	case s.Margin == nil:
		return words.Of("margin.unread").In(p)
	case v.is.Problem != "":
		return p.Text(v.is.Problem)
	case v.is.Searching || v.is.Found == nil:
		return words.Of("margin.reading").In(p) + p.Glyphs.Ellipsis
	}
	return words.Of("margin.none").In(p)
}

// nearest is the silence from which a node counts as a near miss: see margin.Near.
const nearest = 15 * time.Second

func level(d, grace time.Duration) themes.Token {
	switch {
	case d >= grace:
		return themes.Evict
	case d >= nearest:
		return themes.Warn
	}
	return themes.Text
}

func (v *View) table(s *screen.Snapshot, p *paint.Painter, width int, _ screen.Tier) widget.Table[*row] {
	zones, zone := 6, zoneOf
	for i := range v.Rows()[:min(len(v.Rows()), 2000)] { // the widest of so many is wide enough
		zones = max(zones, paint.Width(p.Text(zoneOf(&v.Rows()[i]))))
	}
	if most := max(width/6, 10); zones > most { // by their distinguishing parts, as on the fleet
		short := map[model.Maybe[model.ZoneKey]]string{}
		for i := range s.Nodes().Zones {
			short[s.Nodes().Zones[i].Zone] = s.Nodes().Zones[i].Short
		}
		zones, zone = most, func(r *row) string { return cmp.Or(short[r.Zone], zoneOf(r)) }
	}
	grace := s.Params.NodeMonitorGracePeriod.Value
	bar := min(max(width/6, 10), 30)
	return widget.Table[*row]{Sorted: v.Order + 1, Columns: []widget.Column[*row]{
		{Title: "NODE", Width: 8, Most: max(width/3, 16), Sort: byName + 1, Named: func(r *row) (themes.Token, string, string) { return themes.Text, p.Text(r.Node), "" }},
		{Title: "ZONE", Width: zones, Sort: byZone + 1, Drop: 2, Named: func(r *row) (themes.Token, string, string) { return themes.Dim, p.Text(zone(r)), "" }},
		{Title: "LONGEST", Width: 9, Right: true, Sort: byLongest + 1, Cell: func(r *row) (themes.Token, string) {
			d, ended, open := r.Worst()
			if open {
				ended = v.is.Found.Over.Latest
			}
			text := pause(d)
			if d > 0 {
				text = later(s, p, ended) + text
			}
			return level(d, grace), text
		}},
		{Title: "OF GRACE", Width: bar + 1, Drop: 4, Draw: func(l *paint.Line, r *row, w int) {
			d, _, _ := r.Worst()
			widget.AgeBar(l, p, d, grace, w-1, level(d, grace))
		}},
		{Title: "LEFT", Width: 8, Right: true, Drop: 6, Cell: func(r *row) (themes.Token, string) {
			if d, _, _ := r.Worst(); d > 0 {
				return level(d, grace), signed(grace - d)
			}
			return themes.Text, ""
		}},
		{Title: "ENDED", Width: 9, Drop: 5, Cell: func(r *row) (themes.Token, string) {
			switch _, ended, open := r.Worst(); {
			case open:
				return themes.Unknown, words.Label("lasts")
			case ended.Known():
				return themes.Faint.If(ended > s.At, themes.Dim), p.Clock(ended)
			}
			return themes.Text, ""
		}},
		{Title: "NEAR", Width: 5, Right: true, Sort: byMisses + 1, Cell: func(r *row) (themes.Token, string) { return themes.Warn, count("", r.Misses) }},
		{Title: "DECLARED", Width: 8, Right: true, Cell: func(r *row) (themes.Token, string) {
			return themes.Unknown, count(later(s, p, r.declared), r.Declared)
		}},
		{Title: "FLAPS", Width: 5, Right: true, Drop: 3, Cell: func(r *row) (themes.Token, string) {
			if t, told := told(s, r); told {
				return themes.Warn, count(p.Glyphs.Reconstructed+" ", t.Times)
			}
			if r.flaps == nil {
				return themes.Warn, ""
			}
			return themes.Warn, count(later(s, p, r.flaps.Last), r.flaps.Times)
		}},
		{Title: "NOW", Width: 14, Drop: 1, Cell: func(r *row) (themes.Token, string) {
			if text := silent(s, p, r.Node); text != "" {
				return themes.Unknown, text
			}
			if row := s.Node(r.Node); row != nil && row.Node != nil && row.Node.Unschedulable {
				return themes.Dim, words.Label("cordoned")
			}
			return themes.Dim, ""
		}},
	}}
}

// count is a number with a sign before it; "" for none.
func count(sign string, n int) string {
	if n == 0 {
		return ""
	}
	return sign + strconv.Itoa(n)
}

// silent is how long a node has been silent at the time shown, as on the fleet; "" below a near miss.
func silent(s *screen.Snapshot, p *paint.Painter, node string) string {
	list := s.Nodes()
	i := list.Find(node)
	if i < 0 || !list.Entries[i].Ages.Age.Known || list.Entries[i].Ages.Age.Value < nearest {
		return ""
	}
	return words.Of("margin.silent", "for", p.AgeOf(list.Entries[i].Ages, paint.DurationWidth)).In(p)
}

// later marks a pause that ended after the time shown; "" for others.
func later(s *screen.Snapshot, p *paint.Painter, ended model.Instant) string {
	if ended > s.At {
		return p.Glyphs.Later + " "
	}
	return ""
}

// pause is the length of a pause, to the tenth of a second: a renewal's jitter is below a second.
func pause(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 100*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return paint.Duration(d.Round(time.Second)) // as in the report: it is over
}

func signed(d time.Duration) string {
	if d < 0 {
		return "-" + pause(-d)
	}
	if d == 0 {
		return "0.0s"
	}
	return pause(d)
}

func zoneOf(r *row) string {
	if !r.Zone.Known {
		return "?"
	}
	return r.Zone.Value.String()
}
