//go:build !unix

package open

import "time"

var processStart = time.Now()

// cpuTime is the clock, if the system has no better one.
func cpuTime() time.Duration { return time.Since(processStart) }
