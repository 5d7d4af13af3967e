// Package render lays a doc out: as rows of a terminal, or as text.
package render

import (
	"kardia/themes"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/widget"
)

// Terminal is a doc as rows of at most width cells. A part is set off by an empty row, but for one that has more beside
// its title: it belongs to the part before.
func Terminal(d doc.Doc, p *paint.Painter, width int) []paint.Row {
	t := terminal{p: p, width: max(width, 1), below: 2}
	for i := range d.Blocks {
		if t.block(&d.Blocks[i]); i+1 == len(d.Blocks) || d.Blocks[i+1].Kind != doc.Fact {
			t.rows, t.facts = append(t.rows, t.facts.Rows(p, t.width)...), widget.Facts{}
		}
	}
	return t.rows
}

type terminal struct {
	p     *paint.Painter
	width int
	rows  []paint.Row
	facts widget.Facts // one beneath the other, not laid out yet
	// name is that of a Part whose first row is to come, and beside how far its rows are indented; 0 outside of one.
	name   string
	beside int
	// below is how far the rows are indented that belong to the block before.
	below int
}

const (
	// nameWidth is the column of the names of Parts; a window narrower than roomForNames has them above their rows.
	nameWidth    = 12
	roomForNames = 44
	// maxDepth is how many steps a Step is indented at most.
	maxDepth = 8
	// leastText is the width to which text is folded at least.
	leastText = 8
	// belowSentence is how far a row below a sentence is indented, and belowStep one below a Step.
	belowSentence = 5
	belowStep     = 4
)

func (t *terminal) block(b *doc.Block) {
	text := b.Text.In(t.p)
	switch b.Kind {
	case doc.Head:
		t.head(b, t.p.Text(text))
	case doc.Fact:
		t.facts.Put(t.p.Text(text), tokens[b.Tone], b.Beside.In(t.p))
	case doc.Below:
		t.fold(t.line(t.below), tokens[b.Tone], text)
	case doc.Command:
		t.fold(t.line(0).Put(themes.Dim, b.Mark).To(2), themes.Accent, text)
	case doc.Part:
		t.name, t.beside = text, nameWidth
		if t.width < roomForNames {
			t.rows, t.name, t.beside = append(t.rows, t.p.Line(t.width).Put(themes.Accent, text).Row()), "", 2
		}
		t.below = t.beside
	case doc.Step:
		t.step(b)
	case doc.Checks:
		t.checks(b.Checks)
	case doc.List:
		if text != "" {
			t.fold(t.line(t.below), themes.Accent, text)
		}
		for _, item := range b.Items {
			t.fold(t.line(t.below+2), themes.Text, item.In(t.p))
		}
	default:
		l := t.line(t.indent(b.Depth))
		if t.beside == 0 {
			t.below = belowSentence
			_, glyph := Sign(t.p, b.Sign)
			l = l.Put(tokens[b.Tone], glyph).To(t.indent(b.Depth) + 2)
		}
		t.fold(l, tokens[b.Tone], text)
	}
}

// indent is that of a Step, or of a sentence among Steps.
func (t *terminal) indent(depth int) int { return t.beside + min(2*min(depth, maxDepth), t.width/4) }

// line begins a row, with the name of its Part if it is the first.
func (t *terminal) line(indent int) *paint.Line {
	l := t.p.Line(t.width).Put(themes.Accent, t.name).To(indent)
	t.name = ""
	return l
}

func (t *terminal) add(l *paint.Line) { t.rows = append(t.rows, l.Row()) }

// head is a title, with more beside it, or below it if there is no room.
func (t *terminal) head(b *doc.Block, text string) {
	t.beside, t.below = 0, belowSentence
	l := t.p.Line(t.width).Put(themes.Accent, text)
	if b.Beside.Missing() {
		if len(t.rows) > 0 {
			t.rows = append(t.rows, paint.Row{})
		}
		t.add(l)
		return
	}
	beside := t.p.Text(b.Beside.In(t.p))
	if paint.Width(text)+2+paint.Width(beside) > t.width {
		t.add(l)
		t.fold(t.line(2), tokens[b.Tone], beside)
		return
	}
	t.add(l.Skip(2).Put(tokens[b.Tone], beside))
}

