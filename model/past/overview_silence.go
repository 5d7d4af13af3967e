package past

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/history"
)

// maxSilences is how many silences of each sort are kept, the longest.
const maxSilences = 32

// Quiet is a time between two heartbeats of a node, longer than model.LateAfter.
type Quiet struct {
	Node string
	model.Interval
	// Declared: the node was declared Unknown in it, or was Unknown all the time.
	Declared bool
}

// Late is the first late heartbeat of any node; At is model.LateAfter after the last one.
type Late struct {
	At   model.Instant
	Node string
}

type quiets struct {
	kept, declared []Quiet
	late           Late
}

// Quiets are the longest silences that ended with a heartbeat, each sort by length: first those of nodes not declared
// Unknown. Silences in a gap of the History do not count.
func (o *Overview) Quiets() (kept, declared []Quiet) { return o.quiets.kept, o.quiets.declared }

// FirstLate is the first late heartbeat; ok is false if there is none.
func (o *Overview) FirstLate() (late Late, ok bool) {
	return o.quiets.late, o.quiets.late.At.Known()
}

// heard reports whether a write of a lease is a heartbeat, and notes the silence before it. A write that leaves
// renewTime is none, such as a new label.
func (o *Overview) heard(n *trackedNode, ch *model.Change, at model.Instant) bool {
	if !at.Bounded() || !ch.Renews() || ch.Lease.Renewed.Bounded() && ch.Lease.Renewed == n.renewed {
		return false
	}
	if from := n.beat; from.Known() && at.Sub(from) > model.LateAfter && !history.Within(o.gaps, from, at) {
		q := Quiet{ch.Key.Name, model.Interval{Earliest: from, Latest: at}, n.declared >= from || n.ready == model.StatusUnknown}
		if q.Declared {
			o.quiets.declared = longest(o.quiets.declared, q)
		} else {
			o.quiets.kept = longest(o.quiets.kept, q)
		}
		o.quiets.first(Late{from.Add(model.LateAfter), q.Node})
	}
	n.beat = at
	return true
}

// still notes the nodes that are late at a time and have not renewed since.
func (o *Overview) still(now model.Instant) {
	for name, n := range o.fold.nodes.All() {
		gone := n.version > 0 && n.object == nil
		if from := n.beat; !gone && from.Known() && now.Sub(from) > model.LateAfter && !history.Within(o.gaps, from, from.Add(model.LateAfter)) {
			o.quiets.first(Late{from.Add(model.LateAfter), name})
		}
	}
}

func (q *quiets) first(late Late) {
	if was := q.late; !was.At.Known() || late.At < was.At || late.At == was.At && late.Node < was.Node {
		q.late = late
	}
}

// longest adds to a list in order of length, and keeps maxSilences.
func longest(list []Quiet, q Quiet) []Quiet {
	i, _ := slices.BinarySearchFunc(list, q, func(a, b Quiet) int {
		return cmp.Or(cmp.Compare(b.Width(), a.Width()), cmp.Compare(a.Earliest, b.Earliest), cmp.Compare(a.Node, b.Node))
	})
	if i >= maxSilences {
		return list
	}
	return slices.Insert(list, i, q)[:min(len(list)+1, maxSilences)]
}
