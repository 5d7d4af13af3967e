package evidence

import (
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

const (
	// fewWrites is how many writes show the clock of samples: one alone may be a different write of its kind.
	fewWrites = 2
	// farOff is the largest offset of a sampler's clock: beyond it, the samples are of another time.
	farOff = 10 * time.Minute
)

// hearSamples finds how far a sampler's clock is ahead: a write was made between the last sample without it and the
// first with it.
func (s *survey) hearSamples(said []history.Statement) {
	type act struct {
		kind    model.DecisionKind
		subject string
	}
	shown := map[int32]map[act][]model.Interval{}
	for x := range model.Each(said) {
		if x.Sampled && x.Decision() != model.DecisionNone {
			of, kept := act{x.Decision(), x.Subject()}, shown[x.Origin.Source]
			if kept == nil {
				kept = map[act][]model.Interval{}
				shown[x.Origin.Source] = kept
			}
			kept[of] = append(kept[of], x.When())
		}
	}
	if len(shown) == 0 {
		return
	}
	written := map[act][]model.Interval{}
	for w := range model.Each(s.out) {
		if !w.Across && w.Time.Bounded() {
			of := act{w.Kind, w.Subject()}
			if of.kind == model.SwapNoExecute {
				of.kind = model.TaintNoExecute
			}
			written[of] = append(written[of], w.Time)
		}
	}
	for _, source := range slices.Sorted(maps.Keys(shown)) {
		log := Log{Source: source, Sampled: true}
		ahead := model.Interval{Earliest: -model.Instant(farOff), Latest: model.Instant(farOff)}
		for of, windows := range shown[source] {
			if len(windows) != len(written[of]) {
				continue // the pairs are unknown
			}
			for i, w := range written[of] {
				ahead.Earliest = max(ahead.Earliest, model.Instant(windows[i].Earliest.Sub(w.Latest)))
				ahead.Latest = min(ahead.Latest, model.Instant(windows[i].Latest.Sub(w.Earliest)))
				log.Writes++
			}
		}
		if log.Writes >= fewWrites && ahead.Earliest <= ahead.Latest {
			log.Ahead = model.Some(history.Offset{Least: time.Duration(ahead.Earliest), Most: time.Duration(ahead.Latest)})
		}
		s.Logs = append(s.Logs, log)
	}
}
