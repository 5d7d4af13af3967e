package decision

import (
	"fmt"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/paint"
)

// Held draws why nothing more has happened: each step not taken, the checks that hold it
// back, when it comes if nothing changes, and what would change it.
func Held(list []why.Held, now model.Instant, p *paint.Painter, width int) []paint.Row {
	w := &writer{p: p, width: max(width, 1), now: now}
	for i := range list {
		if i > 0 {
			w.blank()
		}
		w.held(&list[i])
	}
	return w.rows
}

func (w *writer) held(h *why.Held) {
	d := &h.Decision
	l := w.line().Glyph(themes.Predicted, w.p.Glyphs.Predicted).Skip(1)
	l.Put(themes.Text, w.p.Middle(w.p.Text(d.Subject()), max(w.width/2, 8))).Skip(2).Put(themes.Text, "not yet "+w.p.Text(pending(d)))
	w.add(l)
	if d.Why != "" {
		w.folded(themes.Dim, d.Why, 4)
	}
	if len(d.Checks) > 0 {
		w.checks(d.Checks, w.line().To(4), 4)
	}
	if text := comes(d, w.p); text != "" {
		w.folded(themes.Predicted, text, 4)
	}
	w.changes(h.Changes)
}

// pending is what a declined decision would have done.
func pending(d *model.Decision) string {
	switch d.Kind {
	case model.MarkUnknown:
		return "declared Unknown"
	case model.QueueForTaint:
		return "queued for a NoExecute taint"
	case model.TaintNoExecute:
		return "given its NoExecute taint"
	case model.EvictPod:
		return "deleted for a taint"
	}
	return d.Kind.String()
}

// comes is when a declined decision comes if nothing changes; "" if that is not known.
func comes(d *model.Decision, p *paint.Painter) string {
	switch v := d.Window; {
	case v.Earliest == model.FarFuture && d.Kind == model.TaintNoExecute:
		return "not while as many nodes of the zones are Ready and silent as now"
	case v.Earliest == model.FarFuture:
		return "never, if nothing changes"
	case v.Bounded():
		return "comes " + p.Window(v) + " if nothing changes"
	}
	return ""
}

// changes lists what would change it.
func (w *writer) changes(list []why.Change) {
	first := true
	for _, c := range list {
		if c.Kind == why.Passing {
			continue // said by comes
		}
		if first {
			w.add(w.line().To(4).Put(themes.Accent, "CHANGES IF"))
			first = false
		}
		w.folded(themes.Text, Would(c), 6)
	}
}

// Would says what would change something, and to what.
func Would(c why.Change) string {
	then := fmt.Sprintf("%s: %s, %s", share(c.NotReady, c.Counted), c.State, Rate(c.Rate))
	switch c.Kind {
	case why.Passing:
		return "time passes"
	case why.Heartbeat:
		return "a heartbeat arrives: the silence restarts"
	case why.KubeletNotReady:
		return "the kubelet posts Ready=False: queued in the next pass, without a grace period"
	case why.NodesReturn:
		return fmt.Sprintf("%s of the zone Ready again: %s", Counted(c.Nodes, "node"), then)
	case why.NodesFail:
		return fmt.Sprintf("%s of the zone silent too: %s", Counted(c.Nodes, "more node"), then)
	case why.AllFail:
		return fmt.Sprintf("all other %s silent too: master disruption, rate 0/s, NoExecute taints removed, countdowns cancelled", Counted(c.Nodes, "node"))
	case why.ZoneHeard:
		return "one node of any zone is Ready: master disruption ends; if it is here, " + then
	case why.NextPass:
		return "the next pass counts the nodes as they are now: " + then
	case why.TaintGone:
		return "the node's NoExecute taints are removed: countdown cancelled"
	case why.NotTolerated:
		return "a NoExecute taint that it does not tolerate: DELETE at once"
	case why.ForEver:
		return "it gains a toleration with no time limit: countdown cancelled"
	case why.ControllerActs:
		return fmt.Sprintf("the controller acts again: overdue %s", paint.Duration(c.At.Width()))
	case why.SomebodyLeads:
		return fmt.Sprintf("a new leader starts, the first for %s: every grace period and countdown restarts", paint.Duration(c.At.Width()))
	case why.LeaderRenews:
		return fmt.Sprintf("the leader renews its lease, the first time for %s: if it exited, a new leader must start, and every grace period and countdown restarts", paint.Duration(c.At.Width()))
	}
	return c.Kind.String()
}

// Rate is at which pace a zone's nodes are tainted.
func Rate(r float32) string {
	if r == 0 {
		return "0/s, no further taint"
	}
	return number(float64(r)) + " nodes/s"
}

// Zone draws why a zone has its state and rate, and what would change them.
func Zone(z why.ZoneHeld, now model.Instant, p *paint.Painter, width int) []paint.Row {
	w := &writer{p: p, width: max(width, 1), now: now}
	token := themes.Text
	if z.View.Rate == 0 {
		token = themes.Halted
	}
	state := fmt.Sprintf("%s, %s, %s", z.View.State, Rate(z.View.Rate), share(z.View.NotReady, z.View.Ready+z.View.NotReady)+" not ready")
	if z.Master {
		state = "master disruption: no zone has a Ready node; " + state
	}
	w.folded(token, w.p.Text(z.View.Zone.String())+"  "+state, 0)
	if len(z.Checks) > 0 {
		w.checks(z.Checks, w.line().To(4), 4)
	}
	w.changes(z.Changes)
	return w.rows
}
