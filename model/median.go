package model

// Median is the middle of sorted values, the lower of two; ok is false if there is none.
func Median[T any](sorted []T) (middle T, ok bool) { return Percentile(sorted, 50) }

// Percentile is the value at a share of sorted values, rounded down: 0 the first, 100 the last; ok is false if none.
func Percentile[T any](sorted []T, hundredths int) (value T, ok bool) {
	if len(sorted) == 0 {
		return value, false
	}
	return sorted[hundredths*(len(sorted)-1)/100], true
}
