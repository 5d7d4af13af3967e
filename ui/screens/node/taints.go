package node

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/themes"
	"kardia/ui/paint"
)

// taints are the node's taints, NoExecute first.
func (c *canvas) taints(w int) list {
	taints := taintsOf(c.row)
	l := list{pane: paneTaints, title: "TAINTS " + itoa(len(taints)), n: len(taints)}
	c.pick(&l)
	if c.controllers.Judged && len(taints) > 0 {
		l.note = "age, added by"
	}
	writers := 0
	if c.controllers.Judged {
		writers = 18
	}
	longest := 10
	for i := range taints {
		longest = max(longest, len(taints[i].Key)+len(taints[i].Value)+len(":PreferNoSchedule")+1)
	}
	if len(taints) == 0 {
		l.n = 1
		l.draw = func(int) paint.Row { return c.quiet(w, "no taints") }
		return l
	}
	l.draw = func(i int) paint.Row {
		t := &taints[i]
		token := themes.Dim
		if t.Effect == model.NoExecute {
			token = themes.Text
		}
		text := strings.TrimPrefix(t.Key, "node.kubernetes.io/")
		if t.Value != "" {
			text += "=" + t.Value
		}
		line := c.start(w, c.picked(paneTaints, i))
		line.Left(token, c.p.Text(text+":"+t.Effect.String()), max(min(longest, w-2-9-writers), 10)).Skip(1)
		line.Left(themes.Dim, c.taintAge(t), paint.DurationWidth)
		if writers > 0 {
			glyph, who := c.addedBy(t)
			line.Skip(2).Glyph(themes.Faint, glyph).Skip(1).Put(themes.Dim, who)
		}
		return line.Row()
	}
	return l
}

// taintTrack is what was seen of when a taint was put on; ok is false where nothing was.
func (c *canvas) taintTrack(t *model.Taint) (track timeline.TaintTrack, ok bool) {
	if c.track == nil && c.s.At.Bounded() {
		c.past(model.Interval{Earliest: c.s.At.Add(-c.lookBack()), Latest: c.s.At})
	}
	if c.track == nil {
		return track, false
	}
	return c.track.Taint(t.Key, t.Effect, c.s.At)
}

// taintAge is how long the node has had a taint: by its timeAdded, else since a version was seen to
// have it; at least since then where it stood there already.
func (c *canvas) taintAge(t *model.Taint) string {
	if t.Added.Bounded() || !c.s.At.Bounded() {
		return c.since(t.Added)
	}
	track, ok := c.taintTrack(t)
	if !ok {
		return "?"
	}
	age := model.Ages{Age: model.Some(max(c.s.At.Sub(track.Added.Latest), 0)), AtLeast: track.Added.Width() > 2*time.Second}
	return c.p.AgeOf(age, paint.DurationWidth)
}

// addedBy is who put a taint on the node, and how that is known: the writer seen, or the
// decision that explains it.
func (c *canvas) addedBy(t *model.Taint) (glyph, who string) {
	r := c.s.Judged.Result
	if r == nil {
		return c.pending(), ""
	}
	for i := len(r.Writes) - 1; i >= 0; i-- {
		w := &r.Writes[i]
		if w.Node != c.name || w.Taint != t.Key || w.Time.Earliest > c.s.At || !adds(w.Kind, t.Effect) {
			continue
		}
		switch {
		case t.Added.Bounded() && w.Time.Latest.Add(2*time.Second) < t.Added:
			// It wrote an earlier taint.
		case w.Writer != model.WriterUnknown:
			return c.p.Glyphs.Recorded, w.Writer.String()
		case w.Decision != 0:
			return c.p.Glyphs.Inferred, "node-lifecycle"
		}
		break
	}
	if track, ok := c.taintTrack(t); ok && track.Writer != model.WriterUnknown {
		return c.p.Glyphs.Recorded, track.Writer.String()
	}
	return "?", "not known"
}

// adds says whether a kind of decision puts a taint of an effect on a node.
func adds(k model.DecisionKind, effect model.Effect) bool {
	switch effect {
	case model.NoExecute:
		return k == model.TaintNoExecute || k == model.SwapNoExecute
	case model.NoSchedule:
		return k == model.AddNoSchedule
	}
	return false
}
