package loss

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// Clocks sums up how the ages of nodes' heartbeats are known, and how far kubelets' clocks are off.
type Clocks struct {
	// Heard, Said and Unknown count the nodes whose age is known by arrival, by their own clock, or not at all.
	Heard, Said, Unknown int
	// Off are the clocks that are off by ClockOff or more, including latency.
	Off []Clock
}

// Clock is a kubelet's clock that is By ahead.
type Clock struct {
	Node string
	By   time.Duration
}

// Take adds a node.
func (c *Clocks) Take(node string, ages *model.Ages) {
	switch {
	case ages.Heard.Known:
		c.Heard++
	case ages.Age.Known:
		c.Said++
	default:
		c.Unknown++
	}
	if k := ages.Skew; k.Known && k.Value.Abs() >= ClockOff {
		c.Off = append(c.Off, Clock{node, k.Value})
	}
}

// Sort puts the furthest first.
func (c *Clocks) Sort() {
	slices.SortFunc(c.Off, func(a, b Clock) int {
		return cmp.Or(cmp.Compare(b.By.Abs(), a.By.Abs()), strings.Compare(a.Node, b.Node))
	})
}
