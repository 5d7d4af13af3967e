package sources

import (
	"testing"

	"kardia/model/shadow"
)

// BenchmarkShadow drives the models over the zone outage, told by everything there is.
func BenchmarkShadow(b *testing.B) {
	h := incident(b, "zone-outage", everything).History
	b.ReportAllocs()
	for b.Loop() {
		if _, err := shadow.Run(h, shadow.Options{Params: flags}); err != nil {
			b.Fatal(err)
		}
	}
}
