package recording

import (
	"encoding/binary"
	"fmt"
	"math"

	"kardia/model"
)

// out builds a message: little-endian varints, and strings and bytes with their length before
// them.
type out struct{ b []byte }

func (o *out) byte(v byte)     { o.b = append(o.b, v) }
func (o *out) uint(v uint64)   { o.b = binary.AppendUvarint(o.b, v) }
func (o *out) int(v int64)     { o.b = binary.AppendVarint(o.b, v) }
func (o *out) bytes(v []byte)  { o.uint(uint64(len(v))); o.b = append(o.b, v...) }
func (o *out) string(v string) { o.uint(uint64(len(v))); o.b = append(o.b, v...) }

func (o *out) bool(v bool) {
	if v {
		o.byte(1)
	} else {
		o.byte(0)
	}
}

func (o *out) instant(i model.Instant)   { o.int(int64(i)) }
func (o *out) interval(v model.Interval) { o.instant(v.Earliest); o.instant(v.Latest) }

// uid writes a UUID as its 16 bytes with a 1 before them, and any other UID as a 0 and its text.
func (o *out) uid(u model.UID) {
	raw, ok := u.UUID()
	if !ok {
		o.byte(0)
		o.string(u.String())
		return
	}
	o.byte(1)
	o.b = append(o.b, raw[:]...)
}

// in reads what out wrote. The first mistake is kept in err, and everything read after it is
// zero, so that callers check once.
type in struct {
	b     []byte
	err   error
	items int // counted so far
}

func (i *in) fail(err error) {
	if i.err == nil {
		i.err = err
	}
	i.b = nil
}

func (i *in) byte() byte {
	if len(i.b) == 0 {
		i.fail(errShort)
		return 0
	}
	v := i.b[0]
	i.b = i.b[1:]
	return v
}

func (i *in) bool() bool { return i.byte() != 0 }

func (i *in) uint() uint64 {
	v, n := binary.Uvarint(i.b)
	if n <= 0 {
		i.fail(errShort)
		return 0
	}
	i.b = i.b[n:]
	return v
}

func (i *in) int() int64 {
	v, n := binary.Varint(i.b)
	if n <= 0 {
		i.fail(errShort)
		return 0
	}
	i.b = i.b[n:]
	return v
}

// small reads a number that must be at most limit.
func (i *in) small(limit int) int {
	v := i.uint()
	if v > uint64(limit) {
		i.fail(fmt.Errorf("it announces %d where at most %d may be", v, limit))
		return 0
	}
	return int(v)
}

// count reads how many things follow, each of which takes a byte at least.
func (i *in) count(limit int) int {
	n := i.small(limit)
	if i.items += n; n > len(i.b) || i.items > maxItems {
		i.fail(errShort)
		return 0
	}
	return n
}

// bytes are a piece of the message, not a copy.
func (i *in) bytes() []byte {
	n := i.small(math.MaxInt32)
	if n > len(i.b) {
		i.fail(errShort)
		return nil
	}
	v := i.b[:n:n]
	i.b = i.b[n:]
	return v
}

func (i *in) instant() model.Instant { return model.Instant(i.int()) }
func (i *in) interval() model.Interval {
	return model.Interval{Earliest: i.instant(), Latest: i.instant()}
}

// uid reads a UID; those that are no UUIDs share memory through names.
func (i *in) uid(names *names) model.UID {
	if !i.bool() {
		return names.uid(i.bytes())
	}
	return i.uuid()
}

// uuid reads the 16 bytes of a UUID.
func (i *in) uuid() model.UID {
	if len(i.b) < 16 {
		i.fail(errShort)
		return model.UID{}
	}
	u := model.UUID([16]byte(i.b))
	i.b = i.b[16:]
	return u
}
