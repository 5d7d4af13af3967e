package lesson

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/lesson/play"
)

// Say is a passage of a step with the answers to its queries:
//
//	{{QUERY}}        its value in the shown run
//	{{range QUERY}}  its range in all runs
//	{{is}}           the option's value
//	{{said 40s}}     40s, not computed
//
// Moments are counted from the lesson's zero.
func (s *Stage) Say(b *Beat, p Passage, option, language string) (string, error) {
	var out strings.Builder
	rest := p.Text
	for {
		before, after, ok := strings.Cut(rest, "{{")
		out.WriteString(before)
		if !ok {
			return out.String(), nil
		}
		query, tail, closed := strings.Cut(after, "}}")
		if !closed || strings.Contains(query, "{{") {
			return "", fmt.Errorf("%d: {{ is not closed", p.lineOf(rest))
		}
		said, err := s.fill(b, strings.TrimSpace(query), option, language)
		if err != nil {
			return "", fmt.Errorf("%d: %w", p.lineOf(after), err)
		}
		out.WriteString(said)
		if strings.HasPrefix(tail, ".") && numbered.MatchString(out.String()) {
			out.WriteByte('\\') // "18. …" would begin a list
		}
		rest = tail
	}
}

// numbered matches text whose last line is only a number.
var numbered = regexp.MustCompile(`(?m)^\s*\d+\z`)

func (p Passage) lineOf(rest string) int {
	return p.Line + strings.Count(p.Text[:len(p.Text)-len(rest)], "\n")
}

func (s *Stage) fill(b *Beat, text, option, language string) (string, error) {
	w := WordsOf(language)
	head, rest, _ := strings.Cut(text, " ")
	switch head {
	case "is":
		for i := 0; b.Question != nil && i < len(b.Question.Options); i++ {
			if o := b.Question.Options[i]; o.ID == option && o.Holds == nil && o.At == nil {
				return w.Range(o.Is, s.Lesson.Zero), nil
			}
		}
		return "", fmt.Errorf("{{is}} is in an option that is itself a value")
	case "said":
		r, err := play.ParseRange(rest)
		if err != nil {
			return "", err
		}
		return w.Range(r, s.Lesson.Zero), nil
	case "range":
		q, err := s.Lesson.Branches[b.Branch].Parse(rest)
		if err != nil {
			return "", err
		}
		values, err := play.Answers(s.all(b.Branch), q)
		if err != nil {
			return "", err
		}
		r := play.Hull(values)
		if r.High.Kind == play.Never && r.Low.Kind != play.Never {
			return "", fmt.Errorf("%q does not come in every play", rest)
		}
		return w.Range(r, s.Lesson.Zero), nil
	}
	v, err := s.valueOf(b, text)
	if err != nil {
		return "", err
	}
	return w.Value(v, s.Lesson.Zero), nil
}

func (s *Stage) valueOf(b *Beat, text string) (play.Value, error) {
	q, err := s.Lesson.Branches[b.Branch].Parse(text)
	if err != nil {
		return play.Value{}, err
	}
	v, err := s.Shown(b).Answer(q)
	if err == nil && v.Kind == play.Never {
		err = fmt.Errorf("%q never happens", text)
	}
	return v, err
}

// Words are a language's forms of values.
type Words struct {
	hour, minute, second, never, to string
	// close: a unit follows its number directly.
	close bool
}

var words = map[string]*Words{
	"en": {hour: "h", minute: "min", second: "s", never: "never", to: " to "},
	"ko": {hour: "시간", minute: "분", second: "초", never: "일어나지 않음", to: "~", close: true},
}

// WordsOf are the words of a language; English if unknown.
func WordsOf(language string) *Words {
	if w := words[language]; w != nil {
		return w
	}
	return words["en"]
}

// Value prints a value; a moment is counted from zero.
func (w *Words) Value(v play.Value, zero time.Duration) string {
	switch v.Kind {
	case play.Never:
		return w.never
	case play.Moment:
		return model.Clock(v.Time - zero)
	case play.Length:
		return w.Length(v.Time)
	case play.Number:
		return strconv.FormatFloat(v.Number, 'g', 4, 64)
	}
	return v.Word
}

// Range prints a range; one value if both ends print the same.
func (w *Words) Range(r play.Range, zero time.Duration) string {
	low, high := w.Value(r.Low, zero), w.Value(r.High, zero)
	if low == high {
		return low
	}
	return low + w.to + high
}

// Told rounds a duration as texts do: to the second, below ten seconds to a tenth.
func Told(d time.Duration) time.Duration {
	if max(d, -d) < 9950*time.Millisecond {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// Length prints a duration, rounded as texts do.
func (w *Words) Length(d time.Duration) string {
	space := " "
	if w.close {
		space = ""
	}
	if d < 0 {
		return "-" + w.Length(-d)
	}
	if d = Told(d); d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + space + w.second
	}
	var parts []string
	add := func(n time.Duration, unit string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(int(n))+space+unit)
		}
	}
	add(d/time.Hour, w.hour)
	add(d%time.Hour/time.Minute, w.minute)
	add(d%time.Minute/time.Second, w.second)
	return strings.Join(parts, " ")
}
