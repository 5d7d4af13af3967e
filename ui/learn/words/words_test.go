package words

import (
	"regexp"
	"slices"
	"testing"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/ui/glossary"
)

// TestEveryLanguageSaysTheSame: each word of one is in the others, with as much to be filled in.
func TestEveryLanguageSaysTheSame(t *testing.T) {
	verb := regexp.MustCompile(`%(\[\d\])?([ds])`)
	english := Of("en")
	for _, language := range lesson.Languages {
		w := Of(language)
		if len(w.Said) != len(english.Said) {
			t.Errorf("%s: %d words, English has %d", language, len(w.Said), len(english.Said))
		}
		for name, text := range english.Said {
			if a, b := len(verb.FindAllString(text, -1)), len(verb.FindAllString(w.Said[name], -1)); a != b || w.Said[name] == "" {
				t.Errorf("%s: %s is %q, in English %q", language, name, w.Said[name], text)
			}
		}
		for name := range w.Rules {
			if !slices.ContainsFunc(model.Rules(), func(r model.Rule) bool { return r.String() == name }) {
				t.Errorf("%s: no rule is called %q", language, name)
			}
		}
		for name := range w.Glossary {
			if !slices.ContainsFunc(glossary.Words(), func(g glossary.Term) bool { return g.Name == name }) {
				t.Errorf("%s: the glossary has no %q", language, name)
			}
		}
	}
}
