package outlook

import (
	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Total is how many pods are deleted, as the forecast counts them, and by when.
type Total struct {
	forecast.Deleted
	// First is when the first of them is deleted, if that is known better than by their own windows.
	First model.Interval
	// By is when the last of them is deleted at the latest; FarFuture if that has no end.
	By model.Instant
}

// ToTaint is the pods of nodes that wait for a taint, or will, as the forecast counts them, and when they are deleted.
type ToTaint struct {
	forecast.Deleted
	Window model.Interval
}

// toTaint reports that a pod's node waits for its taint, or will, and that the pod's deletion is predicted.
func toTaint(e *forecast.Eviction) bool {
	return e.State == forecast.WaitingForTaint && e.Window.Bounded()
}

// add widens the window to hold those of a node's pods.
func (t *ToTaint) add(n *Node) {
	for _, e := range n.Evictions {
		switch {
		case !toTaint(e):
		case !t.Window.Known():
			t.Window = e.Window
		default:
			t.Window = t.Window.Around(e.Window)
		}
	}
}

func (o *Outlook) total() {
	all := o.Forecast.Deletions(nil)
	o.Total.Deleted = all.By(model.FarFuture)
	if o.Armed == 0 { // else the running countdowns are first, with their own windows
		o.Total.First = all.First()
	}
	for i := range o.Forecast.Evictions {
		if e := &o.Forecast.Evictions[i]; e.State.Ahead() && e.Window.Earliest != model.FarFuture {
			o.Total.By = max(o.Total.By, e.Window.Latest)
		}
	}
	waiting := o.Forecast.Deletions(toTaint)
	for i := range o.Zones {
		o.Zones[i].ToTaint.Deleted = waiting.In(model.Some(o.Zones[i].Zone), model.FarFuture)
	}
}
