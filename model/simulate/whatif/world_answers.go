package whatif

import (
	"slices"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// answered notes a declaration, and returns the one that this version corrects, of a kubelet that was silent or was
// not.
func (o *observer) answered(at model.Instant, name string, old, is *model.Node) (answers, returns model.Instant) {
	switch {
	case !is.Ready().DeclaredUnknown():
		answers, returns = o.denies[name], o.declared[name]
		if answers.Known() {
			returns = 0
		}
		delete(o.denies, name)
		delete(o.declared, name)
	case !old.Ready().DeclaredUnknown():
		if o.declared[name] = at; at.Sub(o.wrote[name]) < forecast.SilentAfter {
			o.denies[name] = at
		}
	}
	return answers, returns
}

// withoutLease finds kubelets that run without renewing: they correct a declaration, and do not renew about then.
func (o *observer) withoutLease(until model.Instant) {
	beat := map[string][]model.Instant{}
	for i := range o.events {
		if e := &o.events[i]; e.what == posts && e.node.returns.Known() {
			beat[e.name] = nil
		}
	}
	if len(beat) == 0 {
		return
	}
	for i := range o.events {
		e := &o.events[i]
		if list, ok := beat[e.name]; ok && e.what == beats {
			beat[e.name] = append(list, e.at)
		}
	}
	for i := range o.events {
		e := &o.events[i]
		if e.what != posts || !e.node.returns.Known() {
			continue
		}
		list := beat[e.name]
		next, _ := slices.BinarySearch(list, e.at.Add(-forecast.SilentAfter))
		if next < len(list) && list[next] <= e.at.Add(forecast.SilentAfter) {
			continue // it has returned
		}
		e.node.answers, e.node.returns = e.node.returns, 0
		k, _ := slices.BinarySearchFunc(o.posts[e.name], e.at, func(p post, at model.Instant) int { return int(min(1, max(-1, p.at-at))) })
		o.posts[e.name][k].answers = e.node.answers
		without := model.Interval{Earliest: e.node.answers.Add(-forecast.SilentAfter), Latest: until}
		if next < len(list) {
			without.Latest = list[next]
		}
		if unheard := o.declared[e.name]; unheard.Known() && unheard < without.Latest && until.Sub(unheard) > notices+samePass {
			without.Latest = unheard // it no longer answers
		}
		o.leaseless[e.name] = append(o.leaseless[e.name], without)
	}
}
