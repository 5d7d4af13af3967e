package app

import (
	"errors"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/timeinput"
	"kardia/ui/topics"
	"kardia/ui/words"

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
		return 0, errors.New(words.Of("diff.outside", "at", t, "by", text).In(a.painter))
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
		return a.say(words.Of("diff.nothing-before"))
	}
	return a.showDiff(with)
}

// showDiff shows the differences between the time shown and another.
func (a *App) showDiff(with model.Instant) tea.Cmd {
	a.session.Pause()
	a.session.DiffFrom(with, func(d *past.Diff, err error) {
		if err != nil {
			a.note(words.Text(err.Error()))
			return
		}
		a.openOverlay(overlay{title: func() words.Say { return a.diffTitle(d) },
			rows: func(width int, search string) []paint.Row { return a.diffRows(d, width, search) }, closes: "d"})
	})
	return nil
}

func (a *App) diffTitle(d *past.Diff) words.Say {
	p := a.painter
	return words.Of("diff.title", "from", p.ClockTenths(d.From), "to", p.ClockTenths(d.To), "for", d.To.Sub(d.From))
}

const maxNamed = 20

// diffRows are the differences: zones, nodes grouped by equal ones, pods, leaders.
func (a *App) diffRows(d *past.Diff, width int, search string) []paint.Row {
	p := a.painter
	var rows []paint.Row
	add := func(indent int, token themes.Token, says words.Say) {
		text := says.In(p)
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
			add(3, themes.Text, words.Text(topics.Difference(&g.Differences[i])))
		}
	}
	pods := func(code string, n int, names []model.Key) {
		if n == 0 {
			return
		}
		add(1, themes.Accent, words.Of("diff.pods."+code, "n", n))
		for i, k := range names {
			if i == maxNamed {
				add(3, themes.Dim, words.Of("diff.more", "n", n-i))
				break
			}
			add(3, themes.Dim, words.Text(k.String()))
		}
	}
	pods("created", d.Pods.Created, d.Pods.CreatedNames)
	pods("deleting", d.Pods.Deleting, d.Pods.DeletingNames)
	pods("gone", d.Pods.Gone, d.Pods.GoneNames)
	for i := range d.Leaders {
		add(1, themes.Text, words.Text(topics.Difference(&d.Leaders[i])))
	}
	if d.Empty() {
		add(1, themes.Text, words.Of("diff.none"))
	}
	add(1, themes.Faint, words.Of("diff.net"))
	add(1, themes.Faint, words.Of("diff.keys"))
	add(1, themes.Faint, words.Of("diff.flags"))
	return rows
}

// named lists nodes, or their number with the first and the last.
func named(names []string) words.Say {
	n := len(names)
	if n <= 3 {
		return words.Text(strings.Join(names, ", "))
	}
	return words.Of("diff.nodes", "n", n, "first", names[0], "second", names[1], "last", names[n-1])
}

func zoneDiff(z *past.ZoneDiff, states []review.ZoneStates, d *past.Diff) words.Say {
	says := []words.Say{words.Of("diff.zone-unknown")}
	if z.After.Zone.Known {
		says[0] = words.Of("diff.zone", "zone", z.After.Zone.Value)
		for i := range states {
			if states[i].Zone != z.After.Zone.Value {
				continue
			}
			if a, b := states[i].At(d.From), states[i].At(d.To); a != b {
				says = append(says, words.Of("decision.from-to", "from", a, "to", b))
			}
		}
	}
	for _, c := range []struct {
		code          string
		before, after int
	}{{"nodes", z.Before.Nodes, z.After.Nodes}, {"ready", z.Before.Ready, z.After.Ready}, {"unknown", z.Before.Unknown, z.After.Unknown}, {"not-ready", z.Before.NotReady, z.After.NotReady}} {
		if c.before != c.after {
			says = append(says, words.Of("diff.count."+c.code, "from", c.before, "to", c.after))
		}
	}
	return words.Join(", ", says...)
}
