package drive

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/packed"
)

// openEffects are the expected effects that were not seen, with their decisions.
type openEffects struct {
	decisions  map[evidence.Effect]model.DecisionID
	conditions int
}

func newOpenEffects(room int) openEffects {
	return openEffects{decisions: make(map[evidence.Effect]model.DecisionID, room)}
}

func (o *openEffects) find(e evidence.Effect) (id model.DecisionID, ok bool) {
	id, ok = o.decisions[e]
	return id, ok
}

func (o *openEffects) add(e evidence.Effect, id model.DecisionID) {
	if _, there := o.decisions[e]; !there && e.What == model.WriteConditions {
		o.conditions++
	}
	o.decisions[e] = id
}

func (o *openEffects) close(e evidence.Effect) {
	if _, there := o.decisions[e]; there && e.What == model.WriteConditions {
		o.conditions--
	}
	delete(o.decisions, e)
}

// clone allocates for the present number: maps.Clone would for the greatest ever.
func (o *openEffects) clone() openEffects {
	c := newOpenEffects(len(o.decisions))
	c.conditions = o.conditions
	maps.Copy(c.decisions, o.decisions)
	return c
}

// packedOpen is openEffects in little memory: a zone that becomes Unknown has twenty thousand.
type packedOpen struct {
	columns   []byte
	words     []string
	decisions []model.DecisionID
}

func (o *openEffects) pack() packedOpen {
	var w packed.Writer
	var words packed.Table[string]
	p := packedOpen{decisions: make([]model.DecisionID, 0, len(o.decisions))}
	for e, id := range o.decisions {
		w.Uint(uint64(e.What))
		w.Uint(uint64(e.On))
		w.Uint(words.Number(e.Node))
		w.Uint(words.Number(e.Taint))
		w.Uint(words.Number(e.Pod.Namespace))
		w.Text(e.Pod.Name)
		p.decisions = append(p.decisions, id)
	}
	p.columns, p.words = slices.Clone(w.Bytes()), slices.Clone(words.List)
	return p
}

func (p *packedOpen) size() int { return 100 + len(p.columns) + 16*len(p.words) + 8*len(p.decisions) }

func (p *packedOpen) unpack() openEffects {
	o, r := newOpenEffects(len(p.decisions)), packed.Read(p.columns)
	for _, id := range p.decisions {
		e := evidence.Effect{What: model.WriteKind(r.Uint()), On: model.Effect(r.Uint())}
		e.Node, e.Taint, e.Pod.Namespace = p.words[r.Uint()], p.words[r.Uint()], p.words[r.Uint()]
		e.Pod.Name = r.Text()
		o.add(e, id)
	}
	return o
}
