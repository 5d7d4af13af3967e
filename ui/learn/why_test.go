package learn

import (
	"math"
	"strings"
	"testing"

	"kardia/sources/lesson"
	"kardia/ui/learn/sitting"

	"github.com/charmbracelet/x/ansi"
)

// TestEveryExplanationIsSeen: in every lesson, after every answer, a window of 80×24 shows the whole explanation, or its
// first paragraph and the key that shows the rest.
func TestEveryExplanationIsSeen(t *testing.T) {
	for _, l := range lesson.Embedded() {
		stage := lesson.NewStage(l, 3)
		stage.Wait(math.MaxInt)
		inEach(t, l.Name, func(t *testing.T, language string) {
			p := sit(t, Options{Language: language}, 80, 24)
			p.m.play = func(*lesson.Lesson, int) *lesson.Stage { return stage }
			p.run(p.m.open(l))
			for ; ; p.goesOn() {
				b, _ := p.m.sitting.Beat()
				if b.Question != nil {
					p.answers(b)
					p.explained("the right answer")
					p.explainedAfterEachMistake(b)
				}
				if p.m.sitting.Done() {
					return
				}
			}
		})
	}
}

// explainedAfterEachMistake answers each wrong option that has a text.
func (p *person) explainedAfterEachMistake(b *lesson.Beat) {
	p.t.Helper()
	a := p.m.sitting.Answer()
	right := *a
	for trap := range p.m.sitting.Text(p.m.Language).Traps {
		a.Verdict, a.Trap = sitting.Wrong, trap
		if b.Question.Lists() {
			a.Option = trap
		}
		p.explained(trap)
	}
	*a = right
}

// explained checks what a person sees who has just answered.
func (p *person) explained(answer string) {
	p.t.Helper()
	p.m.scroll = toAnswer
	b, i := p.m.sitting.Beat()
	text := p.m.say(b, p.m.sitting.Text(p.m.Language).Why, "")
	first, _, _ := strings.Cut(text, "\n\n")
	screen := strings.Join(strings.Fields(p.screen()), " ")
	shows := func(text string) bool {
		for _, r := range p.m.md.rows(text, 80-2-12) {
			if !strings.Contains(screen, strings.Join(strings.Fields(ansi.Strip(r.Text)), " ")) {
				return false
			}
		}
		return true
	}
	if !shows(first) || !shows(text) && p.m.below == 0 {
		p.t.Errorf("step %d, after %s, hides its explanation:\n%s", i+1, answer, p.screen())
	}
	if p.m.below > 0 {
		p.sees("pgdn", " space ")
	}
	if p.m.above > 0 {
		p.sees("pgup")
	}
}
