package model

import (
	"cmp"
	"slices"
)

// Places are the indexes of n elements in the stable order of compare. Moving wide elements would cost more.
func Places(n int, compare func(i, k int32) int) []int32 {
	places := make([]int32, n)
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(i, k int32) int { return cmp.Or(compare(i, k), cmp.Compare(i, k)) })
	return places
}

// Sorted is a sorted copy of a list; the sort is stable.
func Sorted[T any](list []T, compare func(a, b *T) int) []T {
	sorted := make([]T, len(list))
	for i, place := range Places(len(list), func(i, k int32) int { return compare(&list[i], &list[k]) }) {
		sorted[i] = list[place]
	}
	return sorted
}

// Median is the middle of sorted values, the lower of two; ok is false if there is none.
func Median[T any](sorted []T) (middle T, ok bool) { return Percentile(sorted, 50) }

// Percentile is the value at a share of sorted values, rounded down: 0 the first, 100 the last; ok is false if none.
func Percentile[T any](sorted []T, hundredths int) (value T, ok bool) {
	if len(sorted) == 0 {
		return value, false
	}
	return sorted[hundredths*(len(sorted)-1)/100], true
}
