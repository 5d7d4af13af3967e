package learn

import (
	"strings"
	"testing"

	"kardia/themes"
	"kardia/ui/paint"
)

// TestNamesStayWhole: no line ends within the name of a node or a flag, wherever there would be room for a part.
func TestNamesStayWhole(t *testing.T) {
	m := newMarkdown(paint.New(themes.NoColour(), themes.Unicode(), nil))
	text := "The rate is (--node-eviction-rate 0.1), and us-east-1b-007 gets the next token.\n\n- one\n- two"
	for width := 24; width < 90; width++ {
		var lines []string
		for _, row := range m.draw(text, width) {
			lines = append(lines, strings.TrimSpace(row.Text))
		}
		all := strings.Join(lines, "\n")
		if !strings.Contains(all, "--node-eviction-rate") || !strings.Contains(all, "us-east-1b-007") {
			t.Fatalf("at %d cells:\n%s", width, all)
		}
	}
}

// A number that was filled in at the beginning of a text begins no list.
func TestANumberIsNoList(t *testing.T) {
	m := newMarkdown(paint.New(themes.NoColour(), themes.Unicode(), nil))
	rows := m.rows(`18\. The controller looks at them all`, 20)
	if a, b := strings.TrimSpace(rows[0].Text), strings.TrimSpace(rows[1].Text); a != "18. The controller" || b != "looks at them all" {
		t.Errorf("%q, %q", a, b)
	}
}
