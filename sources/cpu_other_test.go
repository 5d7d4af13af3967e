//go:build !unix

package sources

import "time"

var processStart = time.Now()

// cpuTime is the clock, where the system tells no better.
func cpuTime() time.Duration { return time.Since(processStart) }
