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
	t := terminal{p: p, width: width}
	for i := range d.Blocks {
		if t.block(&d.Blocks[i]); i+1 == len(d.Blocks) || d.Blocks[i+1].Kind != doc.Fact {
			t.rows, t.facts = append(t.rows, t.facts.Rows(p, width)...), widget.Facts{}
		}
	}
	return t.rows
}

type terminal struct {
	p     *paint.Painter
	width int
	rows  []paint.Row
	facts widget.Facts // one beneath the other, not laid out yet
}

func (t *terminal) block(b *doc.Block) {
	text := t.p.Text(b.Text.In(t.p))
	switch b.Kind {
	case doc.Head:
		t.head(b, text)
	case doc.Fact:
		t.facts.Put(text, tokens[b.Tone], b.Beside.In(t.p))
	case doc.Below:
		t.fold(text, 5, 6, themes.Text, "", tokens[b.Tone])
	case doc.Command:
		t.fold(text, 2, 3, themes.Dim, b.Mark, themes.Accent)
	default:
		_, glyph := Sign(t.p, b.Sign)
		t.fold(text, 2, 3, tokens[b.Tone], glyph, tokens[b.Tone])
	}
}

// head is a title, with more beside it, or below it if there is no room.
func (t *terminal) head(b *doc.Block, text string) {
	l := t.p.Line(t.width).Put(themes.Accent, text)
	if b.Beside.Missing() {
		if len(t.rows) > 0 {
			t.rows = append(t.rows, paint.Row{})
		}
		t.rows = append(t.rows, l.Row())
		return
	}
	beside := t.p.Text(b.Beside.In(t.p))
	if paint.Width(text)+2+paint.Width(beside) > t.width {
		t.rows = append(t.rows, l.Row())
		t.fold(beside, 2, 3, themes.Text, "", tokens[b.Tone])
		return
	}
	t.rows = append(t.rows, l.Skip(2).Put(tokens[b.Tone], beside).Row())
}

// fold adds text behind a mark, indented, and broken so that narrower cells of the width stay free.
func (t *terminal) fold(text string, indent, narrower int, of themes.Token, mark string, token themes.Token) {
	for _, piece := range paint.Fold(text, max(t.width-narrower, 8)) {
		l := t.p.Line(t.width)
		if mark != "" {
			l.Put(of, mark)
		}
		t.rows = append(t.rows, l.To(indent).Put(token, piece).Row())
		mark = ""
	}
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
