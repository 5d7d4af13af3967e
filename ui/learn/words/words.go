// Package words is the texts around lessons on their screens, one YAML file a language. Example: the names of the keys.
package words

import (
	"embed"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"

	"kardia/model"
	"kardia/ui/topics"
)

//go:embed *.yaml
var files embed.FS

// Words are the words of a language.
type Words struct {
	Language string
	words    map[string]string
	about    struct {
		// Rules are the controllers' rules, by their English names.
		Rules map[string]string
		// Glossary is the meaning of Kubernetes' words, by the word.
		Glossary map[string]string
	}
}

var languages = []string{"en", "ko"}

var all = sync.OnceValue(func() map[string]*Words {
	list := map[string]*Words{}
	for _, language := range languages {
		w := &Words{Language: language}
		for _, f := range []struct {
			file string
			into any
		}{{language, &w.words}, {"about-" + language, &w.about}} {
			text, err := files.ReadFile(f.file + ".yaml")
			if err != nil {
				continue // the English meanings of rules and words are elsewhere
			}
			if err := yaml.Unmarshal(text, f.into); err != nil {
				panic(f.file + ".yaml: " + err.Error()) // a file of ours: the tests read them all
			}
		}
		list[language] = w
	}
	return list
})

// Of are the words of a language; English if it has none.
func Of(language string) *Words {
	if w := all()[language]; w != nil {
		return w
	}
	return all()["en"]
}

// Say is the text of a name, with its values.
func (w *Words) Say(name string, with ...any) string {
	text, ok := w.words[name]
	if !ok {
		return name
	}
	if len(with) == 0 {
		return text
	}
	return fmt.Sprintf(text, with...)
}

// Rule is a rule in a sentence; in English if the language has none.
func (w *Words) Rule(r model.Rule) string {
	if text := w.about.Rules[r.String()]; text != "" {
		return text
	}
	return topics.Rule(r).String()
}

// Meaning is the meaning of a word; meaning is the English text.
func (w *Words) Meaning(word, meaning string) string {
	if text := w.about.Glossary[word]; text != "" {
		return text
	}
	return meaning
}
