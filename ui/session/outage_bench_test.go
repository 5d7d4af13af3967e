package session

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history/historytest"
	"kardia/sources/capture/stream"
	"kardia/sources/scenario"
	"kardia/ui/screen"
)

var outageNodes = flag.Int("outage.nodes", 50, "nodes of the cluster of BenchmarkOutage, of which a fifth fall silent")

// BenchmarkOutage is what a live cluster costs beside its frames: calm for three minutes, and then for ten while a zone of
// a fifth of its nodes is silent. Of the models each run is timed, so that they rest by what they cost here. lag-s is how
// old their result is, on average.
func BenchmarkOutage(b *testing.B) {
	zone := *outageNodes / 5
	text := "scenario 1\nlength 13m\nseed 3\nstart 2026-11-20T23:51:57Z\n"
	for _, z := range "abcde" {
		text += fmt.Sprintf("nodes %c-001..%c-%03d zone=zone-%c\n", z, z, zone, z)
	}
	text += fmt.Sprintf("deployment shop/web replicas=%d tolerate=60s\nat 3m partition zone=zone-b\n", zone*5*11/2)
	played, err := scenario.Parse("outage.scenario", text)
	if err != nil {
		b.Fatal(err)
	}
	h := played.History("outage", nil)
	var changes []model.Change
	first, end := h.Span()
	for at := first; at < end; {
		page := h.PageAt(at)
		list, err := historytest.ReadChanges(h, page)
		if err != nil {
			b.Fatal(err)
		}
		changes, at = append(changes, list...), page.End
	}
	var status []stream.Status
	for _, kind := range model.Kinds {
		status = append(status, stream.Status{Kind: kind, State: stream.Live})
	}
	for b.Loop() {
		measureOutage(b, changes, status)
	}
}

func measureOutage(b *testing.B, changes []model.Change, status []stream.Status) {
	begin := changes[0].Effective()
	c := &clock{begin.Time()}
	s := Live(idle{}, Options{Now: c.now, Judging: AtOnce})
	for _, part := range []struct {
		name string
		last time.Duration
	}{{"calm", 3 * time.Minute}, {"outage", 13 * time.Minute}} {
		var models, rest, lag time.Duration
		runs, ticks := 0, 0
		from := model.At(c.now()).Sub(begin)
		for model.At(c.now()).Sub(begin) < part.last {
			c.pass(100 * time.Millisecond)
			n := 0
			for n < len(changes) && changes[n].Effective() <= model.At(c.now()) {
				changes[n].Arrival = changes[n].Effective()
				n++
			}
			began := time.Now()
			s.receive(&stream.Batch{Changes: changes[:n], Status: status})
			changes = changes[n:]
			s.Advance()
			rest += time.Since(began)
			before := s.runner.models
			began = time.Now()
			if s.runner.reading {
				s.judgement()
				s.runner.models.cost = time.Since(began)
			}
			s.shown = &screen.Snapshot{}
			if s.runner.models != before {
				models += time.Since(began)
				runs++
			}
			if is := s.runner.current; is != nil {
				lag += s.at.Sub(is.at)
				ticks++
			}
		}
		took := float64(model.At(c.now()).Sub(begin) - from)
		b.ReportMetric(100*float64(models)/took, part.name+"-models-%")
		b.ReportMetric(100*float64(rest)/took, part.name+"-rest-%")
		b.ReportMetric(float64(runs), part.name+"-runs")
		b.ReportMetric(float64(lag.Milliseconds())/1000/float64(max(ticks, 1)), part.name+"-lag-s")
		b.ReportMetric(float64(models.Milliseconds())/float64(max(runs, 1)), part.name+"-ms/run")
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MB")
}
