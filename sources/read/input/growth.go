package input

import "fmt"

const (
	// maxGrowth is how many times its size a compressed file or an archive may unpack to, beyond freely. JSON is packed
	// to a twentieth, rarely to a hundredth.
	maxGrowth = 300
	freely    = 128 << 20
)

// ErrGrowth: a compressed file or an archive unpacks to more than any log does.
var ErrGrowth = fmt.Errorf("it unpacks to more than %d times its size and %d MiB, which no log or dump does", maxGrowth, freely>>20)

// Growth counts the bytes that a compressed file or an archive unpacks to.
type Growth struct {
	// Packed is the size of the packed bytes so far.
	Packed   func() int64
	unpacked int64
}

// Add counts n more bytes, and returns ErrGrowth beyond the limit.
func (g *Growth) Add(n int) error {
	if g.unpacked += int64(n); g.unpacked > max(freely, maxGrowth*g.Packed()) {
		return ErrGrowth
	}
	return nil
}
