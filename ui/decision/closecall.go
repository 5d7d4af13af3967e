package decision

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/explain/outlook"
	"kardia/themes"
	"kardia/ui/topics"
)

// beforeAfter is what the decision changes, where it says what was there before.
func (w *writer) beforeAfter(d *model.Decision) {
	before, after, ok := topics.Changed(d)
	if !ok {
		before, after, ok = taintsChanged(d)
	}
	if !ok || d.Told() { // what was before it, nobody told
		return
	}
	w.text("BEFORE", themes.Text, before)
	w.text("AFTER", themes.Text, after)
}

// taintsChanged is what a decision about taints finds on the node, of those that it is about,
// and what it leaves there.
func taintsChanged(d *model.Decision) (before, after string, ok bool) {
	if d.Outcome != model.Did {
		return "", "", false
	}
	var on, off, anew bool
	for i := range d.Writes {
		on, anew = on || d.Writes[i].Kind == model.WriteTaint, anew || d.Writes[i].RefreshesTime
		off = off || d.Writes[i].Kind == model.WriteUntaint
	}
	switch {
	case on && off:
		return topics.Taints(d, model.WriteUntaint), topics.Taints(d, model.WriteTaint), true
	case off:
		return topics.Taints(d, model.WriteUntaint), "without " + topics.Taints(d, model.WriteUntaint), true
	case anew:
		return topics.Taints(d, model.WriteTaint), topics.Taints(d, model.WriteTaint) + ", with a new time", true
	case on:
		return "without " + topics.Taints(d, model.WriteTaint), topics.Taints(d, model.WriteTaint), true
	}
	return "", "", false
}

// closeCall is the smallest change that would have flipped the decision, where its checks
// tell.
func (w *writer) closeCall(d *model.Decision, j *outlook.Judgement) {
	if text := closeCall(d, j); text != "" {
		w.text("NEAR MISS", themes.Text, text)
	}
}

func closeCall(d *model.Decision, j *outlook.Judgement) string {
	if d.Outcome != model.Did || len(d.Checks) == 0 {
		return ""
	}
	first := &d.Checks[0]
	switch {
	case d.Kind == model.EvictPod:
		return evictionCloseCall(d, j.Decisions())
	case d.Kind == model.TaintNoExecute:
		return tokenCloseCall(first)
	case d.Kind == model.MarkUnknown && first.Left.Kind == model.OperandDuration:
		margin := first.Left.Int - first.Right.Int
		return topics.Span(time.Duration(margin)) + " less silence, and this pass lets it be"
	case d.Kind == model.ZoneState && len(d.Checks) == 1 && first.Holds:
		return "one Ready node, and the zone is not wholly dark"
	case d.Kind == model.ZoneState && len(d.Checks) > 1 && j != nil && j.Result != nil:
		return zoneCloseCall(int(first.Left.Int), int(d.Checks[1].Left.Int), j.Result.Params)
	}
	return ""
}

// evictionCloseCall is how much later the node's taints came off, which would have cancelled
// the countdown; "" where there was none.
func evictionCloseCall(d *model.Decision, all []model.Decision) string {
	last := &d.Checks[len(d.Checks)-1]
	if last.Left.Kind != model.OperandInstant {
		return "" // it is deleted at once
	}
	const cancelled = "had they come off before, its countdown would have been cancelled"
	from := position(d, all)
	for i := from + 1; from >= 0 && i < len(all); i++ {
		if x := &all[i]; x.Kind == model.UntaintNoExecute && x.Outcome == model.Did && x.Node == d.Node {
			return "its node's NoExecute taints came off " + model.Length(x.Time.Sub(d.Time)) + " later: " + cancelled
		}
	}
	return "its node's NoExecute taints are not known to have come off since: " + cancelled
}

// tokenCloseCall is whether the node waited for the token, or the token for a node.
func tokenCloseCall(c *model.Check) string {
	since, at := model.Instant(c.Left.Int), model.Instant(c.Right.Int)
	switch {
	case c.Left.Kind != model.OperandInstant || !since.Bounded() || !at.Bounded():
		return ""
	case at.Sub(since) < nodelifecycle.TickPeriod:
		return "the token came with this tick: the node had to wait for it"
	}
	return "the token had been there for " + topics.Span(at.Sub(since)) + ": it waited for a node"
}

// zoneCloseCall is the fewest nodes by which a zone's state would have been another.
func zoneCloseCall(ready, notReady int, params model.Params) string {
	state, _ := nodelifecycle.Suppose(params, ready, notReady)
	for n := 1; n <= max(ready, notReady); n++ {
		for _, v := range []struct {
			more  string
			shift int
		}{{"fewer", -n}, {"more", n}} {
			bad, good := notReady+v.shift, ready-v.shift
			if bad < 0 || good < 0 {
				continue
			}
			if other, _ := nodelifecycle.Suppose(params, good, bad); other != state {
				return fmt.Sprintf("%s not ready %s: %s is %s", Counted(n, "node"), v.more, topics.Share(bad, good+bad), other)
			}
		}
	}
	return ""
}
