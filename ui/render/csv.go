package render

import (
	"encoding/csv"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kardia/ui/doc"
	"kardia/ui/paint"
)

// CSV writes a table. Foreign text that a spreadsheet would take for a formula begins with an apostrophe, which spreadsheets
// take for a sign that text follows. Columns of numbers are written as they are.
func CSV(w io.Writer, g *doc.Grid, numbers ...int) error {
	out := csv.NewWriter(w)
	_ = out.Write(g.Head) // what goes wrong, Error says at the end
	for _, row := range g.Rows {
		cells := make([]string, len(row))
		for i, text := range row {
			if cells[i] = text; !slices.Contains(numbers, i) {
				cells[i] = cell(text)
			}
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// cell makes text harmless to a spreadsheet.
func cell(s string) string {
	s = paint.Clean(s)
	if strings.IndexAny(s, "=+-@\t\r＝＋－＠") == 0 || rewritten(s) {
		return "'" + s
	}
	return s
}

// dated is what a spreadsheet takes for a date.
var dated = regexp.MustCompile(`^[0-9]{1,4}[-/.][0-9]{1,2}([-/.][0-9]{1,4})?$`)

// rewritten says that a spreadsheet would take a text for a number, or a date, and show another: 007, 1e5, an id of
// digits alone.
func rewritten(s string) bool {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return false
	}
	const digits = 15 // more than these no spreadsheet keeps
	n, err := strconv.ParseFloat(s, 64)
	return err == nil && (len(s) > digits || strconv.FormatFloat(n, 'f', -1, 64) != s) || dated.MatchString(s)
}
