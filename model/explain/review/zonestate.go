package review

import (
	"slices"
	"sort"

	"kardia/model"
)

// ZoneStates are the states of a zone over time, as the node-lifecycle controller judged it.
type ZoneStates struct {
	Zone model.ZoneKey
	// Spans are in order and follow each other without a gap; the last one has no end.
	Spans []ZoneSpan
}

// ZoneSpan is a span in which a zone had one state.
type ZoneSpan struct {
	From  model.Instant
	State model.DisruptionState
}

// At is the state at a time; ZoneNone if unknown.
func (z *ZoneStates) At(t model.Instant) model.DisruptionState {
	if i := sort.Search(len(z.Spans), func(i int) bool { return z.Spans[i].From > t }); i > 0 {
		return z.Spans[i-1].State
	}
	return model.ZoneNone
}

// States lists the zones' states by the decisions, which must be in order, without zones that have none. Before a
// zone's first decision the state is the one that it replaced.
func States(decisions []model.Decision) []ZoneStates {
	var list []ZoneStates
	for i := range decisions {
		d := &decisions[i]
		if d.Kind != model.ZoneState || d.Outcome != model.Did || !d.Zone.Known {
			continue
		}
		k := slices.IndexFunc(list, func(z ZoneStates) bool { return z.Zone == d.Zone.Value })
		if k < 0 {
			k = len(list)
			list = append(list, ZoneStates{Zone: d.Zone.Value, Spans: []ZoneSpan{{From: model.FarPast, State: d.State.From}}})
		}
		list[k].Spans = append(list[k].Spans, ZoneSpan{From: d.Time, State: d.State.To})
	}
	slices.SortFunc(list, func(a, b ZoneStates) int { return a.Zone.Compare(b.Zone) })
	return list
}
