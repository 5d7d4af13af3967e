package open

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/recording"
)

// BenchmarkShadow drives the models over the zone outage, with all evidence there is.
func BenchmarkShadow(b *testing.B) {
	h := incident(b, "zone-outage", everything).History
	b.ReportAllocs()
	for b.Loop() {
		if _, err := infer.Run(h, infer.Options{Params: flags}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSearch looks for a hidden cause in a recording: all taints of a zone outage came half a minute late.
func BenchmarkSearch(b *testing.B) {
	o := incident(b, "zone-outage", everything)
	o.History = delayed(b, "zone-outage", func(ch *model.Change) time.Duration {
		if taints(ch) {
			return 30 * time.Second
		}
		return 0
	})
	h := recorded(b, o, recording.Options{}).History
	b.ReportAllocs()
	for b.Loop() {
		base, err := hypotheses.Run(h, infer.Options{Params: flags})
		if err != nil {
			b.Fatal(err)
		}
		if base.Findings() == 0 {
			b.Fatal("nothing is left open")
		}
		if _, err := hypotheses.Search(base); err != nil {
			b.Fatal(err)
		}
	}
}
