package words

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"

	"kardia/ui/paint"
)

//go:embed *.yaml
var files embed.FS

// English is the language of what another one lacks.
const English = "en"

// Languages are those that have a file, English first. A new file is a new language.
var Languages = languages()

func languages() []string {
	list := []string{English}
	entries, _ := files.ReadDir(".")
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".yaml"); name != English {
			list = append(list, name)
		}
	}
	return list
}

// tongue is a language, and the sentences that were printed before: a frame prints hundreds.
type tongue struct {
	name  string
	in    *i18n.Localizer
	lock  sync.RWMutex
	forms map[form]sentence
}

// form is a sentence, and the number that chooses its plural; -1 for none. In every language numbers from 100 on that have
// the same last two digits have the same plural.
type form struct {
	key string
	n   int
}

var spoken atomic.Pointer[tongue]

func init() {
	Speak(English)
	paint.Label = Label
}

// Speak makes a language that of every sentence printed from now on. One without a file is English.
func Speak(name string) {
	if is := spoken.Load(); is != nil && is.name == name {
		return
	}
	b := i18n.NewBundle(language.English)
	b.RegisterUnmarshalFunc("yaml", yaml.Unmarshal)
	for _, file := range slices.Compact([]string{English, name}) {
		if _, err := b.LoadMessageFileFS(files, file+".yaml"); err != nil && slices.Contains(Languages, file) {
			panic("ui/words: " + err.Error()) // TestEverySentence reads it first
		}
	}
	spoken.Store(&tongue{name: name, in: i18n.NewLocalizer(b, name), forms: map[form]sentence{}})
}

// Label is the text of a label, such as the title of a pane, in the language spoken: that of its English text.
func Label(text string) string {
	const labels = "label."
	t := spoken.Load()
	if t.name == English || text == "" {
		return text
	}
	if s := t.sentence(labels+text, 0, false); s.text[0] != labels+text {
		return s.text[0]
	}
	return text
}

// To is what lies between two values, or the value that both are.
func To(least, most string) string {
	if least == most {
		return least
	}
	return fmt.Sprintf(Label("%s to %s"), least, most)
}

// Listed joins words: "a, b and c".
func Listed(list []string) string { return joined(list, Label("%s and %s")) }

// Either joins words of which one is meant: "a, b or c".
func Either(list []string) string { return joined(list, Label("%s or %s")) }

func joined(list []string, last string) string {
	n := len(list) - 1
	if n < 1 {
		return strings.Join(list, "")
	}
	return fmt.Sprintf(last, strings.Join(list[:n], ", "), list[n])
}

func (t *tongue) sentence(key string, n int, counted bool) sentence {
	f := form{key, -1}
	if counted {
		if f.n = n; n >= 200 {
			f.n = 100 + n%100
		}
	}
	t.lock.RLock()
	s, ok := t.forms[f]
	t.lock.RUnlock()
	if ok {
		return s
	}
	c := i18n.LocalizeConfig{MessageID: key, TemplateParser: template.IdentityParser{}}
	if counted {
		c.PluralCount = n
	}
	text, _ := t.in.Localize(&c)  // an error may be that a sentence has no singular of its own
	s = parsed(cmp.Or(text, key)) // a test holds that no key is missing
	t.lock.Lock()
	t.forms[f] = s
	t.lock.Unlock()
	return s
}
