package forecast_test

import (
	"testing"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
)

// A zone of 5,000 nodes goes silent, all its nodes but some, ten pods on each; a recorder sees it. What
// a frame costs half a minute later, while nobody was declared yet, and two minutes later: what was known,
// what comes, and why a node was not tainted yet.
func BenchmarkOutage(b *testing.B) {
	for _, at := range []struct {
		name string
		cut  float64
	}{{"silent", 130}, {"queued", 220}} {
		w := newWorld([]int{1667, 1667, 1666}, map[string]float64{})
		w.pods = map[string]*model.Tolerations{}
		for _, name := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"} {
			w.pods[name] = tolerating(300)
		}
		n := 0
		offset := map[string]float64{}
		w.each(func(name, zone string) {
			n++
			offset[name] = float64(n%1000) / 100
			if zone == "a" && n%20 > 0 {
				w.silent[name] = 90 + offset[name]
			}
		})
		i := 0
		w.offset = func() float64 { i++; return float64(i%1000) / 100 }
		rec := &recording{world: w, from: second(60), by: byOwn}
		w.watch = rec.watch
		j := &judged{world: w, loop: w.loop(at.cut), seen: rec}
		r := j.result(b)
		b.Run(at.name+"/known", func(b *testing.B) {
			for b.Loop() {
				if _, err := r.Known(j.loop.Now()); err != nil {
					b.Fatal(err)
				}
			}
		})
		s, err := r.Known(j.loop.Now())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(at.name+"/forecast", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				forecast.Run(s, forecast.Options{})
			}
			b.ReportMetric(float64(len(s.Phases)), "courses")
		})
		b.Run(at.name+"/why", func(b *testing.B) {
			var name string
			for of := range w.silent {
				name = max(name, of)
			}
			for b.Loop() {
				why.Node(s, name)
			}
		})
	}
}
