package postmortem

import (
	"io"

	"kardia/ui/report"
)

// chapter is one chapter as people read it, whatever it is written in.
type chapter struct {
	title  string
	blocks []block
}

// block is a paragraph, a list, a table, or text that is printed as it stands; one of its fields is set.
type block struct {
	text  string
	list  []string
	table *table
	code  string
	// picture stands for the timeline as a picture, where there is room for one.
	picture bool
}

// table is cells under headings. Cells are foreign text: each writer makes it harmless.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (c *chapter) say(text string) { c.blocks = append(c.blocks, block{text: text}) }

func (c *chapter) put(t *table) {
	if len(t.rows) > 0 {
		c.blocks = append(c.blocks, block{table: t})
	}
}

func (c *chapter) items(list []string) {
	if len(list) > 0 {
		c.blocks = append(c.blocks, block{list: list})
	}
}

// chaptersOf is the whole report as people read it.
func (r *Report) chaptersOf() []chapter {
	list := []chapter{r.tellSummary(), r.tellImpact(), r.tellSilences(), r.tellShared(), r.tellTimeline()}
	if notes, ok := r.tellNotes(); ok {
		list = append(list, notes)
	}
	return append(list, r.tellZones(), r.tellChain(), r.tellMargin(),
		r.tellWhatIf(), r.tellStanding(), r.tellTimes(), r.tellFlags(), r.tellUnknown(), r.tellPeople(), r.tellAppendix())
}

// title is the report's own.
func (r *Report) title() string { return "Post-mortem: " + r.Name }

// Form is a form that a report is written in.
type Form struct {
	Name  string
	Write func(io.Writer, *Report) error
}

// Forms are all of them, in the order in which help names them.
var Forms = []Form{{"md", Markdown}, {"html", HTML}, {"json", JSON}, {"csv", CSV}, {"svg", SVG}}

// JSON writes the report as data.
func JSON(w io.Writer, r *Report) error {
	whole := *r
	whole.Decisions = r.decisions()
	return report.WriteJSON(w, &whole)
}

// decisions are those in scope as data, which only some forms want: of a long day there are many.
func (r *Report) decisions() []report.Decision {
	list := make([]report.Decision, len(r.inScope))
	for i, d := range r.inScope {
		list[i] = r.aftermath.Decision(d)
	}
	return list
}

// most is how many rows of a table a person is given; JSON has them all.
const most = 200
