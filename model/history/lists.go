package history

import (
	"time"

	"kardia/model"
)

const (
	// ListsWithin is how long the initial lists may take.
	ListsWithin = 15 * time.Second
	// podsAfter is how much later than the others the list of pods may come to be one of the initial lists. The writes
	// before a later one are judged, and its pods are treated as after any gap.
	podsAfter = 2 * time.Second
)

// Lists follows the initial lists of a record, a Change at a time. Until they end, the Changes are a part of the
// initial state. The coverage starts at their end.
type Lists struct{ began, ended model.Instant }

// Begin sets when the first Change was received, unless it is known.
func (l *Lists) Begin(at model.Instant) {
	if !l.began.Known() {
		l.began = at
	}
}

// Take reports whether a Change belongs to the lists. The Changes must come in order.
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

// Ended is when the last Change was taken; unknown if none was.
func (l *Lists) Ended() model.Instant { return l.ended }
