package recording

import (
	"cmp"
	"slices"

	"kardia/model"
)

// A block is the heartbeats of a page in columns. Its rows are written object by object, where
// one renewal follows another at a steady distance; the order in which they happened is found
// again from the instants at which they take effect.
//
//	byte     1
//	uvarint  n, the rows
//	column   slots: where in the page each row stands, in the order of the page, each as the
//	         distance from the one before it (the first from −1)
//	uvarint  m, the entries that have rows; column: their indexes, ascending, each as the
//	         distance from the one before it; column: how many rows each has
//	uvarint  profiles, then each: see profile; column: the profile of each row, by object
//	stamps   values in full: of each object's first row, against the page's first instant
//	stamps   values in full: of the other rows, against the one before
//	stamps   arrivals in full, against the value
//	stamps   the earliest time of writing in full, against the arrival
//	stamps   the latest in full, against the earliest
//	stamps   At in full, against the instant at which the Change takes effect without it
//	column   Version − Previous, of those rows whose profile says so, by object
//	column   order: for each of the rows that take effect at one instant, in the order of the
//	         page: its place among them in the order by object − its place among them in the
//	         page; nothing for the last of them
//	columns  in the order of the page: Version against the row before, then Line and Offset of
//	         Origin and of Also against the row before
//
// How many stamps there are follows from the profiles. "Against" an unknown or unbounded
// instant is against the page's first.

// blockRow is a row on its way into a block.
type blockRow struct {
	entry int32
	slot  int32
	value model.Instant
	ch    *model.Change
}

// profile is what rows have in common besides the object.
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

func (o *out) profile(p *profile) {
	for _, b := range [...]byte{byte(p.op), byte(p.quality), byte(p.writer), byte(p.value), byte(p.arrival), byte(p.earliest), byte(p.latest), byte(p.at), byte(p.previous)} {
		o.byte(b)
	}
	o.int(int64(p.code))
	o.int(int64(p.source))
	o.int(int64(p.also))
}

func (i *in) profile() profile {
	p := profile{op: model.Op(i.byte()), quality: model.Quality(i.byte()), writer: model.Writer(i.byte()),
		value: form(i.byte()), arrival: form(i.byte()), earliest: form(i.byte()), latest: form(i.byte()), at: form(i.byte()), previous: form(i.byte())}
	p.code, p.source, p.also = int16(i.int()), int32(i.int()), int32(i.int())
	if max(p.value, p.arrival, p.earliest, p.latest, p.at, p.previous) >= formCount {
		i.fail(errColumn)
	}
	return p
}

// near is an instant that others may be written against.
func near(i, otherwise model.Instant) model.Instant {
	if i.Bounded() {
		return i
	}
	return otherwise
}

// profileOf says how a row's times are written. before is the Version of the row before it of
// the same object in the page; 0 for the first.
func profileOf(r *blockRow, before uint64) profile {
	ch := r.ch
	p := profile{op: ch.Op, quality: ch.Quality, writer: ch.Writer, code: ch.Code, source: ch.Origin.Source, also: ch.Also.Source}
	p.value = formOf(r.value, model.FarPast, model.FarFuture)
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

// block writes rows, which come in the order of the page. first is the page's first instant.
func (o *out) block(rows []blockRow, first model.Instant) {
	o.byte(1)
	o.uint(uint64(len(rows)))
	slots := make([]int64, len(rows))
	last := int32(-1)
	for k := range rows {
		slots[k] = int64(rows[k].slot - last)
		last = rows[k].slot
	}
	o.column(slots)

	entries := make([]int64, len(rows))
	for k := range rows {
		entries[k] = int64(rows[k].entry)
	}
	byObject := make([]blockRow, 0, len(rows))
	for _, k := range stableOrder(entries, nil) {
		byObject = append(byObject, rows[k])
	}
	o.entries(byObject)
	profiles := o.profiles(byObject)
	o.times(byObject, profiles, first)
	o.order(byObject)
	o.versions(rows)
}

// entries writes which objects have how many rows.
func (o *out) entries(byObject []blockRow) {
	var distances, counts []int64
	last := int32(0)
	for k := range byObject {
		if e := byObject[k].entry; k == 0 || e != last {
			distances, counts = append(distances, int64(e-last)), append(counts, 0)
			last = e
		}
		counts[len(counts)-1]++
	}
	o.uint(uint64(len(counts)))
	o.column(distances)
	o.column(counts)
}

// profiles writes the profiles, and returns that of each row.
func (o *out) profiles(byObject []blockRow) []profile {
	index := map[profile]int64{}
	var table []profile
	of, at := make([]profile, len(byObject)), make([]int64, len(byObject))
	before := uint64(0)
	for k := range byObject {
		r := &byObject[k]
		if k == 0 || byObject[k-1].entry != r.entry {
			before = 0
		}
		p := profileOf(r, before)
		before = r.ch.Version
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
	o.uint(uint64(len(table)))
	for k := range table {
		o.profile(&table[k])
	}
	o.column(at)
	return of
}

// times writes all that is written against another time, object by object.
func (o *out) times(byObject []blockRow, profiles []profile, first model.Instant) {
	var firsts, others, arrivals, earliest, latest, ats fullStamps
	var previous []int64
	var before model.Instant
	for k := range byObject {
		r, p := &byObject[k], &profiles[k]
		if k == 0 || byObject[k-1].entry != r.entry {
			before = 0
		}
		ch := r.ch
		if p.value == formFull {
			if before == 0 {
				firsts.add(r.value, first)
			} else {
				others.add(r.value, before)
			}
			before = r.value
		}
		if p.arrival == formFull {
			arrivals.add(ch.Arrival, near(r.value, first))
		}
		if p.earliest == formFull {
			earliest.add(ch.Time.Earliest, near(ch.Arrival, near(r.value, first)))
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
		o.stamps(f.stamps, f.expected)
	}
	o.column(previous)
}

// order writes what the instants do not tell of the order.
func (o *out) order(byObject []blockRow) {
	effects := make([]model.Instant, len(byObject))
	for k := range byObject {
		effects[k] = byObject[k].ch.Effective()
	}
	var moves []int64
	for group := range ties(stableOrder(effects, nil), effects) {
		inPage := slices.Clone(group)
		slices.SortFunc(inPage, func(a, b int32) int { return cmp.Compare(byObject[a].slot, byObject[b].slot) })
		for place, k := range inPage[:len(inPage)-1] {
			at, _ := slices.BinarySearch(group, k) // rows that tie are in the order by object
			moves = append(moves, int64(at-place))
		}
	}
	o.column(moves)
}

// ties yields the runs of rows that take effect at one instant, where there is more than one.
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

// versions writes what goes up along the page.
func (o *out) versions(rows []blockRow) {
	columns := [5][]int64{}
	for c := range columns {
		columns[c] = make([]int64, len(rows))
	}
	var last [5]int64
	for k := range rows {
		ch := rows[k].ch
		for c, v := range [5]int64{int64(ch.Version), int64(ch.Origin.Line), ch.Origin.Offset, int64(ch.Also.Line), ch.Also.Offset} {
			columns[c][k] = v - last[c]
			last[c] = v
		}
	}
	for _, c := range columns {
		o.column(c)
	}
}
