package outlook

import (
	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/simulate/forecast"
)

// Zone is the controller's judgement of one zone, and the forecast for it.
type Zone struct {
	nodelifecycle.ZoneView
	// Waits are the nodes in the queue. It is a set: there is no order among them.
	Waits []forecast.Wait
	// Next is within when the zone's next taint surely comes; unknown if none is certain.
	Next model.Interval
	// Until is when all queued nodes are tainted at the latest; FarFuture if that may never be. Doubted reports that
	// some of them may get no taint: the zone's state may change before.
	Until   model.Instant
	Doubted bool
	// Deletions are the pods with a countdown, by the time of their deletion; Armed counts them.
	Deletions []Deletion
	Armed     int
	// ToTaint are the pods whose nodes are not tainted yet; none if their deletion is not bounded.
	ToTaint ToTaint
	// Forever counts the pods on silent nodes that tolerate the taints without a time limit.
	Forever int
}

// Deletion is pods of one node that are deleted together.
type Deletion struct {
	Node   string
	Pods   int
	Window model.Interval
}

// Zone is the controller's judgement of a zone; nil if the controller does not know it, or that is not known.
func (o *Outlook) Zone(zone model.Maybe[model.ZoneKey]) *Zone {
	i, ok := o.zones[zone.Value]
	if !ok || !zone.Known {
		return nil
	}
	return &o.Zones[i]
}

func (o *Outlook) readZones() {
	o.Master = o.State.MasterDisruption()
	for _, v := range o.State.Zones() {
		o.zones[v.Zone] = len(o.Zones)
		o.Zones = append(o.Zones, Zone{ZoneView: v, Until: model.FarFuture})
		for _, name := range v.Waiting {
			if o.Tainted(name) {
				o.Requeued++
			} else {
				o.Queued++
			}
		}
	}
}

// delete adds a node's deletions, in order of time.
func (z *Zone) delete(name string, n *Node) {
	first := len(z.Deletions)
	for _, e := range n.Evictions {
		if e.State != forecast.Due {
			continue
		}
		if last := len(z.Deletions) - 1; last >= first && e.Window.Alike(z.Deletions[last].Window) {
			d := &z.Deletions[last]
			d.Pods++
			d.Window.Latest = max(d.Window.Latest, e.Window.Latest)
			continue
		}
		z.Deletions = append(z.Deletions, Deletion{name, 1, e.Window})
	}
}

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
