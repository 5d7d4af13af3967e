package forecast_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// What was foreseen comes true also after tokens were given since: what is left of it promises nothing that the whole did not,
// and no longer has those wait who have their taint.
func TestForecastsComeTrueAfterTaints(t *testing.T) {
	tainted := 0
	for n := range uint64(*worlds) {
		t.Run(fmt.Sprint(*first+n), func(t *testing.T) {
			tainted += afterTaints(t, randomWorld(*first+n), time.Duration(1+n%25)*time.Second)
		})
	}
	t.Logf("%d nodes got their taint", tainted)
	if tainted < *worlds/8 {
		t.Errorf("%d nodes got their taint", tainted)
	}
}

// afterTaints lets a world go on for some time after the forecast, holds against what happened what is left of that then, and
// says how many nodes got their taint.
func afterTaints(t *testing.T, j *judged, later time.Duration) int {
	s := j.state(t)
	whole := forecast.Run(s, forecast.Options{})
	did := append(j.late(), j.loop.Run(j.loop.Now().Add(later))...)
	var list []forecast.Tainted
	for _, d := range did {
		if row := s.Cache.Find(d.Node); d.Kind == model.TaintNoExecute && d.Outcome == model.Did && row != nil && row.Node != nil && j.loop.Cache.Node(d.Node) != nil && !row.Node.TaintedAsNotWell() && j.loop.Cache.Node(d.Node).TaintedAsNotWell() {
			list = append(list, forecast.Tainted{Node: d.Node, Zone: row.Node.Zone, Given: model.Interval{Earliest: d.Time, Latest: d.Time.Add(near)}})
		}
	}
	left, has := whole.WithTainted(list), func(node string) bool {
		return slices.ContainsFunc(list, func(x forecast.Tainted) bool { return x.Node == node })
	}
	for _, w := range slices.Concat(left.Waits, left.Taints) {
		if has(w.Node) {
			t.Errorf("%s is said to wait", w.Node)
		}
	}
	then := j.loop.Run(whole.Until.Add(-time.Minute))
	holds := func(f *forecast.Forecast, d *model.Decision) bool {
		if d.Kind == model.TaintNoExecute {
			return slices.ContainsFunc(f.Coming, func(x forecast.Coming) bool {
				w := x.Decision.Window
				return x.Decision.Kind == d.Kind && x.Decision.Zone == d.Zone && d.Time >= w.Earliest.Add(-near) && d.Time <= w.Latest.Add(near) && (x.Decision.Node == d.Node || slices.Contains(x.Among, d.Node))
			})
		}
		e := f.Pod(d.Pod)
		return e != nil && d.Time >= e.Window.Earliest.Add(-near) && d.Time <= e.Window.Latest.Add(near)
	}
	gone := map[model.Key]model.Instant{}
	for _, d := range did {
		if d.Kind == model.EvictPod && d.Outcome == model.Did {
			gone[d.Pod] = d.Time
		}
	}
	for i := range then {
		d := &then[i]
		if d.Outcome != model.Did || d.Kind != model.TaintNoExecute && d.Kind != model.EvictPod || gone[d.Pod] > 0 {
			continue
		}
		if d.Kind == model.EvictPod {
			gone[d.Pod] = d.Time
		}
		if holds(whole, d) && !holds(left, d) {
			said := ""
			if e := left.Pod(d.Pod); e != nil {
				said = told(*e) + ", and as a whole " + told(*whole.Pod(d.Pod))
			}
			t.Errorf("%s: %s at %s is outside of what is left: %s", later, subject(d), d.Time.Sub(epoch), said)
		}
	}
	for i := range left.Evictions {
		e, was := &left.Evictions[i], whole.Pod(left.Evictions[i].Pod)
		if e.State.Ahead() && e.Certain && !was.Certain && e.Window.Latest.Add(near) < j.loop.Now() && gone[e.Pod] == 0 {
			t.Errorf("%s: %s is not deleted; promised %s", later, e.Pod, told(*e))
		}
	}
	for _, after := range []time.Duration{10 * time.Second, 40 * time.Second, 2 * time.Minute} {
		by := s.At.Add(later + after)
		count := func(f *forecast.Forecast) (n int) {
			for pod, at := range gone {
				if e := f.Pod(pod); e != nil && e.State.Ahead() && at <= by {
					n++
				}
			}
			return n
		}
		if is, was, n := left.Deletions(nil).By(by), whole.Deletions(nil).By(by), count(left); (n < is.Least || n > is.Most) && count(whole) >= was.Least && count(whole) <= was.Most {
			t.Errorf("%s: %d pods deleted by %s, foreseen %v, and as a whole %v", later, n, by.Sub(epoch), is, was)
		}
	}
	return len(list)
}
