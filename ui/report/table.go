package report

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/paint"
)

// The texts of tables for a missing value.
const (
	unknown = "?" // there is one, but it is not known
	none    = "-" // there is none
)

// Tabular is a report that can be printed as a table.
type Tabular interface {
	// WriteTable prints the report for a person. Foreign text is cleaned.
	WriteTable(w io.Writer) error
}

// Listed is a report that is a list of things with names.
type Listed interface {
	// Names are TYPE/NAME of each entry.
	Names() []string
	// Nothing is the sentence for an empty list; "" if it is not known that there is nothing.
	Nothing() string
}

// nothing is the sentence, unless something is not known.
func (c Caveats) nothing(sentence string) string {
	if len(c.NotKnown) > 0 {
		return ""
	}
	return sentence
}

// Names implements Listed.
func (n Nodes) Names() []string {
	var names []string
	for i := range n.Nodes {
		names = append(names, "node/"+n.Nodes[i].Name)
	}
	return names
}

// Nothing implements Listed.
func (n Nodes) Nothing() string { return n.nothing("No nodes.") }

// Names implements Listed.
func (z Zones) Names() []string {
	var names []string
	for i := range z.Zones {
		names = append(names, "zone/"+zoneWord(z.Zones[i].summary.Zone))
	}
	return names
}

// Nothing implements Listed.
func (z Zones) Nothing() string { return z.nothing("No zones.") }

// Names implements Listed.
func (p Pods) Names() []string {
	var names []string
	for i := range p.Pods {
		names = append(names, "pod/"+p.Pods[i].Namespace+"/"+p.Pods[i].Name)
	}
	return names
}

// Nothing implements Listed.
func (p Pods) Nothing() string { return p.nothing("No pods.") }

// Names implements Listed.
func (e Evictions) Names() []string {
	var names []string
	for i := range e.Evictions {
		names = append(names, "pod/"+e.Evictions[i].Namespace+"/"+e.Evictions[i].Pod)
	}
	return names
}

// Nothing implements Listed.
func (e Evictions) Nothing() string { return e.nothing("No evictions pending.") }

// table is cells under headings. wide names the columns that only -o wide prints: without them a table of usual names
// fits 120 columns.
type table struct {
	head []string
	wide []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write prints the table with aligned columns, as kubectl does.
func (t *table) write(w io.Writer) error {
	lines := append([][]string{t.head}, t.rows...)
	if !wide(w) {
		lines = t.without(lines)
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			line[i] = paint.Clean(cell)
			widths[i] = max(widths[i], paint.Width(line[i]))
		}
	}
	if s, _ := w.(Screen); s.NoHeaders {
		lines = lines[1:]
	}
	var b bytes.Buffer
	for _, line := range lines {
		last := len(line) - 1
		for i, cell := range line[:last] {
			b.WriteString(paint.Pad(cell, widths[i]+3))
		}
		b.WriteString(line[last])
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// wide says that all columns are asked for.
func wide(w io.Writer) bool {
	s, _ := w.(Screen)
	return s.Wide
}

// without leaves the wide columns out.
func (t *table) without(lines [][]string) [][]string {
	out := make([][]string, len(lines))
	for i, line := range lines {
		for k, cell := range line {
			if !slices.Contains(t.wide, t.head[k]) {
				out[i] = append(out[i], cell)
			}
		}
	}
	return out
}

// since is the time from a stamp to now, which may be negative.
func since(now, then Stamp) string {
	a, b := model.Instant(now), model.Instant(then)
	if !a.Bounded() || !b.Bounded() {
		return unknown
	}
	return paint.Duration(a.Sub(b))
}

// atLeast marks a length that may be more.
func atLeast(is bool, text string) string {
	if is {
		return "≥" + text
	}
	return text
}

// bounded marks an age that may be more, or less because not watched meanwhile, or either.
func bounded(more, less bool, text string) string {
	switch {
	case more && less:
		return "~" + text
	case less:
		return "≤" + text
	}
	return atLeast(more, text)
}

// age prints seconds that may be unknown.
func age(s Seconds) string { return paint.Age(model.Maybe[time.Duration](s)) }

// or is the text behind a pointer, or what stands for its absence.
func or(p *string, absent string) string {
	if p == nil {
		return absent
	}
	return *p
}

// short is a taint or toleration key without Kubernetes' own prefix.
func short(key string) string { return strings.TrimPrefix(key, "node.kubernetes.io/") }

// list joins the entries of a cell.
func list(entries []string) string {
	if len(entries) == 0 {
		return none
	}
	return strings.Join(entries, ", ")
}
