package screen

import (
	"strings"

	"kardia/model"
)

// Finder is a View that finds its rows by a part of their name or text, wherever the person is.
type Finder interface {
	// Find offers everything that matches the search, even if the View's own filter hides it.
	Find(s *Snapshot, search *Search)
}

// Found is one thing that answers to a search.
type Found struct {
	// Name, Kind and Says (the state) are not cleaned for the screen.
	Name, Kind, Says string
	// Subject is the thing to open, if any.
	Subject Subject
	// Show puts the cursor of the finding View on it, and that View is shown; nil if a Subject is opened.
	Show func()
	// Decision is the decision to move to in time first; nil for a thing of the time shown.
	Decision *model.Decision
}

// Search gathers what answers to a text: the best first, and no more than Most.
type Search struct {
	Most int
	// Count is the number of matches, including those beyond Most.
	Count int

	text  string
	words Words
	// found are exact names, names with this prefix, and the others.
	found [3][]Found
}

// SearchFor looks for all words of a text, in any order.
func SearchFor(text string, most int) *Search {
	return &Search{Most: most, text: strings.ToLower(text), words: WordsOf(text)}
}

// Offer takes a thing if its name or text holds the search text. found describes it, if there is still room.
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
