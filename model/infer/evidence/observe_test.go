package evidence

import (
	"testing"

	"pgregory.net/rapid"

	"kardia/internal/randomhistory"
	_ "kardia/internal/rapidseed"
	"kardia/model"
)

// Whatever Changes come, in whatever order, what looks for the controllers' writes holds the objects that are
// shown.
func TestTheObserverHoldsWhatIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shown, watcher := model.NewCluster(), newObserver()
		changes := randomhistory.Hostile(t, 1e18)
		for i := range changes {
			ch := &changes[i]
			shown.Fold(ch)
			watcher.observe(i, ch)
			for _, name := range []string{"a", "b"} {
				if row := shown.Row(name); row != nil && row.Node != watcher.nodes[name] || row == nil && watcher.nodes[name] != nil {
					t.Fatalf("after %d, %+v, the observer has node %s as %v", i, *ch, name, watcher.nodes[name])
				}
			}
			if key := (model.Key{Namespace: "n", Name: "p"}); shown.Pod(key) != watcher.pods[key] {
				t.Fatalf("after %d, %+v, the observer has the pod as %v", i, *ch, watcher.pods[key])
			}
		}
	})
}
