package controllers

import (
	"fmt"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/simulate/forecast"
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

// readZones reads what the controller thinks of the zones, and who of the nodes waits no more since.
func (o *View) readZones(came *since) {
	o.Master = o.State.MasterDisruption()
	for _, v := range o.State.Zones() {
		came.zone(&v)
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

// Tokens says of a zone's queue who waits and within which bounds each is tainted: a
// sentence, and the same in short. The order is a race, so nobody has a place in it; and who
// comes to wait until then may be the one.
func (z *Zone) Tokens(at model.Instant) (long, short string) {
	n := len(z.Waiting)
	if n == 0 {
		return z.nobody(at)
	}
	long = fmt.Sprintf("%d wait", n)
	short = long
	next, soon := within(z.Next.Latest, at)
	switch {
	case z.Rate == 0 && !z.Next.Known():
		return long + "; nobody is tainted while the rate is 0", short + ", nobody is tainted"
	case !z.Next.Known():
		return long + "; whether one is tainted as things stand is not certain", short + ", perhaps none is tainted"
	case n == 1 && z.Until.Bounded() && !z.Doubted:
		all, brief := within(z.Until, at)
		return "one node waits, and is tainted " + all, short + ", tainted " + brief
	case z.Rate == 0:
		long += "; nobody is tainted while the rate is 0"
	}
	long += "; the next taint comes " + next
	if z.Doubted {
		return long + "; perhaps not all get one", short + ", next " + soon + ", perhaps not all"
	}
	short += ", next taint " + soon
	if n > 1 && z.Until.Bounded() {
		all, brief := within(z.Until, at)
		long += ", all " + all
		short += ", all " + brief
	}
	return long, short
}

// nobody says what a queue without anybody in it would give who comes.
func (z *Zone) nobody(at model.Instant) (long, short string) {
	next, soon := within(z.NextToken, at)
	switch {
	case z.Rate == 0:
		return "nobody waits; nobody would be tainted", "nobody waits"
	case z.NextToken <= at:
		return "nobody waits; who comes next is tainted at once", "nobody waits"
	}
	return "nobody waits; who comes next is tainted " + next, "nobody waits, next taint " + soon
}
