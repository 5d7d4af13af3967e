package screen

import "kardia/model/explain/verify"

// Hypotheses would explain the writes that nothing explains, without direct evidence.
type Hypotheses struct {
	// Found is the verdict of verify with them; nil while nothing is found or unexplained.
	Found *verify.Report
	// Searching reports that the search is running.
	Searching bool
	// Problem is why there cannot be any; empty if there can.
	Problem string
}
