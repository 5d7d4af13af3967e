package nodes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model/explain/loss"
)

// Clocks is how the ages of nodes' heartbeats are known, and how far kubelets' clocks are off.
type Clocks struct {
	// Heard, Said and Unknown count the nodes whose age is known by arrival, by their own clocks, and not.
	Heard, Said, Unknown int
	// Off are the clocks that are off by loss.ClockOff or more, way and server included, the furthest first.
	Off []Clock
}

// Clock is one that is By ahead.
type Clock struct {
	Node string
	By   time.Duration
}

// Clocks reads them off.
func (l *List) Clocks() (c Clocks) {
	for i := range l.Entries {
		e := &l.Entries[i]
		switch {
		case e.Ages.Heard.Known:
			c.Heard++
		case e.Ages.Age.Known:
			c.Said++
		default:
			c.Unknown++
		}
		if k := e.Ages.Skew; k.Known && k.Value.Abs() >= loss.ClockOff {
			c.Off = append(c.Off, Clock{e.Row.Name, k.Value})
		}
	}
	slices.SortFunc(c.Off, func(a, b Clock) int {
		return cmp.Or(cmp.Compare(b.By.Abs(), a.By.Abs()), strings.Compare(a.Node, b.Node))
	})
	return c
}
