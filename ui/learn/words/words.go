// Package words is the texts around lessons on their screens, one YAML file a language. Example: the names of the keys.
package words

import (
	"cmp"
	"embed"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"

	"kardia/sources/lesson"
)

//go:embed *.yaml
var files embed.FS

// Words are the words of a language, by name.
type Words map[string]string

var all = sync.OnceValue(func() map[string]Words {
	list := map[string]Words{}
	for _, language := range lesson.Languages {
		w := Words{}
		text, err := files.ReadFile(language + ".yaml")
		if err == nil {
			err = yaml.Unmarshal(text, &w)
		}
		if err != nil {
			panic(language + ".yaml: " + err.Error()) // a file of ours: the tests read them all
		}
		list[language] = w
	}
	return list
})

// Of are the words of a language; English if it has none.
func Of(language string) Words {
	if w := all()[language]; w != nil {
		return w
	}
	return all()["en"]
}

// Say is the text of a name, with its values.
func (w Words) Say(name string, with ...any) string {
	text := cmp.Or(w[name], name)
	if len(with) == 0 {
		return text
	}
	return fmt.Sprintf(text, with...)
}
