package processes

import (
	"slices"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Leaderless are the times without a leader: from the last leader's stop to the next election. A leader stops with its
// last observed write after its last renewal, and at the latest when it gives up. An election is left out if no process
// began with it. Without evidence of an earlier leader, there is none before the first.
func (c *Course) Leaderless() (list []model.Interval) {
	if first := c.Evidence.First; first.Known() {
		list = append(list, model.Interval{Earliest: model.FarPast + 1, Latest: first})
	}
	for _, v := range c.Evidence.Vacancies {
		begins := slices.ContainsFunc(c.Evidence.Restarts, func(r model.Interval) bool {
			return r.Latest >= v.Taken && r.Earliest <= v.Taken.Add(evidence.ElectedWithin)
		})
		if !begins {
			continue
		}
		stopped := v.Renewed
		for w := range model.Each(c.Evidence.Writes) {
			if !w.Across && !w.Aside && Of(w.Kind) != 0 && w.Time.Earliest <= v.GivesUp && w.At < v.Taken {
				stopped = max(stopped, w.At+1)
			}
		}
		list = append(list, model.Interval{Earliest: stopped, Latest: v.Taken})
	}
	return list
}
