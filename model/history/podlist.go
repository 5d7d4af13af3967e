package history

import (
	"slices"
	"time"

	"kardia/model"
)

const (
	// podsBegin is within which time of the first Change of all the list of the pods begins, where it is one with which the
	// record begins; and podsPause how long it may pause, as between two pages of it.
	podsBegin = 2 * time.Minute
	podsPause = 10 * time.Second
)

// PodList follows the first list of the pods, a Change at a time. It may come later than the others, and take long: until it
// has come to its end what is known of pods is a part of what there is, and nobody can count it.
type PodList struct{ began, ended model.Instant }

// Take says whether more of it may come. The Changes must come in order.
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

// Ended is when the last of them was received so far; unknown where none was.
func (l *PodList) Ended() model.Instant { return l.ended }

// PodsListed is from when on all pods are known that there are: when the first list of them came to its end that a History
// which watched a cluster begins with. Unknown where there was none, as in files.
func PodsListed(h History) model.Instant {
	if !slices.ContainsFunc(h.Sources(), func(s Source) bool { return s.Kinds[model.KindPod] > 0 }) {
		return 0
	}
	first, end := h.Span()
	var l PodList
	var page Condensed
	for more := true; more && first < end; {
		p := h.PageAt(first)
		if h.Read(p, &page) != nil {
			break
		}
		page.EachChange(0, p.End-p.Start, func(_ int, ch *model.Change) bool {
			more = l.Take(ch)
			return more
		})
		first = p.End
	}
	return l.ended
}
