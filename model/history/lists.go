package history

import (
	"time"

	"kardia/model"
)

const (
	// ListsWithin is how long the initial lists may take.
	ListsWithin = 15 * time.Second
	// podsAfter is how much later than the others the list of the pods may come, of which there are many, to belong to what
	// stood there at first. What is written until a later one was seen to be written, and is judged; the pods are then told
	// apart as after any gap.
	podsAfter = 2 * time.Second
)

// Lists follows the lists with which a record begins, a Change at a time. While they are read, what was received is a part of
// what stood there, and nothing can be said of it: the coverage begins at their end.
type Lists struct{ began, ended model.Instant }

// Begin says when the first Change of all was received, unless it is known.
func (l *Lists) Begin(at model.Instant) {
	if !l.began.Known() {
		l.began = at
	}
}

// Take says whether a Change belongs to them. The Changes must come in order.
func (l *Lists) Take(ch *model.Change) bool {
	at := ch.Effective()
	l.Begin(at)
	late := ch.Kind == model.KindPod && l.ended.Known() && at > l.ended.Add(podsAfter)
	if ch.Op != model.OpBaseline || ch.Kind.Related() || at > l.began.Add(ListsWithin) || late {
		return false
	}
	l.ended = at
	return true
}

// Ended is when the last of them was received that was taken; unknown where there was none.
func (l *Lists) Ended() model.Instant { return l.ended }
