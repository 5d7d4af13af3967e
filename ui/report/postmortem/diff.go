package postmortem

import (
	"fmt"
	"io"

	"kardia/ui/report"
)

// DiffMarkdown writes two incidents side by side as GitHub renders it.
func DiffMarkdown(w io.Writer, d *report.Diff) error {
	return markdown(w, diffTitle(d), diffChapters(d))
}

// DiffHTML writes them as one page without anything from elsewhere.
func DiffHTML(w io.Writer, d *report.Diff) error {
	return htmlDocument(w, diffTitle(d), diffChapters(d), nil)
}

func diffTitle(d *report.Diff) string { return d.A.Name + " beside " + d.B.Name }

// diffChapters are the comparison as people read it.
func diffChapters(d *report.Diff) []chapter {
	begins := chapter{title: "Where both start"}
	begins.items([]string{"A: " + d.A.Begins(), "B: " + d.B.Begins()})
	if d.AlignedOn == nil {
		begins.say("Nothing is compared.")
		return []chapter{begins}
	}
	begins.say(d.Aligned())
	begins.say("– is a count that the input does not show; it is not 0. A count of 0 has no first and no last.")
	all := []chapter{begins}
	kinds, delays, decisions := d.Grids()
	for _, part := range []struct {
		title string
		grid  report.Grid
	}{{"What was decided how often", kinds}, {"How long each step took", delays}, {"Decision by decision", decisions}} {
		c := chapter{title: part.title}
		t := &table{}
		for _, word := range part.grid.Head {
			t.head = append(t.head, heading(word))
		}
		for i, row := range part.grid.Rows {
			if i == most {
				c.say(fmt.Sprintf("The first %d of %d; -o json has all of them.", most, len(part.grid.Rows)))
				break
			}
			for k := range row {
				if row[k] == "-" {
					row[k] = "–"
				}
			}
			t.add(row...)
		}
		if len(t.rows) == 0 {
			continue
		}
		c.put(t)
		all = append(all, c)
	}
	return all
}

// heading is a heading of a text table as a sentence has it: "SUBJECT IN A" is "Subject in A".
func heading(word string) string {
	out := []byte(word)
	for i := 1; i < len(out); i++ {
		single := out[i-1] == ' ' && (i+1 == len(out) || out[i+1] == ' ')
		if out[i] >= 'A' && out[i] <= 'Z' && !single {
			out[i] += 'a' - 'A'
		}
	}
	return string(out)
}
