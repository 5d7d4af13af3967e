package screen

import (
	"strings"

	"kardia/model"
)

// Finder is a View that finds its rows by a part of their name or text, wherever the person is.
type Finder interface {
	// Find offers what answers to the search. It looks at all there is, whatever the View's own filter
	// hides.
	Find(s *Snapshot, search *Search)
}

// Found is one thing that answers to a search.
type Found struct {
	// Name is its name, Kind its kind in a word, Says its state. None is cleaned for the screen.
	Name, Kind, Says string
	// Subject is the thing to open, if there is one.
	Subject Subject
	// Show puts the cursor of the View that found it on it, and that View is shown instead; nil if a
	// Subject is opened.
	Show func()
	// Decision is the decision to go to in time before it is shown; nil for a thing of the instant shown.
	Decision *model.Decision
}

// Search gathers what answers to a text: the best first, and no more than Most.
type Search struct {
	Most int
	// Count is how many answer, also those beyond Most.
	Count int

	text  string
	words Words
	// found are those with that name, those whose name begins so, and the others.
	found [3][]Found
}

// SearchFor looks for all words of a text, in any order.
func SearchFor(text string, most int) *Search {
	return &Search{Most: most, text: strings.ToLower(text), words: WordsOf(text)}
}

// Offer takes a thing by its name and text, if they hold the search text. found describes it, and is called only while
// there is still room.
func (s *Search) Offer(name, text string, found func() Found) {
	if !s.words.Match(name + " " + text) {
		return
	}
	s.Count++
	order := 2
	switch lower := strings.ToLower(name); {
	case lower == s.text:
		order = 0
	case strings.HasPrefix(lower, s.text):
		order = 1
	}
	if len(s.found[order]) < s.Most {
		s.found[order] = append(s.found[order], found())
	}
}

// Found are the best of them.
func (s *Search) Found() []Found {
	all := append(append(append([]Found(nil), s.found[0]...), s.found[1]...), s.found[2]...)
	return all[:min(len(all), s.Most)]
}
