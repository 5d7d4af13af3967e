package forecast

import (
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/simulate/courses"
)

// Tainted is a node that got the NoExecute taint for which it waited.
type Tainted struct {
	Node string
	Zone model.ZoneKey
	// Given is within when it got the taint.
	Given model.Interval
}

// WithTainted is what is left of a Forecast where nodes got the taints for which they waited: their zones have given so many
// of the tokens that were foreseen, and the countdowns of their pods run. What comes to the others stays as it was foreseen,
// and not before the next token, until the models say anew.
func (f *Forecast) WithTainted(list []Tainted) *Forecast {
	has, given := map[string]*Tainted{}, map[model.ZoneKey]int{}
	for i := range list {
		has[list[i].Node] = &list[i]
	}
	for i := range f.Taints { // whoever is none of these had its token before
		if t := has[f.Taints[i].Node]; t != nil {
			given[t.Zone]++
		}
	}
	waits := func(w Wait) bool { return has[w.Node] != nil }
	is := *f
	is.Waits, is.Taints = slices.DeleteFunc(slices.Clone(f.Waits), waits), slices.DeleteFunc(slices.Clone(f.Taints), waits)
	next := is.give(f, given, func(node string) bool { return has[node] != nil })
	for _, list := range [][]Wait{is.Waits, is.Taints} {
		for i := range list {
			w := &list[i]
			if at, ok := next[w.Zone]; ok && w.Window.Earliest < at {
				w.Window = model.Interval{Earliest: at, Latest: max(w.Window.Latest, at)}
			}
		}
	}
	is.Evictions, is.Zones = slices.Clone(f.Evictions), nil // how many by when is counted by who takes part
	for i := range is.Evictions {
		e := &is.Evictions[i]
		if t := has[e.Node]; t != nil {
			e.begin(t)
		} else if at, ok := next[f.zoneOf[e.Node]]; ok && e.raced() && e.Window.Earliest < at.Add(e.toleration()) {
			e.Window.Earliest = at.Add(e.toleration())
			e.Window.Latest = max(e.Window.Latest, e.Window.Earliest)
		}
	}
	is.Evictions = inOrder(is.Evictions)
	is.Index()
	return &is
}

// give takes the tokens that zones have given to some nodes out of what comes, the first of each zone, and says when the next
// of those zones comes at the earliest, where it is foreseen.
func (f *Forecast) give(from *Forecast, given map[model.ZoneKey]int, has func(node string) bool) (next map[model.ZoneKey]model.Instant) {
	f.Coming, f.tokens, next = make([]Coming, 0, len(from.Coming)), maps.Clone(from.tokens), map[model.ZoneKey]model.Instant{}
	left, among := maps.Clone(given), map[*string][]string{} // many share one list
	for i := range from.Coming {
		c := from.Coming[i]
		if d := &c.Decision; d.Kind == model.TaintNoExecute && given[d.Zone.Value] > 0 {
			if len(c.Among) > 0 {
				list, known := among[&c.Among[0]]
				if !known {
					list = slices.DeleteFunc(slices.Clone(c.Among), has)
					among[&c.Among[0]] = list
				}
				c.Among = list
			}
			if left[d.Zone.Value] > 0 && (d.Node == "" || has(d.Node)) {
				left[d.Zone.Value]--
				continue
			}
			if d.Node == "" && len(c.Among) == 0 || has(d.Node) {
				continue // nobody is left who gets it
			}
		}
		f.Coming = append(f.Coming, c)
	}
	for zone, n := range given {
		t := f.tokens[zone]
		if t == nil {
			continue
		}
		rest := *t
		rest.earliest, rest.latest = t.earliest[min(n, len(t.earliest)):], t.latest[min(n, len(t.latest)):]
		rest.among, rest.ahead = slices.DeleteFunc(slices.Clone(t.among), has), nil
		if f.tokens[zone] = &rest; len(rest.earliest) > 0 {
			next[zone] = rest.earliest[0]
		}
	}
	return next
}

// begin lets the countdown run of a pod whose node waited for its taint: by the toleration that counts it ends.
func (e *Eviction) begin(t *Tainted) {
	if !e.raced() {
		return
	}
	e.State, e.Rule, e.Why, e.Certain = Due, model.RuleCountdownStays, runsSince(t.Given, t.Given.Earliest), e.follows
	e.Window = model.Interval{Earliest: t.Given.Earliest.Add(e.toleration()), Latest: t.Given.Latest.Add(e.toleration() + courses.Lag)}
}

// toleration is for how long a pod stays once its node has the taint; it must be known.
func (e *Eviction) toleration() time.Duration { return time.Duration(e.Seconds.Value) * time.Second }

// WithDeclared is what is left of a Forecast where nodes are declared Unknown already.
func (f *Forecast) WithDeclared(nodes []string) *Forecast {
	is, declared := *f, setOf(nodes)
	is.GraceEnds = maps.Clone(f.GraceEnds)
	maps.DeleteFunc(is.GraceEnds, func(node string, _ model.Interval) bool { return declared[node] })
	is.Coming = slices.DeleteFunc(slices.Clone(f.Coming), func(c Coming) bool {
		return c.Decision.Kind == model.MarkUnknown && declared[c.Decision.Node]
	})
	return &is
}
