package learn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kardia/themes"
	"kardia/ui/paint"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
	measure "github.com/charmbracelet/x/ansi"
)

// markdown renders lessons' text by a theme. What it is given has been cleaned: no escape sequence of a
// lesson's author gets through.
type markdown struct {
	p         *paint.Painter
	renderers map[int]*glamour.TermRenderer // by width
	drawn     map[passage][]paint.Row       // frames say the same again and again
}

type passage struct {
	text  string
	width int
}

// maxDrawn is how many passages are kept as they were drawn.
const maxDrawn = 200

func newMarkdown(p *paint.Painter) *markdown {
	return &markdown{p: p, renderers: map[int]*glamour.TermRenderer{}, drawn: map[passage][]paint.Row{}}
}

// hyphen stands for one inside a word while lines are broken: names of nodes and of flags stay whole.
const hyphen = "\u2011"

var (
	inner = regexp.MustCompile(`(\w)-\b`)
	flag  = regexp.MustCompile(`--\b`)
)

// rows are a text in lines of at most width cells. They may be modified.
func (m *markdown) rows(text string, width int) []paint.Row {
	key := passage{text, width}
	if m.drawn[key] == nil {
		if len(m.drawn) >= maxDrawn {
			clear(m.drawn)
		}
		m.drawn[key] = m.draw(text, width)
	}
	return slices.Clone(m.drawn[key])
}

func (m *markdown) draw(text string, width int) []paint.Row {
	width = max(width, 10)
	clean := make([]string, 0, 8)
	for _, line := range strings.Split(text, "\n") {
		clean = append(clean, m.p.Text(line))
	}
	source := inner.ReplaceAllString(flag.ReplaceAllLiteralString(filled(clean), hyphen+hyphen), "$1"+hyphen)
	var rows []paint.Row
	for wrap := width; ; wrap-- { // the marks of a list may make a line longer than was asked for
		lines, err := m.render(source, wrap)
		if err != nil {
			return m.plain(clean, width)
		}
		if wrap > width-maxMark && slices.ContainsFunc(lines, func(line string) bool {
			return measure.StringWidth(strings.TrimRight(measure.Strip(line), " ")) > width
		}) {
			continue
		}
		for _, line := range lines {
			rows = append(rows, m.row(line, width))
		}
		break
	}
	for len(rows) > 0 && rows[len(rows)-1].Width == 0 {
		rows = rows[:len(rows)-1]
	}
	for len(rows) > 0 && rows[0].Width == 0 {
		rows = rows[1:]
	}
	return rows
}

// maxMark is how many cells the mark of a list takes at most.
const maxMark = 4

// begins is a line of the author's file with which something new begins: what of a list, a quotation, a heading, a
// table or code.
var begins = regexp.MustCompile("^ *([-*+] |[0-9]+[.)] |[>#|]|```)")

// filled is a text whose paragraphs are one line each: where the author's file breaks them breaks no line on the screen.
func filled(lines []string) string {
	var out strings.Builder
	for i, line := range lines {
		switch goesOn := i > 0 && strings.TrimSpace(line) != "" && strings.TrimSpace(lines[i-1]) != "" && !begins.MatchString(line); {
		case goesOn && !strings.Contains(out.String(), "```"):
			out.WriteString(" " + strings.TrimSpace(line))
			continue
		case i > 0:
			out.WriteString("\n")
		}
		out.WriteString(line)
	}
	return out.String()
}

// render is a text in lines, wrapped at a width.
func (m *markdown) render(source string, width int) ([]string, error) {
	r := m.renderers[width]
	if r == nil {
		var err error
		if r, err = glamour.NewTermRenderer(glamour.WithStyles(m.style()), glamour.WithWordWrap(width)); err != nil {
			return nil, err
		}
		m.renderers[width] = r
	}
	out, err := r.Render(source)
	return strings.Split(strings.Trim(strings.ReplaceAll(out, hyphen, "-"), "\n"), "\n"), err
}

// row is a line of the renderer, without the spaces that it fills lines with.
func (m *markdown) row(line string, width int) paint.Row {
	text := strings.TrimRight(measure.Strip(line), " ")
	n := measure.StringWidth(text)
	if n == 0 {
		return paint.Row{}
	}
	if n > width {
		line, n = measure.Truncate(line, width, m.p.Glyphs.Ellipsis), width
	} else {
		line = measure.Truncate(line, n, "")
	}
	if strings.Contains(line, "\x1b[") {
		line += "\x1b[m"
	}
	return paint.Row{Text: line, Width: n}
}

func (m *markdown) plain(lines []string, width int) (rows []paint.Row) {
	for _, line := range lines {
		for _, part := range paint.Fold(line, width) {
			rows = append(rows, m.p.Line(width).Put(themes.Text, part).Row())
		}
	}
	return rows
}

// style is the theme, as the renderer takes it.
func (m *markdown) style() ansi.StyleConfig {
	of := func(t themes.Token) ansi.StylePrimitive {
		s := m.p.Theme.Styles[t]
		var p ansi.StylePrimitive
		if s.Fg.Set {
			colour := fmt.Sprintf("#%06x", s.Fg.RGB)
			p.Color = &colour
		}
		for _, a := range []struct {
			on bool
			to **bool
		}{{s.Bold, &p.Bold}, {s.Faint, &p.Faint}, {s.Underline, &p.Underline}, {s.Reverse, &p.Inverse}} {
			if a.on {
				*a.to = &a.on
			}
		}
		return p
	}
	yes := true
	strong := of(themes.Accent)
	strong.Bold = &yes
	emph := of(themes.Text)
	emph.Italic = &yes
	item := of(themes.Text)
	item.BlockPrefix = m.p.Glyphs.Dot + " "
	number := of(themes.Text)
	number.BlockPrefix = ". "
	bar := m.p.Glyphs.Vertical + " "
	one := uint(1)
	return ansi.StyleConfig{
		Document: ansi.StyleBlock{StylePrimitive: of(themes.Text)}, Paragraph: ansi.StyleBlock{StylePrimitive: of(themes.Text)},
		Text: of(themes.Text), Strong: strong, Emph: emph, Item: item, Enumeration: number,
		BlockQuote: ansi.StyleBlock{StylePrimitive: of(themes.Dim), Indent: &one, IndentToken: &bar},
		Heading:    ansi.StyleBlock{StylePrimitive: strong}, Code: ansi.StyleBlock{StylePrimitive: of(themes.Warn)},
		CodeBlock: ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{StylePrimitive: of(themes.Dim)}},
		Link:      of(themes.Dim), LinkText: of(themes.Text),
		List: ansi.StyleList{LevelIndent: 2},
	}
}
