package contract

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/doc"
	"kardia/ui/paint"
)

// The texts of tables for a missing value.
const (
	unknown = "?" // there is one, but it is not known
	none    = "-" // there is none
)

// Printed is a report that a person can read.
type Printed interface {
	// Doc is the report for a person; wide has all columns.
	Doc(wide bool) doc.Doc
}

// Listed is a report that is a list of named things.
type Listed interface {
	// Names are TYPE/NAME of each entry.
	Names() []string
	// Nothing is the sentence for an empty list; "" if it is not known that there is nothing.
	Nothing() string
}

func (c Caveats) nothing(sentence string) string {
	if len(c.NotKnown) > 0 {
		return ""
	}
	return sentence
}

// Names implements Listed.
func (n Nodes) Names() []string {
	return each(n.Nodes, func(n Node) string { return "node/" + n.Name })
}

// Nothing implements Listed.
func (n Nodes) Nothing() string { return n.nothing("No nodes.") }

// Names implements Listed.
func (z Zones) Names() []string {
	return each(z.Zones, func(z Zone) string { return "zone/" + zoneWord(z.summary.Zone) })
}

// Nothing implements Listed.
func (z Zones) Nothing() string { return z.nothing("No zones.") }

// Names implements Listed.
func (p Pods) Names() []string {
	return each(p.Pods, func(p Pod) string { return "pod/" + p.Namespace + "/" + p.Name })
}

// Nothing implements Listed.
func (p Pods) Nothing() string { return p.nothing("No pods.") }

// Names implements Listed.
func (e Evictions) Names() []string {
	return each(e.Evictions, func(e Eviction) string { return "pod/" + e.Namespace + "/" + e.Pod })
}

// Nothing implements Listed.
func (e Evictions) Nothing() string { return e.nothing("No evictions pending.") }

// tableOf is a doc of one table. Without all it drops the wide columns, to fit 120 columns with usual names.
func tableOf(g *doc.Grid, all bool, wide ...string) (d doc.Doc) {
	if !all {
		g.Drop(wide...)
	}
	d.Add(doc.Block{Kind: doc.Table, Grid: g}) // even without rows, for the header
	return d
}

// since is the time from a stamp to now, which may be negative.
func since(now, then Stamp) string {
	a, b := model.Instant(now), model.Instant(then)
	if !a.Bounded() || !b.Bounded() {
		return unknown
	}
	return paint.Duration(a.Sub(b))
}

func atLeast(is bool, text string) string {
	if is {
		return "≥" + text
	}
	return text
}

// bounded marks an age that may be more, less (if heartbeats were not watched), or either.
func bounded(more, less bool, text string) string {
	switch {
	case more && less:
		return "~" + text
	case less:
		return "≤" + text
	}
	return atLeast(more, text)
}

func age(s Seconds) string { return paint.Age(model.Maybe[time.Duration](s)) }

// or is the text behind a pointer, or absent for nil.
func or(p *string, absent string) string {
	if p == nil {
		return absent
	}
	return *p
}

// short is a taint or toleration key without Kubernetes' own prefix.
func short(key string) string { return strings.TrimPrefix(key, "node.kubernetes.io/") }

func list(entries []string) string {
	if len(entries) == 0 {
		return none
	}
	return strings.Join(entries, ", ")
}
