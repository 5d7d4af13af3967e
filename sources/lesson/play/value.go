package play

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the kind of a Value.
type Kind uint8

const (
	// Never is the time of an event that does not happen.
	Never Kind = iota
	// Moment is a time from the scenario's start, Length a duration.
	Moment
	Length
	Number
	Word
)

func (k Kind) String() string {
	return [...]string{"never", "a moment", "a length of time", "a number", "a word"}[k]
}

// Value is the answer to a Query. Only the field of its kind is set.
type Value struct {
	Kind   Kind
	Time   time.Duration
	Number float64
	Word   string
}

// Compare orders two values of one kind; moments and lengths are times, and Never is last.
func (v Value) Compare(w Value) int {
	switch {
	case v.Kind == Never || w.Kind == Never:
		return cmp.Compare(w.Kind, v.Kind) // Never is the least Kind
	case v.isTime() && w.isTime():
		return cmp.Compare(v.Time, w.Time)
	case v.Kind == Number && w.Kind == Number:
		return cmp.Compare(v.Number, w.Number)
	}
	return strings.Compare(v.Word, w.Word)
}

func (v Value) isTime() bool { return v.Kind == Moment || v.Kind == Length }

// String is the value for tests and messages.
func (v Value) String() string {
	switch v.Kind {
	case Never:
		return "never"
	case Number:
		return strconv.FormatFloat(v.Number, 'g', 6, 64)
	case Word:
		return v.Word
	}
	return v.Time.Round(10 * time.Millisecond).String()
}

// Range is from Low to High, both included; one value if they are equal.
type Range struct{ Low, High Value }

// Holds reports whether a value lies in the range.
func (r Range) Holds(v Value) bool { return r.Low.Compare(v) <= 0 && v.Compare(r.High) <= 0 }

// String is "40s..55s", or one value.
func (r Range) String() string {
	if r.Low == r.High {
		return r.Low.String()
	}
	return r.Low.String() + ".." + r.High.String()
}

// Typed is the range as a lesson has it: lengths of time to a tenth of a second, and outwards, so that it holds all.
func (r Range) Typed() string {
	if r.Low.Kind == Length && r.High.Kind == Length && r.Low != r.High {
		const tenth = 100 * time.Millisecond
		r.Low.Time = (r.Low.Time - (r.Low.Time%tenth+tenth)%tenth).Truncate(tenth)
		r.High.Time = r.High.Time + (tenth-r.High.Time%tenth)%tenth
	}
	return r.String()
}

// Hull is the smallest range with all values; zero for none.
func Hull(values []Value) Range {
	if len(values) == 0 {
		return Range{}
	}
	return Range{slices.MinFunc(values, Value.Compare), slices.MaxFunc(values, Value.Compare)}
}

// ParseRange reads 40s..55s, 0..1, 7, never, or a word.
func ParseRange(text string) (Range, error) {
	low, high, two := strings.Cut(strings.TrimSpace(text), "..")
	a, err := parseValue(low)
	if err != nil || !two {
		return Range{a, a}, err
	}
	b, err := parseValue(high)
	if err == nil && (a.Kind != b.Kind || a.Compare(b) > 0) {
		err = fmt.Errorf("%q is no range: it goes from the less to the more, as 40s..55s does", text)
	}
	return Range{a, b}, err
}

func parseValue(text string) (Value, error) {
	if text == "never" {
		return Value{}, nil
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
		return Value{Kind: Number, Number: n}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return Value{Kind: Length, Time: d}, nil
	}
	if text == "" || strings.ContainsAny(text, " \t") {
		return Value{}, fmt.Errorf("expected a number, a duration such as 50s, never, or one word, found %q", text)
	}
	return Value{Kind: Word, Word: text}, nil
}
