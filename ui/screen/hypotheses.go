package screen

import "kardia/model/explain/verify"

// Hypotheses would explain the writes that nothing explains, without direct evidence.
type Hypotheses struct {
	// Found is the verdict of verify with them; nil while nothing was found, or nothing is unexplained.
	Found *verify.Report
	// Searching reports that they are being looked for.
	Searching bool
	// Problem is why there cannot be any, in words for the person; empty if there can.
	Problem string
}
