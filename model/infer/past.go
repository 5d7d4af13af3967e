package infer

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
	"kardia/model/infer/reconstruct"
)

// shown reports whether the record shows such acts. For other kinds the lists are the only evidence at any time.
func (p *Past) shown(d *model.Decision) bool {
	switch {
	case d.Kind == model.ControllerStart:
		return p.recorded[model.KindEvent] || p.recorded[model.KindLeaderLease]
	case d.Kind == model.RegisterNode || d.Kind == model.ForgetNode:
		return p.recorded[model.KindEvent] || p.recorded[model.KindNode]
	case d.Pod != model.Key{}:
		return p.recorded[model.KindPod] && p.recorded[model.KindNode] // a pod is deleted for a taint of its node
	}
	return p.recorded[model.KindNode]
}

// Past is the evidence for the time before the record. A live session keeps it, as its first lists are dropped.
func (r *Result) Past() *Past { return r.past }

func readPast(h history.History) (p *Past, err error) {
	p = &Past{}
	for _, s := range h.Sources() {
		for kind, n := range s.Kinds {
			p.recorded[kind] = p.recorded[kind] || n > 0 && s.Captured == nil
		}
	}
	p.decisions = reconstruct.From(p.told(h, &err))
	return p, err
}

// addPast adds the Past. In the recorded time the models' decision about the same act wins, and before it the Past.
// Decisions that leave no trace, such as a zone's state, are unknown there.
func (r *Result) addPast() {
	r.Decisions = r.watched()
	if len(r.past.decisions) == 0 {
		return
	}
	began := r.began()
	told := map[actOf][]int{}
	for i := range r.Decisions {
		act := actOn(&r.Decisions[i])
		told[act] = append(told[act], i)
	}
	past, replaced, known := slices.Clone(r.past.decisions), map[int]bool{}, map[model.DecisionID]model.DecisionID{}
	past = slices.DeleteFunc(past, func(p model.Decision) bool {
		if began.Known() && r.recorded.Overlaps(p.Window) && p.Window.Latest > began && len(r.Unsupported) == 0 && r.past.shown(&p) {
			return true
		}
		told := slices.DeleteFunc(slices.Clone(told[actOn(&p)]), func(i int) bool {
			d := &r.Decisions[i]
			return between(d.Window, p.Window) > evidence.LagBound && (replaced[i] || !onceOnly(d, &p, began))
		})
		for _, i := range told {
			if d := &r.Decisions[i]; d.Basis != model.Inferred || d.Window.Earliest >= began || replaced[i] {
				return true
			}
		}
		for k, i := range told {
			if replaced[i] = true; k == 0 {
				known[p.ID] = r.Decisions[i].ID // later decisions refer to this id
			}
		}
		return false
	})
	if len(past) == 0 {
		return
	}
	for p := range model.Each(past) {
		p.ID = cmp.Or(known[p.ID], p.ID)
		p.Causes = slices.Clone(p.Causes)
		for k, id := range p.Causes {
			p.Causes[k] = cmp.Or(known[id], id)
		}
	}
	for i := range r.Decisions {
		if !replaced[i] {
			past = append(past, r.Decisions[i])
		}
	}
	slices.SortStableFunc(past, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	r.Decisions = past
}

// began is the start of the record; unknown without one.
func (r *Result) began() model.Instant {
	if !r.recorded.Known() {
		return 0
	}
	return r.recorded.Earliest
}

// watched are the decisions, without those before the record that leave no trace.
func (r *Result) watched() []model.Decision {
	began := r.began()
	if !r.models().evidence.KnownStart || !began.Known() {
		return r.Decisions
	}
	guessed := func(d model.Decision) bool {
		return d.Basis == model.Inferred && d.Window.Latest < began && len(d.Writes) == 0 && d.Kind != model.ScheduleEviction
	}
	if !slices.ContainsFunc(r.Decisions, guessed) {
		return r.Decisions
	}
	return slices.DeleteFunc(slices.Clone(r.Decisions), guessed)
}

type actOf struct {
	kind model.DecisionKind
	node string
	pod  model.Key
}

func actOn(d *model.Decision) actOf {
	a := actOf{d.Kind, d.Node, d.Pod}
	if d.Kind == model.SwapNoExecute {
		a.kind = model.TaintNoExecute
	}
	if d.Pod != (model.Key{}) {
		a.node = ""
	}
	return a
}

// onceOnly reports whether two decisions are the deletion of one pod, the first by a model before the record.
func onceOnly(d, p *model.Decision, began model.Instant) bool {
	return d.Kind == model.EvictPod && d.PodUID == p.PodUID && d.PodUID.Known() && began.Known() && d.Window.Earliest < began
}

// between is the distance of two intervals, 0 if they meet.
func between(v, w model.Interval) time.Duration {
	return max(0, v.Earliest.Sub(w.Latest), w.Earliest.Sub(v.Latest))
}

// told yields the objects of captures and first lists, and all Events if only they show some acts.
func (p *Past) told(h history.History, failed *error) iter.Seq[reconstruct.Listed] {
	return func(yield func(reconstruct.Listed) bool) {
		first, _ := h.Span()
		stood, _, err := h.State(first)
		if err != nil {
			*failed = err
			return
		}
		if stood.Folded > 0 {
			at := h.Coverage().Earliest
			for ch := range stood.Baseline(at, nil) {
				if !yield(reconstruct.Listed{Change: ch, Position: -1, By: at}) {
					return
				}
			}
			return
		}
		sources := h.Sources()
		events := p.recorded[model.KindEvent] && !(p.recorded[model.KindNode] && p.recorded[model.KindPod])
		all := events || slices.ContainsFunc(sources, func(s history.Source) bool { return s.Captured != nil })
		var lists model.Instant // the latest end of the first lists
		err = history.Walk(h, model.FarPast, model.FarFuture, &history.Condensed{Full: true}, func(position int, ch *model.Change) bool {
			if lists == 0 {
				lists = ch.Effective().Add(history.ListsWithin)
			}
			l := reconstruct.Listed{Change: ch, Position: position, By: ch.Effective()}
			var captured *history.Captured
			if s := int(ch.Origin.Source); s >= 0 && s < len(sources) {
				captured = sources[s].Captured
			}
			switch {
			case captured != nil && !captured.Told():
				l.By = model.FarFuture
			case captured == nil && events && l.Event != nil:
				l.By = model.FarFuture
			case captured == nil && (l.Op != model.OpBaseline || l.By > lists):
				return all || l.By <= lists
			}
			listed := *ch // ch is valid until the next one
			l.Change = &listed
			return yield(l)
		})
		if err != nil {
			*failed = err
		}
	}
}
