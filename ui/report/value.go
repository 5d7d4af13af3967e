package report

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

// Stamp is an instant in JSON: RFC 3339 in UTC with as many fractional digits as are needed. It is null if it is
// unknown, unbounded, or outside the years 1678 to 2261.
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

// window is nil if nothing at all is known.
func window(v model.Interval) *Window {
	if !v.Known() {
		return nil
	}
	return &Window{Stamp(v.Earliest), Stamp(v.Latest)}
}

// Seconds is a length of time in JSON: a number of seconds, cut to milliseconds; null if it is unknown, which is never
// 0.
type Seconds model.Maybe[time.Duration]

// MarshalJSON implements json.Marshaler.
func (s Seconds) MarshalJSON() ([]byte, error) {
	if !s.Known {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(s.Value.Milliseconds())/1000, 'f', -1, 64), nil
}

// text is a string in JSON that is null if it is empty, that is, not known.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// known is a value in JSON that is null if it is not known.
func known[T any](ok bool, v T) *T {
	if !ok {
		return nil
	}
	return &v
}

// WriteJSON writes a report as indented JSON. What a terminal might act on
// is escaped: the same JSON, and safe to print.
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

// printed are sentences as texts.
func printed(list []words.Say) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, s.String())
	}
	return out
}
