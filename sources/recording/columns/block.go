package columns

import (
	"cmp"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/sources/recording/wire"
)

// A block is the heartbeats of a page in columns. Its rows are written object by object: there one renewal follows
// another at a steady distance. Their order in the page follows from the times at which they take effect.
// docs/recording-bytes.md has the layout. How many stamps there are follows from the profiles.

// BlockRow is a row on its way into a block.
type BlockRow struct {
	Entry int32
	Slot  int32
	Value model.Instant
	Ch    *model.Change
}

// profile is the common facts of rows, without the object.
type profile struct {
	op           model.Op
	quality      model.Quality
	writer       model.Writer
	code         int16
	source, also int32
	value        form
	arrival      form
	earliest     form
	latest       form
	at           form
	previous     form
}

// codeProfile writes or reads a profile.
func codeProfile(c *wire.Codec, p *profile) {
	wire.Byte(c, &p.op)
	wire.Byte(c, &p.quality)
	wire.Byte(c, &p.writer)
	wire.Byte(c, &p.value, &p.arrival, &p.earliest, &p.latest, &p.at, &p.previous)
	wire.Int(c, &p.code)
	wire.Int(c, &p.source, &p.also)
	if c.Reading() && max(p.value, p.arrival, p.earliest, p.latest, p.at, p.previous) >= formCount {
		c.Fail(errColumn)
	}
}

// near is an instant that others may be written against.
func near(i, otherwise model.Instant) model.Instant {
	if i.Bounded() {
		return i
	}
	return otherwise
}

// block is the columns of a block, and its rows in the order by object. Its memory serves for one block after another.
type block struct {
	slots, distances, counts, profileOf, previous, moves []int64
	columns                                              [5][]int64 // what goes up along the page: see rising
	profiles                                             []profile
	stamps                                               [6]StampColumn // of each time of a row, the first values of objects apart

	rows    []blockRow
	effects []model.Instant // of each row
	room    orderRoom
	group   []int32
}

// blockRow is a row in the order by object.
type blockRow struct {
	entry, profile int32
	times
	fresh bool // the first of its object
}

// times are the times of one row.
type times struct {
	value, arrival, earliest, latest, at model.Instant
}

// unplaced is the instant at which a row takes effect where its History has not placed it.
func (t *times) unplaced() model.Instant {
	if t.arrival.Known() {
		return t.arrival
	}
	return t.earliest
}

func (t *times) effective() model.Instant {
	if t.at.Known() {
		return t.at
	}
	return t.unplaced()
}

// times writes the times of a row into its profile and the stamps, or reads them from there. before is the value of the
// row before it of the same object; 0 if that has none.
func (b *block) times(c *wire.Codec, t *times, p *profile, first model.Instant, before *model.Instant) {
	values, expected := &b.stamps[0], first
	if *before != 0 {
		values, expected = &b.stamps[1], *before
	}
	values.pass(c, &p.value, &t.value, model.FarPast, model.FarFuture, expected)
	if p.value == formFull {
		*before = t.value
	}
	b.stamps[2].pass(c, &p.arrival, &t.arrival, model.FarPast, model.FarFuture, near(t.value, first))
	b.stamps[3].pass(c, &p.earliest, &t.earliest, t.arrival, model.FarPast, near(t.arrival, near(t.value, first)))
	b.stamps[4].pass(c, &p.latest, &t.latest, t.arrival, t.earliest, near(t.earliest, near(t.arrival, first)))
	b.stamps[5].pass(c, &p.at, &t.at, t.arrival, t.unplaced(), near(t.unplaced(), first))
}

// head writes or reads the number of rows, at most a limit, and what shows how many there are of all else.
func (b *block) head(c *wire.Codec, n, limit int) int {
	c.Version(1)
	wire.AtMost(c, limit, &n)
	ints(c, n, &b.slots)
	used := len(b.distances)
	wire.AtMost(c, n, &used)
	ints(c, used, &b.distances)
	ints(c, used, &b.counts)
	wire.List(c, &b.profiles, wire.MaxRows, codeProfile)
	ints(c, n, &b.profileOf)
	return n
}

// codeStamps writes or reads the times in full, and the previous versions.
func (b *block) codeStamps(c *wire.Codec) {
	counts, previous := b.stampCounts()
	for x := range b.stamps {
		b.stamps[x].Code(c, counts[x])
	}
	ints(c, previous, &b.previous)
}

// codeOrder writes or reads the moves of so many rows that tie, and what goes up along the page.
func (b *block) codeOrder(c *wire.Codec, tied int) {
	ints(c, tied, &b.moves)
	for x := range b.columns {
		ints(c, len(b.rows), &b.columns[x])
	}
}

// stampCounts is how many stamps of each kind, and previous versions, are written in full.
func (b *block) stampCounts() (c [6]int, previous int) {
	known := 0 // 1 behind the first value of an object
	for k := range b.rows {
		p := &b.profiles[b.rows[k].profile]
		if b.rows[k].fresh {
			known = 0
		}
		if p.value == formFull {
			c[known]++
			known = 1
		}
		for x, f := range [4]form{p.arrival, p.earliest, p.latest, p.at} {
			if f == formFull {
				c[2+x]++
			}
		}
		if p.previous == formFull {
			previous++
		}
	}
	return c, previous
}

// ties yields the runs of rows that take effect at one instant, if there is more than one.
func ties(order []int32, effects []model.Instant) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		for start := 0; start < len(order); {
			end := start + 1
			for end < len(order) && effects[order[end]] == effects[order[start]] {
				end++
			}
			if end > start+1 && !yield(order[start:end]) {
				return
			}
			start = end
		}
	}
}

