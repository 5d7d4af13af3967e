package packed

import (
	"bytes"
	"compress/flate"
	"io"
)

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
