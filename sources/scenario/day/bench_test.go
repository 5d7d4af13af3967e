package day

import (
	"flag"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

var (
	nodes   = flag.Int("nodes", 60, "nodes of BenchmarkShadow")
	minutes = flag.Int("minutes", 10, "minutes of BenchmarkShadow")
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

// BenchmarkShadow is how fast the models are driven over a zone that is cut off, all passes and
// writes of which have to be matched. Nodes and minutes are small; -nodes and -minutes make it
// as long as one likes.
func BenchmarkShadow(b *testing.B) {
	d := FullDay().Scaled(*nodes, time.Duration(*minutes)*time.Minute)
	var changes []model.Change
	for ch := range d.Changes() {
		changes = append(changes, *ch)
	}
	h := history.NewMemory(changes, model.Interval{Earliest: d.Start, Latest: d.End()}, nil, []history.Source{{Path: "scenario"}})
	b.ReportAllocs()
	var found *infer.Result
	for b.Loop() {
		var err error
		if found, err = infer.Run(h, infer.Options{Params: model.Defaults(d.Version)}); err != nil {
			b.Fatal(err)
		}
	}
	explained := 0
	for i := range found.Writes {
		if found.Writes[i].Decision != 0 {
			explained++
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(changes))/b.Elapsed().Seconds(), "changes/s")
	b.ReportMetric(float64(len(found.Writes)), "writes")
	b.ReportMetric(float64(len(found.Writes)-explained+len(found.Unobserved)), "findings")
}
