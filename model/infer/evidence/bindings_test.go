package evidence

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"kardia/model"
)

// Bindings say what a list of all that was seen says.
func TestBindingsSayWhereAPodWas(t *testing.T) {
	type sighting struct {
		key  model.Key
		node string
		from int
	}
	rapid.Check(t, func(t *rapid.T) {
		b := newBindings()
		var all []sighting
		draw := func(what string, n int) string { return fmt.Sprint(what, rapid.IntRange(0, n).Draw(t, what)) }
		for position := -1; position < 60; position++ {
			s := sighting{model.Key{Namespace: draw("ns", 1), Name: draw("pod", 4)}, draw("node", 3), position}
			b.add(s.key, s.node, s.from)
			all = append(all, s)
		}
		for range 60 {
			key, position := model.Key{Namespace: draw("ns", 1), Name: draw("pod", 6)}, rapid.IntRange(-1, 61).Draw(t, "position")
			ever, node, was := false, "", false
			for _, s := range all {
				ever = ever || s.key == key
				if s.key == key && s.from < position {
					node, was = s.node, true
				}
			}
			if got := b.has(key); got != ever {
				t.Fatalf("%v was seen: %v, not %v", key, ever, got)
			}
			if got, ok := b.NodeBefore(key, position); got != node || ok != was {
				t.Fatalf("%v before %d: %q, %v; want %q, %v", key, position, got, ok, node, was)
			}
		}
	})
}
