package render

import (
	"cmp"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The size of a cell in the picture, in pixels, and of the space around all cells.
const (
	cellWidth  = 8.4
	cellHeight = 17.0
	padding    = 10.0
)

// pen is how text is drawn from one escape sequence to the next.
type pen struct {
	fore, back    string
	bold, reverse bool
	faint         bool
}

// Frame draws a frame, with its colours, as a picture of a terminal, dark or light.
func Frame(frame string, light bool) string {
	fore, back := "#d0d0d0", "#101014"
	if light {
		fore, back = "#303034", "#ffffff"
	}
	lines := strings.Split(strings.TrimRight(frame, "\n"), "\n")
	columns := 0
	for _, line := range lines {
		columns = max(columns, ansi.StringWidth(line))
	}
	width, height := float64(columns)*cellWidth+2*padding, float64(len(lines))*cellHeight+2*padding
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", back)
	b.WriteString(`<g font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="14">` + "\n")
	for row, line := range lines {
		drawLine(&b, line, row, pen{}, fore, back)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

func drawLine(b *strings.Builder, line string, row int, p pen, fore, back string) {
	column := 0
	for line != "" {
		text, rest, escaped := strings.Cut(line, "\x1b[")
		if text != "" {
			drawRun(b, text, row, column, p, fore, back)
			column += ansi.StringWidth(text)
		}
		if !escaped {
			return
		}
		parameters, after, ok := strings.Cut(rest, "m")
		if !ok {
			return
		}
		p = p.after(parameters)
		line = after
	}
}

func drawRun(b *strings.Builder, text string, row, column int, p pen, fore, back string) {
	x, y := padding+float64(column)*cellWidth, padding+float64(row)*cellHeight
	cells := float64(ansi.StringWidth(text)) * cellWidth
	ink, paper := cmp.Or(p.fore, fore), p.back
	if p.reverse {
		ink, paper = cmp.Or(paper, back), ink
	}
	if paper != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, x, y, cells, cellHeight, paper)
	}
	style := ""
	if p.bold {
		style += ` font-weight="bold"`
	}
	if p.faint {
		style += ` opacity="0.6"`
	}
	// Word by word, because viewers fold spaces. textLength keeps the columns aligned in any font.
	for at := 0; at < len(text); {
		if text[at] == ' ' {
			x += cellWidth
			at++
			continue
		}
		word, _, _ := strings.Cut(text[at:], " ")
		length := float64(ansi.StringWidth(word)) * cellWidth
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s" textLength="%.1f"%s>%s</text>`+"\n", x, y+cellHeight-4.5, ink, length, style, html.EscapeString(word))
		x += length
		at += len(word)
	}
}

// after is the pen after an SGR sequence with these parameters.
func (p pen) after(parameters string) pen {
	codes := strings.Split(parameters, ";")
	for i := 0; i < len(codes); i++ {
		switch codes[i] {
		case "", "0":
			p = pen{}
		case "1":
			p.bold = true
		case "2":
			p.faint = true
		case "7":
			p.reverse = true
		case "39":
			p.fore = ""
		case "49":
			p.back = ""
		case "38", "48":
			if i+4 >= len(codes) || codes[i+1] != "2" {
				return p
			}
			colour := "#" + hexByte(codes[i+2]) + hexByte(codes[i+3]) + hexByte(codes[i+4])
			if codes[i] == "38" {
				p.fore = colour
			} else {
				p.back = colour
			}
			i += 4
		}
	}
	return p
}

func hexByte(s string) string {
	n, _ := strconv.ParseUint(s, 10, 8)
	return fmt.Sprintf("%02x", n)
}
