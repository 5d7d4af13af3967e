package topics

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/removal"
	"kardia/model/explain/why"
	"kardia/ui/words"
)

// Spared is why a pod was not deleted when its node was lost. owner is its owner, or nil; clock prints a time.
func Spared(s *why.Spared, owner *model.Owner, clock func(model.Instant) string) words.Say {
	switch s.By {
	case why.SparedCancelled:
		left := words.Of("spared.left", "for", model.Length(s.Due.Sub(s.Cancelled.Time))).If(s.Due.Known() && s.Due > s.Cancelled.Time)
		var off words.Say
		if s.Untainted != nil && s.Cancelled.Rule == model.RuleTaintsGone && s.Untainted.Why.Code != model.NoReason {
			off = words.Of("spared.off", "why", Why(s.Untainted))
		}
		return words.Of("spared.cancelled", "at", clock(s.Cancelled.Time), "left", left, "why", Why(s.Cancelled), "off", off)
	case why.SparedPending:
		due := words.Of("spared.due", "at", clock(s.Due)).If(s.Due.Known())
		return words.Of("spared.pending", "at", clock(s.Begun.Time), "by", clock(s.Ended()), "due", due)
	case why.SparedEnded:
		return words.Of("spared.ended", "at", clock(s.Begun.Time), "due", clock(s.Due))
	case why.SparedTolerates:
		what := words.Of("spared.all-taints").If(s.Tolerates.Key == "").Or(words.Text(s.Tolerates.Key))
		daemons := words.Of("spared.daemons").If(owner != nil && owner.Kind == "DaemonSet")
		return words.Of("spared.tolerates", "what", what, "daemons", daemons)
	case why.SparedHalted, why.SparedWaiting:
		return words.Of("spared.waited", "from", clock(s.Waited.Earliest), "to", clock(s.Waited.Latest), "rate", sparedRate(s))
	case why.SparedUnqueued:
		if s.Returned != nil {
			return words.Of("spared.returned", "at", clock(s.Returned.Time))
		}
		return words.Of("spared.untainted", "at", clock(s.Until))
	}
	return words.Of("spared.unknown")
}

// sparedRate is the rate of the zone in which a node waited for its taint, if it is known.
func sparedRate(s *why.Spared) words.Say {
	zone, rate := s.Queued.Zone.Value.String(), model.Number(s.Rate.Value).String()
	in := words.Of("spared.master").If(s.Master).Or(words.Of("spared.in", "state", s.State))
	switch {
	case !s.Rate.Known:
		return words.Say{}
	case s.Halted == 0:
		return words.Of("spared.others", "zone", zone, "rate", rate)
	case s.Halted == s.Waited.Width():
		return words.Of("spared.halted", "zone", zone, "in", in)
	}
	return words.Of("spared.partly", "for", model.Length(s.Halted), "zone", zone, "rate", rate, "in", in)
}

// Removal is when a node was removed, by whom and why, in one sentence without its end.
func Removal(r *removal.Removal) words.Say {
	key := "event"
	switch {
	case !r.At.Known():
	case r.At.Width() <= time.Second:
		key = "at"
	case r.At.Earliest.Bounded():
		key = "between"
	default:
		key = "by"
	}
	between := "; "
	if r.Who() != "" {
		between = " "
	}
	when := words.Of("removal.when."+key, "node", r.Node, "at", r.When().Clock(), "from", r.At.Earliest.Clock(), "to", r.At.Latest.Clock())
	return words.Chain(when, words.Text(between), RemovalBy(r))
}

// RemovalBy is the component or person that removed a node, and the Events about it.
func RemovalBy(r *removal.Removal) words.Say {
	says := words.Of("removal.who", "by", r.Who()).If(r.Who() != "").Or(words.Of("removal.not-known"))
	for _, ev := range r.Events {
		_, _, at := ev.Span()
		text := strings.TrimSuffix(ev.Message, ".")
		of := words.Of("removal.of", "component", ev.Component).If(ev.Component != "")
		message := words.Text(": " + text).If(text != "")
		says = words.Chain(says, words.Of("removal.said", "reason", ev.Reason, "of", of, "at", at.Clock(), "message", message))
	}
	return says
}
