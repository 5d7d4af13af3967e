package margin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// Flaps is a node that stopped being Ready more than once.
type Flaps struct {
	Node string
	// Times counts how often Ready stopped being True, Declared how often it became Unknown.
	Times, Declared int
	First, Last     model.Instant
	// Down is the median time in which it was not Ready, Up that between; 0 if it never became Ready again.
	Down, Up time.Duration
	// Tainted counts the NoExecute taints by node-lifecycle. Longest is the longest time with one, which bounds its
	// pods' countdowns. Lasts: it has one at the end.
	Tainted int
	Longest time.Duration
	Lasts   bool
	// With are nodes that fell with it at least half of the times, the most frequent first; More are left out.
	With []Partner
	More int
}

// Partner is a node that stopped being Ready within seconds of another.
type Partner struct {
	Node string
	// Times is how often, and Apart the largest time between the two.
	Times int
	Apart time.Duration
}

// Always lists the partners that fell with the node each time.
func (f *Flaps) Always() (names []string) {
	for _, p := range f.With {
		if p.Times == f.Times {
			names = append(names, p.Node)
		}
	}
	return names
}

const (
	together     = 10 * time.Second
	mostPartners = 50
)

type falling struct {
	node     string
	at       model.Instant
	until    model.Instant // when it was True again
	declared bool
}

// taints counts a node's NoExecute taints by node-lifecycle, and the longest time with one.
type taints struct {
	times   int
	longest time.Duration
}

// readyChanged records when a node stops being Ready and recovers, and how long it is tainted.
func (f *Reading) readyChanged(n *node, ch *model.Change, is model.Status) {
	at := ch.Effective()
	switch fine := is == model.StatusTrue; {
	case n.ready == model.StatusTrue && !fine && f.over.Contains(at) && len(f.falls) < maxFalls:
		f.falls = append(f.falls, falling{node: ch.Key.Name, at: at, declared: is == model.StatusUnknown})
		n.fell = len(f.falls)
	case fine && n.fell > 0:
		f.falls[n.fell-1].until, n.fell = at, 0
	}
	switch has := ch.Node.TaintedAsNotWell(); {
	case has && !n.tainted.Known() && f.over.Contains(at):
		n.tainted = at
		n.taints.times++
	case !has && n.tainted.Known():
		n.taints.longest = max(n.taints.longest, at.Sub(n.tainted))
		n.tainted = 0
	}
}

func (f *Reading) flaps() (list []Flaps) {
	of := map[string][]falling{}
	for _, x := range f.falls {
		of[x.node] = append(of[x.node], x)
	}
	for name, falls := range of {
		if len(falls) < 2 {
			continue
		}
		is := Flaps{Node: name, Times: len(falls), First: falls[0].at, Last: falls[len(falls)-1].at}
		for _, x := range falls {
			if x.declared {
				is.Declared++
			}
		}
		is.Down, is.Up = rhythm(falls)
		if n := f.nodes.Find(name); n != nil {
			is.Tainted, is.Longest = n.taints.times, n.taints.longest
			if is.Lasts = n.tainted.Known(); is.Lasts {
				is.Longest = max(is.Longest, f.over.Latest.Sub(n.tainted))
			}
		}
		for other, theirs := range of {
			if other == name {
				continue
			}
			if p := fellTogether(falls, theirs); p.Times > 1 && 2*p.Times >= len(falls) {
				p.Node = other
				is.With = append(is.With, p)
			}
		}
		slices.SortFunc(is.With, func(a, b Partner) int {
			return cmp.Or(cmp.Compare(b.Times, a.Times), strings.Compare(a.Node, b.Node))
		})
		is.More = max(len(is.With)-mostPartners, 0)
		is.With = slices.Clip(is.With[:len(is.With)-is.More])
		list = append(list, is)
	}
	slices.SortFunc(list, func(a, b Flaps) int { return cmp.Or(cmp.Compare(b.Times, a.Times), strings.Compare(a.Node, b.Node)) })
	return list
}

// rhythm is the median time in which a node was not Ready, and the median time between.
func rhythm(falls []falling) (down, up time.Duration) {
	var downs, ups []time.Duration
	for i, x := range falls {
		if !x.until.Known() {
			continue
		}
		downs = append(downs, x.until.Sub(x.at))
		if i+1 < len(falls) {
			ups = append(ups, falls[i+1].at.Sub(x.until))
		}
	}
	slices.Sort(downs)
	slices.Sort(ups)
	down, _ = model.Median(downs)
	up, _ = model.Median(ups)
	return down, up
}

// fellTogether counts how often two nodes, whose fallings are in order, fell within seconds of each other.
func fellTogether(a, b []falling) (p Partner) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch apart := a[i].at.Sub(b[k].at); {
		case apart > together:
			k++
		case -apart > together:
			i++
		default:
			p.Times++
			p.Apart = max(p.Apart, apart, -apart)
			i, k = i+1, k+1
		}
	}
	return p
}

// Told counts how often a node stopped being Ready, by its Events. These are kept for an hour, also from before the
// watch, but do not show the state in between.
type Told struct {
	Node        string
	Times       int
	First, Last model.Instant
}

// ToldOf counts the Events about a node up to a time; ok is false for less than two falls.
func ToldOf(row *model.NodeRow, at model.Instant) (t Told, ok bool) {
	t.Node = row.Name
	for _, e := range row.Events() {
		times, first, last := e.Span()
		if !e.StopsReady() || !last.Bounded() || last > at {
			continue
		}
		t.Times, t.First, t.Last = t.Times+times, t.First.Earlier(first), max(t.Last, last)
	}
	return t, t.Times > 1
}

// With lists the other nodes with as many falls whose first and last were within seconds of its own, by name.
func (t *Told) With(c *model.Cluster, at model.Instant) (names []string) {
	for row := range c.Nodes {
		if row.Name == t.Node {
			continue
		}
		o, ok := ToldOf(row, at)
		if ok && o.Times == t.Times && o.First.Sub(t.First).Abs() <= together && o.Last.Sub(t.Last).Abs() <= together {
			names = append(names, row.Name)
		}
	}
	slices.Sort(names)
	return names
}
