package fleet

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kardia/model"
	"kardia/ui/nodes"
)

// Filter chooses nodes: words, all of which must hold. A word is part of a node's
// name, or what its READY column reads, or a facet:
//
//	zone:1b      the zone by its short name, its name, region/zone, none or unknown
//	state:late   ready, notready, unknown, nostatus, lease-only, late, past, degraded, being-removed, cordoned
//	taint:gpu    part of the key of any taint
//	pod:web/api  part of the namespace/name of a pod on the node
//	node:ip-10   part of the name, also where it holds a colon
//
// A minus before a word turns it round. The zero value lets every node pass.
type Filter struct {
	words []word
}

type word struct {
	not         bool
	facet, text string
}

var facets = []string{"zone", "state", "taint", "pod", "node"}

var states = map[string]func(*nodes.Entry) bool{
	"ready":      func(e *nodes.Entry) bool { return e.Health == model.HealthReady },
	"notready":   func(e *nodes.Entry) bool { return e.Health == model.HealthNotReady },
	"unknown":    func(e *nodes.Entry) bool { return e.Health == model.HealthUnknown },
	"nostatus":   func(e *nodes.Entry) bool { return e.Health == model.HealthNever },
	"lease-only": func(e *nodes.Entry) bool { return e.Health == model.HealthUnseen },
	"late":       func(e *nodes.Entry) bool { return e.Class == nodes.Late || e.Class == nodes.PastGrace },
	"past":       func(e *nodes.Entry) bool { return e.Class == nodes.PastGrace },
	"degraded": func(e *nodes.Entry) bool {
		return e.Class == nodes.Impaired || e.Health == model.HealthReady && len(e.Problems) > 0
	},
	"being-removed": func(e *nodes.Entry) bool { return e.Leaving != nil },
	"cordoned":      func(e *nodes.Entry) bool { return e.Row.Node != nil && e.Row.Node.Unschedulable },
}

// ParseFilter reads a filter. The error is in words for the person.
func ParseFilter(text string) (Filter, error) {
	var f Filter
	for _, field := range strings.Fields(text) {
		w := word{text: field}
		if rest, ok := strings.CutPrefix(w.text, "-"); ok && rest != "" {
			w.not, w.text = true, rest
		}
		if facet, value, ok := strings.Cut(w.text, ":"); ok {
			facet = strings.ToLower(facet)
			if !slices.Contains(facets, facet) {
				return Filter{}, fmt.Errorf("no facet %q: there are %s", facet, strings.Join(facets, ", "))
			}
			if value == "" {
				return Filter{}, fmt.Errorf("%s: needs a value", facet)
			}
			w.facet, w.text = facet, value
		}
		if w.facet == "state" {
			w.text = strings.ToLower(w.text)
			if states[w.text] == nil {
				return Filter{}, fmt.Errorf("no state %q: there are %s", w.text, strings.Join(slices.Sorted(maps.Keys(states)), ", "))
			}
		}
		f.words = append(f.words, w)
	}
	return f, nil
}

// Active reports whether the filter chooses at all.
func (f Filter) Active() bool { return len(f.words) > 0 }

// String is the filter as ParseFilter reads it.
func (f Filter) String() string {
	var b strings.Builder
	for i, w := range f.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w.not {
			b.WriteByte('-')
		}
		if w.facet != "" {
			b.WriteString(w.facet + ":")
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// compile makes the filter a test, which is valid for this list only.
func (f Filter) compile(r *nodes.List) func(*nodes.Entry) bool {
	tests := make([]func(*nodes.Entry) bool, len(f.words))
	for i, w := range f.words {
		tests[i] = w.compile(r)
	}
	return func(e *nodes.Entry) bool {
		for i, t := range tests {
			if t(e) == f.words[i].not {
				return false
			}
		}
		return true
	}
}

func (w word) compile(r *nodes.List) func(*nodes.Entry) bool {
	switch w.facet {
	case "zone":
		chosen := make([]bool, len(r.Zones))
		for i := range r.Zones {
			chosen[i] = zoneMatches(&r.Zones[i], w.text)
		}
		return func(e *nodes.Entry) bool { return chosen[e.Zone] }
	case "state":
		return states[w.text]
	case "taint":
		return func(e *nodes.Entry) bool {
			return e.Row.Node != nil && slices.ContainsFunc(e.Row.Node.Taints, func(t model.Taint) bool { return contains(t.Key, w.text) })
		}
	case "pod":
		return func(e *nodes.Entry) bool {
			return slices.ContainsFunc(e.Row.Pods(), func(p *model.Pod) bool { return contains(p.Key.String(), w.text) })
		}
	case "node":
		return func(e *nodes.Entry) bool { return contains(e.Row.Name, w.text) }
	}
	return func(e *nodes.Entry) bool {
		return contains(e.Row.Name, w.text) || strings.EqualFold(e.Health.String(), w.text)
	}
}

func zoneMatches(z *nodes.Zone, text string) bool {
	if !z.Zone.Known {
		return text == "unknown"
	}
	return text == z.Short || z.Zone.Value.Matches(text)
}

// contains is a search that ignores the case of ASCII letters, and allocates nothing.
func contains(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(part)], part) {
			return true
		}
	}
	return false
}
