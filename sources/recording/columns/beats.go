package columns

import (
	"slices"

	"kardia/model"
	"kardia/sources/recording/wire"
)

// Beat is the newest heartbeat of a row of a keyframe: the time in its lease or node, when that was heard, and the
// version that has it.
type Beat struct {
	Stamp, Heard model.Instant
	Written      model.Interval
	Version      uint64
}

// Beats are written in columns.
//
//	column   forms: of said, heard, and written's ends, a byte each, lowest first
//	stamps   said in full, against Now
//	stamps   heard in full, against said
//	stamps   written.Earliest in full, against heard
//	stamps   written.Latest in full, against written.Earliest
//	column   version in the order of written.Latest, against the one before
func WriteBeats(o *wire.Writer, beats []Beat, now model.Instant) {
	forms, ends := make([]int64, len(beats)), make([]model.Instant, len(beats))
	var said, heard, earliest, latest fullStamps
	for k := range beats {
		b := &beats[k]
		ends[k] = b.Written.Latest
		f := [4]form{formOf(b.Stamp, model.FarPast, model.FarFuture), formOf(b.Heard, b.Stamp, model.FarPast),
			formOf(b.Written.Earliest, b.Heard, model.FarPast), formOf(b.Written.Latest, b.Heard, b.Written.Earliest)}
		forms[k] = int64(f[0]) | int64(f[1])<<8 | int64(f[2])<<16 | int64(f[3])<<24
		if f[0] == formFull {
			said.add(b.Stamp, now)
		}
		if f[1] == formFull {
			heard.add(b.Heard, near(b.Stamp, now))
		}
		if f[2] == formFull {
			earliest.add(b.Written.Earliest, near(b.Heard, now))
		}
		if f[3] == formFull {
			latest.add(b.Written.Latest, near(b.Written.Earliest, now))
		}
	}
	WriteColumn(o, forms)
	for _, f := range [...]*fullStamps{&said, &heard, &earliest, &latest} {
		writeStamps(o, f.stamps, f.expected)
	}
	versions, last := make([]int64, len(beats)), uint64(0)
	for place, k := range StableOrder(ends, nil) {
		versions[place] = int64(beats[k].Version - last)
		last = beats[k].Version
	}
	WriteColumn(o, versions)
}

// BeatReader reads beats; its memory serves for one time after another.
type BeatReader struct {
	forms, versions []int64
	stamps          [4]StampColumn
	beats           []Beat
	ends            []model.Instant
	room            orderRoom
}

// Read reads n beats, which are good until it is called again; nil after a mistake.
func (r *BeatReader) Read(i *wire.Reader, n int, now model.Instant) []Beat {
	r.forms = ReadColumn(i, n, r.forms)
	var full [4]int
	for _, f := range r.forms {
		for x := range full {
			if form(f>>(8*x)&0xff) == formFull {
				full[x]++
			}
		}
	}
	for x := range r.stamps {
		ReadStamps(i, full[x], &r.stamps[x])
	}
	r.versions = ReadColumn(i, n, r.versions)
	if i.Err != nil {
		return nil
	}
	r.beats, r.ends = slices.Grow(r.beats[:0], n)[:n], slices.Grow(r.ends[:0], n)[:n]
	for k := range r.beats {
		b := &r.beats[k]
		pick := func(x int, arrival, before, expected model.Instant) model.Instant {
			t, full := form(r.forms[k]>>(8*x)&0xff).instant(arrival, before)
			if full {
				t = r.stamps[x].next(expected)
			}
			return t
		}
		b.Stamp = pick(0, model.FarPast, model.FarFuture, now)
		b.Heard = pick(1, b.Stamp, model.FarPast, near(b.Stamp, now))
		b.Written.Earliest = pick(2, b.Heard, model.FarPast, near(b.Heard, now))
		b.Written.Latest = pick(3, b.Heard, b.Written.Earliest, near(b.Written.Earliest, now))
		r.ends[k] = b.Written.Latest
	}
	version := uint64(0)
	for place, k := range StableOrder(r.ends, &r.room) {
		version += uint64(r.versions[place])
		r.beats[k].Version = version
	}
	return r.beats
}
