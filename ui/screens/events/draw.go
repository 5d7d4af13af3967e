package events

import (
	"sort"
	"strconv"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	switch why := s.Unread(model.KindEvent); {
	case why != "":
		return words.Of("events.unread", "why", why).In(p)
	case v.About.Kind != screen.NoSubject:
		return words.Of("events.none-about", "subject", p.Text(v.Crumb(s))).In(p)
	}
	return words.Of("events.none", "at", s.At).In(p)
}

func (v *View) table(s *screen.Snapshot, p *paint.Painter, width int, _ screen.Tier) widget.Table[*row] {
	return widget.Table[*row]{Columns: []widget.Column[*row]{
		{Title: "AGO", Width: paint.DurationWidth, Sort: byTime + 1, Cell: func(r *row) (themes.Token, string) { return themes.Dim, ago(s, r.at) }},
		{Title: "TIMES", Width: 5, Right: true, Sort: byCount + 1, Drop: 1, Cell: func(r *row) (themes.Token, string) {
			if r.count > 1 {
				return themes.Text, strconv.Itoa(r.count)
			}
			return themes.Text, ""
		}},
		{Title: "REASON", Width: 8, Most: max(width/5, 12), Sort: byReason + 1, Cell: func(r *row) (themes.Token, string) {
			return themes.Warn.If(r.Warning, themes.Dim), p.Text(r.Reason)
		}},
		{Title: "ABOUT", Width: 8, Most: max(width/4, 14), Sort: byNode + 1, Named: func(r *row) (themes.Token, string, string) {
			first, rest := whom(p, r)
			return themes.Text, first, rest
		}},
		{Title: "FROM", Width: 16, Drop: 2, Cell: func(r *row) (themes.Token, string) { return themes.Faint, p.Text(r.Component) }},
		{Title: "MESSAGE", Width: 12, Cell: func(r *row) (themes.Token, string) {
			if len(r.nodes) > 1 {
				return themes.Dim, p.Text(generic(r.Event))
			}
			return themes.Dim, p.Text(r.Message)
		}},
	}}
}

// whom names the nodes of a row: the first, and the number of others.
func whom(p *paint.Painter, r *row) (first, rest string) {
	if more := len(r.nodes) - 1; more > 0 {
		rest = words.Of("events.more", "n", more).In(p)
	}
	return p.Text(r.nodes[0]), rest
}

func ago(s *screen.Snapshot, at model.Instant) string {
	if !at.Bounded() || !s.At.Bounded() {
		return "?"
	}
	return paint.Duration(max(s.From().Sub(at), 0))
}

// inFull is an uncut row, and the controllers' decisions around it.
func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, r *row, w int) (string, []paint.Row) {
	var facts widget.Facts
	facts.Add(words.Label("message"), r.Message)
	kind := "Normal"
	if r.Warning {
		kind = "Warning"
	}
	facts.Add(words.Label("type"), kind)
	facts.Add(words.Label("from"), r.Component)
	if first := r.First; first.Bounded() && len(r.nodes) == 1 {
		facts.Add(words.Label("first"), p.DateTime(first))
	}
	if r.at.Bounded() {
		facts.Add(words.Label("last"), words.Of("events.last", "at", p.DateTime(r.at), "ago", ago(s, r.at)).In(p))
	}
	if r.count > 1 {
		facts.Add(words.Label("times"), strconv.Itoa(r.count))
	}
	facts.Add(words.Label("about"), widget.Listed(r.nodes))
	return p.Text(r.Reason), append(facts.Rows(p, w), around(s, p, r, w)...)
}

// around is the decisions about the nodes of a row at its last record, each kind once. Events have whole seconds, and
// are written beside their cause.
func around(s *screen.Snapshot, p *paint.Painter, r *row, w int) []paint.Row {
	const near = 2 * time.Second
	if s.Judged == nil || !r.at.Bounded() {
		return nil
	}
	about := map[string]bool{}
	for _, n := range r.nodes {
		about[n] = true
	}
	var kinds []*model.Decision
	count := map[string]int{}
	decisions := s.Judged.Decisions()
	first := sort.Search(len(decisions), func(i int) bool { return decisions[i].Time >= r.at.Add(-near) })
	for i := first; i < len(decisions) && decisions[i].Time <= min(r.at.Add(near), s.At); i++ {
		d := &decisions[i]
		if !about[d.Node] {
			continue
		}
		what := topics.What(d)
		if count[what]++; count[what] == 1 {
			kinds = append(kinds, d)
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	more := make([]int, len(kinds))
	for i, d := range kinds {
		more[i] = count[topics.What(d)] - 1
	}
	return append([]paint.Row{{}, p.Line(w).Put(themes.Accent, words.Label("decided then")).Row()}, screen.Alike(kinds, more, s.At, p, w)...)
}
