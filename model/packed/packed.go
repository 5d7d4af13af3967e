// Package packed writes numbers and strings into few bytes and reads them again. They are for states kept in memory in
// great number, and for the messages of a recording. For example: Int(-1) is one byte.
package packed

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// ErrShort: the bytes end before the announced content.
var ErrShort = errors.New("it ends too early")

// Writer writes numbers one after another. The zero value is ready.
type Writer struct {
	B []byte // what was written
}

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.B }

// Byte writes a byte.
func (w *Writer) Byte(v byte) { w.B = append(w.B, v) }

// Uint writes a mostly small number.
func (w *Writer) Uint(v uint64) { w.B = binary.AppendUvarint(w.B, v) }

// Int writes a number that is mostly near zero.
func (w *Writer) Int(v int64) { w.B = binary.AppendVarint(w.B, v) }

// Text writes a string, with its length before it.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.B = append(w.B, s...)
}

// Blob writes bytes, with their length before them.
func (w *Writer) Blob(b []byte) {
	w.Uint(uint64(len(b)))
	w.B = append(w.B, b...)
}

// Time writes nanoseconds, mostly whole microseconds.
func (w *Writer) Time(v int64) {
	if v%1000 == 0 {
		w.Int(v / 1000 * 2)
		return
	}
	w.Int(v/1000*2 + 1)
	w.Int(v % 1000)
}

// Reader reads what a Writer wrote, in the same order. The first mistake is kept in Err, and later reads give zero: the
// caller checks once, even with hostile input.
type Reader struct {
	B   []byte // the unread rest
	Err error
}

// Read reads from the start.
func Read(b []byte) *Reader { return &Reader{B: b} }

// Fail notes a mistake; nothing is left to read.
func (r *Reader) Fail(err error) {
	if r.Err == nil {
		r.Err = err
	}
	r.B = nil
}

// Byte reads a byte.
func (r *Reader) Byte() byte {
	if len(r.B) == 0 {
		r.Fail(ErrShort)
		return 0
	}
	v := r.B[0]
	r.B = r.B[1:]
	return v
}

// Uint reads a mostly small number.
func (r *Reader) Uint() uint64 {
	v, n := binary.Uvarint(r.B)
	if n <= 0 {
		r.Fail(ErrShort)
		return 0
	}
	r.B = r.B[n:]
	return v
}

// Int reads a number that is mostly near zero.
func (r *Reader) Int() int64 {
	v, n := binary.Varint(r.B)
	if n <= 0 {
		r.Fail(ErrShort)
		return 0
	}
	r.B = r.B[n:]
	return v
}

// Take is the next n bytes: a part of B, not a copy.
func (r *Reader) Take(n int) []byte {
	if n > len(r.B) {
		r.Fail(ErrShort)
		return nil
	}
	v := r.B[:n:n]
	r.B = r.B[n:]
	return v
}

// Blob reads bytes with their length before them, as Take does.
func (r *Reader) Blob() []byte { return r.Take(int(min(r.Uint(), math.MaxInt))) }

// Text reads a string.
func (r *Reader) Text() string { return string(r.Blob()) }

// Time reads nanoseconds.
func (r *Reader) Time() int64 {
	v := r.Int()
	if v&1 == 0 {
		return v / 2 * 1000
	}
	return (v-1)/2*1000 + r.Int()
}

// Columns are the numbers of rows; one walk both writes and reads them. They are deflated, so rows near their expected
// numbers take few bytes. The zero value is for writing.
type Columns struct {
	to   Writer
	from *Reader // nil while they are written
}

// Bytes are the written columns, for ColumnsOf.
func (c *Columns) Bytes() []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // the level is a valid one, and a Buffer takes everything
	_, _ = w.Write(c.to.B)
	_ = w.Close()
	return bytes.Clone(b.Bytes())
}

// ColumnsOf reads columns.
func ColumnsOf(b []byte) *Columns {
	all, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	return &Columns{from: &Reader{B: all, Err: err}}
}

// Read reports that the columns are read, and not written.
func (c *Columns) Read() bool { return c.from != nil }

// Number writes or reads a number by its distance from an expected one.
func Number[T ~int | ~int32 | ~int64 | ~uint8 | ~uint64](c *Columns, v *T, expected T) {
	if c.from == nil {
		c.to.Int(int64(*v) - int64(expected))
		return
	}
	*v = T(int64(expected) + c.from.Int())
}

// Flags writes or reads some flags.
func Flags(c *Columns, flags ...*bool) {
	bits := uint64(0)
	for i, flag := range flags {
		if *flag {
			bits |= 1 << i
		}
	}
	Number(c, &bits, 0)
	for i, flag := range flags {
		*flag = bits>>i&1 == 1
	}
}

// Table numbers a few distinct values. The zero value is empty.
type Table[T comparable] struct {
	List    []T
	numbers map[T]uint64
}

// Number is that of a value, made if it is new.
func (t *Table[T]) Number(v T) uint64 {
	n, ok := t.numbers[v]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[T]uint64{}
		}
		n = uint64(len(t.List))
		t.numbers[v], t.List = n, append(t.List, v)
	}
	return n
}

// Close drops the memory that only Number needs.
func (t *Table[T]) Close() { t.numbers = nil }
