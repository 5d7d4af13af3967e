package verdict

import (
	"fmt"
	"slices"
	"testing"

	"kardia/model"
)

// TestManySignsAreToldInShort: of thousands of nodes there is a sign for each second, and a few are told.
func TestManySignsAreToldInShort(t *testing.T) {
	said := map[Fact][]string{}
	var signs []Fact
	for i := range 9 {
		s := Fact{Code: "status-after-lease", At: model.Instant(i)}
		for n := range i + 1 {
			said[s] = append(said[s], fmt.Sprintf("n%d-%d", i, n))
		}
		signs = append(signs, s)
	}
	if few := ofWhom(slices.Clone(signs[:3]), said); len(few) != 3 || few[0].Node != "n0-0" || few[1].Nodes != 2 || few[2].Nodes != 3 || few[2].At != 2 {
		t.Errorf("of three: %+v", few)
	}
	if many := ofWhom(slices.Clone(signs), said); len(many) != mostSigns+1 || many[0].Nodes != 9 || many[0].At != 8 || many[mostSigns] != (Fact{Code: "more-signs", N: 15}) {
		t.Errorf("of nine: %+v", many)
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
