package lesson

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/lesson/play"
)

// Check plays a lesson to its end in each of its languages, and reports every mistake with its file and line. Mistakes
// are an answer that no run gives, a moment that never comes or has passed, and a missing text. A text may not show the
// future, or a time that no run gives. languages are those that the lesson must have.
func (s *Stage) Check(languages ...string) error {
	c := checker{stage: s, lesson: s.Lesson}
	for _, language := range languages {
		if s.Lesson.Texts[language] == nil {
			c.fail(s.Lesson.Original, 1, "the lesson has no %q: expected a file with the same steps", language)
		}
	}
	for language, t := range s.Lesson.Texts {
		c.stated(Passage{t.Title + "\n" + t.Summary, 1}, language)
	}
	at := s.Lesson.Zero
	for i := range s.Lesson.Beats {
		b := &s.Lesson.Beats[i]
		next, err := s.Stop(b, at)
		if err != nil {
			c.fail(s.Lesson.Original, b.Line, "%s %s: %v", b.Kind, b.ID, err)
			return errors.Join(c.errors...)
		}
		shown := next // a beat's texts come after it let time pass
		if b.Kind == Predict {
			shown = at
		}
		for _, language := range slices.Sorted(maps.Keys(s.Lesson.Texts)) {
			c.text(b, &s.Lesson.Texts[language].Beats[i], language, shown, next)
		}
		if b.Question != nil {
			c.question(b)
		}
		at = next
	}
	return errors.Join(c.errors...)
}

type checker struct {
	stage  *Stage
	lesson *Lesson
	errors []error
}

func (c *checker) fail(language string, line int, format string, args ...any) {
	c.errors = append(c.errors, fmt.Errorf("%s:%d: %s", c.lesson.Texts[language].File, line, fmt.Sprintf(format, args...)))
}

// stated matches a time that a text states by itself, in digits or in words, also over the end of a line. "A minute" is a
// way of speaking.
var stated = regexp.MustCompile(`\d+(\.\d+)?\s?(s|ms|sec|secs|seconds?|min|mins|minutes?|h|hours?)\b|\d+(\.\d+)?\s?(초|분|시간)|\b\d+:\d\d\b|` +
	`(?i)\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)[\s-]+(more\s+)?(seconds?|minutes?|hours?)\b|` +
	`\b(half|quarters?\s+of)\s+an?\s+(second|minute|hour)\b|\b(seconds?|minutes?|hours?)\s+and\s+a\s+(half|quarter)\b|` +
	`(^|[\s*(])([일이삼사오육칠팔구십백]+|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|반)\s?(초|분|시간)([^의]|$)|(분|시간)\s반([^응]|$)`)

var braces = regexp.MustCompile(`\{\{[^}]*\}\}`)

// text checks the texts of a step; a text shown before time goes on must not show anything later than now.
func (c *checker) text(b *Beat, t *BeatText, language string, now, later time.Duration) {
	t.Passages(func(p Passage, option string, after bool) {
		if p.Text == "" {
			return
		}
		if _, err := c.stage.Say(b, p, option, language); err != nil {
			line, rest, _ := strings.Cut(err.Error(), ": ")
			n := p.Line
			_, _ = fmt.Sscan(line, &n)
			c.fail(language, n, "%s", rest)
			return
		}
		c.stated(p, language)
		c.future(b, p, language, map[bool]time.Duration{false: now, true: later}[after])
	})
	c.stated(Passage{t.Title, t.Body.Line}, language)
	c.complete(b, t, language)
}

func (c *checker) stated(p Passage, language string) {
	text := braces.ReplaceAllStringFunc(p.Text, func(query string) string { return "…" + strings.Repeat("\n", strings.Count(query, "\n")) })
	for _, at := range stated.FindAllStringIndex(text, -1) {
		found := strings.TrimLeft(text[at[0]:at[1]], " \n")
		line := p.Line + strings.Count(text[:at[1]-len(found)], "\n")
		found = strings.Join(strings.Fields(found), " ")
		c.fail(language, line, "%q is a time that nothing checks: ask for it, as {{first MarkUnknown - zero}} does, or write {{said 40s}} for a value of others", found)
	}
}

