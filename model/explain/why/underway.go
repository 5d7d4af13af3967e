package why

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
)

// inFlight is how long a write may take from its decision on.
const inFlight = 2 * time.Second

// UnderWay lists, from decisions in order, those so recent that objects may not show them yet.
func UnderWay(all []model.Decision, at model.Instant) []model.Decision {
	from := sort.Search(len(all), func(i int) bool { return all[i].Time >= at.Add(-inFlight) })
	to := sort.Search(len(all), func(i int) bool { return all[i].Time > at })
	return all[from:max(from, to)]
}

// Undecided removes held steps decided just before a time but not written. Declaring or tainting a node queues it.
func Undecided(list []Held, all []model.Decision, at model.Instant) []Held {
	recent := UnderWay(all, at)
	var rest []Held
	for i := range list {
		if !decided(&list[i].Decision, recent) {
			rest = append(rest, list[i])
		}
	}
	return rest
}

func decided(d *model.Decision, recent []model.Decision) bool {
	return slices.ContainsFunc(recent, func(x model.Decision) bool {
		if x.Outcome != model.Did || x.Node != d.Node || x.Pod != d.Pod || x.Observed == nil && len(x.Writes) > 0 {
			return false // nothing shows that it was done, so it may still come
		}
		return x.Kind == d.Kind || d.Kind == model.QueueForTaint && x.Kind == model.MarkUnknown ||
			d.Kind == model.MarkUnknown && x.Kind == model.TaintNoExecute
	})
}
