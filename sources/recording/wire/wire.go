package wire

import (
	"fmt"

	"kardia/model/packed"
)

// Writer builds a message: numbers, strings and bytes as packed has them. The zero value is ready.
type Writer struct{ packed.Writer }

// Reader reads what a Writer wrote, from wherever it comes: see packed.Reader.
type Reader struct {
	packed.Reader
	items int // counted so far
}

// Read reads a message.
func Read(b []byte) *Reader { return &Reader{Reader: packed.Reader{B: b}} }

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
