package shadow

import (
	"maps"

	"kardia/model"
)

// openEffects are the effects that are expected and not answered yet, with their decisions.
type openEffects struct {
	decisions map[effect]model.DecisionID
	// conditions is how many of them are a node's conditions, which a renewal answers too.
	conditions int
}

// openEffect is one of them.
type openEffect struct {
	effect
	decision model.DecisionID
}

func newOpenEffects(room int) openEffects {
	return openEffects{decisions: make(map[effect]model.DecisionID, room)}
}

// find is the decision that an effect is expected of.
func (o *openEffects) find(e effect) (id model.DecisionID, ok bool) {
	id, ok = o.decisions[e]
	return id, ok
}

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

// list is all of them in no particular order, effectsOf the other way round: a list takes less memory.
func (o *openEffects) list() []openEffect {
	list := make([]openEffect, 0, len(o.decisions))
	for e, id := range o.decisions {
		list = append(list, openEffect{e, id})
	}
	return list
}

func effectsOf(list []openEffect) openEffects {
	o := newOpenEffects(len(list))
	for _, x := range list {
		o.add(x.effect, x.decision)
	}
	return o
}
