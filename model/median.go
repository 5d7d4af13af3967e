package model

// Median is the middle one of values in order; of an even number the lower of the two in the middle, so that it is one that
// was seen. ok is false where there is none.
func Median[T any](sorted []T) (middle T, ok bool) { return Percentile(sorted, 50) }

// Percentile is the value so many hundredths of the way from the first to the last of values in order, rounded down: one
// that was seen, the first at 0 and the last at 100. ok is false where there is none.
func Percentile[T any](sorted []T, hundredths int) (value T, ok bool) {
	if len(sorted) == 0 {
		return value, false
	}
	return sorted[hundredths*(len(sorted)-1)/100], true
}
