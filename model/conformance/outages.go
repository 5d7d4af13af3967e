package conformance

import (
	"cmp"
	"slices"
	"time"

	"pgregory.net/rapid"
)

// withOutage adds outages of several kubelets or of the control plane. Package kardia/sources/scenario calls them
// partition, deny-leases, stall, failover and controllers-off.
func withOutage(t *rapid.T, s Scenario) Scenario {
	g := &generator{t: t, s: slices.Clone(s), length: s.Length(), flags: s.Flags(), zoneOf: map[string]string{}}
	for _, c := range s {
		if c.Verb == "node" && c.At == setup {
			g.nodes, g.zoneOf[c.arg(0)] = append(g.nodes, c.arg(0)), c.option("zone", "")
		}
		if c.At != setup {
			g.hot = append(g.hot, c.At)
		}
	}
	for range rapid.IntRange(1, 2).Draw(t, "outages") {
		g.outage()
	}
	slices.SortStableFunc(g.s, func(a, b Command) int { return cmp.Compare(a.At, b.At) })
	return g.s
}

func (g *generator) outage() {
	t, at := g.t, g.time()
	for2 := time.Duration(rapid.IntRange(3, 240).Draw(t, "for")) * time.Second
	victim := pick(t, "victim", g.nodes...)
	switch pick(t, "outage", "partition", "partition", "partition of all", "denied", "denied in a zone", "stall", "controllers off") {
	case "partition":
		g.each("cut", "heal", at, for2, func(n string) bool { return g.zoneOf[n] == g.zoneOf[victim] })
	case "partition of all":
		g.each("cut", "heal", at, for2, func(string) bool { return true })
	case "denied":
		g.each("deny", "allow", at, for2, func(n string) bool { return n == victim })
	case "denied in a zone":
		g.each("deny", "allow", at, for2, func(n string) bool { return g.zoneOf[n] == g.zoneOf[victim] })
	case "stall":
		g.add(at, "stall for=%s", pick(t, "stalled", "10s", "16s", "45s", "2m"))
	case "controllers off":
		g.add(at, "restart %s for=%s", pick(t, "process", "both", "both", "lifecycle", "eviction"), pick(t, "off", "1m", "150s", "20m"))
	}
}

// each starts and ends a fault for all nodes that it affects.
func (g *generator) each(begins, ends string, at, lasts time.Duration, befalls func(node string) bool) {
	for _, n := range g.nodes {
		if befalls(n) {
			g.add(at, "%s %s", begins, n)
			g.add(at+lasts, "%s %s", ends, n)
		}
	}
}
