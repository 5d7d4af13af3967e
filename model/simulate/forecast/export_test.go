package forecast

import (
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/infer"
	"kardia/model/infer/phases"
)

// Straight is Run the long way: every kubelet that beats writes each of its renewals.
func Straight(s *infer.State, o Options) *Forecast { return foresee(s, o, playStraight) }

func playStraight(s *infer.State, p *phases.Phase, until model.Instant, silent func(string) bool) *loop.Loop {
	l := loop.Resume(s.At, s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone(), s.Params, p.Clock)
	Suppose(l, s, p, silent)
	for _, row := range beating(s, silent) {
		name := l.Cache.Row(row).Name
		for at := s.At; at <= until; at = at.Add(10 * time.Second) {
			l.At(at, func(l *loop.Loop) { l.Renew(name, l.Now()) })
		}
	}
	return l
}
