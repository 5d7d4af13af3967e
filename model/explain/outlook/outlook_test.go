package outlook_test

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
)

// Of windows with the same start the one with the earlier end is first, in any order of the nodes.
func TestFirstDeletion(t *testing.T) {
	at := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	soon, wide := model.Interval{Earliest: at, Latest: at.Add(2 * time.Second)}, model.Interval{Earliest: at, Latest: at.Add(12 * time.Second)}
	for _, order := range [][2]model.Interval{{soon, wide}, {wide, soon}} {
		sum := outlook.Node{Ahead: 1, Next: order[0]}
		sum.Add(&outlook.Node{Ahead: 1, Next: order[1]})
		if sum.Next != soon {
			t.Errorf("of %v the first is %v", order, sum.Next)
		}
	}
}
