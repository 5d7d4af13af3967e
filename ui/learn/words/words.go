// Package words is the texts around lessons on their screens, one YAML file a language. Example: the names of the keys.
package words

import (
	"cmp"
	"embed"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/ui/topics"
)

//go:embed *.yaml
var files embed.FS

// Words are the words of a language.
type Words struct {
	Said map[string]string `yaml:",inline"`
	// Rules are the controllers' rules, by their English names; if missing, in English.
	Rules map[string]string
	// Glossary is the meaning of Kubernetes' words, by the word; if missing, in English.
	Glossary map[string]string
}

var all = sync.OnceValue(func() map[string]*Words {
	list := map[string]*Words{}
	for _, language := range lesson.Languages {
		w := &Words{}
		text, err := files.ReadFile(language + ".yaml")
		if err == nil {
			err = yaml.Unmarshal(text, w)
		}
		if err != nil {
			panic(language + ".yaml: " + err.Error()) // a file of ours: the tests read them all
		}
		list[language] = w
	}
	return list
})

// Of are the words of a language; English if it has none.
func Of(language string) *Words { return cmp.Or(all()[language], all()["en"]) }

// Say is the text of a name, with its values.
func (w *Words) Say(name string, with ...any) string {
	text := cmp.Or(w.Said[name], name)
	if len(with) == 0 {
		return text
	}
	return fmt.Sprintf(text, with...)
}

// Rule is a rule in a sentence.
func (w *Words) Rule(r model.Rule) string {
	return cmp.Or(w.Rules[r.String()], topics.Rule(r).String())
}

// Meaning is the meaning of a word; meaning is the English text.
func (w *Words) Meaning(word, meaning string) string { return cmp.Or(w.Glossary[word], meaning) }
