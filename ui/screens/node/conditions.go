package node

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// lookBack is the length of the lanes: nearly ten minutes, or the known time, but at least two minutes.
func lookBack(s *screen.Snapshot) time.Duration {
	const most = 9 * time.Minute
	if reach := s.Reach(); reach.Bounded() {
		return min(max(s.At.Sub(reach.Earliest), 2*time.Minute), most)
	}
	return most
}

// lanes is the columns of the conditions pane.
type lanes struct {
	name, status, since, reason int
	scale                       widget.Scale
	track                       *past.Track
}

func (c *rendering) lanes(w int) lanes {
	n := lanes{name: 19, status: 8, since: paint.DurationWidth + 1}
	for _, same := range c.conditionsOf(c.s) {
		n.name = min(max(n.name, paint.Width(label(same))+1), max(w/2, 19))
	}
	if w >= 100 {
		n.reason = min(w/6, 30)
	}
	cells := max(w-n.name-n.status-n.since-n.reason-6, 8)
	n.scale = widget.ScaleTo(c.s.At, lookBack(c.s), min(cells, 120))
	n.track = c.trackOver(n.scale.Window())
	return n
}

// trackOver is the node's past over a window, read once per Render; empty without one.
func (c *rendering) trackOver(window model.Interval) *past.Track {
	if c.track != nil && c.window == window {
		return c.track
	}
	c.track, c.window = nil, window
	if c.s.Track != nil && window.Bounded() {
		c.track = c.s.Track(c.name, window)
	}
	if c.track == nil {
		c.track = &past.Track{}
	}
	if window.Latest > c.s.At { // the last cell of the picture may reach into the future
		c.track = c.track.Until(c.s.At)
	}
	return c.track
}

// conditions are the conditions now and over time, and the lease's renewals under them.
func (c *rendering) conditions(w int) part {
	n := c.lanes(w)
	now := c.conditionsOf(c.s)
	length := paint.Duration(n.scale.Step * time.Duration(n.scale.Cells))
	axis := c.p.Line(w).Skip(1)
	if c.bare {
		axis.Put(themes.Dim, length)
	}
	axis.To(n.name + 2)
	n.scale.Axis(axis, c.p)
	axis.To(n.name+2+n.scale.Cells+1).Left(themes.Faint, "NOW", n.status+1).Left(themes.Faint, "FOR", n.since+1)
	if n.reason > 0 {
		axis.Put(themes.Faint, "REASON")
	}
	said := c.reasonLines(now, n)
	return part{pane: paneConditions, title: "Conditions", note: length, List: widget.List{
		Head: []paint.Row{axis.Row()}, N: len(now) + 2 + len(said),
		Draw: func(i int) paint.Row {
			switch {
			case i < len(now):
				return c.lane(now[i], n, w, c.picked(paneConditions, i))
			case i == len(now):
				return c.renewals(n, w, c.picked(paneConditions, i))
			case i == len(now)+1:
				return c.laneLegend(n, w)
			}
			return said[i-len(now)-2](w)
		},
	}}
}

// reasonLines are the reasons of bad conditions, if the lanes have no column for them.
func (c *rendering) reasonLines(now [][]model.Condition, n lanes) (lines []func(w int) paint.Row) {
	if n.reason > 0 {
		return nil
	}
	for _, same := range now {
		cond := same[0]
		if cond.Status != model.StatusUnknown && !widget.Bad(cond.Type, cond.Status) {
			continue
		}
		if len(lines) == 0 {
			lines = append(lines, func(int) paint.Row { return paint.Row{} })
		}
		text := strings.Trim(cond.Reason+": "+cond.Message, ": ")
		lines = append(lines, func(w int) paint.Row {
			return c.p.Line(w).Skip(2).Left(themes.Faint, c.p.Text(label(same)), n.name-1).Skip(1).Put(themes.Dim, c.p.Text(text)).Row()
		})
	}
	return lines
}

// order puts Ready first and keeps the kubelet's order of the rest.
func order(condition string) int {
	if condition == "Ready" {
		return 0
	}
	return 1
}