// step is a Step, in two rows if one has no room. The first of a chain is set off by an empty row.
func (t *terminal) step(b *doc.Block) {
	if b.Depth == 0 && t.beside == 0 && len(t.rows) > 0 {
		t.rows = append(t.rows, paint.Row{})
	}
	indent := t.indent(b.Depth)
	l := t.line(indent)
	if b.Sign != doc.None {
		token, glyph := Sign(t.p, b.Sign)
		l.Glyph(token, glyph).Skip(1)
	}
	if !b.At.Missing() {
		l.Put(themes.Dim, b.At.In(t.p)).Skip(2)
	}
	subject, is := t.p.Text(b.Text.In(t.p)), t.p.Text(b.Beside.In(t.p))
	switch {
	case subject == "":
	case l.Rest() < paint.Width(subject)+2+paint.Width(is):
		t.add(l.Put(themes.Text, t.p.Middle(subject, l.Rest())))
		l = t.line(indent + 2)
	default:
		l.Put(themes.Text, subject).Skip(2)
	}
	if note := b.Note.In(t.p); note != "" && l.Rest() > paint.Width(is)+2+paint.Width(note) {
		t.add(l.Put(tokens[b.Tone], is).Skip(2).Put(themes.Faint, note))
	} else {
		t.fold(l, tokens[b.Tone], is)
	}
	if t.beside == 0 {
		t.below = indent + belowStep
	}
}

// checks are comparisons in columns, or each answer below its question if there is no room.
func (t *terminal) checks(list []doc.Check) {
	widest, widestAnswer := 0, 0
	for i := range list {
		widest = max(widest, paint.Width(t.p.Text(list[i].Asked.In(t.p))))
		widestAnswer = max(widestAnswer, paint.Width(t.p.Text(list[i].Answer.In(t.p))))
	}
	narrow := widest+widestAnswer+6 > max(t.width-t.below, leastText)
	for i := range list {
		token, mark := Sign(t.p, holds(list[i].Holds))
		l, asked, answer := t.line(t.below), list[i].Asked.In(t.p), t.p.Text(list[i].Answer.In(t.p))
		if narrow {
			t.fold(l, themes.Dim, asked)
			t.add(t.line(t.below).Skip(2).Glyph(token, mark).Skip(1).Put(themes.Text, answer))
			continue
		}
		t.add(l.Left(themes.Dim, t.p.Text(asked), widest+2).Left(themes.Text, answer, widestAnswer+2).Glyph(token, mark))
	}
}

// holds is the sign of a comparison.
func holds(is bool) doc.Sign {
	if is {
		return doc.Yes
	}
	return doc.No
}

// fold adds text behind the start of a row, in as many rows as it takes, the others from the same column on.
func (t *terminal) fold(begun *paint.Line, token themes.Token, text string) {
	t.rows = append(t.rows, t.p.Folded(begun, token, text)...)
}

// Token is the colour of a tone.
func Token(t doc.Tone) themes.Token { return tokens[t] }

var tokens = [...]themes.Token{doc.Plain: themes.Text, doc.Dim: themes.Dim, doc.Warn: themes.Warn, doc.Predicted: themes.Predicted, doc.Halted: themes.Halted,
	doc.Faint: themes.Faint, doc.Evict: themes.Evict, doc.NodeUnknown: themes.Unknown, doc.NoData: themes.Gap}

// Sign is the glyph for how something is known, and its colour.
func Sign(p *paint.Painter, s doc.Sign) (themes.Token, string) {
	g := &p.Glyphs
	switch s {
	case doc.Recorded:
		return themes.Text, g.Recorded
	case doc.Inferred:
		return themes.Dim, g.Inferred
	case doc.Reconstructed:
		return themes.Text, g.Reconstructed
	case doc.Foreseen:
		return themes.Predicted, g.Predicted
	case doc.Later:
		return themes.Faint, g.Later
	case doc.Heartbeat:
		return themes.Dim, g.Renewal
	case doc.Missing:
		return themes.Gap, g.Gap
	case doc.Yes:
		return themes.Text, g.Yes
	case doc.No:
		return themes.Dim, g.No
	case doc.Open:
		return themes.Text, "?"
	}
	return themes.Text, ""
}
