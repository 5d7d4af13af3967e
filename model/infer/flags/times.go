package flags

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
)

// Times are a monitor period and a grace period that fit together.
type Times struct{ Period, Grace time.Duration }

// maxPeriods is how many periods are proposed, maxGraces how many grace periods with each.
const maxPeriods, maxGraces = 8, 4

// Times are those that the observations allow, the likeliest periods first: if the distances of passes do not decide,
// simulations may. None if there are fewer observations than Enough. much: most writes have no reason under the flags
// used.
func (o *Observed) Times(much bool) (list []Times) {
	fits, agree := o.agreed(o.silences())
	grace, period := o.Params.NodeMonitorGracePeriod, o.Params.NodeMonitorPeriod
	late := fits.Earliest > model.Instant(grace.Value) && grace.From == model.FromDefault
	if len(agree) < o.Enough || late && (o.onePass(agree) || o.MoreComes && passesOf(agree) < 2) {
		return nil // a delay of that pass is possible too
	}
	contradicted := grace.From == model.FromInferred || grace.From == model.FromDefault && !fits.Contains(model.Instant(grace.Value))
	for _, p := range o.likely(much && grace.From < model.FromFile) {
		graces := []time.Duration{grace.Value}
		if contradicted {
			graces = longestRound(time.Duration(fits.Latest), time.Duration(fits.Latest)-2*(p+time.Second))
		}
		for _, g := range graces {
			if g >= p && (g != grace.Value || p != period.Value) {
				list = append(list, Times{p, g})
			}
		}
	}
	return list
}

// likely are the possible round periods, the likeliest first; only the one used if nothing contradicts it.
func (o *Observed) likely(much bool) (list []time.Duration) {
	used := &o.Params.NodeMonitorPeriod
	if _, n := o.periods(used.Value).around(used.Value.Seconds()); used.From >= model.FromFile || len(o.lapses(used.Value)) < o.Enough && !much || n > 0 && !much && used.From == model.FromDefault {
		return []time.Duration{used.Value}
	}
	all, _ := o.weigh()
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	for _, w := range all {
		if slices.Contains(roundPeriods, w.period) && len(list) < maxPeriods {
			list = append(list, w.period)
		}
	}
	return list
}

func longestRound(most, least time.Duration) (list []time.Duration) {
	for at := most.Truncate(5 * time.Second); at > max(0, least) && len(list) < maxGraces; at -= 5 * time.Second {
		list = append(list, at)
	}
	if at := most.Truncate(time.Second); at > max(0, least) && !slices.Contains(list, at) {
		list = append(list, at)
	}
	return list
}
