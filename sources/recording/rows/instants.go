package rows

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"

	"github.com/tidwall/gjson"
)

// instant is RFC 3339 in UTC; "past" and "future" are the unbounded ends, and instants outside the years that RFC 3339
// is read for are nanoseconds since 1970.
func (c *Coder) instant(name string, v *model.Instant, was model.Instant) {
	if !c.writing {
		if c.here(name) {
			*v = c.instantAt()
		}
		return
	}
	switch {
	case *v == was:
	case *v == 0:
		c.null(name)
	default:
		c.put(name)
		c.appendInstant(*v)
	}
}

const (
	wordPast   = "past"
	wordFuture = "future"
)

func (c *Coder) appendInstant(i model.Instant) {
	switch t := i.Time(); {
	case i == model.FarPast:
		c.out = append(c.out, `"`+wordPast+`"`...)
	case i == model.FarFuture:
		c.out = append(c.out, `"`+wordFuture+`"`...)
	case t.Year() < 1678 || t.Year() > 2261:
		c.out = strconv.AppendInt(c.out, int64(i), 10)
	default:
		c.out = append(c.out, '"')
		c.out = t.AppendFormat(c.out, time.RFC3339Nano)
		c.out = append(c.out, '"')
	}
}

// instantAt takes an instant.
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
	if rest := nanos % 1e9; rest > 0 {
		digits := strconv.AppendUint(nil, 1e9+rest, 10)
		digits[0] = '.'
		for digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
		out = append(out, digits...)
	}
	return out
}

// seconds takes what appendSeconds has written.
func (c *Coder) seconds() model.Instant {
	raw := jsonscan.View(c.take())
	whole := 0
	for whole < len(raw) && raw[whole] != '.' {
		whole++
	}
	n, err := strconv.ParseUint(raw[:whole], 10, 63)
	nanos, ok := fraction(raw[whole:])
	if err != nil || !ok || n > uint64(model.FarFuture-nanos)/1e9 {
		c.fail(errJSON)
		return 0
	}
	return model.Instant(n)*1e9 + nanos
}

// fraction is the nanoseconds of .25; nothing is 0.
func fraction(s string) (nanos model.Instant, ok bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != '.' || len(s) < 2 || len(s) > 10 {
		return 0, false
	}
	for k := 1; k < 10; k++ {
		digit := byte(0)
		if k < len(s) {
			digit = s[k] - '0'
		}
		if digit > 9 {
			return 0, false
		}
		nanos = nanos*10 + model.Instant(digit)
	}
	return nanos, true
}
