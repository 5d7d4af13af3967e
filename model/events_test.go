package model

import "testing"

// Who recorded it tells what an Event NodeNotReady means: a kubelet's has the same words, and is about its own. Those about pods
// are of the pods that are marked.
func TestWhatNodeNotReadyTells(t *testing.T) {
	for _, c := range []struct {
		regarding, component string
		unknown, stops       bool
	}{{"Node", "node-controller", true, true}, {"Node", "kubelet", false, true}, {"Node", "", false, false},
		{"Node", "cloud-node-lifecycle-controller", false, false}, {"Pod", "node-controller", false, false}} {
		e := &Event{Reason: "NodeNotReady", Regarding: Reference{Kind: c.regarding}, Component: c.component}
		if e.DeclaresUnknown() != c.unknown || e.StopsReady() != c.stops {
			t.Errorf("of a %s by %q: declares Unknown %v, stops being Ready %v", c.regarding, c.component, e.DeclaresUnknown(), e.StopsReady())
		}
		if e.Reason = "NodeReady"; e.DeclaresUnknown() || e.StopsReady() {
			t.Errorf("that it is ready, by %q", c.component)
		}
	}
}
