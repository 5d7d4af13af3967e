package conformance

// Shrink removes commands while fails returns true, at most tries times: halves first, as delta debugging does.
func Shrink(s Scenario, tries int, fails func(Scenario) bool) Scenario {
	for size := len(s) / 2; size > 0; size /= 2 {
		for from := 0; from < len(s); {
			if tries--; tries < 0 {
				return s
			}
			smaller := append(append(Scenario{}, s[:from]...), s[min(from+size, len(s)):]...)
			if len(smaller.find("length").Args) == 1 && fails(smaller) {
				s = smaller
			} else {
				from += size
			}
		}
	}
	return s
}
