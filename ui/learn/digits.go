package learn

import (
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
		l := p.Line(4 * len(text))
		for _, r := range text {
			if l.Width() > 0 {
				l.Skip(1)
			}
			for _, c := range digits[r][y] {
				if c == '#' {
					l.Glyph(token, p.Glyphs.Full)
				} else {
					l.Skip(1)
				}
			}
		}
		rows[y] = l.Row()
	}
	return rows
}
