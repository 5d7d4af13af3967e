package columns

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"sync"

	"kardia/sources/recording/wire"

	"github.com/klauspost/compress/zstd"
)

// A column is a run of whole numbers that are near each other but for a few. It holds the distance of each from a base,
// in as many bits as most of them need, and the few beside it. Arithmetic wraps, so that any int64 comes back as it
// was.
//
//	byte     form: columnFlat, columnBits, columnBytes
//	varint   base
//	         columnFlat ends here: all are the base
//	uvarint  how many exceptions, then for each: uvarint distance of its index from the one
//	         before, varint value − base
//	         columnBits: byte width, then the distances, width bits each, lowest bit first
//	         columnBytes: uvarint length, then that many bytes of zstd: one byte each
const (
	columnFlat = iota
	columnBits
	columnBytes
)

var errColumn = errors.New("a column is damaged")

// maxWidth is the widest distance that is packed: one load of eight bytes holds it at any bit.
const maxWidth = 56

// squeezers compress columns of bytes, each no longer than a page has rows. Each takes 4 MB, which are collected while
// nothing is written for a while.
var squeezers = sync.Pool{New: func() any {
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true), zstd.WithWindowSize(wire.MaxRows))
	return z
}}

// squeeze compresses a column of bytes.
func squeeze(plain []byte) []byte {
	z := squeezers.Get().(*zstd.Encoder)
	defer squeezers.Put(z)
	return z.EncodeAll(plain, nil)
}

// unsqueezer reads them. Only DecodeAll is used, which may be called from several goroutines.
var unsqueezer, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(wire.MaxRows+1))

// WriteColumn writes values.
func WriteColumn(o *wire.Writer, values []int64) {
	base, width, exceptions := fit(values)
	if width == 0 && exceptions == 0 {
		o.Byte(columnFlat)
		o.Int(base)
		return
	}
	if width <= 10 {
		if squeezed, ok := squeezeColumn(values, base); ok && len(squeezed) < len(values)*width/8+3*exceptions {
			o.Byte(columnBytes)
			o.Int(base)
			writeExceptions(o, values, base, 8)
			o.Blob(squeezed)
			return
		}
	}
	o.Byte(columnBits)
	o.Int(base)
	writeExceptions(o, values, base, width)
	o.Byte(byte(width))
	writePack(o, values, base, width)
}

// fits reports whether a value lies within width bits above the base.
func fits(v, base int64, width int) bool { return bits.Len64(uint64(v-base)) <= width }

func writeExceptions(o *wire.Writer, values []int64, base int64, width int) {
	n := 0
	for _, v := range values {
		if !fits(v, base, width) {
			n++
		}
	}
	o.Uint(uint64(n))
	last := 0
	for i, v := range values {
		if !fits(v, base, width) {
			o.Uint(uint64(i - last))
			o.Int(v - base)
			last = i
		}
	}
}

func writePack(o *wire.Writer, values []int64, base int64, width int) {
	var word uint64
	filled := 0 // below 8 before each value, so that width bits always fit
	for _, v := range values {
		if fits(v, base, width) {
			word |= uint64(v-base) << filled
		}
		filled += width
		for ; filled >= 8; filled -= 8 {
			o.B = append(o.B, byte(word))
			word >>= 8
		}
	}
	if filled > 0 {
		o.B = append(o.B, byte(word))
	}
}

// squeezeColumn writes a byte for each value; ok is false if more than a few need more.
func squeezeColumn(values []int64, base int64) (squeezed []byte, ok bool) {
	plain := make([]byte, len(values))
	more := 0
	for i, v := range values {
		if fits(v, base, 8) {
			plain[i] = byte(v - base)
		} else if more++; more > len(values)/16 {
			return nil, false
		}
	}
	return squeeze(plain), true
}

// sampleSize is how many values are looked at to choose a base.
const sampleSize = 1024

// fit chooses base and width so that distances and exceptions take the least room. The base is
// found on a sample: the start of the narrowest window that holds most values.
func fit(values []int64) (base int64, width, exceptions int) {
	if len(values) == 0 {
		return 0, 0, 0
	}
	sample := slices.Clone(values)
	if len(values) > sampleSize {
		sample = sample[:0]
		for i := range sampleSize {
			sample = append(sample, values[i*len(values)/sampleSize])
		}
	}
	slices.Sort(sample)
	best := -1
	for _, candidate := range []int64{sample[0], sample[len(sample)/100], sample[len(sample)/20], slices.Min(values)} {
		w, e, size := fitFrom(values, candidate)
		if best < 0 || size < best {
			base, width, exceptions, best = candidate, w, e, size
		}
	}
	return base, width, exceptions
}

