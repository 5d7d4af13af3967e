package controllers

import (
	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/simulate/forecast"
	"kardia/ui/words"
)

// Zone is what the controller thinks of one zone, and what comes there.
type Zone struct {
	nodelifecycle.ZoneView
	// Waits are the nodes in the queue. It is a set: there is no order among them.
	Waits []forecast.Wait
	// Next is within when the next node of the zone is tainted, if things go on as foreseen; unknown where that is not certain.
	Next model.Interval
	// Until is by when all that wait are tainted; FarFuture if that may never be. Doubted says that some of them may
	// get no taint: the zone's state may change before.
	Until   model.Instant
	Doubted bool
	// Deletions are the pods with a countdown, by the time they are deleted; Armed how many.
	Deletions []Deletion
	Armed     int
	// ToTaint are the pods whose nodes are still to be tainted; it has none where there are none, or where the end of
	// that is not known.
	ToTaint ToTaint
	// Forever counts the pods on silent nodes that tolerate for ever.
	Forever int
}

// Deletion is pods of one node that are deleted together.
type Deletion struct {
	Node   string
	Pods   int
	Window model.Interval
}

// Zone is what the controller thinks of a zone; nil if it does not know it, or that is not
// known.
func (o *View) Zone(zone model.Maybe[model.ZoneKey]) *Zone {
	if !zone.Known {
		return nil
	}
	i, ok := o.zones[zone.Value]
	if !ok {
		return nil
	}
	return &o.Zones[i]
}

// readZones reads what the controller thinks of the zones.
func (o *View) readZones() {
	o.Master = o.State.MasterDisruption()
	for _, v := range o.State.Zones() {
		o.zones[v.Zone] = len(o.Zones)
		o.Zones = append(o.Zones, Zone{ZoneView: v, Until: model.FarFuture})
		for _, name := range v.Waiting {
			if o.Tainted(name) {
				o.Anew++
			} else {
				o.Queued++
			}
		}
	}
}

// readTaints finds each zone's next taint that surely comes. The token that is next is not enough: the zone's rate may change
// before it is there.
func (o *View) readTaints() {
	for i := range o.Forecast.Coming {
		c := &o.Forecast.Coming[i]
		if c.Decision.Kind != model.TaintNoExecute || !c.Sure {
			continue
		}
		if z := o.Zone(c.Decision.Zone); z != nil && (!z.Next.Known() || c.Decision.Window.Latest < z.Next.Latest) {
			z.Next = c.Decision.Window
		}
	}
}

// delete adds a node's deletions, which come in order of time.
func (z *Zone) delete(name string, n *Node) {
	first := len(z.Deletions)
	for _, e := range n.Evictions {
		if e.State != forecast.Due {
			continue
		}
		if last := len(z.Deletions) - 1; last >= first {
			d := &z.Deletions[last]
			if Alike(e.Window, d.Window) {
				d.Pods++
				d.Window.Latest = max(d.Window.Latest, e.Window.Latest)
				continue
			}
		}
		z.Deletions = append(z.Deletions, Deletion{name, 1, e.Window})
	}
}

// Tokens says of a zone's queue which nodes are queued and within which bounds each is tainted: a
// sentence, and the same in short. The order is a race, so no node has a place in it, and one that
// is queued until then may be the next.
func (z *Zone) Tokens(at model.Instant) (long, short words.Say) {
	n := len(z.Waiting)
	if n == 0 {
		return z.empty(at)
	}
	queued := words.Of("queue.n", "n", n)
	next, soon := within(z.Next.Latest, at)
	all, brief := within(z.Until, at)
	switch {
	case z.Rate == 0 && !z.Next.Known():
		return words.Of("queue.stopped", "queued", queued), words.Of("queue.stopped-short", "queued", queued)
	case !z.Next.Known():
		return words.Of("queue.unknown", "queued", queued), words.Of("queue.unknown-short", "queued", queued)
	case n == 1 && z.Until.Bounded() && !z.Doubted:
		return words.Of("queue.single", "when", all), words.Of("queue.single-short", "queued", queued, "when", brief)
	}
	long, short = queued, queued
	if z.Rate == 0 {
		long = words.Of("queue.stopped", "queued", queued)
	}
	if z.Doubted {
		return words.Of("queue.doubted", "queued", long, "when", next), words.Of("queue.doubted-short", "queued", short, "when", soon)
	}
	long, short = words.Of("queue.next", "queued", long, "when", next), words.Of("queue.next-short", "queued", short, "when", soon)
	if n > 1 && z.Until.Bounded() {
		return words.Of("queue.all", "queued", long, "when", all), words.Of("queue.all", "queued", short, "when", brief)
	}
	return long, short
}

// empty says when a node that came to the empty queue would be tainted.
func (z *Zone) empty(at model.Instant) (long, short words.Say) {
	next, soon := within(z.NextToken, at)
	switch {
	case z.Rate == 0:
		return words.Of("queue.empty-stopped"), words.Of("queue.empty-now-short")
	case z.NextToken <= at:
		return words.Of("queue.empty", "when", next), words.Of("queue.empty-now-short")
	}
	return words.Of("queue.empty", "when", next), words.Of("queue.empty-short", "when", soon)
}
