package infer

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// written is what an audit log alone shows of a story: the objects that were written to, and those only from then on.
func written(t *testing.T, h *history.Memory, until model.Instant) *history.Memory {
	t.Helper()
	return only(t, h, until, func(ch *model.Change) bool { return ch.Op != model.OpBaseline })
}

// TestTaintsWhereNotAllNodesAreKnown: the share of a zone rests on nodes that nobody wrote to. Of healthy ones that are not known a
// zone seems to be disrupted, and it is tainted all the same; of silent ones that are not known it seems not to be, and
// it is not tainted. Neither is a disagreement.
func TestTaintsWhereNotAllNodesAreKnown(t *testing.T) {
	for name, c := range map[string]struct {
		nodes, before, later, post int // how many there are, are silent from the start, fall silent, and post their status
		judged                     bool
	}{
		"unknown healthy": {nodes: 16, later: 6, post: 2},
		"unknown silent":  {nodes: 20, before: 8, later: 4, post: 8},
	} {
		s := newStory(standard)
		for i := range c.nodes {
			silent := model.FarFuture
			switch {
			case i < c.before:
				silent = noon.Add(-1)
			case i < c.before+c.later:
				silent = after(60)
			}
			if silent < noon {
				silent = noon.Add(-110e9)
			}
			of := fmt.Sprintf("a%02d", i)
			s.node(of, "a", silent, model.FarFuture, 60)
			if silent == model.FarFuture && i < c.before+c.later+c.post {
				s.status(of, after(float64(30+i)/10), model.StatusTrue)
			}
		}
		s.node("b00", "b", model.FarFuture, model.FarFuture, 60)
		s.status("b00", after(5), model.StatusTrue)
		until := after(300)
		res := ran(t, written(t, s.tell(until), until), Options{})
		t.Logf("%s: %d writes, %d not judged, others %v, unseen %v, %v", name, len(res.Writes), len(res.NotJudged), res.run.evidence.Others, res.run.evidence.Unseen, res.Assumptions)
		clean(t, res)
	}
}

// TestAWatchThatEndsBeforeTheOthers: a file of a watch does not say until when it was watched. What was due of its kind after the
// last that it shows is not demanded, and what rests on that is not judged.
func TestAWatchThatEndsBeforeTheOthers(t *testing.T) {
	until := after(390)
	for _, c := range []struct {
		kind model.Kind
		ends float64
	}{{model.KindPod, 165}, {model.KindPod, 112}, {model.KindNode, 112}, {model.KindNode, 125}, {model.KindNode, 200}} {
		kinds := []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod}
		var changes []model.Change
		last := map[model.Kind]model.Instant{}
		err := historytest.Walk(outage(8, 3).tell(until), model.FarPast+1, until, func(_ int, ch *model.Change) bool {
			if ch.Kind != c.kind || ch.Effective() <= after(c.ends) {
				changes, last[ch.Kind] = append(changes, *ch), ch.Effective()
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		var files []history.Source
		for _, kind := range kinds {
			files = append(files, history.Source{Format: "watch", Kinds: map[model.Kind]int{kind: 1}, Coverage: model.Interval{Earliest: noon, Latest: last[kind]}})
		}
		res := ran(t, history.NewMemory(changes, model.Interval{Earliest: noon, Latest: until}, nil, files), Options{})
		clean(t, res)
		if len(res.run.evidence.Writes) < 3 {
			t.Errorf("%s until %v s: %d writes", c.kind, c.ends, len(res.run.evidence.Writes))
		}
	}
}
