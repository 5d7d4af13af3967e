// Package packed writes numbers into few bytes and reads them again, for states that are kept in
// memory in great number. What is written is read by the same program only: it is no format.
package packed

import "encoding/binary"

// Writer writes numbers one after another. The zero value is ready.
type Writer struct {
	bytes []byte
	known map[Triple]uint64
}

// Triple is numbers that go together.
type Triple [3]int64

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.bytes }

// Uint writes a number that is small mostly.
func (w *Writer) Uint(v uint64) { w.bytes = binary.AppendUvarint(w.bytes, v) }

// Int writes a number that is near zero mostly.
func (w *Writer) Int(v int64) { w.bytes = binary.AppendVarint(w.bytes, v) }

// Text writes a string.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.bytes = append(w.bytes, s...)
}

// Time writes nanoseconds, which are whole microseconds mostly.
func (w *Writer) Time(v int64) {
	if v%1000 == 0 {
		w.Int(v / 1000 * 2)
		return
	}
	w.Int(v/1000*2 + 1)
	w.Int(v % 1000)
}

// Again writes numbers of which there are few different ones.
func (w *Writer) Again(v Triple) {
	if n, ok := w.known[v]; ok {
		w.Uint(n)
		return
	}
	if w.known == nil {
		w.known = map[Triple]uint64{}
	}
	w.known[v] = uint64(len(w.known)) + 1
	w.Uint(0)
	for _, x := range v {
		w.Int(x)
	}
}

// Reader reads what a Writer wrote, in the same order.
type Reader struct {
	bytes []byte
	known []Triple
}

// Read reads from the start.
func Read(b []byte) *Reader { return &Reader{bytes: b} }

func (r *Reader) Uint() uint64 {
	v, n := binary.Uvarint(r.bytes)
	r.bytes = r.bytes[n:]
	return v
}

func (r *Reader) Int() int64 {
	v, n := binary.Varint(r.bytes)
	r.bytes = r.bytes[n:]
	return v
}

func (r *Reader) Text() string {
	n := r.Uint()
	s := string(r.bytes[:n])
	r.bytes = r.bytes[n:]
	return s
}

func (r *Reader) Time() int64 {
	v := r.Int()
	if v&1 == 0 {
		return v / 2 * 1000
	}
	return (v-1)/2*1000 + r.Int()
}

func (r *Reader) Again() Triple {
	if n := r.Uint(); n > 0 {
		return r.known[n-1]
	}
	r.known = append(r.known, Triple{r.Int(), r.Int(), r.Int()})
	return r.known[len(r.known)-1]
}
