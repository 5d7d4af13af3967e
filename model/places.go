package model

import (
	"cmp"
	"slices"
)

// Places are the places of n elements in the order of compare, those that compare equal as they are. Elements may be hundreds of
// bytes wide, and thousands: their places alone are moved.
func Places(n int, compare func(i, k int32) int) []int32 {
	places := make([]int32, n)
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(i, k int32) int { return cmp.Or(compare(i, k), cmp.Compare(i, k)) })
	return places
}
