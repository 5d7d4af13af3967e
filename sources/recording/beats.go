package recording

import (
	"slices"

	"kardia/model"
)

// beat is the newest heartbeat of a row of a keyframe: what its lease or its node says, when that
// was heard, and the version that says it.
type beat struct {
	said, heard model.Instant
	written     model.Interval
	version     uint64
}

// Beats are written in columns.
//
//	column   forms: of said, heard, and written's ends, a byte each, lowest first
//	stamps   said in full, against Now
//	stamps   heard in full, against said
//	stamps   written.Earliest in full, against heard
//	stamps   written.Latest in full, against written.Earliest
//	column   version in the order of written.Latest, against the one before
func (o *out) beats(beats []beat, now model.Instant) {
	forms, ends := make([]int64, len(beats)), make([]model.Instant, len(beats))
	var said, heard, earliest, latest fullStamps
	for k := range beats {
		b := &beats[k]
		ends[k] = b.written.Latest
		f := [4]form{formOf(b.said, model.FarPast, model.FarFuture), formOf(b.heard, b.said, model.FarPast),
			formOf(b.written.Earliest, b.heard, model.FarPast), formOf(b.written.Latest, b.heard, b.written.Earliest)}
		forms[k] = int64(f[0]) | int64(f[1])<<8 | int64(f[2])<<16 | int64(f[3])<<24
		if f[0] == formFull {
			said.add(b.said, now)
		}
		if f[1] == formFull {
			heard.add(b.heard, near(b.said, now))
		}
		if f[2] == formFull {
			earliest.add(b.written.Earliest, near(b.heard, now))
		}
		if f[3] == formFull {
			latest.add(b.written.Latest, near(b.written.Earliest, now))
		}
	}
	o.column(forms)
	for _, f := range [...]*fullStamps{&said, &heard, &earliest, &latest} {
		o.stamps(f.stamps, f.expected)
	}
	versions, last := make([]int64, len(beats)), uint64(0)
	for place, k := range stableOrder(ends, nil) {
		versions[place] = int64(beats[k].version - last)
		last = beats[k].version
	}
	o.column(versions)
}

// beatReader reads beats; its memory serves for one time after another.
type beatReader struct {
	forms, versions []int64
	stamps          [4]stampColumn
	beats           []beat
	ends            []model.Instant
	room            orderRoom
}

// read reads n beats, which are good until it is called again; nil after a mistake.
func (r *beatReader) read(i *in, n int, now model.Instant) []beat {
	r.forms = i.column(n, r.forms)
	var full [4]int
	for _, f := range r.forms {
		for x := range full {
			if form(f>>(8*x)&0xff) == formFull {
				full[x]++
			}
		}
	}
	for x := range r.stamps {
		i.stamps(full[x], &r.stamps[x])
	}
	r.versions = i.column(n, r.versions)
	if i.err != nil {
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
		b.said = pick(0, model.FarPast, model.FarFuture, now)
		b.heard = pick(1, b.said, model.FarPast, near(b.said, now))
		b.written.Earliest = pick(2, b.heard, model.FarPast, near(b.heard, now))
		b.written.Latest = pick(3, b.heard, b.written.Earliest, near(b.written.Earliest, now))
		r.ends[k] = b.written.Latest
	}
	version := uint64(0)
	for place, k := range stableOrder(r.ends, &r.room) {
		version += uint64(r.versions[place])
		r.beats[k].version = version
	}
	return r.beats
}
