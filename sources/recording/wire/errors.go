package wire

import "errors"

// The faults of a piece of a file.
var (
	// ErrVersion: it is newer than this program.
	ErrVersion = errors.New("it was written by a newer Kardia; use that one, or a newer one, to read it")
	// ErrTooLarge: a length exceeds a limit.
	ErrTooLarge = errors.New("it is larger than any that Kardia writes")
	// ErrOrder: rows are in the wrong order.
	ErrOrder = errors.New("its rows are not in order")
)
