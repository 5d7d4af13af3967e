package command

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	saysDeleted = regexp.MustCompile(`(?:^|\. )([0-9]+) pods? w(?:as|ere) deleted by the controllers`)
	saysSilent  = regexp.MustCompile(`(?:^|\. )(?:All )?([0-9]+)(?: of [0-9]+)? nodes?(?: \([^)]*\))? fell silent`)
)

// checkForms: what people read, and what a spreadsheet takes, has the figures of the data.
func checkForms(t *testing.T, forms map[string]string) {
	t.Helper()
	var r told
	ok(t, json.Unmarshal([]byte(forms["json"]), &r))
	rows := checkCSV(t, forms["csv"])
	if len(rows) != len(r.Decisions)+1 {
		t.Errorf("%d rows, %d decisions", len(rows), len(r.Decisions))
	}
	for i, d := range r.Decisions {
		if is := d.(map[string]any); strings.TrimPrefix(rows[i+1][0], "'") != is["id"] || rows[i+1][6] != is["kind"] || rows[i+1][7] != is["outcome"] {
			t.Errorf("row %v is not %v", rows[i+1], is)
		}
	}
	cells := map[string]bool{}
	for _, c := range checkMarkup(t, "html", forms["html"]) {
		cells[c] = true
	}
	checkMarkup(t, "svg", forms["svg"])
	summary := strings.Join(r.Summary, " ")
	for _, sentence := range r.Summary {
		if !strings.Contains(forms["md"], strings.ReplaceAll(sentence, "_", `\_`)) {
			t.Errorf("not in the text: %s", sentence)
		}
	}
	nodes := map[string]bool{}
	for _, s := range r.Silences {
		nodes[s.Node] = true
		declared := s.Declared.UTC().Format("15:04:05.000Z")
		if !strings.Contains(forms["md"], "\n| "+s.Node+" |") || !strings.Contains(forms["md"], " | "+declared+" | ") || !cells[declared] {
			t.Errorf("the silence of %s, declared %s, is not told", s.Node, declared)
		}
	}
	count := func(says *regexp.Regexp, want int) {
		found := says.FindStringSubmatch(summary)
		if (found != nil) != (want > 0) || found != nil && found[1] != strconv.Itoa(want) {
			t.Errorf("%d in the data, %q in the summary: %s", want, found, summary)
		}
	}
	count(saysSilent, len(nodes))
	count(saysDeleted, r.Impact.Deleted)
	if p := r.Impact.Pods; len(p) != r.Impact.Deleted+r.Impact.Spared {
		t.Errorf("%d pods, %d deleted, %d spared", len(p), r.Impact.Deleted, r.Impact.Spared)
	}
	for i, p := range r.Impact.Pods {
		if i < 200 && !cells[p.Pod] {
			t.Errorf("%s is not in the page", p.Pod)
		}
	}
	for _, z := range r.Zones {
		if !strings.Contains(forms["md"], fmt.Sprintf("| %s | %s | %d of %d |", strings.ReplaceAll(z.Zone, "_", `\_`), z.State, z.NotReady, z.Counted)) {
			t.Errorf("%+v is not told", z)
		}
	}
}
