//go:build !unix

package open

import "time"

var processStart = time.Now()

// cpuTime is the clock, where the system tells no better.
func cpuTime() time.Duration { return time.Since(processStart) }
