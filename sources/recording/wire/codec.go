package wire

import "kardia/model"

// Codec writes values, or reads them into the same places: one description of a thing serves for both. Its parts follow
// one another in the order of the description. A mistake while reading is kept in the Reader; values after it are zero.
type Codec struct {
	o     *Writer // nil while reading
	i     *Reader // nil while writing
	names *Names
}

// To writes.
func To(o *Writer) *Codec { return &Codec{o: o} }

// From reads; strings that repeat share memory through names.
func From(i *Reader, names *Names) *Codec { return &Codec{i: i, names: names} }

// Out is what is written to, In what is read from.
func (c *Codec) Out() *Writer { return c.o }
func (c *Codec) In() *Reader  { return c.i }

// Reading reports whether values are read.
func (c *Codec) Reading() bool { return c.i != nil }

// Fail notes a mistake while reading. What is written is right.
func (c *Codec) Fail(err error) {
	if c.Reading() {
		c.i.Fail(err)
	}
}

// Err is the first mistake while reading.
func (c *Codec) Err() error {
	if c.i == nil {
		return nil
	}
	return c.i.Err
}

// Version is a first byte; a reader knows no larger one.
func (c *Codec) Version(v byte) {
	if known := v; !c.Reading() {
		c.o.Byte(v)
	} else if v = c.i.Byte(); v != known {
		c.i.Fail(ErrVersion)
	}
}

// each writes values, or reads them.
func each[T any](c *Codec, all []*T, read func(*Reader) T, write func(*Writer, T)) {
	for _, v := range all {
		if c.Reading() {
			*v = read(c.i)
		} else {
			write(c.o, *v)
		}
	}
}

// Byte is a number of one byte.
func Byte[T ~uint8](c *Codec, all ...*T) {
	each(c, all, func(i *Reader) T { return T(i.Byte()) }, func(o *Writer, v T) { o.Byte(byte(v)) })
}

// Uint is a number that is small mostly.
func Uint[T ~uint8 | ~uint32 | ~uint64](c *Codec, all ...*T) {
	each(c, all, func(i *Reader) T { return T(i.Uint()) }, func(o *Writer, v T) { o.Uint(uint64(v)) })
}

// AtMost is a number from 0 to a limit.
func AtMost[T ~int | ~int32](c *Codec, limit int, all ...*T) {
	each(c, all, func(i *Reader) T { return T(i.AtMost(limit)) }, func(o *Writer, v T) { o.Uint(uint64(v)) })
}

// Int is a number that is near zero mostly.
func Int[T ~int16 | ~int32 | ~int64](c *Codec, all ...*T) {
	each(c, all, func(i *Reader) T { return T(i.Int()) }, func(o *Writer, v T) { o.Int(int64(v)) })
}

// Bool is a byte, 1 or 0.
func (c *Codec) Bool(all ...*bool) {
	each(c, all, func(i *Reader) bool { return i.Byte() != 0 }, func(o *Writer, v bool) {
		if o.B = append(o.B, 0); v {
			o.B[len(o.B)-1] = 1
		}
	})
}

// Instant is a time.
func (c *Codec) Instant(all ...*model.Instant) { Int(c, all...) }

// Interval is its two ends.
func (c *Codec) Interval(v *model.Interval) { c.Instant(&v.Earliest, &v.Latest) }

// Blob is bytes with their length before them. Read ones are a piece of the message.
func (c *Codec) Blob(v *[]byte) { each(c, []*[]byte{v}, (*Reader).Blob, (*Writer).Blob) }

// AtEnd reports that nothing is left to read.
func (c *Codec) AtEnd() bool { return c.Reading() && len(c.i.B) == 0 }

// Text is a string of its own; Word is one that repeats.
func Text[T ~string](c *Codec, v *T) {
	each(c, []*T{v}, func(i *Reader) T { return T(i.Blob()) }, func(o *Writer, v T) { o.Text(string(v)) })
}

func (c *Codec) Word(all ...*string) {
	each(c, all, func(i *Reader) string { return c.names.Bytes(i.Blob()) }, func(o *Writer, v string) { o.Text(v) })
}

// UID is a 1 and the 16 bytes of a UUID, or a 0 and the text of any other UID.
func (c *Codec) UID(v *model.UID) { c.UIDElse(v, func() { c.OtherUID(v) }) }

// OtherUID is the text of a UID, which shares memory.
func (c *Codec) OtherUID(v *model.UID) {
	each(c, []*model.UID{v}, func(i *Reader) model.UID { return c.names.UID(i.Blob()) }, func(o *Writer, v model.UID) { o.Text(v.String()) })
}

// UIDElse is a UID; other is called after the 0 of one that is no UUID.
func (c *Codec) UIDElse(v *model.UID, other func()) {
	_, uuid := v.UUID()
	if c.Bool(&uuid); uuid {
		c.UUID(v)
	} else {
		other()
	}
}

// UUID is the 16 bytes of a UUID.
func (c *Codec) UUID(v *model.UID) {
	if raw, _ := v.UUID(); !c.Reading() {
		c.o.B = append(c.o.B, raw[:]...)
	} else if raw := c.i.Take(16); raw != nil {
		*v = model.UUID([16]byte(raw))
	}
}

// List is how many there are, at most a limit, and then each. It is read into the memory of the list.
func List[T any](c *Codec, list *[]T, limit int, each func(c *Codec, v *T)) {
	n := len(*list)
	if c.Reading() {
		n, *list = c.i.Count(limit), (*list)[:0]
	} else {
		c.o.Uint(uint64(n))
	}
	for k := range n {
		if c.Reading() {
			*list = append(*list, *new(T))
		}
		each(c, &(*list)[k])
		if c.Err() != nil {
			return
		}
	}
}
