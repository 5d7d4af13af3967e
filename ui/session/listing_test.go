package session

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// TestPodsThatAreListedLate: a busy API server may take minutes for the list of the pods. The models do not wait for
// it, and a countdown that began before is not shown as if it began with the list.
func TestPodsThatAreListedLate(t *testing.T) {
	s, f, c := beginLive(t, Options{Judging: AtOnce})
	status := func(pods stream.Status) []stream.Status {
		pods.Kind = model.KindPod
		return []stream.Status{{Kind: model.KindNode, State: stream.Live, Listed: true}, {Kind: model.KindNodeLease, State: stream.Live, Listed: true}, pods}
	}
	gone := node(-100, "gone", "Unknown")
	gone.Node.Conditions[0].Transition, gone.Node.Conditions[0].Heartbeat = sec(-100), sec(-150)
	gone.Node.Taints = []model.Taint{{Key: model.TaintUnreachable, Effect: model.NoSchedule, Added: sec(-100)}, {Key: model.TaintUnreachable, Effect: model.NoExecute, Added: sec(-95)}}
	gone.Op, gone.Arrival, gone.Time = model.OpBaseline, sec(0), model.Exactly(sec(0))
	beats := node(0, "beats", "True")
	beats.Op, beats.Arrival = model.OpBaseline, sec(0)
	f.send(stream.Batch{Changes: []model.Change{gone, beats}, Status: status(stream.Status{State: stream.Loading})})
	early := false
	for second := 1.0; second < 120; second += 10 {
		c.t = noon.Add(time.Duration(second * float64(time.Second)))
		changes, pods := []model.Change{lease(second, "beats")}, stream.Status{State: stream.Loading}
		if second > 60 {
			pods = stream.Status{State: stream.Live, Listed: true}
		}
		if second == 61 {
			seconds := int64(300)
			p := &model.Pod{Key: model.Key{Namespace: "default", Name: "web"}, Node: "gone", Created: sec(-3600), Ready: model.StatusFalse,
				Tolerations: &model.Tolerations{{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(seconds)}}}
			changes = append(changes, model.Change{Kind: model.KindPod, Op: model.OpBaseline, Key: p.Key, Time: model.Exactly(sec(second)), Arrival: sec(second), Pod: p})
		}
		f.send(stream.Batch{Changes: changes, Status: status(pods), Contact: stream.Contact{Last: sec(second)}})
		s.Advance()
		sn := s.Snapshot()
		early = early || second < 60 && sn.Judged.State != nil
		if sn.Has(model.KindPod) != (second > 60) {
			t.Errorf("at %v s: pods are had: %v", second, sn.Has(model.KindPod))
		}
		if second < 70 {
			continue
		}
		if sn.Judged.Forecast == nil || len(sn.Judged.Forecast.Evictions) != 1 {
			t.Fatalf("at %v s: %+v", second, sn.Judged.Forecast)
		}
		if w := sn.Judged.Forecast.Evictions[0].Window; !w.Overlaps(model.Interval{Earliest: sec(205), Latest: sec(206)}) || w.Width() > 10*time.Second {
			t.Errorf("at %v s: the pod is deleted between %.1f s and %.1f s, and not at 205", second, w.Earliest.Sub(sec(0)).Seconds(), w.Latest.Sub(sec(0)).Seconds())
		}
	}
	if !early {
		t.Error("the models wait for the pods")
	}
}
