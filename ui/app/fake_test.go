package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screens/timeline"
)

// fakes are views as simple as the contract allows, so that these tests are about the app.
func fakes() views {
	return views{fleet: &listView{title: "FLEET"}, node: &listView{title: "NODE", single: true}, zones: &zoneView{}, timeline: timeline.New(), summary: summaryLine}
}

func summaryLine(s *screen.Snapshot, p *paint.Painter, width int) paint.Row {
	unknown := 0
	s.Cluster.Nodes(func(r *model.NodeRow) bool {
		if r.Health() == model.HealthUnknown {
			unknown++
		}
		return true
	})
	return p.Line(width).Put(themes.Text, fmt.Sprintf(" %d nodes  %d unknown", s.Cluster.NodeCount(), unknown)).Row()
}

// listView lists nodes by name; as a node view it shows one.
type listView struct {
	title, filter, name string
	single, frozen      bool
	cursor, renders     int
}

func (v *listView) names(s *screen.Snapshot) []string {
	if v.single {
		return []string{v.name}
	}
	var names []string
	s.Cluster.Nodes(func(r *model.NodeRow) bool {
		if strings.Contains(r.Name, v.filter) || r.Node != nil && v.filter == "zone:"+r.Node.Place.String() {
			names = append(names, r.Name)
		}
		return true
	})
	slices.Sort(names)
	return names
}

func (v *listView) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	v.renders++
	lines := []string{p.Line(area.W).Put(themes.Dim, v.title).String()}
	for i, name := range v.names(s) {
		l := p.Line(area.W)
		if i == v.cursor {
			l.Glyph(themes.Accent, p.Glyphs.Selected)
		} else {
			l.Skip(1)
		}
		if row := s.Cluster.Node(name); row != nil {
			l.Put(themes.Text, p.Text(name)+" "+row.Health().String()+" "+paint.Age(row.Ages(s.At).Age))
		}
		lines = append(lines, l.String())
	}
	for len(lines) < area.H {
		lines = append(lines, "")
	}
	return lines[:area.H]
}

func (v *listView) Do(action screen.Action, s *screen.Snapshot) bool {
	n := len(v.names(s))
	switch action {
	case screen.Up:
		v.cursor, v.frozen = max(v.cursor-1, 0), true
	case screen.Down:
		v.cursor, v.frozen = min(v.cursor+1, max(n-1, 0)), true
	case screen.Escape:
		had := v.filter != ""
		v.filter = ""
		return had
	default:
		return false
	}
	return true
}

func (v *listView) Click(_, y int, s *screen.Snapshot) screen.Hit {
	if y < 1 || y > len(v.names(s)) {
		return screen.Missed
	}
	if v.cursor == y-1 {
		return screen.Opened
	}
	v.cursor = y - 1
	return screen.Moved
}

func (v *listView) Selected(s *screen.Snapshot) screen.Subject {
	names := v.names(s)
	if v.cursor >= len(names) || names[v.cursor] == "" {
		return screen.Subject{}
	}
	return screen.Subject{Kind: screen.NodeSubject, Node: names[v.cursor]}
}

func (v *listView) Context(_ *screen.Snapshot, p *paint.Painter, width int) string {
	return p.Line(width).Put(themes.Dim, " filter "+p.Text(v.filter)).String()
}

func (v *listView) SetFilter(text string) error {
	if text == "(" {
		return errors.New("a parenthesis is left open")
	}
	v.filter, v.cursor = text, 0
	return nil
}
func (v *listView) Filter() string                    { return v.filter }
func (v *listView) Order(s *screen.Snapshot) []string { return v.names(s) }
func (v *listView) Select(name string) {
	v.name = name
}
func (v *listView) Crumbs(_ *screen.Snapshot, p *paint.Painter, width, i, n int) paint.Row {
	return p.Line(width).Put(themes.Dim, fmt.Sprintf(" Fleet › %s  %d of %d", p.Text(v.name), i, n)).Row()
}
func (v *listView) Show(name string) { v.name = name }
func (v *listView) Frozen() bool     { return v.frozen }
func (v *listView) Thaw()            { v.frozen = false }

// zoneView lists zones.
type zoneView struct{ cursor int }

func (v *zoneView) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	lines := make([]string, area.H)
	for i, z := range s.Cluster.Zones(s.At) {
		if i < area.H {
			lines[i] = p.Line(area.W).Put(themes.Text, " ZONE "+p.Text(z.Place.Value.String())).String()
		}
	}
	return lines
}

func (v *zoneView) Do(action screen.Action, s *screen.Snapshot) bool {
	if action == screen.Down {
		v.cursor = min(v.cursor+1, len(s.Cluster.Zones(s.At))-1)
		return true
	}
	return false
}
func (v *zoneView) Click(int, int, *screen.Snapshot) screen.Hit { return screen.Missed }
func (v *zoneView) Selected(s *screen.Snapshot) screen.Subject {
	zones := s.Cluster.Zones(s.At)
	if v.cursor < 0 || v.cursor >= len(zones) {
		return screen.Subject{}
	}
	return screen.Subject{Kind: screen.ZoneSubject, Place: zones[v.cursor].Place}
}
func (v *zoneView) Context(*screen.Snapshot, *paint.Painter, int) string { return "" }
