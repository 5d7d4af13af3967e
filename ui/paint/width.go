package paint

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Width is the number of cells clean text takes.
func Width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Truncate cuts clean text to at most w cells, with an ellipsis where something is lost.
func (p *Painter) Truncate(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	return ansi.Truncate(s, w, p.Glyphs.Ellipsis)
}

// FirstFit is the first of some texts that has room in w cells, or the last.
func FirstFit(w int, texts ...string) string {
	for i, text := range texts {
		if i == len(texts)-1 || Width(text) <= w {
			return text
		}
	}
	return ""
}

// Middle cuts one name to at most w cells, out of its middle: see Shorten for those of a column.
func (p *Painter) Middle(s string, w int) string { return p.Shorten([]string{s}, w)(s) }

// Pad fills clean text with spaces to w cells.
func Pad(s string, w int) string {
	if n := w - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Fold breaks clean text at spaces into one or more lines of at most width cells; a longer word has its own line.
func Fold(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && Width(line)+1+Width(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
