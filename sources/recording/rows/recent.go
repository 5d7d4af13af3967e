package rows

import (
	"bytes"

	"kardia/model"
)

// What rows say again and again is read once.

// recentDay is the day of the last instant that was read: most others are of the same.
type recentDay struct {
	text  string // as in 2026-11-20T
	start model.Instant
}

const dayLength = len("2026-11-20T")

// instant reads an instant of that day, as in 2026-11-20T12:06:03.25Z.
func (d *recentDay) instant(s string) (model.Instant, bool) {
	const seconds = len("2026-11-20T12:06:03")
	if len(s) <= seconds || s[:dayLength] != d.text || s[13] != ':' || s[16] != ':' || s[len(s)-1] != 'Z' {
		return 0, false
	}
	h, m, sec := twoDigits(s[11:]), twoDigits(s[14:]), twoDigits(s[17:])
	if h > 23 || m > 59 || sec > 59 {
		return 0, false
	}
	nanos, ok := fraction(s[seconds : len(s)-1])
	return d.start + model.Instant(h*3600+m*60+sec)*1e9 + nanos, ok
}

// keep takes the day of an instant that was read otherwise.
func (d *recentDay) keep(s string, i model.Instant) {
	const day = 24 * 3600 * 1e9
	if len(s) <= dayLength || s[10] != 'T' || s[len(s)-1] != 'Z' || i < 0 || i > model.FarFuture-2*day {
		return
	}
	d.text, d.start = string([]byte(s[:dayLength])), i-i%day
	if again, ok := d.instant(s); !ok || again != i {
		*d = recentDay{} // no instant of that day
	}
}

// twoDigits is the number that s begins with; over 99 if there is none.
func twoDigits(s string) int {
	a, b := s[0]-'0', s[1]-'0'
	if a > 9 || b > 9 {
		return 100
	}
	return int(a)*10 + int(b)
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

// recentLists are the tolerations read last, with their JSON.
type recentLists [4]struct {
	text []byte
	list *model.Tolerations
}

// find is the list whose text b begins with, and how long that is.
func (r *recentLists) find(b []byte) (*model.Tolerations, int) {
	for k := range r {
		if e := &r[k]; e.list != nil && bytes.HasPrefix(b, e.text) {
			return e.list, len(e.text)
		}
	}
	return nil, 0
}

// maxRecent is how long a text is kept.
const maxRecent = 1 << 10

func (r *recentLists) keep(text []byte, list *model.Tolerations) {
	if len(text) > maxRecent {
		return
	}
	oldest := r[len(r)-1].text
	copy(r[1:], r[:len(r)-1])
	r[0].text, r[0].list = append(oldest[:0], text...), list
}
