package open

import (
	"testing"

	"kardia/model"
	"kardia/sources/read/chronology"
)

// One object by itself is not the cluster: others may exist, unless it lies among all objects of its kind.
func TestOneObjectIsNoList(t *testing.T) {
	of := func(kind model.Kind, lists ...int32) (out []chronology.Sighting) {
		for _, list := range lists {
			out = append(out, chronology.Sighting{Change: model.Change{Kind: kind}, List: list})
		}
		return out
	}
	for name, c := range map[string]struct {
		path      string
		sightings []chronology.Sighting
		want      int
	}{
		"a node":            {"in/n.json", of(model.KindNode, 0), 1},
		"a lease":           {"l.yaml", of(model.KindNodeLease, 0), 1},
		"a pod":             {"p.json", of(model.KindPod, 0), 1},
		"a node and a pod":  {"np.json", append(of(model.KindNode, 0), of(model.KindPod, 0)...), 2},
		"a list of one":     {"n.json", of(model.KindNode, 1), 0},
		"one after another": {"n.json", of(model.KindNode, 0, 0), 0},
		"a must-gather":     {"cluster-scoped-resources/core/nodes/a.yaml", of(model.KindNode, 0), 0},
	} {
		if got := picked(c.path, c.sightings); len(got) != c.want {
			t.Errorf("%s: picked %v, want %d", name, got, c.want)
		}
	}
}
