package app

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/timeinput"
	"kardia/ui/topics"

	tea "charm.land/bubbletea/v2"
)

// instant reads a typed time, or the name of a bookmark.
func (a *App) instant(text string) (model.Instant, error) {
	for _, m := range a.session.Marks() {
		if strings.EqualFold(text, m.Name()) {
			return m.At, nil
		}
	}
	return timeinput.Parse(text, a.session.Coverage(), a.session.At(), a.location)
}

// nearby reads a time like instant, but counts +30s and -30s from the time shown.
func (a *App) nearby(text string) (model.Instant, error) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '+' && text[0] != '-' {
		return a.instant(text)
	}
	at, coverage := a.session.At(), a.session.Coverage()
	t, err := timeinput.Parse(text, model.Exactly(at), at, a.location)
	if err == nil && coverage.Bounded() && !coverage.Contains(t) {
		return 0, fmt.Errorf("nothing is known at %s (%s from here)", a.painter.Clock(t), text)
	}
	return t, err
}

// unmarked is how long before the time shown a comparison starts without a bookmark.
const unmarked = time.Minute

// diffMark shows the differences from the bookmark before the time shown, or after it, or from unmarked before.
func (a *App) diffMark() tea.Cmd {
	at, marks := a.session.At(), a.session.Marks()
	with := at
	for i, m := range marks {
		if i == 0 || m.At < at {
			with = m.At
		}
	}
	if with == at {
		with = max(at.Add(-unmarked), a.session.Coverage().Earliest)
	}
	if with == at {
		return a.say("nothing is known before this time: go elsewhere and press d, or :diff TIME")
	}
	return a.showDiff(with)
}

// showDiff shows the differences between the time shown and another.
func (a *App) showDiff(with model.Instant) tea.Cmd {
	a.session.Pause()
	a.session.DiffFrom(with, func(d *past.Diff, err error) {
		if err != nil {
			a.note(err.Error())
			return
		}
		a.openOverlay(overlay{title: func() string { return a.diffTitle(d) },
			rows: func(width int, search string) []paint.Row { return a.diffRows(d, width, search) }, closes: "d"})
	})
	return nil
}

func (a *App) diffTitle(d *past.Diff) string {
	p := a.painter
	return fmt.Sprintf("Diff %s to %s (%s)", p.ClockTenths(d.From), p.ClockTenths(d.To), paint.Duration(d.To.Sub(d.From)))
}

const maxNamed = 20

// diffRows are the differences: zones, nodes grouped by equal ones, pods, leaders.
func (a *App) diffRows(d *past.Diff, width int, search string) []paint.Row {
	p := a.painter
	var rows []paint.Row
	add := func(indent int, token themes.Token, text string) {
		if !strings.Contains(strings.ToLower(text), search) {
			return
		}
		rows = append(rows, p.Folded(p.Line(width-1).Skip(indent), token, text)...)
	}
	var states []review.ZoneStates
	if past := a.snapshot().Timeline; past != nil {
		states = past.States
	}
	for i := range d.Zones {
		add(1, themes.Text, zoneDiff(&d.Zones[i], states, d))
	}
	for _, g := range d.Groups() {
		add(1, themes.Accent, named(g.Names))
		for i := range g.Differences {
			add(3, themes.Text, topics.Difference(&g.Differences[i]))
		}
	}
	pods := func(n int, what string, names []model.Key) {
		if n == 0 {
			return
		}
		add(1, themes.Accent, fmt.Sprintf("%s %s", decision.Counted(n, "pod"), what))
		for i, k := range names {
			if i == maxNamed {
				add(3, themes.Dim, fmt.Sprintf("%s %d more", p.Glyphs.Ellipsis, n-i))
				break
			}
			add(3, themes.Dim, k.String())
		}
	}
	pods(d.Pods.Created, "created", d.Pods.CreatedNames)
	pods(d.Pods.Deleting, "being deleted", d.Pods.DeletingNames)
	pods(d.Pods.Gone, "gone", d.Pods.GoneNames)
	for i := range d.Leaders {
		add(1, themes.Text, topics.Difference(&d.Leaders[i]))
	}
	if d.Empty() {
		add(1, themes.Text, "nothing differs")
	}
	add(1, themes.Faint, "net changes only: no heartbeats, no changes undone in between")
	add(1, themes.Faint, "d compares with the bookmark before (m sets one), else with a minute before; :diff TIME with any time")
	add(1, themes.Faint, "the controllers' flags are assumed to be the same at both times")
	return rows
}

// named lists nodes, or their number with the first and the last.
func named(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%d nodes: %s, %s to %s", len(names), names[0], names[1], names[len(names)-1])
}

func zoneDiff(z *past.ZoneDiff, states []review.ZoneStates, d *past.Diff) string {
	text := "zone unknown"
	if z.After.Zone.Known {
		text = "zone " + z.After.Zone.Value.String()
		for i := range states {
			if states[i].Zone != z.After.Zone.Value {
				continue
			}
			if a, b := states[i].At(d.From), states[i].At(d.To); a != b {
				text += ", " + a.String() + " → " + b.String()
			}
		}
	}
	for _, c := range []struct {
		name   string
		before int
		after  int
	}{{"nodes", z.Before.Nodes, z.After.Nodes}, {"ready", z.Before.Ready, z.After.Ready}, {"unknown", z.Before.Unknown, z.After.Unknown}, {"not ready", z.Before.NotReady, z.After.NotReady}} {
		if c.before != c.after {
			text += fmt.Sprintf(", %s %d → %d", c.name, c.before, c.after)
		}
	}
	return text
}
