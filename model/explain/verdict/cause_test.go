package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestManySignsAreToldInShort: of thousands of nodes there is a sign for each second, and a few are told.
func TestManySignsAreToldInShort(t *testing.T) {
	said := map[string][]string{}
	var signs []string
	for i := range 9 {
		text := fmt.Sprintf("posted at %d", i)
		for n := range i + 1 {
			said[text] = append(said[text], fmt.Sprintf("n%d-%d", i, n))
		}
		signs = append(signs, text)
	}
	if few := ofWhom(slices.Clone(signs[:3]), said); strings.Join(few, "; ") != "n0-0: posted at 0; 2 nodes: posted at 1; 3 nodes: posted at 2" {
		t.Errorf("of three: %q", few)
	}
	if many := ofWhom(slices.Clone(signs), said); len(many) != mostSigns+1 || many[0] != "9 nodes: posted at 8" || many[mostSigns] != "and similar signs of 15 nodes more" {
		t.Errorf("of nine: %q", many)
	}
}

// TestTheMoreNodesTheEarlier: what is said of each of thousands of nodes stands before what is said of six that are back,
// and behind what is said of all of them at once.
func TestTheMoreNodesTheEarlier(t *testing.T) {
	names := make([]string, 3000)
	list := []Verdict{{Rule: SingleNode, Nodes: names[:6]}, {Rule: LeaseOnly, Nodes: names[:500]}, {Rule: Zone, Nodes: names[:2]}, {Rule: SingleNode, Nodes: names}}
	slices.SortStableFunc(list, inPlace)
	for i, n := range []int{2, 3000, 500, 6} {
		if len(list[i].Nodes) != n {
			t.Errorf("in place %d are %d nodes", i, len(list[i].Nodes))
		}
	}
}
