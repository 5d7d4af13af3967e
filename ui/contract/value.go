package contract

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"kardia/model"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Stamp is a time in JSON: RFC 3339 in UTC, with the fractional digits needed. It is null if unknown, unbounded, or
// outside the years 1678 to 2261.
type Stamp model.Instant

// MarshalJSON implements json.Marshaler.
func (s Stamp) MarshalJSON() ([]byte, error) {
	i := model.Instant(s)
	if !i.Bounded() {
		return []byte("null"), nil
	}
	return strconv.AppendQuote(nil, i.String()), nil
}

// Window is an interval in JSON; an end is null if nothing bounds it.
type Window struct {
	Earliest Stamp `json:"earliest"`
	Latest   Stamp `json:"latest"`
}

func window(v model.Interval) *Window {
	if !v.Known() {
		return nil
	}
	return &Window{Stamp(v.Earliest), Stamp(v.Latest)}
}

// Seconds is a length of time in JSON, in seconds to the millisecond; null, and not 0, if it is unknown.
type Seconds model.Maybe[time.Duration]

// MarshalJSON implements json.Marshaler.
func (s Seconds) MarshalJSON() ([]byte, error) {
	if !s.Known {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(s.Value.Milliseconds())/1000, 'f', -1, 64), nil
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func known[T any](ok bool, v T) *T {
	if !ok {
		return nil
	}
	return &v
}

// WriteJSON writes a report as indented JSON. Characters that a terminal might act on are escaped.
func WriteJSON(w io.Writer, report any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(report); err != nil {
		return err
	}
	_, err := w.Write(paint.JSON(b.Bytes()))
	return err
}

// each is what becomes of each element, in a list that is never null.
func each[T, U any](list []T, of func(T) U) []U {
	out := []U{}
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

func printed(list []words.Say) []string { return each(list, words.Say.String) }

func seconds(d time.Duration) Seconds { return Seconds(model.Some(d)) }