// fitFrom finds the width that takes the least room, in bits, over a base.
func fitFrom(values []int64, base int64) (width, exceptions, size int) {
	var lengths [65]int
	for _, v := range values {
		lengths[bits.Len64(uint64(v-base))]++
	}
	best := -1
	beyond := len(values) - lengths[0]
	for w := 0; w <= maxWidth; w++ {
		if w > 0 {
			beyond -= lengths[w]
		}
		if s := len(values)*w + beyond*exceptionBits; best < 0 || s < best {
			width, exceptions, best = w, beyond, s
		}
	}
	return width, exceptions, best
}

// exceptionBits is about what an exception takes.
const exceptionBits = 48

// ints writes numbers, or reads n into their memory.
func ints(c *wire.Codec, n int, values *[]int64) {
	if c.Reading() {
		*values = ReadColumn(c.In(), n, *values)
	} else {
		WriteColumn(c.Out(), *values)
	}
}

// Column writes a number for each of n things, or reads it; at is its place.
func Column[T ~int32 | ~uint32 | ~int64 | ~uint64](c *wire.Codec, n int, at func(k int) *T) {
	values := make([]int64, n)
	for k := range values {
		values[k] = int64(*at(k))
	}
	ints(c, n, &values)
	for k, v := range values {
		*at(k) = T(v)
	}
}

// Against is a Column of numbers against the one before, the first against 0.
func Against[T ~int32 | ~uint32 | ~int64 | ~uint64](c *wire.Codec, n int, at func(k int) *T) {
	steps, before := make([]int64, n), int64(0)
	for k := range steps {
		v := int64(*at(k))
		steps[k], before = v-before, v
	}
	ints(c, n, &steps)
	before = 0
	for k, step := range steps {
		before += step
		*at(k) = T(before)
	}
}

// ReadColumn reads n values into values[:n].
func ReadColumn(i *wire.Reader, n int, values []int64) []int64 {
	values = slices.Grow(values[:0], n)[:n]
	form, base := i.Byte(), i.Int()
	if form == columnFlat {
		for k := range values {
			values[k] = base
		}
		return values
	}
	few := *i // the exceptions come before their column: they are read again then
	readExceptions(i, n, func(int, int64) {})
	switch form {
	case columnBits:
		readUnpack(i, values, base)
	case columnBytes:
		readSqueezed(i, values, base)
	default:
		i.Fail(errColumn)
	}
	if i.Err != nil {
		return values
	}
	readExceptions(&few, n, func(at int, above int64) { values[at] = base + above })
	return values
}

// readExceptions calls put for each exception.
func readExceptions(i *wire.Reader, n int, put func(at int, above int64)) {
	at := 0
	for range i.Count(n) {
		at += i.AtMost(n)
		if i.Err == nil && at >= n {
			i.Fail(errColumn)
		}
		if above := i.Int(); i.Err == nil {
			put(at, above)
		}
	}
}

// plainRoom is memory for columns of bytes.
var plainRoom = sync.Pool{New: func() any { return new([]byte) }}

func readSqueezed(i *wire.Reader, values []int64, base int64) {
	room := plainRoom.Get().(*[]byte)
	defer plainRoom.Put(room)
	plain, err := unsqueezer.DecodeAll(i.Blob(), slices.Grow((*room)[:0], len(values)))
	if err != nil || len(plain) != len(values) {
		i.Fail(errColumn)
		return
	}
	for k, b := range plain {
		values[k] = base + int64(b)
	}
	*room = plain
}

func readUnpack(i *wire.Reader, values []int64, base int64) {
	width := int(i.Byte())
	if width > maxWidth {
		i.Fail(errColumn)
		return
	}
	size := (len(values)*width + 7) / 8
	packed := i.Take(size)
	if i.Err != nil {
		return
	}
	mask := uint64(1)<<width - 1
	whole := max(0, (size-8)*8/max(width, 1)) // those for which eight bytes can be loaded at once
	whole = min(whole, len(values))
	for k := range whole {
		at := k * width
		values[k] = base + int64(binary.LittleEndian.Uint64(packed[at>>3:])>>(at&7)&mask)
	}
	var tail [8]byte
	for k := whole; k < len(values); k++ {
		at := k * width
		clear(tail[:])
		copy(tail[:], packed[min(at>>3, size):])
		values[k] = base + int64(binary.LittleEndian.Uint64(tail[:])>>(at&7)&mask)
	}
}
