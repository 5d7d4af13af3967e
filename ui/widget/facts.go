package widget

import (
	"cmp"
	"strings"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Facts are words and their uncut values, one below the other. Both may be foreign text, cleaned here.
type Facts struct{ list []fact }

type fact struct {
	word, value string
	say         words.Say // in place of value
	token       themes.Token
}

// Add adds a fact, unless its value is empty.
func (f *Facts) Add(word, value string) { f.Put(word, themes.Text, value) }

// Put adds a fact in a colour, unless its value is empty.
func (f *Facts) Put(word string, token themes.Token, value string) {
	if value != "" {
		f.list = append(f.list, fact{word: word, value: value, token: token})
	}
}

// Say adds a fact that is a sentence.
func (f *Facts) Say(word string, token themes.Token, say words.Say) {
	f.list = append(f.list, fact{word: word, say: say, token: token})
}

// Rows draws them in a width: the words in a column, the values folded beside it.
func (f *Facts) Rows(p *paint.Painter, width int) (rows []paint.Row) {
	column := 0
	for i := range f.list {
		column = max(column, paint.Width(p.Text(f.list[i].word)))
	}
	for _, is := range f.list {
		l := p.Line(width).Left(themes.Faint, p.Text(is.word), column).Skip(2)
		rows = append(rows, p.Folded(l, is.token, cmp.Or(is.value, is.say.In(p)))...)
	}
	return rows
}

const mostListed = 100

// Listed is names one after the other, and how many more there are.
func Listed(names []string) string {
	text := strings.Join(names[:min(len(names), mostListed)], "  ")
	if more := len(names) - mostListed; more > 0 {
		text += words.Of("more-alike", "n", more).String()
	}
	return text
}
