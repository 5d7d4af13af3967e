package words

import (
	"regexp"
	"testing"

	"kardia/sources/lesson"
)

// TestEveryLanguageSaysTheSame: each word of one is in the others, with as much to be filled in.
func TestEveryLanguageSaysTheSame(t *testing.T) {
	verb := regexp.MustCompile(`%(\[\d\])?([ds])`)
	english := Of("en")
	for _, language := range lesson.Languages {
		w := Of(language)
		if len(w) != len(english) {
			t.Errorf("%s: %d words, English has %d", language, len(w), len(english))
		}
		for name, text := range english {
			if a, b := len(verb.FindAllString(text, -1)), len(verb.FindAllString(w[name], -1)); a != b || w[name] == "" {
				t.Errorf("%s: %s is %q, in English %q", language, name, w[name], text)
			}
		}
	}
}
