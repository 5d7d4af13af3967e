package columns

import (
	"kardia/model"
	"kardia/sources/recording/wire"
)

// Beat is the newest heartbeat of a row of a keyframe: the time in its lease or node, the time it was heard, and its
// version.
type Beat struct {
	Stamp, Heard model.Instant
	Written      model.Interval
	Version      uint64
}

// times calls each for the times of a beat in their order, with the times they are compared with: see formOf. A time may
// be compared with those before it.
func (b *Beat) times(now model.Instant, each func(x int, t *model.Instant, arrival, before, expected model.Instant)) {
	each(0, &b.Stamp, model.FarPast, model.FarFuture, now)
	each(1, &b.Heard, b.Stamp, model.FarPast, near(b.Stamp, now))
	each(2, &b.Written.Earliest, b.Heard, model.FarPast, near(b.Heard, now))
	each(3, &b.Written.Latest, b.Heard, b.Written.Earliest, near(b.Written.Earliest, now))
}

// Beats writes beats in columns, or reads as many. A form is four bytes, lowest first: those of the four times. Versions are
// in the order of Written.Latest.
func Beats(c *wire.Codec, beats []Beat, now model.Instant) {
	forms, ends := make([]int64, len(beats)), make([]model.Instant, len(beats))
	var full [4]fullStamps
	for k := range beats {
		if c.Reading() {
			break
		}
		beats[k].times(now, func(x int, t *model.Instant, arrival, before, expected model.Instant) {
			f := formOf(*t, arrival, before)
			if forms[k] |= int64(f) << (8 * x); f == formFull {
				full[x].add(*t, expected)
			}
		})
	}
	Column(c, len(forms), func(k int) *int64 { return &forms[k] })
	if c.Reading() {
		readTimes(c.In(), beats, forms, now)
	} else {
		for _, f := range full {
			writeStamps(c.Out(), f.stamps, f.expected)
		}
	}
	for k := range beats {
		ends[k] = beats[k].Written.Latest
	}
	order := StableOrder(ends, nil)
	Against(c, len(order), func(place int) *uint64 { return &beats[order[place]].Version })
}

// readTimes reads the times of beats, in these forms.
func readTimes(i *wire.Reader, beats []Beat, forms []int64, now model.Instant) {
	formAt := func(k, x int) form { return form(forms[k] >> (8 * x) & 0xff) }
	var stamps [4]StampColumn
	for x := range stamps {
		full := 0
		for k := range forms {
			if formAt(k, x) == formFull {
				full++
			}
		}
		ReadStamps(i, full, &stamps[x])
	}
	for k := range beats {
		beats[k].times(now, func(x int, t *model.Instant, arrival, before, expected model.Instant) {
			var full bool
			if *t, full = formAt(k, x).instant(arrival, before); full {
				*t = stamps[x].next(expected)
			}
		})
	}
}