// future refuses a query about a later time than now, also as a number, a range or a name.
func (c *checker) future(b *Beat, p Passage, language string, now time.Duration) {
	for _, at := range braces.FindAllStringIndex(p.Text, -1) {
		text := strings.TrimSpace(p.Text[at[0]+2 : at[1]-2])
		q, err := c.lesson.Branches[b.Branch].Parse(strings.TrimPrefix(text, "range "))
		if err != nil {
			continue // {{is}} and {{said …}}; Say refuses what is no query
		}
		if later, err := c.stage.Shown(b).Reach(q); err == nil && later > now {
			shown, played := model.Clock(later-c.lesson.Zero), model.Clock(now-c.lesson.Zero)
			if shown == played {
				shown, played = (later - c.lesson.Zero).String(), (now - c.lesson.Zero).String()
			}
			c.fail(language, p.lineOf(p.Text[at[0]:]), "{{%s}} shows %s, and this text is read at %s: move it to ### why, or play on with a run-until first", text, shown, played)
		}
	}
}

func (c *checker) complete(b *Beat, t *BeatText, language string) {
	line := t.Body.Line
	if t.Body.Text == "" && b.Kind != RunUntil && b.Kind != StartBranch {
		c.fail(language, line, "%s %s has no text", b.Kind, b.ID)
	}
	if b.Question == nil {
		return
	}
	if t.Why.Text == "" {
		c.fail(language, line, "%s %s does not explain the answer: ### why", b.Kind, b.ID)
	}
	i := slices.IndexFunc(c.lesson.Beats, func(have Beat) bool { return have.ID == b.ID })
	if want := len(c.lesson.Texts[c.lesson.Original].Beats[i].Hints); len(t.Hints) != want {
		c.fail(language, line, "%s %s has %d hints, and the original has %d", b.Kind, b.ID, len(t.Hints), want)
	}
	for _, o := range b.Question.Options {
		_, said := t.Options[o.ID]
		_, trap := t.Traps[o.ID]
		shown := b.Question.Kind == Choice || b.Question.Kind == Order
		switch {
		case shown && !said:
			c.fail(language, line, "%s %s has no text for option %s", b.Kind, b.ID, o.ID)
		case !shown && b.Question.Kind != Node && !trap:
			c.fail(language, line, "%s %s has no reply to the answer %s: > below option %s", b.Kind, b.ID, o.Is, o.ID)
		case b.Question.Kind == Choice && !trap && !slices.Contains(b.Question.Right, o.ID):
			c.fail(language, line, "option %s of %s is wrong, and has no reply: > below it", o.ID, b.ID)
		}
	}
	named := append(ids(t.Options), ids(t.Traps)...)
	slices.Sort(named)
	for _, id := range slices.Compact(named) {
		if !slices.ContainsFunc(b.Question.Options, func(o Option) bool { return o.ID == id }) {
			c.fail(language, line, "%s has no option %s", b.ID, id)
		}
	}
}

// question compares the author's answer with the runs' results.
func (c *checker) question(b *Beat) {
	q := b.Question
	fail := func(format string, args ...any) { c.fail(c.lesson.Original, q.Line, format, args...) }
	k, err := c.stage.Key(b)
	if err != nil {
		fail("%s: %v", b.ID, err)
		return
	}
	switch q.Kind {
	case Number, Time:
		if !q.RightRange.Holds(k.Range.Low) || !q.RightRange.Holds(k.Range.High) {
			fail("right: the lesson has %s, and the runs give %s", q.RightRange, k.Range.Typed())
		} else if wide(q.RightRange) > 2*wide(k.Range)+1 {
			fail("right: %s is too wide: the runs give %s", q.RightRange, k.Range.Typed())
		}
		for _, o := range q.Options {
			if o.Is.Low.Kind == q.RightRange.Low.Kind && q.RightRange.Low.Compare(o.Is.High) <= 0 && o.Is.Low.Compare(q.RightRange.High) <= 0 {
				fail("option %s is a wrong answer, and its %s overlaps right: %s", o.ID, o.Is, q.RightRange)
			}
		}
	case Order:
		if have := k.Sequence(q, 0); !slices.Equal(have, q.Right) && !k.InOrder(q, q.Right) {
			fail("right: the lesson has %s, and the runs give %s", strings.Join(q.Right, ", "), strings.Join(have, ", "))
		}
	default:
		right := slices.Sorted(slices.Values(q.Right))
		if !slices.Equal(right, k.Accepted) {
			var often []string
			for _, id := range slices.Sorted(maps.Keys(k.Count)) {
				often = append(often, fmt.Sprintf("%s in %d", id, k.Count[id]))
			}
			fail("right: the lesson has %s, and of %d runs it is %s", strings.Join(right, ", "), c.stage.Plays, strings.Join(often, ", "))
		}
	}
}

func wide(r play.Range) float64 {
	return (r.High.Time - r.Low.Time).Seconds() + r.High.Number - r.Low.Number
}
