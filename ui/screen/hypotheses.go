package screen

import "kardia/model/explain/verify"

// Hypotheses would explain the writes that nothing explains, without direct evidence.
type Hypotheses struct {
	// Found is what verify says with them; nil while nothing was found, or nothing is unexplained.
	Found *verify.Report
	// Searching reports that they are being looked for.
	Searching bool
	// Problem says in words for the person why they cannot be; empty if they can.
	Problem string
}
