package scenario

import (
	"testing"
	"time"

	"kardia/model"
)

// BenchmarkDay is how fast the day of 5,000 nodes is made up, measured over ten minutes of it.
func BenchmarkDay(b *testing.B) {
	d := FullDay()
	d = d.Scaled(d.Nodes, 10*time.Minute)
	b.ReportAllocs()
	changes, renewals := 0, 0
	for b.Loop() {
		for ch := range d.Changes() {
			changes++
			if ch.Kind == model.KindNodeLease {
				renewals++
			}
		}
	}
	b.ReportMetric(float64(changes)/b.Elapsed().Seconds(), "changes/s")
	b.ReportMetric(float64(renewals)/float64(b.N), "renewals")
}
