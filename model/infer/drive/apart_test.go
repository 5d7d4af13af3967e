package drive

import (
	"testing"

	"kardia/model"
)

// Two writes of one node that are dated by the same bounds are a moment apart, and nothing is between those of two nodes.
func TestWritesOfANodeAreApart(t *testing.T) {
	d := &Driver{evaluated: map[string]model.Instant{}}
	at, bounds := model.Instant(5e9), model.Interval{Earliest: 5e9, Latest: 6e9}
	for i, c := range []struct {
		node string
		time model.Interval
		want model.Instant
	}{{"a", bounds, at}, {"b", bounds, at}, {"a", bounds, at + 1}, {"a", bounds, at + 2}, {"b", model.Exactly(at), at}} {
		if got := d.apart(at, &model.Change{Kind: model.KindNode, Key: model.Key{Name: c.node}, Time: c.time}); got != c.want {
			t.Errorf("write %d, of %s: %d, want %d", i, c.node, got, c.want)
		}
	}
}
