package screen

import "strings"

// Words is a filter of words: a row must hold each of them, and none of those with a minus before them.
type Words []string

// WordsOf reads a filter as it was typed.
func WordsOf(text string) Words { return strings.Fields(strings.ToLower(text)) }

// Match reports whether a row's text holds all words, and none that has a minus before it.
func (w Words) Match(text string) bool {
	text = strings.ToLower(text)
	for _, word := range w {
		wanted := true
		if rest, ok := strings.CutPrefix(word, "-"); ok && rest != "" {
			word, wanted = rest, false
		}
		if strings.Contains(text, word) != wanted {
			return false
		}
	}
	return true
}
