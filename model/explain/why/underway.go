package why

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
)

// inFlight is how long a write may take from its decision on.
const inFlight = 2 * time.Second

// UnderWay are the decisions, of a list in order of time, that were made by an instant and so
// shortly before it that the objects may not show them yet.
func UnderWay(all []model.Decision, at model.Instant) []model.Decision {
	from := sort.Search(len(all), func(i int) bool { return all[i].Time >= at.Add(-inFlight) })
	to := sort.Search(len(all), func(i int) bool { return all[i].Time > at })
	return all[from:max(from, to)]
}

// Undecided leaves out of what is held back at an instant the steps that were decided just before it,
// and are only waiting to be written, as what is seen later shows. A node that is being declared
// Unknown or tainted is also queued by the pass that does so, or was.
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
			return false // or it may still come: nothing shows that it was done
		}
		return x.Kind == d.Kind || d.Kind == model.QueueForTaint && x.Kind == model.MarkUnknown ||
			d.Kind == model.MarkUnknown && x.Kind == model.TaintNoExecute
	})
}
