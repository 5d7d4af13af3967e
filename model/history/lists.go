package history

import (
	"slices"
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

const (
	// podsBegin is the latest start of the initial list of pods after the first Change, podsPause its longest pause.
	podsBegin = 2 * time.Minute
	podsPause = 10 * time.Second
)

// PodList follows the initial list of pods, a Change at a time. It may come later than the other lists, and take long.
// Until it ends, only a part of the pods is known, so they are not counted.
type PodList struct{ began, ended model.Instant }

// Take reports whether more may come. The Changes must come in order.
func (l *PodList) Take(ch *model.Change) (more bool) {
	at := ch.Effective()
	if !l.began.Known() {
		l.began = at
	}
	until := l.began.Add(podsBegin)
	if l.ended.Known() {
		until = l.ended.Add(podsPause)
	}
	if at > until {
		return false
	}
	if ch.Kind == model.KindPod && ch.Op == model.OpBaseline && ch.Arrival.Known() {
		l.ended = at
	}
	return true
}

// Ended is when the last pod so far was received; unknown if none was.
func (l *PodList) Ended() model.Instant { return l.ended }

// PodsListed is from when on all pods are known: the end of a watched cluster's initial list; unknown in files.
func PodsListed(h History) model.Instant {
	if !slices.ContainsFunc(h.Sources(), func(s Source) bool { return s.Kinds[model.KindPod] > 0 }) {
		return 0
	}
	first, _ := h.Span()
	var l PodList
	var page Condensed
	for err := range Pages(h, first, model.FarFuture, &page) {
		more := err == nil
		page.EachChange(0, page.End-page.Start, func(_ int, ch *model.Change) bool {
			more = more && l.Take(ch)
			return more
		})
		if !more {
			break
		}
	}
	return l.ended
}
