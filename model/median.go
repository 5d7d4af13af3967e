package model

// Median is the middle one of values in order; of an even number the lower of the two in the middle, so that it is one that
// was seen. ok is false where there is none.
func Median[T any](sorted []T) (middle T, ok bool) {
	if len(sorted) == 0 {
		return middle, false
	}
	return sorted[(len(sorted)-1)/2], true
}
