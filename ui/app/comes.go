package app

import (
	"cmp"

	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"

	tea "charm.land/bubbletea/v2"
)

// showComing opens what comes next, all of it: the fleet has room for the first of it at most.
func (a *App) showComing() tea.Cmd {
	return a.openOverlay(overlay{title: func() string { return "What comes after " + a.painter.Clock(a.snapshot().From()) },
		rows: func(width int, _ string) []paint.Row { return a.comingRows(width) }, timed: true, closes: "W"})
}

// comingRows are what the models foresee, the soonest first, and what that rests on.
func (a *App) comingRows(width int) []paint.Row {
	s := a.snapshot()
	w := &whyPage{p: a.painter, s: s, width: width - 2}
	is := s.Controllers()
	if is.Forecast == nil {
		w.say(themes.Warn, cmp.Or(is.Status(), "no models run here"))
		return w.rows
	}
	until := "until " + w.p.Clock(is.Forecast.Until) + ", if silent nodes stay silent and nobody changes anything"
	rows := decision.Coming(is.Forecast, s.Cluster, s.From(), w.p, w.width, len(is.Forecast.Coming)+1)
	if len(rows) == 0 {
		w.say(themes.Text, "nothing is foreseen "+until)
	} else {
		w.say(themes.Dim, w.p.Glyphs.Predicted+" predicted "+until)
		w.put(rows)
	}
	w.head("ASSUMES")
	for _, text := range is.Forecast.Assumptions {
		w.say(themes.Dim, w.p.Stamps(text))
	}
	return w.rows
}
