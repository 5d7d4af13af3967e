package infer

import "slices"

// under is the same input, read already, driven under other assumptions: other flags, other
// restarts. Nothing in it is shared that a drive changes.
func (r *run) under(change func(*run)) (*run, error) {
	survey := *r.survey
	survey.restarts = slices.Clone(r.restarts)
	input := *r.input
	c := &run{apart: recentApart, knows: r.knows, enough: r.enough, survey: &survey, o: r.o, given: r.given, input: &input, coverage: r.coverage, hidden: r.hidden}
	c.copyWrites()
	change(c)
	return c, c.fit()
}

// copyWrites gives a run writes of its own, for matching notes in them what explains them.
func (r *run) copyWrites() {
	r.out = slices.Clone(r.out)
	for i := range r.out {
		w := *r.out[i].Write
		r.out[i].Write = &w
	}
	r.writes = nil
	r.tell()
}
