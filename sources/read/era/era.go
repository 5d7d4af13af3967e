// Package era sets false timestamps aside: a creationTimestamp of the year 3000, a renewTime by a clock that was never
// set. The rule: no two true timestamps of one cluster are further apart than Kubernetes is old. Timestamps form eras,
// with empty times of that length between. The era with the most is believed. A timestamp far from it becomes unknown,
// so that it bounds nothing and is not shown.
package era

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/read/object"
)

// Apart is how far apart neighbouring true timestamps of one cluster can be.
const Apart = 10 * 365 * 24 * time.Hour

// Eras are times with timestamps, more than Apart from each other, in order. The zero value has none.
type Eras struct{ list []one }

type one struct {
	model.Interval
	n int
}

// Add counts a timestamp; an unknown or unbounded one belongs to no era.
func (e *Eras) Add(t model.Instant) {
	if !t.Bounded() {
		return
	}
	first := slices.IndexFunc(e.list, func(o one) bool { return o.Latest.Add(Apart) >= t })
	if first < 0 {
		e.list = append(e.list, one{model.Exactly(t), 1})
		return
	}
	if o := &e.list[first]; t < o.Earliest.Add(-Apart) {
		e.list = slices.Insert(e.list, first, one{model.Exactly(t), 1})
		return
	}
	o := &e.list[first]
	o.Interval, o.n = model.Interval{Earliest: min(o.Earliest, t), Latest: max(o.Latest, t)}, o.n+1
	if next := first + 1; next < len(e.list) && e.list[next].Earliest <= o.Latest.Add(Apart) { // it bridges two
		o.Latest, o.n = e.list[next].Latest, o.n+e.list[next].n
		e.list = slices.Delete(e.list, next, next+1)
	}
}

// Main is the era with the most timestamps, the earlier of two; unknown without any.
func (e *Eras) Main() model.Interval {
	var best one
	for _, o := range e.list {
		if o.n > best.n {
			best = o
		}
	}
	return best.Interval
}

// Believed is the time in which timestamps are believed: the main era, and Apart around it.
func (e *Eras) Believed() model.Interval {
	main := e.Main()
	if !main.Known() {
		return model.Interval{Earliest: model.FarPast + 1, Latest: model.FarFuture - 1}
	}
	return model.Interval{Earliest: main.Earliest.Add(-Apart), Latest: main.Latest.Add(Apart)}
}

// Count adds the timestamps of a Change and its version.
func (e *Eras) Count(ch *model.Change, stamps *object.Stamps) {
	e.Add(ch.Arrival)
	if ch.Quality == model.ByServer {
		e.Add(ch.Time.Earliest)
	}
	each(ch, stamps, func(_ string, t *model.Instant) { e.Add(*t) })
}

// Aside is the timestamps of an input that were set aside: how many, and the first.
type Aside struct {
	N     int
	First string
}

func (a Aside) String() string {
	if a.N == 1 {
		return a.First + " lies more than ten years from all other times and was set aside"
	}
	return fmt.Sprintf("%d timestamps lie more than ten years from all other times and were set aside, first %s", a.N, a.First)
}

func (a *Aside) add(name string, ch *model.Change, t model.Instant) {
	if a.N++; a.N > 1 {
		return
	}
	value := t.String()
	switch t {
	case model.FarPast:
		value = "before 1678"
	case model.FarFuture:
		value = "after 2261"
	}
	a.First = fmt.Sprintf("the %s of %s %s (%s)", name, ch.Kind, ch.Key, value)
}

// Clear sets aside the timestamps of a Change that are not believed. Its shared objects are copied first. A request at
// such a time stays, undated.
func (a *Aside) Clear(ch *model.Change, stamps *object.Stamps, believed model.Interval) {
	outside := func(t model.Instant) bool { return t.Known() && !believed.Contains(t) }
	if outside(ch.Arrival) {
		a.add("arrival", ch, ch.Arrival)
		ch.Arrival = 0
	}
	switch from, to := ch.Time.Earliest, ch.Time.Latest; {
	case ch.Quality == model.ByServer && (outside(from) || outside(to)):
		a.add("request time", ch, ch.Time.Latest)
		ch.Time, ch.Quality = model.Interval{}, model.ByOrder
	case from.Bounded() && outside(from) || to.Bounded() && outside(to):
		a.add("time", ch, to)
		ch.Time = model.Always
	}
	found := false
	each(ch, stamps, func(_ string, t *model.Instant) { found = found || outside(*t) })
	if !found {
		return
	}
	own(ch)
	last := "" // a version carries its creationTimestamp twice
	each(ch, stamps, func(name string, t *model.Instant) {
		if !outside(*t) {
			return
		}
		if name != "creationTimestamp" || last != name {
			a.add(name, ch, *t)
		}
		last, *t = name, 0
	})
}

// Bound makes timestamps unknown that no Instant holds, such as the year 9999, if no others show which are true.
func Bound(ch *model.Change) {
	var none Eras
	var aside Aside
	aside.Clear(ch, nil, none.Believed())
}

// own copies the objects of a Change that each visits.
func own(ch *model.Change) {
	if copied(&ch.Node) {
		ch.Node.Conditions, ch.Node.Taints = slices.Clone(ch.Node.Conditions), slices.Clone(ch.Node.Taints)
	}
	copied(&ch.Pod)
	copied(&ch.Event)
	copied(&ch.Related)
}

// copied replaces an object by a copy; false if there is none.
func copied[T any](object **T) bool {
	if *object == nil {
		return false
	}
	own := **object
	*object = &own
	return true
}

// each visits the timestamps of an object version, by Kubernetes' names.
func each(ch *model.Change, stamps *object.Stamps, f func(name string, t *model.Instant)) {
	if stamps != nil {
		f("newest managedFields time", &stamps.Managed)
		f("creationTimestamp", &stamps.Created)
	}
	f("creationTimestamp", &ch.Lease.Created)
	f("renewTime", &ch.Lease.Renewed)
	f("acquireTime", &ch.Lease.Acquired)
	if n := ch.Node; n != nil {
		f("creationTimestamp", &n.Created)
		f("deletionTimestamp", &n.Deleted)
		for i := range n.Conditions {
			f("lastTransitionTime", &n.Conditions[i].Transition)
			f("lastHeartbeatTime", &n.Conditions[i].Heartbeat)
		}
		for i := range n.Taints {
			f("timeAdded", &n.Taints[i].Added)
		}
	}
	if p := ch.Pod; p != nil {
		f("creationTimestamp", &p.Created)
		f("lastTransitionTime", &p.ReadySince)
		f("lastTransitionTime", &p.Disrupted)
		if asked := p.Asked(); p.Deletion.Known() { // a long grace puts it far ahead, and that is true
			if f("deletionTimestamp", &asked); !asked.Known() {
				p.Deletion = 0
			}
		}
	}
	if e := ch.Event; e != nil {
		f("creationTimestamp", &e.Created)
		f("firstTimestamp", &e.First)
		f("lastTimestamp", &e.Last)
	}
	if r := ch.Related; r != nil {
		f("creationTimestamp", &r.Created)
		f("deletionTimestamp", &r.Deleted)
	}
}
