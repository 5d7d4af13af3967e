package drive

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/infer/evidence"
)

// anEffect draws an effect on one of two nodes or one of two pods.
func anEffect(t *rapid.T) evidence.Effect {
	of := func(what string, list ...string) string { return rapid.SampledFrom(list).Draw(t, what) }
	e := evidence.Effect{Node: of("node", "a", "b")}
	switch e.What = rapid.SampledFrom([]model.WriteKind{model.WriteConditions, model.WriteTaint, model.WriteUntaint, model.WriteDelete}).Draw(t, "what"); e.What {
	case model.WriteTaint, model.WriteUntaint:
		e.Taint, e.On = of("taint", model.TaintNotReady, model.TaintUnreachable), rapid.SampledFrom([]model.Effect{model.NoSchedule, model.NoExecute}).Draw(t, "on")
	case model.WriteDelete:
		e.Pod = model.Key{Namespace: of("namespace", "", "default"), Name: of("pod", "p", "wé")}
	}
	return e
}

// What is awaited is awaited until it, or a heartbeat, answers it; and packing changes nothing of it.
func TestOpenEffects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		open, want := newOpenEffects(0), map[evidence.Effect]model.DecisionID{}
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			e := anEffect(t)
			switch rapid.IntRange(0, 3).Draw(t, "does") {
			case 0, 1:
				open.add(e, model.DecisionID(i+1))
				want[e] = model.DecisionID(i + 1)
			case 2:
				open.close(e)
				delete(want, e)
			default:
				declared := evidence.Effect{What: model.WriteConditions, Node: e.Node}
				open.close(declared)
				delete(want, declared)
			}
			packed := open.pack()
			for what, o := range map[string]openEffects{"it": open, "its clone": open.clone(), "unpacked": packed.unpack()} {
				conditions := 0
				for e := range want {
					if e.What == model.WriteConditions {
						conditions++
					}
				}
				if !maps.Equal(o.decisions, want) || o.conditions != conditions {
					t.Fatalf("%s awaits %v, %d of them conditions, not %v", what, o.decisions, o.conditions, want)
				}
			}
		}
	})
}
