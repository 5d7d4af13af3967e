package report

import (
	"fmt"
	"io"
	"strings"

	"kardia/ui/paint"
)

// Screen is a window of Width cells in which a person reads a report: its prose is folded to that, if it is not 0.
// Tables are not, because a row is a line.
type Screen struct {
	io.Writer
	Width     int  // 0: as wide as the text
	NoHeaders bool // tables have no header
	Wide      bool // tables have all their columns
}

// prose is lines for people. Foreign text makes no lines of its own.
type prose struct{ strings.Builder }

func (p *prose) line(depth int, format string, args ...any) {
	p.WriteString(strings.Repeat("  ", depth))
	p.WriteString(paint.Clean(fmt.Sprintf(format, args...)))
	p.WriteByte('\n')
}

// printTo hands the lines on, folded if they go to a Screen.
func (p *prose) printTo(w io.Writer) error {
	text := p.String()
	if s, ok := w.(Screen); ok && s.Width > 0 {
		text = folded(text, s.Width)
	}
	_, err := io.WriteString(w, text)
	return err
}

const (
	// longestLabel is how long a word may be behind which the text of a line begins in a column.
	longestLabel = 12
	// narrowest is to what text is folded however narrow the window is.
	narrowest = 20
)

// folded breaks lines that are too long at spaces, and lets them go on below where their text begins.
func folded(text string, width int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); paint.Width(line) <= width {
			out.WriteString(line + "\n")
			continue
		}
		before, below := beforeText(line)
		for _, piece := range paint.Fold(line[len(before):], max(width-below, narrowest)) {
			out.WriteString(before + piece + "\n")
			before = strings.Repeat(" ", below)
		}
	}
	return out.String()
}

// beforeText is the start of a line before its text: its indentation, and a label set apart. below is how many cells
// the lines below it leave free: two more than the indentation without a label.
func beforeText(line string) (before string, below int) {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if label := strings.Index(text, "  "); label > 0 && label <= longestLabel {
		before = line[:len(line)-len(strings.TrimLeft(text[label:], " "))]
		return before, paint.Width(before)
	}
	return line[:indent], indent + 2
}
