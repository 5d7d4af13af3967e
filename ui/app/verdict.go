package app

import (
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/command"
	"kardia/model/explain/verdict"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// showVerdict opens the fault domain at the time shown.
func (a *App) showVerdict() tea.Cmd {
	a.session.Verdict(func(list []verdict.Verdict, at model.Instant, err error) {
		if err != nil {
			a.note(words.Text(err.Error()))
			return
		}
		var commands []string
		for i := range list {
			for _, do := range topics.Facts(list[i].Do) {
				if line := do.String(); command.Is(line) {
					commands = append(commands, a.inContext(line))
				}
			}
		}
		none := a.noVerdict() // of this time, as the verdicts are: a live cluster moves on below
		a.openOverlay(overlay{commands: commands, title: func() words.Say { return a.verdictTitle(at) },
			rows: a.holding(func(width int) []paint.Row { return a.verdictRows(list, none, width) }), closes: "v"})
	})
	return nil
}

// verdictTitle has the verdicts' time, if another one is shown.
func (a *App) verdictTitle(at model.Instant) words.Say {
	return words.Of("verdict.title-"+pick(a.snapshot().At != at, "as-of", "at"), "at", at)
}

// inContext adds the watched context to a line's kubectl commands.
func (a *App) inContext(line string) string {
	if a.options.Context == "" {
		return line
	}
	return command.InContext(line, a.options.Context)
}

// namedNodes is how many nodes of a verdict are named: the fleet shows them all.
const namedNodes = 60

// verdictRows are the verdicts, each with the evidence for and against it; none is the text without any.
func (a *App) verdictRows(list []verdict.Verdict, none string, width int) []paint.Row {
	w := &whyPage{p: a.painter, s: a.snapshot(), width: width - 2}
	if len(list) == 0 {
		w.say(themes.Text, none)
	}
	for i := range list {
		v := &list[i]
		w.head(words.Text(strings.ToUpper(v.Whose())))
		w.say(themes.Text, topics.Verdict(v).In(w.p))
		for _, r := range v.Or {
			w.say(themes.Warn, topics.Undecided(r.String()).In(w.p))
		}
		w.named(themes.Text, "for", topics.Facts(v.For))
		w.named(themes.Text, "against", topics.Facts(v.Against))
		w.named(themes.Warn, "missing", topics.NotAsked(v))
		var shared []words.Say
		for i := range v.Shared {
			shared = append(shared, topics.Shared(&v.Shared[i]))
		}
		w.named(themes.Text, "shared", shared)
		w.named(themes.Text, "cause", topics.Causes(v.Causes))
		w.named(themes.Accent, "do", topics.Facts(v.Do))
		for _, part := range []struct {
			name  string
			nodes []string
		}{{"nodes", v.Nodes}, {"back", v.Back}} {
			if len(part.nodes) > 0 {
				w.named(themes.Dim, part.name, []words.Say{topics.Names(part.nodes, " ", namedNodes)})
			}
		}
	}
	return w.rows
}

// noVerdict is the text if no node is at fault, which needs every node's state.
func (a *App) noVerdict() string {
	if unknown, _ := a.snapshot().NotKnown(caveat.Healthy); unknown != "" {
		return topics.NoVerdict(unknown).In(a.painter)
	}
	unwell := 0
	all := a.snapshot().Nodes().Entries
	for i := range all {
		if len(all[i].Problems) > 0 {
			unwell++
		}
	}
	says := topics.NoVerdict("")
	return words.Of("verdict.both", "says", says, "also", words.Of("verdict.unwell", "n", unwell)).If(unwell > 0).Or(says).In(a.painter)
}

// named is sentences under one another, with the name of that code before them.
func (w *whyPage) named(token themes.Token, code string, list []words.Say) {
	const lead = 10
	name := words.Of("verdict.named." + code).In(w.p)
	for _, say := range list {
		l := w.p.Line(w.width).Skip(1).Left(themes.Dim, name, lead-1).To(lead + 1)
		w.rows, name = append(w.rows, w.p.Folded(l, token, say.In(w.p))...), ""
	}
}
