package nodelifecycle

import (
	"slices"

	"kardia/model"
	"kardia/model/informer"
)

// queue is a zone's list of nodes to taint: a heap ordered by ProcessAt, and a set of
// names that is more than what the heap holds (6.3).
// Source: kubernetes: nodelifecycle/scheduler, UniqueQueue.
type queue struct {
	limiter limiter
	// entries is the set; those that wait are in the heap as well.
	entries map[int32]entry
	waiting int
}

type entry struct {
	waiting   bool
	processAt model.Instant
	// id is the decision that queued the node.
	id model.DecisionID
}

func newQueue(qps float32) queue {
	return queue{limiter: newLimiter(qps), entries: map[int32]entry{}}
}

// add puts a node in unless the set has it.
func (q *queue) add(row int32, e entry) {
	e.waiting = true
	q.entries[row] = e
	q.waiting++
}

// remove takes a node out of heap and set.
func (q *queue) remove(row int32) (e entry, was bool) {
	e, was = q.entries[row]
	if was {
		delete(q.entries, row)
		if e.waiting {
			q.waiting--
		}
	}
	return e, was
}

// finish takes a node out of the heap but leaves it in the set, so that it cannot be added
// again until it is removed.
func (q *queue) finish(row int32) {
	if e, ok := q.entries[row]; ok && e.waiting {
		e.waiting = false
		q.entries[row] = e
		q.waiting--
	}
}

// head is the node that has waited longest. Of those that wait equally long the heap's
// order is an accident (D1), so pick chooses among their names; nil takes the first.
func (q *queue) head(view *informer.Cache, place model.Place, pick func(model.Place, []string) string) int32 {
	earliest := model.FarFuture
	for _, e := range q.entries {
		if e.waiting {
			earliest = min(earliest, e.processAt)
		}
	}
	first := int32(-1)
	var ties []string
	for row, e := range q.entries {
		if !e.waiting || e.processAt != earliest {
			continue
		}
		if pick != nil {
			ties = append(ties, view.Row(row).Name)
		}
		if first < 0 || view.Row(row).Name < view.Row(first).Name {
			first = row
		}
	}
	if len(ties) < 2 {
		return first
	}
	slices.Sort(ties)
	if row, ok := view.Lookup(pick(place, ties)); ok && q.entries[row].waiting && q.entries[row].processAt == earliest {
		return row
	}
	return first
}
