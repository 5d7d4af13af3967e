package recording

import "kardia/model/timeline"

func (c *coder) gap(g *timeline.Gap) {
	c.instant("from", &g.Earliest, 0)
	c.instant("to", &g.Latest, 0)
	number(c, "source", &g.Source, 0)
	c.text("why", &g.Why, "")
}

func (c *coder) mark(m *Mark) {
	c.instant("at", &m.At, 0)
	c.text("note", &m.Note, "")
}
