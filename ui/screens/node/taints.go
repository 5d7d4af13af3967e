package node

import (
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/widget"
	"kardia/ui/words"
)

func (c *rendering) taints(w int) part {
	taints := taintsOf(c.row)
	l := part{pane: paneTaints, title: words.Label("Taints") + " " + strconv.Itoa(len(taints))}
	if len(taints) == 0 {
		l.List = c.quiet(w, words.Of("node.no-taints"))
		return l
	}
	t := c.taintTable(w)
	l.Head, l.N = []paint.Row{t.Titles(c.p, w)}, len(taints)
	l.Draw = func(i int) paint.Row { return t.Row(c.p, &taints[i], w, c.picked(paneTaints, i)) }
	return l
}

func (c *rendering) taintTable(w int) widget.Table[*model.Taint] {
	t := widget.Table[*model.Taint]{Columns: []widget.Column[*model.Taint]{
		{Title: "TAINT", Width: 10, Grows: true, Cell: func(t *model.Taint) (themes.Token, string) {
			text := strings.TrimPrefix(t.Key, "node.kubernetes.io/")
			if t.Value != "" {
				text += "=" + t.Value
			}
			return themes.Text.If(t.Effect == model.NoExecute, themes.Dim), c.p.Text(text + ":" + t.Effect.String())
		}},
		{Title: "AGE", Width: paint.DurationWidth, Cell: func(t *model.Taint) (themes.Token, string) { return themes.Dim, c.taintAge(t) }},
	}}
	if c.outlook.Judged {
		t.Columns = append(t.Columns, widget.Column[*model.Taint]{Title: "ADDED BY", Width: 16, Drop: 1, Draw: func(l *paint.Line, t *model.Taint, w int) {
			glyph, who := c.addedBy(t)
			l.Glyph(themes.Faint, glyph).Skip(1).Left(themes.Dim, who, w-2)
		}})
	}
	t.Fit(w)
	return t
}

// taintTrack is the evidence of when a taint was set; ok is false without any.
func (c *rendering) taintTrack(t *model.Taint) (track past.TaintTrack, ok bool) {
	if c.track == nil && c.s.At.Bounded() {
		c.trackOver(model.Interval{Earliest: c.s.At.Add(-lookBack(c.s)), Latest: c.s.At})
	}
	if c.track == nil {
		return track, false
	}
	return c.track.Taint(t.Key, t.Effect, c.s.At)
}

// taintAge is how long the node has had a taint: by its timeAdded, else since the first version seen with it. If it was
// there from the start, that is a lower bound.
func (c *rendering) taintAge(t *model.Taint) string {
	if t.Added.Bounded() || !c.s.At.Bounded() {
		return c.since(t.Added)
	}
	track, ok := c.taintTrack(t)
	if !ok {
		return "?"
	}
	age := model.Ages{Age: model.Some(max(c.s.From().Sub(track.Added.Latest), 0)), AtLeast: track.Added.Width() > 2*time.Second}
	return c.p.AgeOf(age, paint.DurationWidth)
}

// addedBy is the component that set a taint, and the evidence: the observed writer, or the explaining decision.
func (c *rendering) addedBy(t *model.Taint) (glyph, who string) {
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
	if t.OfNodeLifecycle() {
		return c.p.Glyphs.Inferred, "node-lifecycle" // by the key: no other component sets such taints
	}
	return "?", words.Label("not known")
}

// adds reports whether a kind of decision puts a taint of an effect on a node.
func adds(k model.DecisionKind, effect model.Effect) bool {
	switch effect {
	case model.NoExecute:
		return k == model.TaintNoExecute || k == model.SwapNoExecute
	case model.NoSchedule:
		return k == model.AddNoSchedule
	}
	return false
}
