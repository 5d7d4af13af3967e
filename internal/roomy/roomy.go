// Package roomy lets tests collect garbage less often: a test package imports it for that alone. Small heaps, one for
// each case, took a third of such tests' CPU to collect. GOGC and GOMEMLIMIT in the environment override it.
package roomy

import (
	"os"
	"runtime/debug"
)

func init() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30) // two packages run at once, on a machine of 4 GiB, too
	}
}
