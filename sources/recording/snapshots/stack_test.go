package snapshots

import (
	"fmt"
	"slices"
	"testing"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// story is the input of a Follower, and layers its output.
type story struct {
	*Follower
	t        *testing.T
	position int
	layers   []*Layer
}

func (s *story) tell(changes ...model.Change) {
	for i := range changes {
		s.position++
		changes[i].At = model.Instant(s.position) * 1e9
		s.Fold(&changes[i])
	}
}

// write writes a keyframe, and reads its layer back.
func (s *story) write() *Stack {
	s.t.Helper()
	d := columns.NewDictionary()
	_, _, rest, ok := s.Write(s.position, len(s.layers), d)
	if !ok {
		s.t.Fatal("too large for a keyframe")
	}
	l, err := ReadLayer(wire.Read(rest), &wire.Names{})
	if err != nil {
		s.t.Fatal(err)
	}
	s.layers = append(s.layers, l)
	stack, err := NewStack(s.layers)
	if err != nil {
		s.t.Fatal(err)
	}
	return stack
}

func node(name string) model.Change {
	return model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, Node: &model.Node{}}
}

func pod(op model.Op, name, on string) model.Change {
	key := model.Key{Namespace: "default", Name: name}
	return model.Change{Kind: model.KindPod, Op: op, Key: key, Pod: &model.Pod{Key: key, Node: on, Phase: model.PhaseRunning}}
}

func event(n int, about string) model.Change {
	uid := (&wire.Names{}).UID(fmt.Appendf(nil, "5f0e0000-0000-4000-8000-%012x", n))
	return model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: fmt.Sprint(about, ".", n)}, UID: uid,
		Event: &model.Event{UID: uid, Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: about}}, Reason: fmt.Sprint("reason", n), Count: 1}}
}

// said is a stack's record of a row.
func said(s *Stack, node string) (pods, reasons []string) {
	row := slices.Index(s.Names, node)
	for _, p := range s.Pods(row) {
		pods = append(pods, p.Name)
	}
	slices.Sort(pods)
	for _, e := range s.Events(row) {
		reasons = append(reasons, e.Reason)
	}
	return pods, reasons
}

// has reports whether a stack has a pod, in the row that it names.
func has(s *Stack, key model.Key) bool {
	row, ok := s.RowOf(key)
	return ok && slices.ContainsFunc(s.Pods(row), func(p *model.Pod) bool { return p.Key == key })
}

// TestLayersOnEachOther: each holds the differences from the one below. A row without a record, or with one of its pods
// alone, is as it was there.
func TestLayersOnEachOther(t *testing.T) {
	s := &story{Follower: Follow(), t: t}
	s.tell(node("a"), node("b"), node("c"), pod(model.OpAdd, "a1", "a"), pod(model.OpAdd, "a2", "a"), pod(model.OpAdd, "b1", "b"), event(1, "a"))
	first := s.write()
	s.tell(pod(model.OpDelete, "a1", "a"), pod(model.OpAdd, "c1", "c"), event(2, "b"))
	second := s.write()
	s.tell(event(3, "a"))
	third := s.write()
	for _, want := range []struct {
		stack         *Stack
		node          string
		pods, reasons string
	}{
		{first, "a", "[a1 a2]", "[reason1]"}, {first, "b", "[b1]", "[]"}, {first, "c", "[]", "[]"},
		{second, "a", "[a2]", "[reason1]"}, {second, "b", "[b1]", "[reason2]"}, {second, "c", "[c1]", "[]"},
		{third, "a", "[a2]", "[reason1 reason3]"}, {third, "b", "[b1]", "[reason2]"}, {third, "c", "[c1]", "[]"},
	} {
		pods, reasons := said(want.stack, want.node)
		if fmt.Sprint(pods) != want.pods || fmt.Sprint(reasons) != want.reasons {
			t.Errorf("on %s: %v %v, want %s %s", want.node, pods, reasons, want.pods, want.reasons)
		}
		if n := want.stack.PodCount(slices.Index(want.stack.Names, want.node)); n != len(pods) {
			t.Errorf("%d pods are counted on %s, and there are %d", n, want.node, len(pods))
		}
	}
	if key := (model.Key{Namespace: "default", Name: "a1"}); !has(first, key) || has(second, key) {
		t.Error("a pod that went is there, or was never")
	}
	if _, err := NewStack(s.layers[1:]); err == nil {
		t.Error("a layer without what it rests on")
	}
}
