package nodelifecycle

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
)

// queue is a zone's list of nodes to taint: a heap ordered by ProcessAt, and a set of names, some of them not in the
// heap.
// Source: kubernetes: nodelifecycle/scheduler, UniqueQueue.
type queue struct {
	limiter limiter
	// entries is the set, in the order of rows; waiting ones are in the heap too.
	entries []entry
	waiting int
}

type entry struct {
	row     int32
	waiting bool
	// steady: it gets a new place in every pass although nothing about its node changes.
	steady    bool
	processAt model.Instant
	id        model.DecisionID
}

func newQueue(qps float32) queue { return queue{limiter: newLimiter(qps)} }

// find is a node's entry, nil if there is none. It must not be kept across add or remove.
func (q *queue) find(row int32) *entry {
	if i, ok := q.search(row); ok {
		return &q.entries[i]
	}
	return nil
}

func (q *queue) search(row int32) (i int, found bool) {
	return slices.BinarySearchFunc(q.entries, row, func(e entry, row int32) int { return cmp.Compare(e.row, row) })
}

// add inserts a node, or replaces its entry.
func (q *queue) add(row int32, at model.Instant, id model.DecisionID) {
	i, found := q.search(row)
	if !found {
		q.entries = slices.Insert(q.entries, i, entry{})
	}
	q.entries[i] = entry{row: row, waiting: true, processAt: at, id: id}
	q.waiting++
}

// remove removes a node from heap and set. It returns whether the node waited, and the decision that queued it.
func (q *queue) remove(row int32) (queued model.DecisionID, waited bool) {
	i, found := q.search(row)
	if !found {
		return 0, false
	}
	e := q.entries[i]
	if e.waiting {
		q.waiting--
	}
	q.entries = slices.Delete(q.entries, i, i+1)
	return e.id, e.waiting
}

// finish removes a node from the heap only. The set refuses to add it until it is removed there too.
func (q *queue) finish(row int32) {
	if e := q.find(row); e != nil && e.waiting {
		e.waiting, e.steady = false, false
		q.waiting--
	}
}

// served inserts a node into the set alone: it had its token.
func (q *queue) served(row int32) {
	if i, found := q.search(row); !found {
		q.entries = slices.Insert(q.entries, i, entry{row: row})
	}
}

// pass gives the steady entries new places.
func (q *queue) pass(at model.Instant) {
	for i := range q.entries {
		if e := &q.entries[i]; e.steady {
			e.processAt = at
		}
	}
}

// head is the entry that has waited longest; nil if none waits. The heap orders equally old entries by accident (D1):
// pick chooses among their names; nil takes the first.
func (q *queue) head(view *informer.Cache, zone model.ZoneKey, pick func(model.ZoneKey, []string) string) *entry {
	earliest := model.FarFuture
	var first *entry
	var ties []string
	for i := range q.entries {
		e := &q.entries[i]
		if !e.waiting || e.processAt > earliest {
			continue
		}
		name := view.Row(e.row).Name
		if e.processAt < earliest {
			earliest, first, ties = e.processAt, nil, ties[:0]
		}
		if first == nil || name < view.Row(first.row).Name {
			first = e
		}
		if pick != nil {
			ties = append(ties, name)
		}
	}
	if len(ties) < 2 {
		return first
	}
	slices.Sort(ties)
	if row, ok := view.Lookup(pick(zone, ties)); ok {
		if e := q.find(row); e != nil && e.waiting && e.processAt == earliest {
			return e
		}
	}
	return first
}
