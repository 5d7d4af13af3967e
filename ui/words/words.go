// Package words holds every sentence of the topics, one file a language, and fills in their values. An editor who knows
// no Go reads en.yaml from top to bottom: recovery.check.never-posted is a sentence, {n} and {for} are its
// placeholders. Words.Of("recovery.safe.open", "n", 2) prints "not yet: 2 checks open".
package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
)

// Say is a sentence that is not printed yet: a key of the language files, and a value for each of its placeholders.
// The zero Say prints "".
type Say struct {
	key    string
	values []any // names and values in turn
}

// Of is the sentence of a key. Names and values follow in turn: text, whole numbers, durations, times, windows,
// ranges, sentences, lists of text, or anything with a String method. The value of "n" chooses between singular and
// plural.
func Of(key string, values ...any) Say { return Say{key, values} }

// Text is foreign text in the place of a sentence: a name, a command, a message of another program.
func Text(text string) Say { return Say{values: []any{"", text}} }

// Missing reports that there is no sentence.
func (s Say) Missing() bool { return s.key == "" && len(s.values) == 0 }

// If is the sentence under a condition: else it is missing.
func (s Say) If(is bool) Say {
	if is {
		return s
	}
	return Say{}
}

// Or is the sentence, or another in the place of a missing one.
func (s Say) Or(other Say) Say {
	if s.Missing() {
		return other
	}
	return s
}

// Range is a duration that differs between the things that one sentence is about.
type Range struct{ Least, Most time.Duration }

// Setting is a period that a person sets; it is printed as it is typed.
type Setting time.Duration

// Stamp is a time that text files have with its day and milliseconds; on screens it is the time of day.
type Stamp model.Instant

// Between is a whole number between two: 3, or 3 to 5.
type Between struct{ Least, Most int }

func (b Between) String() string {
	return To(strconv.Itoa(b.Least), strconv.Itoa(b.Most))
}

// Ahead is a window as a countdown from a time: 2:05–2:15.
type Ahead struct {
	From   model.Instant
	Window model.Interval
}

// Stamps is a window whose ends have their dates in a text file.
type Stamps model.Interval

// Date is a time with its date, also on a screen.
type Date model.Instant

// Day is a time on another day, with its date and to the minute.
type Day model.Instant

// Exact is a time of day to so many digits of a second.
type Exact struct {
	At     model.Instant
	Digits int
}

// Chain is sentences one behind the other, without anything between them.
func Chain(list ...Say) Say { return Say{values: []any{"", list}} }

// Join is sentences in one, with something between them; those that are missing are left out.
func Join(between string, list ...Say) (one Say) {
	for _, s := range list {
		switch {
		case s.Missing():
		case one.Missing():
			one = s
		default:
			one = Chain(one, Text(between), s)
		}
	}
	return one
}

// Plain prints for text files: times in UTC, all signs of Unicode, no style.
var Plain = paint.New(themes.Theme{}, themes.Unicode(), nil)

// In prints a sentence with the times of a Painter.
func (s Say) In(p *paint.Painter) string {
	if s.Missing() {
		return ""
	}
	if s.key == "" {
		return printed(p, s.values[1])
	}
	n, counted := s.count()
	of := spoken.Load().sentence(s.key, n, counted)
	var b strings.Builder
	for i, text := range of.text {
		b.WriteString(text)
		if i < len(of.names) {
			b.WriteString(s.value(p, of.names[i]))
		}
	}
	return b.String()
}

// count is the value that chooses between singular and plural; ok is false if there is none.
func (s Say) count() (n int, ok bool) {
	for i := 0; i+1 < len(s.values); i += 2 {
		if s.values[i] == "n" {
			n, ok = s.values[i+1].(int)
			return n, ok
		}
	}
	return 0, false
}

// value is the printed value of a name; "" if it has none.
func (s Say) value(p *paint.Painter, name string) string {
	for i := 0; i+1 < len(s.values); i += 2 {
		if s.values[i] == name {
			return printed(p, s.values[i+1])
		}
	}
	return ""
}

// String prints a sentence for a text file.
func (s Say) String() string { return s.In(Plain) }

// printed is a value as sentences have it.
func printed(p *paint.Painter, v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case time.Duration:
		return paint.Duration(v)
	case Setting:
		return paint.Setting(time.Duration(v))
	case Range:
		return To(paint.Duration(v.Least), paint.Duration(v.Most))
	case model.Instant:
		return p.Clock(v)
	case Date:
		if p == Plain {
			return printed(p, Stamp(v))
		}
		return p.DateTime(model.Instant(v))
	case Day:
		if p == Plain {
			return printed(p, Stamp(v))
		}
		return model.Instant(v).Time().In(p.Location).Format("2006-01-02 15:04")
	case Exact:
		if p == Plain {
			return v.At.String()
		}
		return p.Exact(v.At, v.Digits)
	case Stamp:
		if p == Plain {
			return model.Instant(v).Truncate(time.Millisecond).String()
		}
		return p.Clock(model.Instant(v))
	case Stamps:
		switch w := model.Interval(v); {
		case p != Plain || !w.Bounded():
			return p.Window(w)
		case w.Width() < paint.AboutOne:
			return printed(p, Stamp(w.Earliest))
		default:
			return To(printed(p, Stamp(w.Earliest)), printed(p, Stamp(w.Latest)))
		}
	case model.Interval:
		return p.Window(v)
	case Ahead:
		return p.Ahead(v.From, v.Window)
	case Say:
		return v.In(p)
	case []Say:
		var b strings.Builder
		for _, s := range v {
			b.WriteString(s.In(p))
		}
		return b.String()
	case []string:
		return Listed(v)
	}
	return fmt.Sprint(v)
}

// sentence is text with placeholders after each piece but the last.
type sentence struct{ text, names []string }

// parsed finds the placeholders of a sentence.
func parsed(text string) (s sentence) {
	for {
		before, rest, found := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			s.text = append(s.text, text)
			return s
		}
		s.text, s.names, text = append(s.text, before), append(s.names, name), after
	}
}
