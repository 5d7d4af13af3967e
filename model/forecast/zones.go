package forecast

import (
	"time"

	"kardia/model"
)

// Zone is how many nodes of a zone will have been tainted, and pods on its nodes deleted, by some
// instants from now on.
type Zone struct {
	Place model.Place
	By    []Count
}

// Count is how many from the State's instant to By, at least and at most.
type Count struct {
	By               model.Instant
	Tainted, Deleted Bounds
}

// Bounds are the least and the most.
type Bounds struct{ Least, Most int }

// steps are when the zones are counted, from now.
var steps = [...]time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute}

// zoneCount gathers what courses say of a zone's taints. Deletes are counted in the end, of what
// all courses say of each pod.
type zoneCount struct {
	tainted [len(steps)]Bounds
	courses int
}

// addZones takes in when a course gives each zone's tokens.
func (h *hull) addZones(c *course) {
	for place := range c.races.slips {
		if _, ok := c.races.given[place]; !ok {
			c.races.given[place] = nil
		}
	}
	for place, given := range c.races.given {
		z := h.zones[place]
		if z == nil {
			z = &zoneCount{}
			h.zones[place] = z
			z.courses = h.courses - 1 // in those before, nothing was given
		}
		z.courses++
		for i, step := range steps {
			by, b := c.s.At.Add(step), Bounds{}
			for n, at := range given {
				w := c.padded(model.Exactly(at), n+1, place)
				if w.Latest.Add(lag) <= by {
					b.Least++
				}
				if w.Earliest <= by {
					b.Most++
				}
			}
			for _, at := range c.races.slips[place] {
				if at.Add(-c.slack()) <= by {
					b.Most++
				}
			}
			is := &z.tainted[i]
			if z.courses == 1 {
				*is = b
			}
			*is = Bounds{min(is.Least, b.Least), max(is.Most, b.Most)}
		}
	}
	for _, z := range h.zones {
		if z.courses < h.courses { // nothing was given in this one
			z.courses = h.courses
			for i := range z.tainted {
				z.tainted[i].Least = 0
			}
		}
	}
}

// zoneForecasts counts, by place.
func (h *hull) zoneForecasts() []Zone {
	pods := map[model.Place]map[string][]*Eviction{} // zone → node → its pods
	for i := range h.f.Evictions {
		e := &h.f.Evictions[i]
		node := h.s.Cache.Node(e.Node)
		if node == nil || !e.comes() {
			continue
		}
		if pods[node.Place] == nil {
			pods[node.Place] = map[string][]*Eviction{}
		}
		pods[node.Place][e.Node] = append(pods[node.Place][e.Node], e)
	}
	var list []Zone
	for _, v := range h.s.Nodes.Zones(h.s.At, h.s.Cache) {
		z := Zone{Place: v.Place}
		for i, step := range steps {
			if step > h.f.Until.Sub(h.f.At) {
				break
			}
			n := Count{By: h.s.At.Add(step)}
			if c := h.zones[v.Place]; c != nil {
				n.Tainted = c.tainted[i]
			}
			n.Deleted = deletedBy(pods[v.Place], n.By)
			z.By = append(z.By, n)
		}
		list = append(list, z)
	}
	return list
}

// deletedBy counts a zone's pods that are deleted by an instant: at least those that certainly
// are.
func deletedBy(nodes map[string][]*Eviction, by model.Instant) (b Bounds) {
	for _, list := range nodes {
		for _, e := range list {
			if e.Window.Earliest <= by {
				b.Most++
			}
			if e.Certain && e.Window.Latest <= by {
				b.Least++
			}
		}
	}
	return b
}
