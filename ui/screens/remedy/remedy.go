// Package remedy is two text screens of one node. One shows how its stuck pods can be removed, and the checks before it
// is marked out of service. The other shows other actors on the node. Example: drain, delete, out of service.
package remedy

import (
	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screens are recovery, and who else acts, as the registry has them: each is about the node under the cursor.
func Screens() []screen.Screen {
	return []screen.Screen{
		{ID: "recovery", Key: "R", Title: "Recovery", Asks: screen.Volumed,
			Scope: screen.OfSelected, Opens: screen.NodeSubject, New: func() screen.View {
				return &View{title: "Recovery", read: Recovery, commands: Commands}
			}},
		{ID: "actors", Key: "A", Title: "Other actors", Asks: screen.Acting,
			Scope: screen.OfSelected, Opens: screen.NodeSubject, New: func() screen.View { return &View{title: "Other actors", read: Actors} }},
	}
}

// View is a text about one node, that scrolls.
type View struct {
	title string
	read  func(s *screen.Snapshot, p *paint.Painter, row *model.NodeRow, width int) []paint.Row
	// commands are those in the text; nil for none.
	commands func(s *screen.Snapshot, row *model.NodeRow) []string

	name string
	text widget.Scroller
}

func (v *View) node(s *screen.Snapshot) *model.NodeRow {
	if s.Cluster == nil {
		return nil
	}
	return s.Cluster.Node(v.name)
}

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	pane := widget.Pane{Title: v.title + ", " + p.Text(v.name), Focused: true, Bare: area.Tier < screen.Standard}
	w, _ := pane.Inner(area.W, area.H)
	row := v.node(s)
	var rows []paint.Row
	switch {
	case row != nil:
		rows = v.read(s, p, row, w)
	case v.name == "":
		rows = []paint.Row{p.Line(w).Put(themes.Text, words.Of("no-node.key").In(p)).Row()}
	default:
		rows = p.Folded(p.Line(w), themes.Text, s.Absent(p, v.name))
	}
	return paint.Fill(pane.List(p, widget.List{N: len(rows), Draw: func(i int) paint.Row { return rows[i] }}, &v.text, area.W, area.H), area.H)
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, _ *screen.Snapshot) bool {
	by, ok := action.Motion(v.text.Page)
	if ok {
		v.text.Scroll(by)
	}
	return ok
}

// Click implements screen.View.
func (v *View) Click(int, int, *screen.Snapshot) screen.Hit { return screen.Missed }

// Selected implements screen.View.
func (v *View) Selected(*screen.Snapshot) screen.Subject {
	if v.name == "" {
		return screen.Subject{}
	}
	return screen.Subject{Kind: screen.NodeSubject, Node: v.name}
}

// Visit implements screen.Visitor: it turns to the node one comes from.
func (v *View) Visit(about screen.Subject, _ screen.Scope, _ *screen.Snapshot) {
	if about.Node != "" && about.Node != v.name {
		v.name, v.text = about.Node, widget.Scroller{}
	}
}

// Open implements screen.Opener.
func (v *View) Open(about screen.Subject, s *screen.Snapshot) error {
	v.Visit(about, screen.OfSelected, s)
	return nil
}

// Crumb implements screen.Crumber.
func (v *View) Crumb(*screen.Snapshot) string { return v.name }

// Commands implements screen.Commander.
func (v *View) Commands(s *screen.Snapshot) []string {
	row := v.node(s)
	if row == nil || v.commands == nil {
		return nil
	}
	return v.commands(s, row)
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	l := p.Line(width).Skip(1)
	if v.commands != nil {
		l.Put(themes.Accent, "Y").Put(themes.Dim, " "+words.Of("recovery.copies").In(p))
	}
	return l.String()
}
