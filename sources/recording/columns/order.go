package columns

import (
	"math/bits"
	"slices"
)

// StableOrder sorts the numbers of keys by the keys; equal ones keep their order. It sorts by the eleven lowest bits in
// which the keys differ, then by the next eleven. The result is in room, unless that is nil.
func StableOrder[T ~int64](keys []T, room *orderRoom) []int32 {
	if room == nil {
		room = &orderRoom{}
	}
	n := len(keys)
	order, next := slices.Grow(room.order[:0], n)[:n], slices.Grow(room.next[:0], n)[:n]
	defer func() { room.order, room.next = order, next }()
	if n == 0 {
		return order
	}
	low := slices.Min(keys)
	spread, used := uint64(slices.Max(keys)-low), uint64(0)
	for k, t := range keys {
		order[k] = int32(k)
		used |= uint64(t - low)
	}
	var count [2048 + 1]int32
	for shift := bits.TrailingZeros64(used); shift < 64 && spread>>shift > 0; shift += 11 { // milliseconds differ by multiples of 64
		clear(count[:])
		for _, t := range keys {
			count[uint64(t-low)>>shift&2047+1]++
		}
		for d := range 2047 {
			count[d+1] += count[d]
		}
		for _, k := range order {
			d := uint64(keys[k]-low) >> shift & 2047
			next[count[d]] = k
			count[d]++
		}
		order, next = next, order
	}
	return order
}

// orderRoom is reusable memory for StableOrder.
type orderRoom struct{ order, next []int32 }
