package app

import (
	"strings"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/glossary"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

func (a *App) glossaryRows(width int, search string) []paint.Row {
	rows := append(a.wordRows("words", glossary.Words(), width, search), a.wordRows("rules", glossary.Rules(), width, search)...)
	return append(rows, a.wordRows("mechanisms", glossary.Mechanisms(), width, search)...)
}

// wordRows are the words that contain search, under the title of that code.
func (a *App) wordRows(code string, list []glossary.Term, width int, search string) []paint.Row {
	p := a.painter
	var rows []paint.Row
	for _, w := range list {
		if !strings.Contains(strings.ToLower(w.Title()+" "+w.Meaning), search) {
			continue
		}
		if rows == nil {
			rows = append(rows, p.Line(width).Skip(1).Put(themes.Accent, words.Of("help."+code).In(p)).Row())
		}
		rows = append(rows, p.Line(width).Skip(2).Put(themes.Text, p.Text(w.Title())).Row())
		rows = append(rows, p.Folded(p.Line(width-1).Skip(4), themes.Dim, w.Meaning)...)
	}
	return rows
}

// wordsHere are the words for the node under the cursor: its state, taints, and conditions.
func (a *App) wordsHere() []glossary.Term {
	s := a.snapshot()
	if a.at == nil || s == nil || s.Cluster == nil {
		return nil
	}
	said := map[string]bool{}
	switch about := a.view().Selected(s); {
	case about.Node != "":
		row := s.Cluster.Node(about.Node)
		if row == nil || row.Node == nil {
			said[model.HealthUnseen.String()] = row != nil
			break
		}
		said[row.Health().String()], said["cordoned"] = true, row.Node.Unschedulable
		for i := range row.Node.Taints {
			said[row.Node.Taints[i].Key] = true
		}
	case about.Kind == screen.ZoneSubject:
		said["Normal"], said["Partial"], said["Full"], said["wait"], said["1/10s"] = true, true, true, true, true
	}
	var list []glossary.Term
	for _, w := range glossary.Words() {
		if said[w.Name] {
			list = append(list, w)
		}
	}
	return list
}
