package forecast

import (
	"time"

	"kardia/model/control/loop"
	"kardia/model/infer"
)

// Straight is Run the long way: every kubelet that beats writes each of its renewals.
func Straight(s *infer.State, o Options) *Forecast { return foresee(s, o, playStraight) }

func playStraight(c *course) *loop.Loop {
	s := c.s
	l := s.Loop(c.phase.Clock, nil)
	Suppose(l, s, c.phase, c.o.Silent)
	for _, row := range beating(s, c.o.Silent) {
		name := l.Cache.Row(row).Name
		for at := s.At; at <= s.At.Add(c.o.Horizon); at = at.Add(10 * time.Second) {
			l.At(at, func(l *loop.Loop) { l.Renew(name, l.Now()) })
		}
	}
	return l
}
