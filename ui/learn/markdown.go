package learn

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"kardia/themes"
	"kardia/ui/paint"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders lessons' text by a theme. Its input is cleaned: no escape sequence of a lesson's author passes.
type markdown struct {
	p     *paint.Painter
	drawn map[passage][]paint.Row // frames repeat the same passages

	plain, strong, emph, code, dim lipgloss.Style
}

type passage struct {
	text  string
	width int
}

const maxDrawn = 200

func newMarkdown(p *paint.Painter) *markdown {
	m := &markdown{p: p, drawn: map[passage][]paint.Row{}}
	m.plain, m.code, m.dim = m.style(themes.Text), m.style(themes.Warn), m.style(themes.Dim)
	m.strong, m.emph = m.style(themes.Accent).Bold(true), m.plain.Italic(true)
	return m
}

func (m *markdown) style(t themes.Token) lipgloss.Style {
	s := m.p.Theme.Styles[t]
	out := lipgloss.NewStyle().Bold(s.Bold).Faint(s.Faint).Underline(s.Underline).Reverse(s.Reverse)
	if rgb := s.Fg.RGB; s.Fg.Set {
		out = out.Foreground(color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 0xff})
	}
	return out
}

// rows are a text in lines of at most width cells. They may be modified.
func (m *markdown) rows(source string, width int) []paint.Row {
	key := passage{source, width}
	if m.drawn[key] == nil {
		if len(m.drawn) >= maxDrawn {
			clear(m.drawn)
		}
		m.drawn[key] = m.draw(source, width)
	}
	return slices.Clone(m.drawn[key])
}

func (m *markdown) draw(source string, width int) []paint.Row {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		lines[i] = m.p.Text(line)
	}
	clean := []byte(strings.Join(lines, "\n"))
	document := goldmark.DefaultParser().Parse(text.NewReader(clean))
	return m.blocks(document, clean, max(width, 10), &m.plain)
}

// blocks are the rows of a node's blocks, with a blank one between two except in a tight list.
func (m *markdown) blocks(of ast.Node, source []byte, width int, style *lipgloss.Style) (rows []paint.Row) {
	for n := of.FirstChild(); n != nil; n = n.NextSibling() {
		if _, tight := n.PreviousSibling().(*ast.TextBlock); len(rows) > 0 && !tight {
			rows = append(rows, paint.Row{})
		}
		rows = append(rows, m.block(n, source, width, style)...)
	}
	return rows
}

func (m *markdown) block(n ast.Node, source []byte, width int, style *lipgloss.Style) []paint.Row {
	switch n := n.(type) {
	case *ast.Heading:
		return m.folded(m.spans(n, source, &m.strong), width)
	case *ast.Paragraph, *ast.TextBlock:
		return m.folded(m.spans(n, source, style), width)
	case *ast.List:
		return m.list(n, source, width, style)
	case *ast.Blockquote:
		bar := m.p.Glyphs.Vertical + " "
		return m.indented(m.blocks(n, source, width-2, &m.dim), bar, bar, width)
	case *ast.ThematicBreak:
		return []paint.Row{m.p.Rule(width)}
	default: // code, or HTML: as it is
		var rows []paint.Row
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			rows = append(rows, m.p.Line(width).Put(themes.Dim, strings.TrimRight(string(line.Value(source)), "\n")).Row())
		}
		return rows
	}
}

func (m *markdown) list(n *ast.List, source []byte, width int, style *lipgloss.Style) (rows []paint.Row) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := m.p.Glyphs.Dot + " "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		room := paint.Width(mark)
		if len(rows) > 0 && !n.IsTight {
			rows = append(rows, paint.Row{})
		}
		rows = append(rows, m.indented(m.blocks(item, source, width-room, style), mark, strings.Repeat(" ", room), width)...)
	}
	return rows
}

// indented are rows behind a mark: first before the first, other before the rest.
func (m *markdown) indented(rows []paint.Row, first, other string, width int) []paint.Row {
	for i, r := range rows {
		rows[i] = m.p.Line(width).Put(themes.Dim, first).Append(r).Row()
		first = other
	}
	return rows
}

type span struct {
	style *lipgloss.Style
	text  string
}

// spans are the contents of a line or a paragraph. The author's line breaks are spaces, unless they are hard ones.
func (m *markdown) spans(of ast.Node, source []byte, style *lipgloss.Style) (out []span) {
	for n := of.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			said := string(util.UnescapePunctuations(n.Segment.Value(source)))
			if n.SoftLineBreak() {
				said += " "
			} else if n.HardLineBreak() {
				said += "\n"
			}
			out = append(out, span{style, said})
		case *ast.String:
			out = append(out, span{style, string(n.Value)})
		case *ast.Emphasis:
			as := &m.emph
			if n.Level > 1 {
				as = &m.strong
			}
			out = append(out, m.spans(n, source, as)...)
		case *ast.CodeSpan:
			out = append(out, m.spans(n, source, &m.code)...)
		case *ast.Link:
			out = append(append(out, m.spans(n, source, style)...), span{&m.dim, fmt.Sprintf(" (%s)", n.Destination)})
		case *ast.AutoLink:
			out = append(out, span{&m.dim, string(n.URL(source))})
		case *ast.RawHTML:
			out = append(out, span{style, string(n.Segments.Value(source))})
		default:
			out = append(out, m.spans(n, source, style)...)
		}
	}
	return out
}

// folded are spans in lines of at most width cells, broken only at spaces: names of nodes and flags stay whole.
func (m *markdown) folded(spans []span, width int) (rows []paint.Row) {
	var line, word []span
	used, room := 0, 0 // cells of line and of word
	end := func() {
		rows = append(rows, m.row(line, width))
		line, used = nil, 0
	}
	put := func() { // the word, into this line or the next
		if len(word) == 0 {
			return
		}
		if used > 0 && used+1+room > width {
			end()
		}
		if used > 0 {
			line, used = append(line, span{&m.plain, " "}), used+1
		}
		line, used = append(line, word...), used+room
		word, room = nil, 0
	}
	for _, s := range spans {
		for rest := s.text; rest != ""; {
			i := strings.IndexAny(rest, " \n")
			if i < 0 {
				i = len(rest)
			}
			if i > 0 {
				word, room = append(word, span{s.style, rest[:i]}), room+paint.Width(rest[:i])
			}
			if i == len(rest) {
				break
			}
			put()
			if rest[i] == '\n' {
				end()
			}
			rest = rest[i+1:]
		}
	}
	if put(); len(line) > 0 {
		end()
	}
	return rows
}

func (m *markdown) row(spans []span, width int) paint.Row {
	var out strings.Builder
	used := 0
	for i := 0; i < len(spans) && used < width; {
		said, next := spans[i].text, i+1
		for ; next < len(spans) && (spans[next].text == " " || spans[next].style == spans[i].style); next++ {
			said += spans[next].text
		}
		said = m.p.Truncate(said, width-used)
		out.WriteString(spans[i].style.Render(said))
		used, i = used+paint.Width(said), next
	}
	return paint.Row{Text: out.String(), Width: used}
}
