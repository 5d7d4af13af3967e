package problem

import (
	"testing"

	"kardia/model"
)

// TestAWellNodeNeedsNoMemory holds a fleet's frame to its cost: every node is asked at each.
func TestAWellNodeNeedsNoMemory(t *testing.T) {
	row := &model.NodeRow{Name: "a", Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue}}}}
	around := &Around{}
	if n := testing.AllocsPerRun(100, func() { Of(row, model.Ages{}, around, false) }); n != 0 {
		t.Errorf("%v allocations to find out that a node is well", n)
	}
}
