package node

import (
	"kardia/model"
	"kardia/model/explain/shutdown"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// shutdown are the lanes of an orderly shutdown, in which the kubelet ends its pods; the remaining ones are named.
func (c *rendering) shutdown(add func(word, value string)) {
	s, ok := shutdown.Of(c.row)
	if !ok {
		return
	}
	const named = 6
	add("shutdown", topics.Shutdown(&s).In(c.p))
	for i := range s.Lanes {
		add(s.Lanes[i].Name, topics.ShutdownLane(&s.Lanes[i], named).In(c.p))
	}
	if s.Refused > 0 {
		add("came too late", words.Of("shutdown.refused", "n", s.Refused).In(c.p))
	}
	add("by when", words.Of("shutdown.no-deadline").In(c.p))
}

// shutdownSteps are the same in short, among the reasons.
func (c *rendering) shutdownSteps() []step {
	s, ok := shutdown.Of(c.row)
	if !ok {
		return nil
	}
	return []step{c.observed(topics.ShutdownShort(&s, c.s.Has(model.KindPod)))}
}
