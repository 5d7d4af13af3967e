package app

import (
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/command"
	"kardia/model/explain/verdict"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"

	tea "charm.land/bubbletea/v2"
)

// showVerdict opens whose fault it is, at the instant shown.
func (a *App) showVerdict() tea.Cmd {
	a.session.Verdict(func(list []verdict.Verdict, at model.Instant, err error) {
		if err != nil {
			a.note(err.Error())
			return
		}
		var commands []string
		for i := range list {
			for _, line := range list[i].Do {
				if command.Is(line) {
					commands = append(commands, a.inContext(line))
				}
			}
		}
		none := a.noVerdict() // of this time, as the verdicts are: a live cluster moves on below
		a.openOverlay(overlay{commands: commands, title: func() string { return a.verdictTitle(at) },
			rows: func(width int, search string) []paint.Row {
				return a.holding(a.verdictRows(list, none, width), width, search)
			}, closes: "v"})
	})
	return nil
}

// verdictTitle says of when the verdicts are, and that it is another time by now.
func (a *App) verdictTitle(at model.Instant) string {
	when := " at "
	if a.snapshot().At != at {
		when = " as of "
	}
	return "Verdict" + when + a.painter.Clock(at)
}

// inContext lets the kubectl commands of a line be of the context that is watched.
func (a *App) inContext(line string) string {
	if a.options.Context == "" {
		return line
	}
	return command.InContext(line, a.options.Context)
}

// namedNodes is how many nodes of a verdict are named: the fleet shows them all.
const namedNodes = 60

// verdictRows are the verdicts, each with what speaks for it and against it; none is said if there are none.
func (a *App) verdictRows(list []verdict.Verdict, none string, width int) []paint.Row {
	w := &whyPage{p: a.painter, s: a.snapshot(), width: width - 2}
	if len(list) == 0 {
		w.say(themes.Text, none)
	}
	for i := range list {
		v := &list[i]
		w.head(strings.ToUpper(v.Whose()))
		w.say(themes.Text, v.Says)
		for _, r := range v.Or {
			w.say(themes.Warn, "undecided: or "+r.String())
		}
		w.named(themes.Text, "for", v.For)
		w.named(themes.Text, "against", v.Against)
		w.named(themes.Warn, "missing", v.Missing)
		var shared []string
		for i := range v.Shared {
			shared = append(shared, v.Shared[i].Says())
		}
		w.named(themes.Text, "shared", shared)
		w.named(themes.Text, "cause", verdict.Told(v.Causes))
		w.named(themes.Accent, "do", v.Do)
		w.list("nodes", v.Nodes)
		w.list("back", v.Back)
	}
	return w.rows
}

// list names the first of some nodes; none is nothing.
func (w *whyPage) list(name string, nodes []string) {
	if len(nodes) == 0 {
		return
	}
	names := strings.Join(nodes[:min(len(nodes), namedNodes)], " ")
	if more := len(nodes) - namedNodes; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	w.named(themes.Dim, name, []string{names})
}

// noVerdict is the text if no node is at fault. Every node's state must be known for that.
func (a *App) noVerdict() string {
	if unknown, _ := a.snapshot().NotKnown(caveat.Healthy); unknown != "" {
		return "not known: no node is seen to be silent, declared Unknown or not ready, but " + a.painter.Text(unknown)
	}
	text, unwell := "no fault found: no node is silent, declared Unknown or not ready", 0
	all := a.snapshot().Nodes().Entries
	for i := range all {
		if len(all[i].Problems) > 0 {
			unwell++
		}
	}
	if unwell > 0 {
		text += "; " + decision.Counted(unwell, "node") + " not well: the fleet (1) says why"
	}
	return text
}

// named is sentences under one another, with their name before them.
func (w *whyPage) named(token themes.Token, name string, list []string) {
	const lead = 10
	for _, text := range list {
		for _, piece := range paint.Fold(w.p.Text(text), max(w.width-lead-1, 8)) {
			w.rows = append(w.rows, w.p.Line(w.width+1).Skip(1).Left(themes.Dim, name, lead-1).To(lead+1).Put(token, piece).Row())
			name = ""
		}
	}
}
