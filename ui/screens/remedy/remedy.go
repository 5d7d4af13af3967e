// Package remedy is two text screens of one node. One shows how its stuck pods can be removed, and the checks before it
// is marked out of service. The other shows other actors on the node. Example: drain, delete, out of service.
package remedy

import (
	"kardia/model"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screens are recovery, and who else acts, as the registry has them: each is about the node under the cursor.
func Screens() []screen.Screen {
	return []screen.Screen{
		{ID: "recovery", Key: "R", Title: "Recovery", Asks: screen.Volumed,
			Scope: screen.OfSelected, Opens: screen.NodeSubject, New: func() screen.View { return of("Recovery", Recovery, Commands) }},
		{ID: "actors", Key: "A", Title: "Other actors", Asks: screen.Acting,
			Scope: screen.OfSelected, Opens: screen.NodeSubject, New: func() screen.View { return of("Other actors", Actors, nil) }},
	}
}

// View is a text about one node, that scrolls.
type View struct {
	list.Text
	// commands are those in the text; nil for none.
	commands func(s *screen.Snapshot, row *model.NodeRow) []string
}

func of(title string, read func(*screen.Snapshot, *paint.Painter, *model.NodeRow, int) []paint.Row, commands func(*screen.Snapshot, *model.NodeRow) []string) *View {
	v := &View{commands: commands}
	v.Read = func(s *screen.Snapshot, p *paint.Painter, _ screen.Area, w int) (pane widget.Pane, rows []paint.Row) {
		row := s.Node(v.Node)
		switch {
		case row != nil:
			rows = read(s, p, row, w)
		case v.Node == "":
			rows = []paint.Row{p.Line(w).Put(themes.Text, words.Of("no-node.key").In(p)).Row()}
		default:
			rows = p.Folded(p.Line(w), themes.Text, s.Absent(p, v.Node))
		}
		return widget.Pane{Title: words.Label(title) + ", " + p.Text(v.Node)}, rows
	}
	if commands != nil {
		v.Says = func(l *paint.Line, _ *screen.Snapshot, p *paint.Painter) {
			l.Put(themes.Accent, "Y").Put(themes.Dim, " "+words.Of("recovery.copies").In(p))
		}
	}
	return v
}

// Visit implements screen.Visitor: it turns to the node one comes from.
func (v *View) Visit(about screen.Subject, _ screen.Scope, _ *screen.Snapshot) { v.Turn(about.Node) }

// Crumb implements screen.Crumber.
func (v *View) Crumb(*screen.Snapshot) string { return v.Node }

// Commands implements screen.Commander.
func (v *View) Commands(s *screen.Snapshot) []string {
	row := s.Node(v.Node)
	if row == nil || v.commands == nil {
		return nil
	}
	return v.commands(s, row)
}
