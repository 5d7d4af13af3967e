package decision

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
)

// group is what comes at one time and says the same.
type group struct {
	*forecast.Coming // the first
	n                int
	nodes            map[string]bool
}

// Coming is what a forecast says comes, the soonest first, in at most h rows, without what only goes along with something
// else, and without what the Cluster shows to be done already: what says the same at the same time is one row that
// counts it. The last row counts what has no room.
func Coming(f *forecast.Forecast, c *model.Cluster, now model.Instant, p *paint.Painter, width, h int) []paint.Row {
	if f == nil || h < 1 {
		return nil
	}
	type key struct {
		what     string
		from, to model.Instant
	}
	var groups []*group
	at := map[key]*group{}
	for i := range f.Coming {
		next := &f.Coming[i]
		d := &next.Decision
		if d.Window.Latest < now || Minor(d) || done(d, c) {
			continue
		}
		k := key{What(d), d.Window.Earliest.Truncate(time.Second), d.Window.Latest.Truncate(time.Second)}
		g := at[k]
		if g == nil {
			g = &group{Coming: next, nodes: map[string]bool{}}
			at[k], groups = g, append(groups, g)
		}
		g.n++
		if d.Node != "" {
			g.nodes[d.Node] = true
		}
	}
	more := ""
	if len(groups) > h {
		more = fmt.Sprintf("%s %d more", p.Glyphs.Ellipsis, len(groups)-h+1)
		groups = groups[:h-1]
	}
	var rows []paint.Row
	for _, g := range groups {
		rows = append(rows, g.row(now, p, width))
	}
	if more != "" {
		rows = append(rows, p.Line(width).Skip(2).Put(themes.Faint, more).Row())
	}
	return rows
}

// done says that what is to come was seen: the forecast is a moment older than the Cluster. A pod that was deleted may
// be deleted once more, which changes nothing.
func done(d *model.Decision, c *model.Cluster) bool {
	switch {
	case c == nil:
		return false
	case d.Kind == model.EvictPod:
		pod := c.Pod(d.Pod)
		return pod != nil && pod.Deletion.Known()
	case d.Kind == model.MarkUnknown && d.Node != "":
		row := c.Node(d.Node)
		ready := (*model.Condition)(nil)
		if row != nil && row.Node != nil {
			ready = row.Node.Ready()
		}
		return ready != nil && ready.Status == model.StatusUnknown
	}
	return false
}

// row is in how long it comes, to whom, and what, and that it is not certain.
func (g *group) row(now model.Instant, p *paint.Painter, width int) paint.Row {
	d := &g.Decision
	token := themes.Predicted
	if d.Kind == model.EvictPod || d.Kind == model.CollectPod {
		token = themes.Evict
	}
	l := p.Line(width).Glyph(themes.Predicted, p.Glyphs.Predicted).Skip(1).Left(token, p.Ahead(now, d.Window), 12).Skip(1)
	doubt := ""
	if !g.Sure {
		doubt = "  perhaps"
	}
	l.Left(themes.Text, p.Middle(p.Text(g.whom()), max(width/3, 12)), max(width/3, 12)).Skip(1)
	return l.Put(token, fitting(d, p, l.Rest()-paint.Width(doubt))).Put(themes.Dim, doubt).Row()
}

// whom is whom it befalls.
func (g *group) whom() string {
	d := &g.Decision
	switch {
	case len(g.Among) > 0:
		return fmt.Sprintf("%d of %s", g.n, Counted(len(g.Among), "node"))
	case g.n == 1:
		return d.Subject()
	case d.Pod != (model.Key{}) && len(g.nodes) == 1:
		return fmt.Sprintf("%d pods of %s", g.n, d.Node)
	case d.Pod != (model.Key{}):
		return fmt.Sprintf("%d pods of %s", g.n, Counted(len(g.nodes), "node"))
	}
	return Counted(g.n, "node")
}
