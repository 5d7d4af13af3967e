package rows

import (
	"bytes"
	"strconv"
	"time"

	"kardia/model"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"

	"github.com/tidwall/gjson"
)

// instant is RFC 3339 in UTC; "past" and "future" are the unbounded ends. Times outside the years of RFC 3339 are
// nanoseconds since 1970.
func (c *Coder) instant(name string, v *model.Instant, was model.Instant) {
	field(c, name, v, was, appendInstant, (*Coder).instantAt)
}

const (
	wordPast   = "past"
	wordFuture = "future"
)

func appendInstant(out []byte, i model.Instant) []byte {
	switch t := i.Time(); {
	case i == model.FarPast:
		return append(out, `"`+wordPast+`"`...)
	case i == model.FarFuture:
		return append(out, `"`+wordFuture+`"`...)
	case t.Year() < 1678 || t.Year() > 2261:
		return strconv.AppendInt(out, int64(i), 10)
	default:
		return append(t.AppendFormat(append(out, '"'), time.RFC3339Nano), '"')
	}
}

func (c *Coder) instantAt() model.Instant {
	if b := c.scan.B[c.value]; b != '"' && b != 'n' {
		return model.Instant(numberAt[int64](c))
	}
	raw := c.take()
	if c.err != nil || raw[0] == 'n' {
		return 0
	}
	text := jsonscan.View(raw[1 : len(raw)-1])
	switch text {
	case wordPast:
		return model.FarPast
	case wordFuture:
		return model.FarFuture
	}
	i := object.Time(gjson.Result{Type: gjson.String, Str: text})
	if i == 0 && text != "1970-01-01T00:00:00Z" {
		c.fail(errJSON)
		return 0
	}
	return i
}

// appendSeconds writes nanoseconds as seconds, exactly.
func appendSeconds(out []byte, nanos uint64) []byte {
	out = strconv.AppendUint(out, nanos/1e9, 10)
	return time.Unix(0, int64(nanos%1e9)).UTC().AppendFormat(out, ".999999999")
}

// seconds takes a value of appendSeconds.
func (c *Coder) seconds() model.Instant {
	var room [32]byte
	text := append(append(room[:0], c.take()...), 's')
	after, err := time.ParseDuration(jsonscan.View(text))
	if _, fraction, _ := bytes.Cut(text, []byte(".")); err != nil || after < 0 || len(fraction) > len("123456789s") {
		c.fail(errJSON)
		return 0
	}
	return model.Instant(after)
}
