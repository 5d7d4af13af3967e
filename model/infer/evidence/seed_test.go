package evidence

import (
	"testing"
	"time"

	"kardia/model"
)

// The first version that is shown of a node is the controller's declaration: the node had been Ready before. An API
// server that was stalled took it long after it was decided; what follows from it is not there yet.
func TestADeclarationThatWasTakenLate(t *testing.T) {
	noSchedule := model.Taint{Key: model.TaintUnreachable, Effect: model.NoSchedule, Added: after(66)}
	for name, c := range map[string]struct {
		is    *model.Node
		marks bool
	}{
		"at once":       {aNode(model.StatusUnknown, after(80)), true},
		"late":          {aNode(model.StatusUnknown, after(66)), true},
		"long declared": {aNode(model.StatusUnknown, after(66), noSchedule), false},
	} {
		e := read(t, model.FarFuture, nil, renewal("b", after(2), 11), nodeChange(model.OpModify, after(80), model.WriterNodeLifecycle, 20, c.is))
		marks := len(e.Writes) > 0 && e.Writes[0].Kind == model.MarkUnknown
		if marks != c.marks {
			t.Errorf("%s: declared by this write: %v", name, marks)
		}
	}
}

// A pod is deleted for a taint on a node that is never shown: it was put on before the input begins. A node of which the
// first that is shown is that its lease goes had one before.
func TestWhatNobodyShows(t *testing.T) {
	pod := func(at float64, version uint64, deletion model.Instant) model.Change {
		key := model.Key{Namespace: "default", Name: "p"}
		return model.Change{Kind: model.KindPod, Op: model.OpModify, Key: key, Version: version, Time: model.Exactly(after(at)), At: after(at), Quality: model.ByServer, Writer: model.WriterTaintEviction,
			Pod: &model.Pod{Key: key, UID: model.UUID([16]byte{7}), Created: noon.Add(-time.Hour), Node: "never", Deletion: deletion}}
	}
	gone := renewal("a", after(40), 30)
	gone.Op, gone.Lease = model.OpDelete, model.Lease{}
	made := renewal("a", after(90), 40)
	made.Op = model.OpAdd
	e := read(t, model.FarFuture, nil, renewal("b", after(2), 11), pod(20, 12, after(50)), nodeChange(model.OpModify, after(30), model.WriterUnknown, 20, aNode(model.StatusTrue, noon.Add(-time.Hour))), gone, made)
	if len(e.Writes) != 1 || e.Writes[0].Kind != model.EvictPod || !e.Writes[0].Hidden {
		t.Errorf("writes %+v", e.Writes)
	}
	if e.LeasedFrom["a"] != after(90) {
		t.Errorf("leased from %v", e.LeasedFrom)
	}
}

// A NoExecute taint that the first version shows, and nobody dates, was put on by that write where a person made it; where
// another did, it had stood there before.
func TestATaintByHand(t *testing.T) {
	for writer, stood := range map[model.Writer]bool{model.WriterPerson: false, model.WriterKubelet: true} {
		n := aNode(model.StatusTrue, noon.Add(-time.Hour), model.Taint{Key: "example.com/gpu", Effect: model.NoExecute}, model.Taint{Key: "spot", Effect: model.NoSchedule})
		e := read(t, model.FarFuture, nil, renewal("b", after(2), 11), nodeChange(model.OpModify, after(80), writer, 20, n))
		if len(e.Seeds.Nodes) != 1 {
			t.Fatalf("%d nodes stood there", len(e.Seeds.Nodes))
		}
		if had := len(e.Seeds.Nodes[0].Node.Taints) == 2; had != stood {
			t.Errorf("written by %s: it had %v", writer, e.Seeds.Nodes[0].Node.Taints)
		}
	}
}
