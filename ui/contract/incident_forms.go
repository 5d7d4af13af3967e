package contract

import (
	"io"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/ui/doc"
	"kardia/ui/render"
)

// Form is a form that a report is written in.
type Form struct {
	Name  string
	Write func(io.Writer, *Postmortem) error
}

// Forms are all of them, in the order in which help names them.
var Forms = []Form{
	{"md", func(w io.Writer, m *Postmortem) error { return render.Markdown(w, m.topic.Title(), m.topic.Doc()) }},
	{"html", func(w io.Writer, m *Postmortem) error { return render.HTML(w, m.topic.Title(), m.topic.Doc()) }},
	{"json", func(w io.Writer, m *Postmortem) error { return WriteJSON(w, m.report()) }},
	{"csv", func(w io.Writer, m *Postmortem) error { return render.CSV(w, m.decisions(), sinceColumn) }},
	{"svg", func(w io.Writer, m *Postmortem) error { return render.SVG(w, m.topic.Picture()) }},
}

// sinceColumn is the column of decisions that is a number.
const sinceColumn = 4

func (m *Postmortem) decisions() *doc.Grid {
	g := &doc.Grid{Head: []string{"id", "time", "earliest", "latest", "since_seconds", "controller", "kind", "outcome", "node", "zone", "pod", "rule", "why", "checks", "effect",
		"basis", "observed", "causes", "writer", "user", "user_agent", "address"}}
	for _, x := range m.topic.Decisions {
		d := AfterDecision(x, m.topic.Aftermath)
		at := model.Instant(d.Time)
		earliest, latest, observed, since, zone := at, at, "", "", ""
		if d.Window != nil {
			earliest, latest = model.Instant(d.Window.Earliest), model.Instant(d.Window.Latest)
		}
		if origin := m.topic.Origin.At; origin.Bounded() && at.Bounded() {
			since = strconv.FormatFloat(at.Sub(origin).Seconds(), 'f', 3, 64)
		}
		if d.Zone != nil {
			zone = model.ZoneKey{Region: or(d.Region, ""), Zone: *d.Zone}.String()
		}
		writer, by := "", &Requester{}
		if o := d.Observed; o != nil {
			observed, writer = isoTime(model.Instant(o.Time)), "not told"
			if o.Writer != nil {
				writer = *o.Writer
			}
			if o.Requester != nil {
				by = o.Requester
			}
		}
		g.Add(d.ID, isoTime(at), isoTime(earliest), isoTime(latest), since, d.Controller, d.Kind, d.Outcome, or(d.Node, ""), zone, or(d.Pod, ""), d.Rule, d.Why,
			strings.Join(each(d.Checks, Check.String), "; "), strings.Join(d.Effect, "; "), d.Basis, observed, strings.Join(d.Causes, " "), writer, or(by.User, ""), or(by.UserAgent, ""), or(by.Address, ""))
	}
	return g
}

func isoTime(i model.Instant) string {
	if !i.Bounded() {
		return ""
	}
	return i.String()
}
