package wire

import (
	"fmt"

	"kardia/model"
	"kardia/model/packed"
)

// Writer builds a message: numbers, strings and bytes as packed has them, and the model's values. The
// zero value is ready.
type Writer struct{ packed.Writer }

// Bool writes a byte, 1 or 0.
func (o *Writer) Bool(v bool) {
	if v {
		o.Byte(1)
	} else {
		o.Byte(0)
	}
}

func (o *Writer) Instant(i model.Instant)   { o.Int(int64(i)) }
func (o *Writer) Interval(v model.Interval) { o.Instant(v.Earliest); o.Instant(v.Latest) }

// UID writes a UUID as its 16 bytes with a 1 before them, and any other UID as a 0 and its text.
func (o *Writer) UID(u model.UID) {
	raw, ok := u.UUID()
	if !ok {
		o.Byte(0)
		o.Text(u.String())
		return
	}
	o.Byte(1)
	o.B = append(o.B, raw[:]...)
}

// Reader reads what a Writer wrote, from wherever it comes: see packed.Reader.
type Reader struct {
	packed.Reader
	items int // counted so far
}

// Read reads a message.
func Read(b []byte) *Reader { return &Reader{Reader: packed.Reader{B: b}} }

// Bool reads a byte that is anything but 0 for true.
func (i *Reader) Bool() bool { return i.Byte() != 0 }

// AtMost reads a number that must be at most limit.
func (i *Reader) AtMost(limit int) int {
	v := i.Uint()
	if v > uint64(limit) {
		i.Fail(fmt.Errorf("it announces %d where at most %d may be", v, limit))
		return 0
	}
	return int(v)
}

// Count reads how many things follow, each of which takes a byte at least.
func (i *Reader) Count(limit int) int {
	n := i.AtMost(limit)
	if i.items += n; n > len(i.B) || i.items > MaxItems {
		i.Fail(packed.ErrShort)
		return 0
	}
	return n
}

func (i *Reader) Instant() model.Instant { return model.Instant(i.Int()) }
func (i *Reader) Interval() model.Interval {
	return model.Interval{Earliest: i.Instant(), Latest: i.Instant()}
}

// UID reads a UID; those that are no UUIDs share memory through names.
func (i *Reader) UID(names *Names) model.UID {
	if !i.Bool() {
		return names.UID(i.Blob())
	}
	return i.UUID()
}

// UUID reads the 16 bytes of a UUID.
func (i *Reader) UUID() model.UID {
	if len(i.B) < 16 {
		i.Fail(packed.ErrShort)
		return model.UID{}
	}
	u := model.UUID([16]byte(i.B))
	i.B = i.B[16:]
	return u
}
