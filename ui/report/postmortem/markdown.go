package postmortem

import (
	"io"
	"strings"

	"kardia/ui/paint"
)

// Markdown writes the report as GitHub renders it. Foreign text makes no markup, no link and no mention.
func Markdown(w io.Writer, r *Report) error { return markdown(w, r.title(), r.chaptersOf()) }

func markdown(w io.Writer, title string, chapters []chapter) error {
	var b strings.Builder
	b.WriteString("# " + escape(title) + "\n")
	for _, c := range chapters {
		b.WriteString("\n## " + escape(c.title) + "\n")
		for i := range c.blocks {
			markdownBlock(&b, &c.blocks[i])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownBlock(b *strings.Builder, is *block) {
	switch {
	case is.text != "":
		b.WriteString("\n" + escape(is.text) + "\n")
	case is.list != nil:
		b.WriteByte('\n')
		for _, item := range is.list {
			b.WriteString("- " + escape(item) + "\n")
		}
	case is.table != nil:
		b.WriteByte('\n')
		markdownRow(b, is.table.head)
		b.WriteString("|" + strings.Repeat(" --- |", len(is.table.head)) + "\n")
		for _, row := range is.table.rows {
			markdownRow(b, row)
		}
	case is.code != "":
		fence := fence(is.code, "```")
		b.WriteString("\n" + fence + "text\n" + lines(is.code) + fence + "\n")
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
