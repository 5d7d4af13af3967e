package infer

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/reconstruct"
)

// remember puts in what captures, and the lists with which a record begins, tell of the time of which
// nothing was recorded. What the models say of the same act stays as it is.
func (r *Result) remember(h history.History) (err error) {
	past := reconstruct.From(firstLists(h, &err))
	if err != nil || len(past) == 0 {
		return err
	}
	recorded := history.Recorded(h)
	told := map[actOf][]model.Interval{}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		told[actOn(d)] = append(told[actOn(d)], d.Window)
	}
	past = slices.DeleteFunc(past, func(d model.Decision) bool {
		return recorded.Known() && recorded.Overlaps(d.Window) && d.Window.Latest > recorded.Earliest ||
			slices.ContainsFunc(told[actOn(&d)], func(w model.Interval) bool { return between(w, d.Window) <= lagBound })
	})
	if len(past) > 0 {
		all := append(past, r.Decisions...)
		slices.SortStableFunc(all, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
		r.Decisions = all
	}
	return nil
}

// actOf is what is done to whom.
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

// between is how far two intervals are from each other, 0 where they meet.
func between(v, w model.Interval) time.Duration {
	return max(0, v.Earliest.Sub(w.Latest), w.Earliest.Sub(v.Latest))
}

// firstLists is what captures hold, and what the lists hold with which a record begins.
func firstLists(h history.History, failed *error) iter.Seq[reconstruct.Listed] {
	return func(yield func(reconstruct.Listed) bool) {
		if b, ok := h.(Based); ok {
			if c := b.Base(); c.Folded > 0 {
				at := h.Coverage().Earliest
				for ch := range c.Baseline(at, nil) {
					if !yield(reconstruct.Listed{Change: ch, Position: -1, By: at}) {
						return
					}
				}
				return
			}
		}
		sources := h.Sources()
		first, end := h.Span()
		captures := slices.ContainsFunc(sources, func(s history.Source) bool { return s.Captured != nil })
		var lists model.Instant // until when the first lists may take
		for at := first; at < end; {
			page := h.PageAt(at)
			at = page.End
			if lists == 0 {
				lists = page.First.Add(listing)
			}
			if !captures && page.First > lists {
				return
			}
			changes, err := h.Read(page)
			if err != nil {
				*failed = err
				return
			}
			for i := range changes {
				l := reconstruct.Listed{Change: &changes[i], Position: page.Start + i, By: changes[i].Effective()}
				var captured *history.Captured
				if s := int(changes[i].Origin.Source); s >= 0 && s < len(sources) {
					captured = sources[s].Captured
				}
				switch {
				case captured != nil && !captured.Told():
					l.By = model.FarFuture
				case captured == nil && (l.Op != model.OpBaseline || l.Effective() > lists):
					continue
				}
				if !yield(l) {
					return
				}
			}
		}
	}
}