// WriteBlock writes rows, which come in the order of the page. first is the page's first instant.
func WriteBlock(o *wire.Writer, rows []BlockRow, first model.Instant) {
	b, c := &block{rows: make([]blockRow, len(rows))}, wire.To(o)
	entries := make([]int64, len(rows))
	var last [5]int64
	lastSlot := int32(-1)
	for k := range rows {
		ch := rows[k].Ch
		b.slots = append(b.slots, int64(rows[k].Slot-lastSlot))
		lastSlot, entries[k] = rows[k].Slot, int64(rows[k].Entry)
		for x, v := range [5]int64{int64(ch.Version), int64(ch.Origin.Line), ch.Origin.Offset, int64(ch.Also.Line), ch.Also.Offset} {
			b.columns[x] = append(b.columns[x], v-last[x])
			last[x] = v
		}
	}
	byObject := StableOrder(entries, nil)
	b.profile(c, rows, byObject, first)
	b.head(c, len(rows), len(rows))
	b.codeStamps(c)
	for group := range ties(StableOrder(b.effects, nil), b.effects) {
		inPage := slices.Clone(group)
		slices.SortFunc(inPage, func(x, y int32) int { return cmp.Compare(rows[byObject[x]].Slot, rows[byObject[y]].Slot) })
		for place, k := range inPage[:len(inPage)-1] {
			at, _ := slices.BinarySearch(group, k) // rows that tie are in the order by object
			b.moves = append(b.moves, int64(at-place))
		}
	}
	b.codeOrder(c, len(b.moves))
}

// profile takes rows object by object: their entries, profiles, times and previous versions.
func (b *block) profile(c *wire.Codec, rows []BlockRow, byObject []int32, first model.Instant) {
	index := map[profile]int32{}
	var before profile
	var value model.Instant
	var version uint64
	entry := int32(0)
	for k, from := range byObject {
		in, r := &rows[from], &b.rows[k]
		if r.entry = in.Entry; k == 0 || r.entry != entry {
			b.distances, b.counts = append(b.distances, int64(r.entry-entry)), append(b.counts, 0)
			entry, value, version, r.fresh = r.entry, 0, 0, true
		}
		b.counts[len(b.counts)-1]++
		ch := in.Ch
		r.times = times{in.Value, ch.Arrival, ch.Time.Earliest, ch.Time.Latest, ch.At}
		p := profile{op: ch.Op, quality: ch.Quality, writer: ch.Writer, code: ch.Code, source: ch.Origin.Source, also: ch.Also.Source}
		b.times(c, &r.times, &p, first, &value)
		switch ch.Previous {
		case 0:
			p.previous = formUnknown
		case version:
			p.previous = formBefore
		default:
			p.previous = formFull
			b.previous = append(b.previous, int64(ch.Version-ch.Previous))
		}
		version = ch.Version
		if k > 0 && p == before {
			r.profile = b.rows[k-1].profile // as nearly all
		} else if n, ok := index[p]; ok {
			r.profile = n
		} else {
			r.profile, index[p] = int32(len(b.profiles)), int32(len(b.profiles))
			b.profiles = append(b.profiles, p)
		}
		before = p
		b.profileOf, b.effects = append(b.profileOf, int64(r.profile)), append(b.effects, r.effective())
	}
}

// BlockReader reads blocks; its memory serves for one after another.
type BlockReader struct {
	block
	entries []Entry // of the file
}

// Read puts the rows of a block into their slots of a page.
func (b *BlockReader) Read(data []byte, first model.Instant, entries []Entry, page *Slots) error {
	c := wire.From(wire.Read(data), nil)
	b.entries = entries
	n := b.head(c, 0, len(page.Filled))
	if c.Err() != nil {
		return c.Err()
	}
	if err := b.objects(n); err != nil {
		return err
	}
	if page.sparse && b.allRenewals() {
		return b.passOver(page)
	}
	if b.codeStamps(c); c.Err() != nil {
		return c.Err()
	}
	b.effects = slices.Grow(b.effects[:0], n)[:n]
	var before model.Instant
	for k := range b.rows {
		r := &b.rows[k]
		if r.fresh {
			before = 0
		}
		b.times(c, &r.times, &b.profiles[r.profile], first, &before)
		b.effects[k] = r.effective()
	}
	order := StableOrder(b.effects, &b.room)
	tied := 0
	for place := 1; place < len(order); place++ {
		if b.effects[order[place]] == b.effects[order[place-1]] {
			tied++
		}
	}
	if b.codeOrder(c, tied); c.Err() != nil {
		return c.Err()
	}
	if err := b.order(order); err != nil {
		return err
	}
	return b.fill(order, page)
}

// objects finds the entries and the profiles of the rows.
func (b *BlockReader) objects(n int) error {
	rows, index := slices.Grow(b.rows[:0], n), int64(0)
	for k, d := range b.distances {
		index += d
		if index < 0 || index >= int64(len(b.entries)) || b.entries[index].Kind == model.KindNone {
			return fmt.Errorf("the dictionary entry %d that it needs was lost", index)
		}
		c := b.counts[k]
		if c < 1 || c > int64(n-len(rows)) {
			return errColumn
		}
		for r := range c {
			p := b.profileOf[len(rows)]
			if p < 0 || p >= int64(len(b.profiles)) {
				return errColumn
			}
			rows = append(rows, blockRow{entry: int32(index), profile: int32(p), fresh: r == 0})
		}
	}
	if b.rows = rows; len(rows) != n {
		return errColumn
	}
	return nil
}
