package recording

import "kardia/model/timeline"

func (c *coder) gap(g *timeline.Gap) {
	c.instant("from", &g.Earliest)
	c.instant("to", &g.Latest)
	number(c, "source", &g.Source)
	c.text("why", &g.Why)
}

func (c *coder) mark(m *Mark) {
	c.instant("at", &m.At)
	c.text("note", &m.Note)
}
