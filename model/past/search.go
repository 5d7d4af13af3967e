package past

import (
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/history"
)

// maxHits is how many hits a search keeps; later ones are counted.
const maxHits = 5000

// Hit is a time at which something that was searched for changed.
type Hit struct {
	At       model.Instant
	Position int
	// Subject is the node or pod, Text what changed, in words.
	Subject, Text string
}

// Search looks for words in the whole time: names of nodes and pods, conditions, reasons, taints, text of Events. A hit
// is a Change, not a heartbeat, whose subject and text have every word in any case. It can be dropped at any time.
type Search struct {
	reader
	words    []string
	say      func(*Difference) string
	versions Versions
	hits     []Hit
	more     int
}

// NewSearch searches for the words of a text in what say makes of differences.
func NewSearch(text string, say func(*Difference) string) *Search {
	return &Search{words: strings.Fields(strings.ToLower(text)), say: say, reader: reader{page: history.Condensed{WithoutRenewals: true}}}
}

// Hits are those found so far, in order of time.
func (s *Search) Hits() []Hit { return s.hits }

// More counts the hits that are not kept.
func (s *Search) More() int { return s.more }

// Extend reads on, at most budget Changes (to within a page), and reports whether it is at the end of the History.
func (s *Search) Extend(h history.History, budget int) (done bool, err error) {
	first, _ := h.Span()
	s.read = max(s.read, first)
	return s.on(h, budget, s.look)
}

func (s *Search) look(position int, ch *model.Change) {
	if len(s.words) == 0 || ch.Kind == model.KindNodeLease && ch.Op == model.OpModify {
		return
	}
	at := ch.Effective()
	differences := s.versions.Fold(ch)
	if len(differences) == 0 || !at.Bounded() {
		return
	}
	subject := subjectOf(ch)
	lower := strings.ToLower(subject)
	var matching []string
	for i := range differences {
		text := s.say(&differences[i])
		all := lower + " " + strings.ToLower(text)
		if !slices.ContainsFunc(s.words, func(w string) bool { return !strings.Contains(all, w) }) {
			matching = append(matching, text)
		}
	}
	if len(matching) == 0 {
		return
	}
	if len(s.hits) == maxHits {
		s.more++
		return
	}
	s.hits = append(s.hits, Hit{at, position, subject, cut(strings.Join(matching, ", "), MaxNote)})
}

func subjectOf(ch *model.Change) string {
	if ch.Kind == model.KindEvent && ch.Event != nil {
		return ch.Event.Regarding.Key.String()
	}
	if ch.Kind == model.KindPod && ch.Pod != nil && ch.Pod.Node != "" {
		return ch.Key.String() + " on " + ch.Pod.Node
	}
	if ch.Kind == model.KindPod {
		return ch.Key.String()
	}
	return ch.Key.Name
}

// reader reads a growing History on, part by part.
type reader struct {
	page history.Condensed // memory for reading
	read int               // positions below are in
}

// Position counts the Changes that were read.
func (r *reader) Position() int { return r.read }

// on reads at most budget Changes (to within a page), and reports whether it is at the end of the History.
func (r *reader) on(h history.History, budget int, visit func(position int, ch *model.Change)) (done bool, err error) {
	_, end := h.Span()
	for err := range history.Pages(h, r.read, model.FarFuture, &r.page) {
		if err != nil {
			return false, err
		}
		stop := min(r.page.End, end)
		r.page.EachChange(r.read-r.page.Start, stop-r.page.Start, func(slot int, ch *model.Change) bool {
			visit(r.page.Start+slot, ch)
			return true
		})
		budget -= stop - r.read
		if r.read = stop; budget <= 0 {
			break
		}
	}
	return r.read >= end, nil
}
