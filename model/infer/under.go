package infer

// under is the same input, read already, driven under other assumptions: other flags, other
// restarts. Nothing in it is shared that a drive changes.
func (r *run) under(change func(*run)) (*run, error) {
	input := *r.input
	c := &run{apart: recentApart, knows: r.knows, enough: r.enough, evidence: r.evidence.Sharing(), o: r.o, given: r.given, input: &input, coverage: r.coverage, hidden: r.hidden}
	c.tell()
	change(c)
	return c, c.fit()
}
