package learn

import (
	"strings"

	"kardia/themes"
	"kardia/ui/paint"
)

// digits are readable from the last row of a class: three cells wide, five high.
var digits = map[rune][5]string{
	'0': {"###", "# #", "# #", "# #", "###"}, '1': {" # ", "## ", " # ", " # ", "###"},
	'2': {"###", "  #", "###", "#  ", "###"}, '3': {"###", "  #", "###", "  #", "###"},
	'4': {"# #", "# #", "###", "  #", "  #"}, '5': {"###", "#  ", "###", "  #", "###"},
	'6': {"###", "#  ", "###", "# #", "###"}, '7': {"###", "  #", "  #", "  #", "  #"},
	'8': {"###", "# #", "###", "# #", "###"}, '9': {"###", "# #", "###", "  #", "###"},
	':': {" ", "#", " ", "#", " "}, '-': {"   ", "   ", "###", "   ", "   "}, '/': {"  #", "  #", " # ", "#  ", "#  "},
	'%': {"# #", "  #", " # ", "#  ", "# #"}, ' ': {" ", " ", " ", " ", " "},
}

func big(p *paint.Painter, token themes.Token, text string) []paint.Row {
	rows := make([]paint.Row, 5)
	for y := range rows {
		var line strings.Builder
		for i, r := range text {
			if i > 0 {
				line.WriteString(" ")
			}
			line.WriteString(digits[r][y])
		}
		row := strings.TrimRight(line.String(), " ")
		l := p.Line(len(row))
		for _, c := range row {
			if c == '#' {
				l.Glyph(token, p.Glyphs.Full)
			} else {
				l.Skip(1)
			}
		}
		rows[y] = l.Row()
	}
	return rows
}
