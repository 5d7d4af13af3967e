package forecast

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/shadow"
)

// Straight is Run the long way: every kubelet that beats writes each of its renewals, and
// two runs are matched by counting the decisions that are alike.
func Straight(s *shadow.State, o Options) *Forecast { return foresee(s, o, playStraight, pairStraight) }

func playStraight(s *shadow.State, clock closedloop.Clock, until model.Instant, silent func(string) bool) run {
	l := closedloop.Resume(s.At, s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone(), s.Params, clock)
	for _, row := range beating(s, silent) {
		name := l.Cache.Row(row).Name
		for at := s.At; at <= until; at = at.Add(10 * time.Second) {
			l.At(at, func(l *closedloop.Loop) { l.Renew(name, l.Now()) })
		}
	}
	return courseOf(s, l, until)
}

func pairStraight(a, b *run) {
	index := func(r *run) (all map[string]int32, keys []string) {
		all = map[string]int32{}
		for i, d := range r.list {
			k := fmt.Sprint(d.Kind, d.Outcome, d.Node, d.Place, d.Pod)
			switch d.Kind {
			case model.AddNoSchedule, model.RemoveNoSchedule:
				k += d.Writes[0].Taint.Key
			case model.ZoneState, model.SetRate:
				k += d.Why
			}
			nth := 0
			for _, taken := all[fmt.Sprint(k, nth)]; taken; _, taken = all[fmt.Sprint(k, nth)] {
				nth++
			}
			keys = append(keys, fmt.Sprint(k, nth))
			all[keys[i]] = int32(i)
		}
		return all, keys
	}
	inA, keysA := index(a)
	inB, keysB := index(b)
	twins := func(keys []string, in map[string]int32) (list []int32) {
		for _, k := range keys {
			i, ok := in[k]
			if !ok {
				i = -1
			}
			list = append(list, i)
		}
		return list
	}
	a.twins, b.twins = twins(keysA, inB), twins(keysB, inA)
}
