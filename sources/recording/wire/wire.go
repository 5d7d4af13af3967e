package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"kardia/model"
)

// Writer builds a message: little-endian varints, and strings and bytes with their length before
// them.
type Writer struct{ B []byte }

func (o *Writer) Byte(v byte)    { o.B = append(o.B, v) }
func (o *Writer) Uint(v uint64)  { o.B = binary.AppendUvarint(o.B, v) }
func (o *Writer) Int(v int64)    { o.B = binary.AppendVarint(o.B, v) }
func (o *Writer) Bytes(v []byte) { o.Uint(uint64(len(v))); o.B = append(o.B, v...) }
func (o *Writer) Text(v string)  { o.Uint(uint64(len(v))); o.B = append(o.B, v...) }

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

// Reader reads what out wrote. The first mistake is kept in err, and everything read after it is
// zero, so that callers check once.
type Reader struct {
	B     []byte
	Err   error
	items int // counted so far
}

func (i *Reader) Fail(err error) {
	if i.Err == nil {
		i.Err = err
	}
	i.B = nil
}

func (i *Reader) Byte() byte {
	if len(i.B) == 0 {
		i.Fail(ErrShort)
		return 0
	}
	v := i.B[0]
	i.B = i.B[1:]
	return v
}

func (i *Reader) Bool() bool { return i.Byte() != 0 }

func (i *Reader) Uint() uint64 {
	v, n := binary.Uvarint(i.B)
	if n <= 0 {
		i.Fail(ErrShort)
		return 0
	}
	i.B = i.B[n:]
	return v
}

func (i *Reader) Int() int64 {
	v, n := binary.Varint(i.B)
	if n <= 0 {
		i.Fail(ErrShort)
		return 0
	}
	i.B = i.B[n:]
	return v
}

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
		i.Fail(ErrShort)
		return 0
	}
	return n
}

// Bytes are a piece of the message, not a copy.
func (i *Reader) Bytes() []byte {
	n := i.AtMost(math.MaxInt32)
	if n > len(i.B) {
		i.Fail(ErrShort)
		return nil
	}
	v := i.B[:n:n]
	i.B = i.B[n:]
	return v
}

func (i *Reader) Instant() model.Instant { return model.Instant(i.Int()) }
func (i *Reader) Interval() model.Interval {
	return model.Interval{Earliest: i.Instant(), Latest: i.Instant()}
}

// UID reads a UID; those that are no UUIDs share memory through names.
func (i *Reader) UID(names *Names) model.UID {
	if !i.Bool() {
		return names.UID(i.Bytes())
	}
	return i.UUID()
}

// UUID reads the 16 bytes of a UUID.
func (i *Reader) UUID() model.UID {
	if len(i.B) < 16 {
		i.Fail(ErrShort)
		return model.UID{}
	}
	u := model.UUID([16]byte(i.B))
	i.B = i.B[16:]
	return u
}
