package infer

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/packed"
)

// openEffects are the effects that are expected and not answered yet, with their decisions.
type openEffects struct {
	decisions map[effect]model.DecisionID
	// conditions is how many of them are a node's conditions, which a renewal answers too.
	conditions int
}

func newOpenEffects(room int) openEffects {
	return openEffects{decisions: make(map[effect]model.DecisionID, room)}
}

// find is the decision that an effect is expected of.
func (o *openEffects) find(e effect) (id model.DecisionID, ok bool) {
	id, ok = o.decisions[e]
	return id, ok
}

// is says that an effect is expected of a decision.
func (o *openEffects) is(e effect, id model.DecisionID) bool {
	of, ok := o.decisions[e]
	return ok && of == id
}

func (o *openEffects) empty() bool { return len(o.decisions) == 0 }

func (o *openEffects) add(e effect, id model.DecisionID) {
	if _, there := o.decisions[e]; !there && e.what == model.WriteConditions {
		o.conditions++
	}
	o.decisions[e] = id
}

func (o *openEffects) close(e effect) {
	if _, there := o.decisions[e]; there && e.what == model.WriteConditions {
		o.conditions--
	}
	delete(o.decisions, e)
}

// heard: a node that is heard again is not marked any more, whatever was expected.
func (o *openEffects) heard(node string) {
	if o.conditions > 0 {
		o.close(effect{what: model.WriteConditions, node: node})
	}
}

// clone has not the room of the most there ever were, as maps.Clone would.
func (o *openEffects) clone() openEffects {
	c := newOpenEffects(len(o.decisions))
	c.conditions = o.conditions
	maps.Copy(c.decisions, o.decisions)
	return c
}

// packedOpen is open effects in little memory: there are twenty thousand while a zone is marked.
type packedOpen struct {
	columns   []byte
	words     []string
	decisions []model.DecisionID
}

func (o *openEffects) pack() packedOpen {
	var w packed.Writer
	var words table[string]
	p := packedOpen{decisions: make([]model.DecisionID, 0, len(o.decisions))}
	for e, id := range o.decisions {
		w.Uint(uint64(e.what))
		w.Uint(uint64(e.on))
		w.Uint(words.number(e.node))
		w.Uint(words.number(e.taint))
		w.Uint(words.number(e.pod.Namespace))
		w.Text(e.pod.Name)
		p.decisions = append(p.decisions, id)
	}
	p.columns, p.words = slices.Clone(w.Bytes()), slices.Clone(words.list)
	return p
}

// size is about how many bytes it takes.
func (p *packedOpen) size() int { return 100 + len(p.columns) + 16*len(p.words) + 8*len(p.decisions) }

func (p *packedOpen) unpack() openEffects {
	o, r := newOpenEffects(len(p.decisions)), packed.Read(p.columns)
	for _, id := range p.decisions {
		e := effect{what: model.WriteKind(r.Uint()), on: model.Effect(r.Uint())}
		e.node, e.taint, e.pod.Namespace = p.words[r.Uint()], p.words[r.Uint()], p.words[r.Uint()]
		e.pod.Name = r.Text()
		o.add(e, id)
	}
	return o
}
