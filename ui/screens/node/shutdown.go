package node

import (
	"fmt"

	"kardia/model"
	"kardia/model/explain/shutdown"
	"kardia/ui/decision"
)

// shutdown are the lanes in which its kubelet ends its pods, because the machine goes down in order, with those that
// have not ended by name.
func (c *rendering) shutdown(add func(word, value string)) {
	s, ok := shutdown.Of(c.row)
	if !ok {
		return
	}
	const named = 6
	add("shutdown", c.shutdownInWords(&s))
	for i := range s.Lanes {
		add(s.Lanes[i].Name, s.Lanes[i].Far(named))
	}
	if s.Refused > 0 {
		add("came too late", decision.Counted(s.Refused, "pod")+" that its kubelet did not let run any more")
	}
	add("by when", shutdown.Unknowable)
}

// shutdownInWords is that it is under way, since when, and how that is known.
func (c *rendering) shutdownInWords(s *shutdown.Shutdown) string {
	text := "its kubelet ends its pods in order, those that are critical to the system (priority 2000000000 or more) last"
	if s.Over {
		text = "its kubelet ended pods in order, and is not heard any more"
	}
	if s.Since.Bounded() {
		text += ", since " + c.p.Clock(s.Since)
	}
	return text + " (" + s.Says + ")"
}

// shutdownSteps are the same in short, among the reasons.
func (c *rendering) shutdownSteps() []step {
	s, ok := shutdown.Of(c.row)
	if !ok {
		return nil
	}
	text := ""
	for i := range s.Lanes {
		l := &s.Lanes[i]
		text += fmt.Sprintf("%s: %d of %d ended", l.Name, len(l.Ended), l.All())
		if i+1 < len(s.Lanes) {
			text += "; "
		}
	}
	switch {
	case !c.s.Has(model.KindPod):
		text = "its pods are not read"
	case text == "":
		text = "no pod is left that it would end"
	}
	return []step{c.observed("shut down in order, by priority: " + text + "; by when is not in the API")}
}
