package render

import (
	"io"
	"strings"

	"kardia/ui/doc"
	"kardia/ui/paint"
)

// Markdown writes a doc as GitHub renders it. Foreign text makes no markup, no link and no mention.
func Markdown(w io.Writer, title string, d doc.Doc) error {
	var b strings.Builder
	b.WriteString("# " + escape(title) + "\n")
	for i := range d.Blocks {
		is := &d.Blocks[i]
		if is.Kind == doc.Fact && (i == 0 || d.Blocks[i-1].Kind != doc.Fact) {
			markdownTable(&b, facts(d.Blocks[i:]))
		}
		markdownBlock(&b, is)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// facts are the facts that blocks begin with, each in a column of its own.
func facts(blocks []doc.Block) *doc.Grid {
	g := &doc.Grid{Rows: [][]string{nil}}
	for i := range blocks {
		if blocks[i].Kind != doc.Fact {
			break
		}
		g.Head, g.Rows[0] = append(g.Head, blocks[i].Text.String()), append(g.Rows[0], blocks[i].Beside.String())
	}
	return g
}

func markdownBlock(b *strings.Builder, is *doc.Block) {
	switch is.Kind {
	case doc.Head:
		b.WriteString("\n## " + escape(is.Text.String()) + "\n")
	case doc.Sentence, doc.Below:
		b.WriteString("\n" + escape(is.Text.String()) + "\n")
	case doc.List:
		b.WriteByte('\n')
		for _, item := range is.Items {
			b.WriteString("- " + escape(item.String()) + "\n")
		}
	case doc.Table:
		markdownTable(b, is.Grid)
	case doc.Code, doc.Command:
		text := is.Text.String()
		fence := fence(text, "```")
		b.WriteString("\n" + fence + "text\n" + lines(text) + fence + "\n")
	}
}

func markdownTable(b *strings.Builder, g *doc.Grid) {
	b.WriteByte('\n')
	markdownRow(b, g.Head)
	b.WriteString("|" + strings.Repeat(" --- |", len(g.Head)) + "\n")
	for _, row := range g.Rows {
		markdownRow(b, row)
	}
}

func markdownRow(b *strings.Builder, cells []string) {
	b.WriteByte('|')
	for _, cell := range cells {
		b.WriteString(" " + escape(cell) + " |")
	}
	b.WriteByte('\n')
}

// lines is text of several lines, each of which is clean.
func lines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(paint.Clean(strings.TrimSuffix(line, "\n")), " ") + "\n")
	}
	return b.String()
}

// fence is longer than any run of backticks in a text, and at least the one given.
func fence(text, least string) string {
	for strings.Contains(text, least) {
		least += "`"
	}
	return least
}

// markup are the characters that mean something to Markdown within a line.
const markup = "\\`*_[]<>|&~$"

// escape makes foreign text stand for itself in one line of Markdown. What GitHub makes links and
// mentions of even so, it shows as code.
func escape(s string) string {
	s = paint.Clean(s)
	if strings.Contains(s, "://") || strings.Contains(s, "www.") || strings.ContainsAny(s, "@#") {
		quote := fence(s, "`")
		return quote + " " + strings.ReplaceAll(s, "|", `\|`) + " " + quote
	}
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(markup, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
