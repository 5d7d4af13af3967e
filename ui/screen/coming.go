package screen

import (
	"slices"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Next is the predicted decisions, without those that the Cluster or the states of the zones show to be past; c may be nil.
func Next(is *outlook.Outlook, c *model.Cluster, now model.Instant, of func(*model.Decision) bool) []*forecast.Next {
	zones := make([]nodelifecycle.ZoneView, len(is.Zones))
	for i := range is.Zones {
		zones[i] = is.Zones[i].ZoneView
	}
	return is.Forecast.Next(now, c, zones, of)
}

// Coming is Next in at most h rows. The last row counts those without a row, and names the key that shows them.
func Coming(is *outlook.Outlook, c *model.Cluster, now model.Instant, p *paint.Painter, width, h int) (rows []paint.Row) {
	next := Next(is, c, now, nil)
	if h < 1 {
		return nil
	}
	// By all of them, so that a state has one name in all rows, and the fleet the words of W.
	short := slices.ContainsFunc(next, func(n *forecast.Next) bool {
		return !FitsAhead(p, width, topics.What(&n.Decision)+topics.Doubt(n.Coming).In(p))
	})
	for i, n := range next {
		if i == h-1 && len(next) > h {
			more := p.Glyphs.Ellipsis + " " + words.Of("forecast.whom.more", "n", len(next)-i).In(p)
			return append(rows, p.Line(width).Skip(2).Put(themes.Faint, more).Row())
		}
		d := &n.Decision
		token := themes.Evict.If(d.Kind == model.EvictPod || d.Kind == model.CollectPod, themes.Predicted)
		what := p.Text(topics.What(d))
		if short {
			what = briefly(d, p)
		}
		rows = append(rows, Ahead(now, n.When, topics.Whom(n).In(p), what, topics.Doubt(n.Coming).In(p), token, p, width))
	}
	return rows
}

// The columns of a row: the decision has room for the words of a taint, and for a doubt.
const (
	aheadWidth = 12
	whatWidth  = 36
)

func whomWidth(width int) int { return max(min(width/3, width-2-aheadWidth-1-1-whatWidth), 12) }

// FitsAhead reports that a row has room for a decision.
func FitsAhead(p *paint.Painter, width int, what string) bool {
	return paint.Width(p.Text(what)) <= width-2-aheadWidth-1-whomWidth(width)-1
}

// Ahead is a row of an act ahead, of the controllers or of another actor: in how long, to whom, the act, and a doubt.
func Ahead(now model.Instant, window model.Interval, whom, what, doubt string, token themes.Token, p *paint.Painter, width int) paint.Row {
	l := p.Line(width).Glyph(themes.Predicted, p.Glyphs.Predicted).Skip(1).Left(token, p.Ahead(now, window), aheadWidth).Skip(1)
	l.Left(themes.Text, p.Middle(p.Text(whom), whomWidth(width)), whomWidth(width)).Skip(1)
	return l.Put(token, what).Put(themes.Dim, doubt).Row()
}
