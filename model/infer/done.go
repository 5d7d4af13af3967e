package infer

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// together is the longest time in which one decision marks the pods of a node.
const together = 5 * time.Second

// Done is what the controllers did, by time: the Decisions without missing effects, and open writes as decisions
// without an id. Writes that may be another writer's are omitted.
func (r *Result) Done() []*model.Decision {
	missing := r.Missing()
	list := make([]*model.Decision, 0, len(r.Decisions))
	for d := range model.Each(r.Decisions) {
		if !missing[d.ID] {
			list = append(list, d)
		}
	}
	marked := map[string]*model.Decision{}
	for _, writes := range [][]Write{r.Writes, r.NotJudged} {
		for w := range model.Each(writes) {
			if w.Decision != 0 || w.By != "" || !w.Time.Latest.Bounded() && !w.Time.Earliest.Bounded() {
				continue
			}
			d := unexplained(w)
			if !w.Time.Latest.Bounded() { // then or later, and in the record
				d.Time, d.Window.Latest = w.Time.Earliest, max(w.Time.Earliest, r.recorded.Latest)
				d.Observed.Time = d.Window
			}
			if of := marked[w.Node]; of != nil && w.Kind == model.MarkPodsNotReady && d.Time.Sub(of.Time) < together {
				of.Writes, of.Window.Latest = append(of.Writes, d.Writes...), max(of.Window.Latest, d.Window.Latest)
				continue
			}
			if list = append(list, d); w.Kind == model.MarkPodsNotReady {
				marked[w.Node] = d
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	return list
}

// Unexplained is the write in a decision of Done without an id; else nil.
func (r *Result) Unexplained(d *model.Decision) *Write {
	if d.ID != 0 || d.Observed == nil || len(d.Observed.Evidence) == 0 {
		return nil
	}
	for _, writes := range [][]Write{r.Writes, r.NotJudged} {
		for w := range model.Each(writes) {
			if w.Decision == 0 && w.Kind == d.Kind && len(w.Evidence) > 0 && &w.Evidence[0] == &d.Observed.Evidence[0] {
				return w
			}
		}
	}
	return nil
}

// unexplained is a write as its own decision.
func unexplained(w *evidence.Write) *model.Decision {
	d := &model.Decision{Kind: w.Kind, Outcome: model.Did, Basis: model.Observed, Controller: w.Kind.Controller(), Node: w.Node, Pod: w.Pod, Time: w.Time.Latest, Window: w.Time,
		Observed: &model.Observation{Time: w.Time, Evidence: w.Evidence}}
	if w.Kind == model.MarkPodsNotReady {
		d.Pod, d.Writes = model.Key{}, []model.Write{{Kind: model.WritePodNotReady, Node: w.Node, Pod: w.Pod}}
	}
	return d
}
