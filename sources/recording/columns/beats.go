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

// times passes the times of a beat in their order, each against those before it.
func (b *Beat) times(c *wire.Codec, forms *[4]form, stamps *[4]StampColumn, now model.Instant) {
	stamps[0].pass(c, &forms[0], &b.Stamp, model.FarPast, model.FarFuture, now)
	stamps[1].pass(c, &forms[1], &b.Heard, b.Stamp, model.FarPast, near(b.Stamp, now))
	stamps[2].pass(c, &forms[2], &b.Written.Earliest, b.Heard, model.FarPast, near(b.Heard, now))
	stamps[3].pass(c, &forms[3], &b.Written.Latest, b.Heard, b.Written.Earliest, near(b.Written.Earliest, now))
}

// Beats writes beats in columns, or reads as many. The forms of the four times are the bytes of a number, lowest first.
// Versions are in the order of Written.Latest.
func Beats(c *wire.Codec, beats []Beat, now model.Instant) {
	forms, packed, ends := make([][4]form, len(beats)), make([]int64, len(beats)), make([]model.Instant, len(beats))
	var stamps [4]StampColumn
	var full [4]int
	for k := range beats {
		if c.Reading() {
			break
		}
		beats[k].times(c, &forms[k], &stamps, now)
		for x, f := range forms[k] {
			packed[k] |= int64(f) << (8 * x)
		}
	}
	ints(c, len(beats), &packed)
	for k := range packed {
		for x := range full {
			if forms[k][x] = form(packed[k] >> (8 * x) & 0xff); forms[k][x] == formFull {
				full[x]++
			}
		}
	}
	for x := range stamps {
		stamps[x].Code(c, full[x])
	}
	for k := range beats {
		if c.Reading() {
			beats[k].times(c, &forms[k], &stamps, now)
		}
		ends[k] = beats[k].Written.Latest
	}
	order := StableOrder(ends, nil)
	Against(c, len(order), func(place int) *uint64 { return &beats[order[place]].Version })
}
