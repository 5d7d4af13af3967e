package app

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/model/explain/volumes"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// showComing opens the whole forecast, of which the fleet shows the first.
func (a *App) showComing() tea.Cmd {
	return a.openOverlay(overlay{title: func() words.Say { return words.Of("forecast.from", "at", a.snapshot().From()) },
		rows: a.holding(a.comingRows), timed: true, closes: "W", asks: slices.Concat(screen.Volumed, screen.Acting)})
}

// comingRows are the predictions, the soonest first, with the other actors and the assumptions.
func (a *App) comingRows(width int) []paint.Row {
	s := a.snapshot()
	w := &whyPage{p: a.painter, s: s, width: width - 2}
	is := s.Outlook()
	w.unled()
	if len(w.rows) > 0 {
		w.rows = append(w.rows, paint.Row{})
	}
	until := s.From().Add(forecast.Horizon)
	if is.Forecast == nil {
		w.say(themes.Warn, topics.Unjudged(is.Missing))
	} else {
		until = is.Forecast.Until
		rows := screen.Coming(is, s.Cluster, s.From(), w.p, w.width, len(is.Forecast.Coming)+len(is.Forecast.Evictions)+1)
		if len(rows) == 0 {
			w.tell(themes.Text, words.Of("forecast.nothing", "at", until))
		} else {
			w.say(themes.Dim, w.p.Glyphs.Predicted+" "+words.Of("forecast.predicted", "at", until).In(w.p))
			w.put(rows)
		}
	}
	assumed := w.others(until)
	w.head(words.Of("why.heading.assumes"))
	if is.Forecast != nil {
		assumed = slices.Concat(topics.Assumptions(is.Forecast, w.p), assumed)
	}
	for _, text := range assumed {
		w.say(themes.Dim, w.p.Stamps(text))
	}
	if len(assumed) == 0 {
		w.tell(themes.Dim, words.Of("why.assumes-nothing"))
	}
	return w.rows
}

// comesNext is one prediction and its rows.
type comesNext struct {
	model.Interval
	rows []paint.Row
}

// others are the other actors until a time, and the forced detachments of volumes, the soonest first. It returns the
// assumptions of their times.
func (w *whyPage) others(until model.Instant) (assumed []string) {
	if w.s.Cluster == nil {
		return nil
	}
	now := w.s.From()
	var list []comesNext
	assume := func(says words.Say) {
		if text := says.In(w.p); !slices.Contains(assumed, text) {
			assumed = append(assumed, text)
		}
	}
	for _, d := range actors.Ahead(w.s.Cluster, now, until) {
		list = append(list, comesNext{d.When, w.actor(&d)})
		if is := topics.ActorAssumes(&d.Actor); !is.Missing() {
			assume(words.Of("actor.assumed", "who", topics.ActorWho(&d.Actor), "assumes", is))
		}
	}
	due, stuck := volumes.Ahead(w.s.Cluster, now, until)
	for i := range due {
		d := &due[i]
		list = append(list, comesNext{d.Detached, []paint.Row{screen.Ahead(now, d.Detached, d.Called(), words.Of("why.detached", "node", w.p.Text(d.Node)).In(w.p), "", themes.Predicted, w.p, w.width)}})
		assume(words.Of("volume.assume", "what", topics.VolumesAssume()))
	}
	foreseen, rest := w.foreseenVolumes(until)
	if list = append(list, foreseen...); len(foreseen) > 0 {
		assume(words.Of("volume.assume", "what", topics.VolumesAssume()))
		assume(topics.VolumesAssumePredicted())
	}
	w.head(words.Of("actor.ahead"))
	slices.SortStableFunc(list, func(a, b comesNext) int { return cmp.Compare(a.Earliest, b.Earliest) })
	for _, n := range list {
		w.put(n.rows)
	}
	if len(list) == 0 {
		w.tell(themes.Dim, topics.NoActor())
	}
	if rest != "" {
		w.say(themes.Dim, rest)
	}
	switch why := w.s.Lacks(model.KindVolumeAttachment); {
	case why != "":
		w.tell(themes.Dim, words.Of("volume.unread", "why", why))
	case stuck > 0:
		w.tell(themes.Dim, words.Of("actor.volumes-wait", "n", stuck))
	}
	return assumed
}

// actor is an actor's next action and what blocks it, in one or two rows.
func (w *whyPage) actor(d *actors.Due) (rows []paint.Row) {
	whom := d.Nodes[0]
	if len(d.Nodes) > 1 {
		whom = words.Of("count.nodes", "n", len(d.Nodes)).In(w.p)
	}
	what, rest := topics.ActorSays(&d.Actor).In(w.p), ""
	if !screen.FitsAhead(w.p, w.width, what) {
		what, rest = topics.ActorWho(&d.Actor).In(w.p), topics.ActorDoes(&d.Actor).In(w.p)
	}
	rows = append(rows, screen.Ahead(w.s.From(), d.When, whom, w.p.Text(what), "", themes.Predicted, w.p, w.width))
	below := func(token themes.Token, text string) {
		rows = append(rows, w.p.Folded(w.p.Line(w.width-1).Skip(15), token, text)...)
	}
	if rest != "" {
		below(themes.Predicted, rest)
	}
	if halts := topics.ActorHalts(&d.Actor); !halts.Missing() {
		below(themes.Halted, words.Of("actor.halted", "halts", halts).In(w.p))
	}
	return rows
}

// mostForeseen limits the rows of volumes of pods that are predicted to be deleted.
const mostForeseen = 12

// foreseenVolumes are rows of volumes of silent nodes that may be force-detached until a time. All pods that hold them
// are predicted to be deleted. rest counts those without a row.
func (w *whyPage) foreseenVolumes(until model.Instant) (list []comesNext, rest string) {
	is := w.s.Outlook()
	if is.Forecast == nil || is.State == nil || w.s.Cluster == nil {
		return nil, ""
	}
	more, nodes := 0, map[string]bool{}
	for _, x := range volumes.Foresee(w.s.Cluster, is.Forecast, func(node string) bool { return forecast.Silent(is.State, node) }, until) {
		if len(list) == mostForeseen {
			more, nodes[x.Node] = more+len(x.Volumes), true
			continue
		}
		whom := x.Volumes[0].Called()
		if n := len(x.Volumes); n > 1 {
			whom = words.Of("count.volumes", "n", n).In(w.p)
		}
		list = append(list, comesNext{x.Detached, []paint.Row{
			screen.Ahead(w.s.From(), x.Detached, whom, words.Of("why.may-detach", "node", w.p.Text(x.Node)).In(w.p), "", themes.Predicted, w.p, w.width)}})
	}
	if more > 0 {
		rest = words.Of("why.volumes-later", "volumes", words.Of("count.volumes", "n", more), "nodes", words.Of("count.nodes", "n", len(nodes)), "first", mostForeseen).In(w.p)
	}
	return list, rest
}
