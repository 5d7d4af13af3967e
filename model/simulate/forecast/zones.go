package forecast

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// Zone is how many nodes of a zone will have been tainted, and pods on them deleted, by some times.
type Zone struct {
	Zone model.ZoneKey
	By   []Count
}

// Count is the numbers from the Forecast's time to By.
type Count struct {
	By               model.Instant
	Tainted, Deleted Bounds
}

// Bounds are the least and the greatest number.
type Bounds struct{ Least, Most int }

// steps are when the zones are counted, after now.
var steps = [...]time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute}

// tokens are a zone's tokens in any course: the nth not before earliest; latest are those of all courses.
type tokens struct {
	earliest, latest []model.Instant
	// until is the end of the forecast; on: more tokens come then.
	until model.Instant
	on    bool
	// ahead are those after the forecast's time; nil if all are.
	ahead *tokens
	// among are the nodes that may get one, by name; nil if a node may get two, or that is not known.
	among []string
}

func (t *tokens) by(at model.Instant) (b Bounds) {
	for _, earliest := range t.earliest {
		if earliest <= at {
			b.Most++
		}
	}
	for _, latest := range t.latest {
		if latest <= at {
			b.Least++
		}
	}
	return b
}

// addZones adds the tokens of a course, also none for a zone with tokens in another course.
func (h *hull) addZones(c *course) {
	for zone, q := range c.races.queues {
		if h.zones[zone] == nil && len(q.given)+len(q.slips) > 0 {
			h.zones[zone] = &tokens{until: h.f.Until}
			if h.s.Before != nil {
				h.zones[zone].ahead = &tokens{}
			}
		}
	}
	for zone, t := range h.zones {
		given := c.given(zone)
		t.join(given, c.s.At, h.courses)
		t.on = t.on || len(given) > 0 && c.races.queues[zone].on
		if t.ahead != nil {
			t.ahead.join(given, h.f.At, h.courses)
		}
	}
}

// given is a token's window in a course, and whether it is sure.
type given struct {
	model.Interval
	sure bool
}

func (c *course) given(zone model.ZoneKey) (list []given) {
	q := c.races.queues[zone]
	if q == nil {
		return nil
	}
	for n, t := range q.given {
		w := c.padded(model.Interval{Earliest: t.at, Latest: t.at.Add(t.burnt)}, n+1, zone)
		list = append(list, given{model.Interval{Earliest: w.Earliest, Latest: w.Latest.Add(courses.Lag)}, !c.halted(q, t)})
	}
	for _, at := range q.slips {
		list = append(list, given{model.Interval{Earliest: at.Add(-c.slack()), Latest: at.Add(c.slack())}, false})
	}
	return list
}

// join adds the tokens of a course, from a time on; course is its number.
func (t *tokens) join(list []given, from model.Instant, course int) {
	var earliest, latest []model.Instant
	for _, g := range list {
		if g.Latest >= from {
			earliest = append(earliest, g.Earliest)
		}
		if g.sure && g.Earliest >= from {
			latest = append(latest, g.Latest)
		}
	}
	slices.Sort(earliest)
	if course == 1 {
		t.latest = latest
	}
	t.latest = t.latest[:min(len(t.latest), len(latest))]
	for n := range t.latest {
		t.latest[n] = max(t.latest[n], latest[n])
	}
	for n := range t.earliest {
		if n < len(earliest) {
			t.earliest[n] = min(t.earliest[n], earliest[n])
		}
	}
	t.earliest = append(t.earliest, earliest[min(len(t.earliest), len(earliest)):]...)
}

// compete finds the nodes that may get each zone's tokens, one each; none if a node may get two, or had one in a gap.
func (h *hull) compete() {
	if h.s.Before != nil || slices.ContainsFunc(h.f.Coming, func(c Coming) bool { return c.Decision.Kind == model.EnterMasterDisruption }) {
		return
	}
	for i := range h.f.Coming {
		c := &h.f.Coming[i]
		if t := h.zones[c.Decision.Zone.Value]; t != nil && c.Decision.Kind == model.TaintNoExecute {
			if t.among = courses.Union(t.among, c.Among); c.Decision.Node != "" {
				t.among = courses.Union(t.among, []string{c.Decision.Node})
			}
		}
	}
}

// halted reports whether a token does not come if an earlier one is lost or late: the zone gives none by then.
func (c *course) halted(q *queue, t token) bool {
	late := t.burnt + q.late
	return late > 0 && slices.ContainsFunc(q.halts, func(at model.Instant) bool {
		return at >= t.at && at <= t.at.Add(late+max(0, c.slack()))
	})
}

func (h *hull) zoneForecasts() (list []Zone) {
	for _, v := range h.s.Nodes.Zones(h.s.At, h.s.Cache) {
		z, given := Zone{Zone: v.Zone}, h.zones[v.Zone]
		if given == nil {
			given = &tokens{}
		}
		if given.ahead != nil {
			given = given.ahead
		}
		for _, step := range steps {
			by := h.s.At.Add(step)
			if by > h.f.Until {
				break
			}
			z.By = append(z.By, Count{By: by, Tainted: given.by(by)})
		}
		list = append(list, z)
	}
	return list
}

// countDeleted counts the deleted pods by zone, after all changes of the Evictions.
func (f *Forecast) countDeleted() {
	all := f.Deletions(nil)
	for i := range f.Zones {
		z := &f.Zones[i]
		for k := range z.By {
			z.By[k].Deleted = all.In(model.Some(z.Zone), z.By[k].By).Bounds
		}
	}
}

func (h *hull) zonesOf(list []Eviction) map[string]model.ZoneKey {
	zones := map[string]model.ZoneKey{}
	for i := range list {
		name := list[i].Node
		if _, ok := zones[name]; ok {
			continue
		}
		if node := h.s.Cache.Node(name); node != nil {
			zones[name] = node.Zone
		}
	}
	return zones
}
