package outlook

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Node is the forecast for the pods of one node.
type Node struct {
	// Evictions are its pods', in the order of the forecast.
	Evictions []*forecast.Eviction
	// Ahead counts the pods whose deletion lies ahead, First those of them that are deleted within Next, the first
	// window. Sure reports that one of them is certain.
	Ahead, First int
	Next         model.Interval
	Sure         bool
	// Count counts the pods by state.
	Count [forecast.Unseen + 1]int
	// Lost counts the pods that were not deleted when their countdown ended: no controller tries again.
	Lost int
	// Wait is the node's wait for a taint; nil if it has none.
	Wait *forecast.Wait
}

// Threatened are the nodes of a zone with pods to be deleted, also those that are not tainted yet, in order of the first
// deletion.
func (o *Outlook) Threatened(zone model.ZoneKey, c *model.Cluster) (names []string) {
	for row := range c.Nodes {
		if n := o.Node(row.Name); n != nil && n.Ahead > 0 && row.Node != nil && row.Node.Zone == zone {
			names = append(names, row.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(o.Node(a).Next.Earliest, o.Node(b).Next.Earliest), cmp.Compare(a, b))
	})
	return names
}

// Node is the forecast for a node's pods; nil if nothing threatens them, or that is not known.
func (o *Outlook) Node(name string) *Node { return o.nodes[name] }

func (o *Outlook) node(name string) *Node {
	n := o.nodes[name]
	if n == nil {
		n = &Node{}
		o.nodes[name] = n
	}
	return n
}

func (o *Outlook) readNode(name string, n *Node) {
	for _, e := range n.Evictions {
		if e.Lost {
			n.Lost++
		}
		if e.State.Ahead() {
			n.goes(1, 1, e.Window)
			n.Sure = n.Sure || e.Certain
		}
		if e.State != forecast.Due {
			continue
		}
		if o.Armed == 0 || e.Window.Compare(o.Next) < 0 {
			o.Next = e.Window
		}
		o.Armed++
	}
	row := o.State.Cache.Find(name)
	if row == nil || row.Node == nil {
		return
	}
	if z := o.Zone(model.Some(row.Node.Zone)); z != nil {
		z.Armed += n.Count[forecast.Due]
		z.Forever += n.Count[forecast.Forever]
		z.delete(name, n)
		z.ToTaint.add(n)
	}
}

// goes counts pods that are deleted, some of them first, within a window.
func (n *Node) goes(pods, first int, window model.Interval) {
	switch sooner := window.Compare(n.Next) < 0; {
	case n.Ahead > 0 && window.Alike(n.Next):
		n.First += first
		if sooner {
			n.Next = window
		}
	case n.Ahead == 0 || sooner:
		n.First, n.Next = first, window
	}
	n.Ahead += pods
}

// Add counts the pods of another node with these.
func (n *Node) Add(other *Node) {
	if other.Ahead > 0 {
		n.goes(other.Ahead, other.First, other.Next)
	}
	n.Sure = n.Sure || other.Sure
	n.Lost += other.Lost
	for i := range n.Count {
		n.Count[i] += other.Count[i]
	}
}

// Hold is why a node has no NoExecute taint yet.
type Hold string

const (
	Spared    Hold = "spared" // master disruption is predicted: taints are removed before the pods' countdowns end
	InMaster  Hold = "master" // master disruption
	NextTaint Hold = "next"   // it is queued, and its zone's next taint is predicted
	RateZero  Hold = "rate"   // its zone's rate is 0
	NoToken   Hold = "token"  // it waits for a token of its zone
)

// Hold is why a queued node has no taint yet; "" if it is not queued, or its pods' countdowns run already. by is the
// latest time of its zone's NextTaint.
func (o *Outlook) Hold(n *Node) (why Hold, by model.Instant) {
	if n == nil || n.Count[forecast.Due] > 0 {
		return "", by
	}
	if n.Ahead == 0 && o.spared(n) {
		return Spared, by
	}
	var z *Zone
	if n.Wait != nil {
		z = o.Zone(model.Some(n.Wait.Zone))
	}
	switch {
	case o.State.MasterDisruption() && (n.Wait != nil || n.Count[forecast.Halted] > 0):
		return InMaster, by
	case z == nil:
		return "", by
	case z.Next.Known():
		return NextTaint, z.Next.Latest
	case z.Rate == 0:
		return RateZero, by
	}
	return NoToken, by
}

// spared reports that a node's pods stay because master disruption comes before: then no taint is added, and the taints
// that there are get removed.
func (o *Outlook) spared(n *Node) bool {
	return o.darkens && !o.State.MasterDisruption() && slices.ContainsFunc(n.Evictions, func(e *forecast.Eviction) bool {
		return e.State == forecast.Halted && (e.Rule == model.RuleMasterDisruption || o.Tainted(e.Node))
	})
}
