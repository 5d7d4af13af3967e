package columns

import (
	"cmp"
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

// profileOf is how a row's times are written. before is the Version of the row before it of the same object in the
// page; 0 for the first.
func profileOf(r *BlockRow, before uint64) profile {
	ch := r.Ch
	p := profile{op: ch.Op, quality: ch.Quality, writer: ch.Writer, code: ch.Code, source: ch.Origin.Source, also: ch.Also.Source}
	p.value = formOf(r.Value, model.FarPast, model.FarFuture)
	p.arrival = formOf(ch.Arrival, model.FarPast, model.FarFuture)
	p.earliest = formOf(ch.Time.Earliest, ch.Arrival, model.FarPast)
	p.latest = formOf(ch.Time.Latest, ch.Arrival, ch.Time.Earliest)
	p.at = formOf(ch.At, ch.Arrival, unplaced(ch))
	p.previous = formFull
	switch ch.Previous {
	case 0:
		p.previous = formUnknown
	case before:
		p.previous = formBefore
	}
	return p
}

// unplaced is the instant at which a Change takes effect where its History has not placed it.
func unplaced(ch *model.Change) model.Instant {
	if ch.Arrival.Known() {
		return ch.Arrival
	}
	return ch.Time.Earliest
}

// fullStamps collects the stamps of one kind that are written in full.
type fullStamps struct{ stamps, expected []int64 }

func (f *fullStamps) add(stamp, expected model.Instant) {
	f.stamps = append(f.stamps, int64(stamp))
	f.expected = append(f.expected, int64(expected))
}

// WriteBlock writes rows, which come in the order of the page. first is the page's first instant.
func WriteBlock(o *wire.Writer, rows []BlockRow, first model.Instant) {
	o.Byte(1)
	o.Uint(uint64(len(rows)))
	slots := make([]int64, len(rows))
	last := int32(-1)
	for k := range rows {
		slots[k] = int64(rows[k].Slot - last)
		last = rows[k].Slot
	}
	WriteColumn(o, slots)

	entries := make([]int64, len(rows))
	for k := range rows {
		entries[k] = int64(rows[k].Entry)
	}
	byObject := make([]BlockRow, 0, len(rows))
	for _, k := range StableOrder(entries, nil) {
		byObject = append(byObject, rows[k])
	}
	writeEntries(o, byObject)
	profiles := writeProfiles(o, byObject)
	writeTimes(o, byObject, profiles, first)
	writeOrder(o, byObject)
	writeVersions(o, rows)
}

// writeEntries writes which objects have how many rows.
func writeEntries(o *wire.Writer, byObject []BlockRow) {
	var distances, counts []int64
	last := int32(0)
	for k := range byObject {
		if e := byObject[k].Entry; k == 0 || e != last {
			distances, counts = append(distances, int64(e-last)), append(counts, 0)
			last = e
		}
		counts[len(counts)-1]++
	}
	o.Uint(uint64(len(counts)))
	WriteColumn(o, distances)
	WriteColumn(o, counts)
}

// writeProfiles writes the profiles, and returns that of each row.
func writeProfiles(o *wire.Writer, byObject []BlockRow) []profile {
	index := map[profile]int64{}
	var table []profile
	of, at := make([]profile, len(byObject)), make([]int64, len(byObject))
	before := uint64(0)
	for k := range byObject {
		r := &byObject[k]
		if k == 0 || byObject[k-1].Entry != r.Entry {
			before = 0
		}
		p := profileOf(r, before)
		before = r.Ch.Version
		of[k] = p
		if k > 0 && p == of[k-1] {
			at[k] = at[k-1] // as nearly all
			continue
		}
		n, ok := index[p]
		if !ok {
			n = int64(len(table))
			index[p] = n
			table = append(table, p)
		}
		at[k] = n
	}
	wire.List(wire.To(o), &table, 0, codeProfile)
	WriteColumn(o, at)
	return of
}

// writeTimes writes all that is written against another time, object by object.
func writeTimes(o *wire.Writer, byObject []BlockRow, profiles []profile, first model.Instant) {
	var firsts, others, arrivals, earliest, latest, ats fullStamps
	var previous []int64
	var before model.Instant
	for k := range byObject {
		r, p := &byObject[k], &profiles[k]
		if k == 0 || byObject[k-1].Entry != r.Entry {
			before = 0
		}
		ch := r.Ch
		if p.value == formFull {
			if before == 0 {
				firsts.add(r.Value, first)
			} else {
				others.add(r.Value, before)
			}
			before = r.Value
		}
		if p.arrival == formFull {
			arrivals.add(ch.Arrival, near(r.Value, first))
		}
		if p.earliest == formFull {
			earliest.add(ch.Time.Earliest, near(ch.Arrival, near(r.Value, first)))
		}
		if p.latest == formFull {
			latest.add(ch.Time.Latest, near(ch.Time.Earliest, near(ch.Arrival, first)))
		}
		if p.at == formFull {
			ats.add(ch.At, near(unplaced(ch), first))
		}
		if p.previous == formFull {
			previous = append(previous, int64(ch.Version-ch.Previous))
		}
	}
	for _, f := range [...]*fullStamps{&firsts, &others, &arrivals, &earliest, &latest, &ats} {
		writeStamps(o, f.stamps, f.expected)
	}
	WriteColumn(o, previous)
}

// writeOrder writes the part of the order that the instants do not show.
func writeOrder(o *wire.Writer, byObject []BlockRow) {
	effects := make([]model.Instant, len(byObject))
	for k := range byObject {
		effects[k] = byObject[k].Ch.Effective()
	}
	var moves []int64
	for group := range ties(StableOrder(effects, nil), effects) {
		inPage := slices.Clone(group)
		slices.SortFunc(inPage, func(a, b int32) int { return cmp.Compare(byObject[a].Slot, byObject[b].Slot) })
		for place, k := range inPage[:len(inPage)-1] {
			at, _ := slices.BinarySearch(group, k) // rows that tie are in the order by object
			moves = append(moves, int64(at-place))
		}
	}
	WriteColumn(o, moves)
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

// writeVersions writes what goes up along the page.
func writeVersions(o *wire.Writer, rows []BlockRow) {
	columns := [5][]int64{}
	for c := range columns {
		columns[c] = make([]int64, len(rows))
	}
	var last [5]int64
	for k := range rows {
		ch := rows[k].Ch
		for c, v := range [5]int64{int64(ch.Version), int64(ch.Origin.Line), ch.Origin.Offset, int64(ch.Also.Line), ch.Also.Offset} {
			columns[c][k] = v - last[c]
			last[c] = v
		}
	}
	for _, c := range columns {
		WriteColumn(o, c)
	}
}
