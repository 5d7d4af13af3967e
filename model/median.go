package model

// Median is the middle one of sorted values, or the lower of two in the middle, so that it is always one of them. ok is
// false if there is none.
func Median[T any](sorted []T) (middle T, ok bool) { return Percentile(sorted, 50) }

// Percentile is the value at a share of the way through sorted values, rounded down. 0 gives the first and 100 the
// last. ok is false if there is none.
func Percentile[T any](sorted []T, hundredths int) (value T, ok bool) {
	if len(sorted) == 0 {
		return value, false
	}
	return sorted[hundredths*(len(sorted)-1)/100], true
}
