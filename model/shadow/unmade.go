package shadow

import "kardia/model"

// unmade is what the models decided in a Causal run, and of which nothing had been seen by its end:
// the pass, or the tick, may come later than where the models ran it. Who foresees what comes begins
// with models that have not decided it.
type unmade struct {
	// from is the instant from which on the models are driven anew; unknown where there is nothing.
	from model.Instant
	// nodes are not declared Unknown, and zones give no token of which no taint was seen.
	nodes map[string]bool
	zones map[model.Place]bool
}

// unmadeIn finds it at the end of a drive.
func (r *run) unmadeIn(d *driver) (u unmade) {
	if r.o.Mode != Causal || d.open.empty() {
		return u
	}
	u.nodes, u.zones = map[string]bool{}, map[model.Place]bool{}
	for i := range d.expectations.list {
		e := &d.expectations.list[i]
		x, of := &d.decisions[e.decision], d.expected(e)
		if e.met || e.traceless || !d.open.is(of, x.ID) || !wanted(of, d.cache) {
			continue
		}
		switch x.Kind {
		case model.MarkUnknown:
			u.nodes[x.Node] = true
		case model.TaintNoExecute:
			u.zones[x.Place.Value] = true
		default:
			continue
		}
		if window := d.expectations.windows[e.decision]; !u.from.Known() || window.Earliest <= u.from {
			u.from = min(window.Earliest, x.Time) - 1
		}
	}
	return u
}

// known is the state at an instant at or after the end, without what is unmade.
func (r *run) known(t model.Instant) (*State, error) {
	if !r.unmade.from.Known() || r.overdue.Known() {
		return r.at(t)
	}
	d, err := r.from(min(t, r.unmade.from))
	if err != nil {
		return nil, err
	}
	d.unmade = &r.unmade
	return r.stateOf(d, t)
}

// mayBeat says that a node is not declared Unknown by a pass, though it seems to be silent.
func (d *driver) mayBeat(p pass) func(node string, renewed model.Instant) bool {
	hidden := d.unseenBeat(p)
	if d.unmade == nil {
		return hidden
	}
	return func(node string, renewed model.Instant) bool {
		return d.unmade.nodes[node] || hidden != nil && hidden(node, renewed)
	}
}

// withheld says that a zone gives no token.
func (d *driver) withheld(place model.Place) bool { return d.unmade != nil && d.unmade.zones[place] }
