//go:build unix

package open

import (
	"syscall"
	"time"
)

// cpuTime is how long this process has been computing, on all cores together: unlike the
// clock, it does not run while other programs do.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
