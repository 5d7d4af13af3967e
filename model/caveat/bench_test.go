package caveat

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/model/history"
)

// BenchmarkOf is what a frame of a cluster of 5,000 nodes costs.
func BenchmarkOf(b *testing.B) {
	var changes []model.Change
	for i := range 5000 {
		name := fmt.Sprintf("n-%04d", i)
		changes = append(changes, node(name), lease(name))
	}
	all := source("watch", model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent)
	v, err := At(history.NewMemory(changes, all.Coverage, nil, []history.Source{all}), at)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Of(v)
	}
}
