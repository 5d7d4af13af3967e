package open

import (
	"testing"

	"kardia/model/infer"
)

// BenchmarkShadow drives the models over the zone outage, told by everything there is.
func BenchmarkShadow(b *testing.B) {
	h := incident(b, "zone-outage", everything).History
	b.ReportAllocs()
	for b.Loop() {
		if _, err := infer.Run(h, infer.Options{Params: flags}); err != nil {
			b.Fatal(err)
		}
	}
}
