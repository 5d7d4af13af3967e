package processes

import (
	"slices"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// Leaderless are the times in which nobody acts: from when the last leader stopped, until the next one had been
// elected. One that has renewed its lease for the last time acts on until what it is last seen to write, and
// not for longer than until it gives up; an election that began no process that is known of is left out.
// Where nothing shows that one ran before the first that is told of, none acts until then.
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
		for i := range c.Evidence.Writes {
			w := &c.Evidence.Writes[i]
			if !w.Across && !w.Aside && Of(w.Kind) != 0 && w.Time.Earliest <= v.GivesUp && w.At < v.Taken {
				stopped = max(stopped, w.At+1)
			}
		}
		list = append(list, model.Interval{Earliest: stopped, Latest: v.Taken})
	}
	return list
}