// lane is conditions with one history.
func (c *rendering) lane(same []model.Condition, n lanes, w int, picked bool) paint.Row {
	now := same[0]
	l := widget.Begin(c.p, w, picked, true).To(widget.Gutter).Left(themes.Text, c.p.Text(label(same)), n.name-1).To(n.name + 2)
	track := trackOf(n.track, now.Type)
	widget.Lane(l, c.p, n.scale, track, n.track.Watched, c.s.Gaps)
	token := themes.Dim
	switch {
	case now.Status == model.StatusUnknown:
		token = themes.Unknown
	case widget.Bad(now.Type, now.Status):
		token = themes.NotReady
	}
	l.Skip(1).Left(token, now.Status.String(), n.status+1).Left(themes.Dim, c.since(began(now, track)), n.since+1)
	if n.reason > 0 {
		text := c.p.Text(now.Reason)
		if behind := c.row.Node.StaleBy(&now); behind > 0 {
			text = words.Of("node.stale", "behind", behind, "reason", text).In(c.p)
		}
		if slices.ContainsFunc(same, func(other model.Condition) bool { return other.Reason != now.Reason }) {
			text = "" // each has its own reason for being as it should be
		}
		if widget.Bad(now.Type, now.Status) && now.Message != "" {
			text = c.p.Text(now.Message)
		}
		l.Put(themes.Dim, text)
	}
	return l.Row()
}

func trackOf(of *past.Track, condition string) past.ConditionTrack {
	if i := slices.IndexFunc(of.Conditions, func(t past.ConditionTrack) bool { return t.Type == condition }); i >= 0 {
		return of.Conditions[i]
	}
	return past.ConditionTrack{Type: condition}
}

// began is since when a condition has its status: as it declares, and not before it was seen to have another one.
func began(now model.Condition, track past.ConditionTrack) model.Instant {
	k := len(track.Spans) - 1
	for k > 0 && track.Spans[k-1].Status == now.Status { // a time without a watch is between
		k--
	}
	if k > 0 && track.Spans[k].Status == now.Status && track.Spans[k].From.Sub(now.Transition) > time.Second {
		return track.Spans[k].From // the declared time is cut to a second, and may be that much behind
	}
	return now.Transition
}

func (c *rendering) renewals(n lanes, w int, picked bool) paint.Row {
	l := widget.Begin(c.p, w, picked, true).To(widget.Gutter).Left(themes.Text, words.Label("lease renewals"), n.name-1).To(n.name + 2)
	widget.Ticks(l, c.p, n.scale, n.track.Renewals, c.s.Gaps)
	word, token := words.Label("renewing"), themes.Dim
	switch {
	case !c.s.Has(model.KindNodeLease):
		word = "?"
	case !c.row.Lease.Seen:
		word = words.Label("no lease")
	case c.row.Lease.Gone:
		word = words.Label("deleted")
	case c.then.Age.Known && c.then.Age.Value >= c.grace:
		word, token = words.Label("silent"), themes.Age4
	case c.then.Age.Known && c.then.Age.Value >= widget.LateAfter:
		word, token = words.Label("late"), themes.Warn
	case c.ages.AtMost:
		word, token = words.Label("not seen"), themes.Gap
	}
	l.Skip(1).Left(token, word, n.status+1)
	if c.ages.From != model.AgeStatus {
		l.Left(themes.Dim, c.p.AgeOf(c.ages, n.since+1), n.since+1)
	}
	return l.Row()
}

func (c *rendering) laneLegend(n lanes, w int) paint.Row {
	g := &c.p.Glyphs
	l := c.p.Line(w).To(n.name + 2)
	if n.track.Reading {
		return l.Glyph(themes.Predicted, g.Predicted).Put(themes.Dim, " "+words.Of("node.reading").In(c.p)).Row()
	}
	for _, e := range [...]struct {
		glyph string
		token themes.Token
		word  string
	}{
		{g.Good, themes.Dim, words.Label("good")}, {g.Bad, themes.NotReady, words.Label("bad")}, {g.Silent, themes.Unknown, "Unknown"},
		{g.Reconstructed, themes.Predicted, words.Label("from timestamps")}, {g.Renewal, themes.Dim, words.Label("renewed")}, {g.Gap, themes.Gap, words.Label("not covered")},
	} {
		if e.glyph == g.Reconstructed && n.track.Watched <= n.scale.From {
			continue // all of it was watched
		}
		if l.Rest() < 3+paint.Width(e.word)+3 {
			break
		}
		l.Glyph(e.token, e.glyph).Skip(1).Put(themes.Faint, e.word).Skip(3)
	}
	return l.Row()
}
