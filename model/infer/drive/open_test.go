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
				open.heard(e.Node)
				delete(want, evidence.Effect{What: model.WriteConditions, Node: e.Node})
			}
			packed := open.pack()
			for what, o := range map[string]openEffects{"it": open, "its clone": open.clone(), "unpacked": packed.unpack()} {
				if !maps.Equal(o.decisions, want) || o.empty() != (len(want) == 0) {
					t.Fatalf("%s awaits %v, not %v", what, o.decisions, want)
				}
				for e, id := range want {
					if !o.is(e, id) || o.is(e, id+1) {
						t.Fatalf("%s does not await %v of %v", what, e, id)
					}
				}
			}
		}
	})
}
