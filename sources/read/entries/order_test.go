package entries_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
)

// TestInOrder: a log that runs backwards is reversed, one in which neighbours overtake each other is not, and its final
// error comes in its place.
func TestInOrder(t *testing.T) {
	when := func(l input.Line) model.Instant { return model.Instant(l.Data[0]) }
	order := func(text string, end error) (got string, err error) {
		lines := entries.InOrder(&source{text: text, end: end}, when)
		for {
			line, err := lines.Next()
			if err != nil {
				return got, err
			}
			got += string(line.Data)
		}
	}
	long := strings.Repeat("b", 40)
	broken := errors.New("broken")
	for text, want := range map[string]string{
		"": "", "a": "a", "abc": "abc", "cba": "abc", "bacdefgfhi": "bacdefgfhi", "ihgfghedcba": "abcdehgfghi", "b" + long + "a": "b" + long + "a",
	} {
		for _, end := range []error{io.EOF, broken} {
			if got, err := order(text, end); got != want || !errors.Is(err, end) {
				t.Errorf("%q is read as %q, want %q; %v", text, got, want, err)
			}
		}
	}
}

// source is entries of one letter.
type source struct {
	text string
	end  error
}

func (s *source) Next() (input.Line, error) {
	if s.text == "" {
		return input.Line{}, s.end
	}
	line := input.Line{Data: []byte(s.text[:1])}
	s.text = s.text[1:]
	return line, nil
}
