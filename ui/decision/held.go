package decision

import (
	"fmt"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
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
	l.Put(themes.Text, w.p.Middle(w.p.Text(d.Subject()), max(w.width/2, 8))).Skip(2).Put(themes.Text, w.p.Text(topics.DecisionHeld(d).In(w.p)))
	w.add(l)
	if why := topics.Why(d); !why.Missing() {
		w.folded(themes.Dim, why.In(w.p), 4)
	}
	if len(d.Checks) > 0 {
		w.checks(d.Checks, w.line().To(4), 4)
	}
	if comes := topics.Comes(d); !comes.Missing() {
		w.folded(themes.Predicted, comes.In(w.p), 4)
	}
	w.changes(h.Changes)
}

// changes lists what would change it.
func (w *writer) changes(list []why.Change) {
	first := true
	for _, c := range list {
		if c.Kind == why.Passing {
			continue // Comes has it
		}
		if first {
			w.add(w.line().To(4).Put(themes.Accent, "CHANGES IF"))
			first = false
		}
		w.folded(themes.Text, topics.Would(c).In(w.p), 6)
	}
}

// Zone draws why a zone has its state and rate, and what would change them.
func Zone(z why.ZoneHeld, now model.Instant, p *paint.Painter, width int) []paint.Row {
	w := &writer{p: p, width: max(width, 1), now: now}
	token := themes.Text
	if z.View.Rate == 0 {
		token = themes.Halted
	}
	state := fmt.Sprintf("%s, %s, %s", z.View.State, topics.Rate(z.View.Rate).In(p), topics.Share(z.View.NotReady, z.View.Ready+z.View.NotReady)+" not ready")
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
