package lesson

import (
	"math"
	"strings"
	"testing"

	"kardia/model"
)

// A person who has finished L1 to L7 can predict L9, each question within ten seconds (T7 of what people were asked to
// do). The deciding rule was that of an earlier question, and question and options are read in that time, at four words
// a second.
func TestL9AsksWhatWasTaught(t *testing.T) {
	const most = 40
	taught := map[model.Rule]string{}
	for _, l := range Embedded() {
		if l.Number > 7 && l.Number != 9 {
			continue
		}
		s := NewStage(l, 1)
		s.Wait(math.MaxInt)
		for i := range l.Beats {
			b := &l.Beats[i]
			if b.Question == nil {
				continue
			}
			d := s.Decision(b)
			if l.Number <= 7 {
				if d != nil {
					taught[d.Rule] = l.Name
				}
				continue
			}
			if d != nil && taught[d.Rule] == "" {
				t.Errorf("%s: %s is the rule of no question of L1 to L7", b.ID, d.Rule)
			}
			words := 0
			count := func(p Passage) {
				text, err := s.Say(b, p, "", "en")
				if err != nil {
					t.Error(err)
				}
				words += len(strings.Fields(text))
			}
			text := l.Texts["en"].Beats[i]
			count(text.Body)
			for _, o := range text.Options {
				count(o)
			}
			if words > most {
				t.Errorf("%s has %d words: more than ten seconds", b.ID, words)
			}
		}
		s.Close()
	}
}

// L9's names for a zone, and for its rate, occurred before: also for a whole zone that is dark.
func TestL9UsesWordsThatWereSaid(t *testing.T) {
	for _, language := range Languages {
		said := ""
		for _, l := range Embedded() {
			if l.Number > 7 {
				continue
			}
			for _, text := range l.Texts[language].Beats {
				text.Passages(func(p Passage, _ string, _ bool) { said += p.Text + "\n" })
			}
		}
		for _, word := range []string{"**Normal**", "**Partial**", "**Full**", "{{flag secondary-node-eviction-rate}}", "FullDisruption"} {
			if !strings.Contains(said, word) {
				t.Errorf("%s: L1 to L7 do not say %s", language, word)
			}
		}
	}
}
