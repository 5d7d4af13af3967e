package impact

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Amount is requests, and a place for each pod.
type Amount struct {
	model.Requests
	Pods int
}

func (a *Amount) add(r model.Requests, pods int) {
	a.CPU, a.Memory, a.Pods = a.CPU.Plus(r.CPU, pods), a.Memory.Plus(r.Memory, pods), a.Pods+pods
}

// Room answers whether the remaining nodes can take the pods to place, by requests and allocatable resources. It
// ignores affinity, selectors, spread, volumes, ports and other resources, new nodes and preemption.
type Room struct {
	// Waiting are pods without a node. Going will certainly be deleted and are replaced at once, MayGo possibly.
	Waiting, Going, MayGo int
	// Need is the sum of all these, or a lower bound if Unshown of them do not show their requests.
	Need    Amount
	Unshown int
	// Nodes counts the nodes that take pods: Ready, not cordoned, without a repelling taint or predicted trouble. It is
	// not counted if no pod needs one. Unsized of them show no allocatable resources. Free is what the others have
	// left, at most: unseen pods and unknown requests count nothing.
	Nodes, Unsized int
	Free           Amount
	// Zones is the free amount in each zone with such nodes, by name.
	Zones []ZoneRoom
	// Unfit are pods that fit on no node as it is now, Left those without a node when all were placed, largest first.
	Unfit, Left int
}

// ZoneRoom is the part of a Room in one zone.
type ZoneRoom struct {
	Zone           model.ZoneKey
	Nodes, Unsized int
	Free           Amount
}

// Verdict is the conclusion from the numbers of a Room.
type Verdict uint8

const (
	// NoneNeeded: no pod needs a node, or will.
	NoneNeeded Verdict = iota
	// NotKnown: the resources of a node or the requests of a pod are not known.
	NotKnown
	// TooLittle: not all pods can be placed, in any order.
	TooLittle
	// Tight: there is enough in sum, but not every pod found a node.
	Tight
	// Enough: every pod found a node.
	Enough
)

func (v Verdict) String() string {
	return [...]string{"none", "unknown", "short", "tight", "enough"}[v]
}

// Verdict is the conclusion if all pods that may be deleted are.
func (r *Room) Verdict() Verdict {
	short := r.Short()
	switch {
	case r.Need.Pods == 0:
		return NoneNeeded
	case r.Unsized == 0 && (short != Amount{} || r.Unfit > 0):
		return TooLittle
	case r.Unsized > 0 || r.Unshown > 0:
		return NotKnown
	case r.Left > 0:
		return Tight
	}
	return Enough
}

// Short is by how much Need exceeds Free in sum; zero if it does not.
func (r *Room) Short() (a Amount) {
	a.CPU, a.Memory, a.Pods = max(r.Need.CPU-r.Free.CPU, 0), max(r.Need.Memory-r.Free.Memory, 0), max(r.Need.Pods-r.Free.Pods, 0)
	return a
}

// RoomFor compares the pods to place with the free resources. Those pods have no node, or are replaced at once after
// the forecast deletes them. It is nil without a forecast.
func RoomFor(c *model.Cluster, f *forecast.Forecast) *Room {
	if f == nil {
		return nil
	}
	r := &reckoning{asks: map[model.Details]asked{}, placed: map[model.Requests]int{}}
	troubled := map[string]bool{}
	for i := range f.Evictions {
		if i == 0 || f.Evictions[i].Node != f.Evictions[i-1].Node {
			troubled[f.Evictions[i].Node] = true
		}
	}
	for i := range f.Taints {
		troubled[f.Taints[i].Node] = true
	}
	taken := map[string]Amount{}
	for p := range c.EachPod {
		switch {
		case p.Ended():
		case p.Node == "" && !p.Deletion.Known():
			r.Waiting++
			r.place(p)
		case p.Node != "":
			if !troubled[p.Node] {
				of := taken[p.Node]
				of.add(r.of(p).Requests, 1)
				taken[p.Node] = of
			} else if !p.Deletion.Known() && p.Owner != nil && OwnerOf(p).MovesAtOnce() {
				r.goes(p, f.Pod(p.Key))
			}
		}
	}
	if r.Need.Pods == 0 {
		return &r.Room
	}
	for row := range c.Nodes {
		if !troubled[row.Name] {
			r.node(row, taken[row.Name])
		}
	}
	r.fill()
	return &r.Room
}

type asked struct {
	model.Requests
	shown bool
}

type reckoning struct {
	Room
	asks   map[model.Details]asked // pods of one template share their details
	placed map[model.Requests]int  // pods that need a node, by their requests
	free   []Amount                // of each node whose resources are known
}

func (r *reckoning) of(p *model.Pod) asked {
	is, ok := r.asks[p.Details]
	if !ok {
		text, shown := p.Details.Get(model.DetailRequests)
		is.Requests, ok = model.ParseRequests(text)
		is.shown = shown && ok
		r.asks[p.Details] = is
	}
	return is
}

// goes adds a pod that is replaced once it is deleted, by its prediction; nil for none.
func (r *reckoning) goes(p *model.Pod, e *forecast.Eviction) {
	if e == nil || !e.State.Ahead() || !e.Window.Earliest.Bounded() {
		return
	}
	if e.Certain {
		r.Going++
	} else {
		r.MayGo++
	}
	r.place(p)
}

func (r *reckoning) place(p *model.Pod) {
	is := r.of(p)
	if !is.shown {
		r.Unshown++
	}
	r.Need.add(is.Requests, 1)
	r.placed[is.Requests]++
}

// mostPods is the most pods that a node's claim is trusted for.
const mostPods = 1_000_000_000

func (r *reckoning) node(row *model.NodeRow, taken Amount) {
	n := row.Node
	if row.Gone || n != nil && !takesPods(n) {
		return
	}
	if r.Nodes++; n == nil { // known by its lease alone, so its zone is unknown too
		r.Unsized++
		return
	}
	zone := r.zone(n.Zone)
	zone.Nodes++
	gives := func(name string) (q model.Quantity, ok bool) {
		return model.ParseQuantity(n.Details.Value(model.DetailAllocatable + name))
	}
	cpu, sized := gives("cpu")
	ram, also := gives("memory")
	pods, too := gives("pods")
	if !sized || !also || !too {
		r.Unsized++
		zone.Unsized++
		return
	}
	left := Amount{Requests: model.Requests{CPU: max(cpu-taken.CPU, 0), Memory: max(ram-taken.Memory, 0)},
		Pods: max(int(min(pods/1000, mostPods))-taken.Pods, 0)}
	for _, free := range []*Amount{&r.Free, &zone.Free} {
		free.add(left.Requests, 1)
		free.Pods += left.Pods - 1
	}
	r.free = append(r.free, left)
}

func (r *reckoning) zone(key model.ZoneKey) *ZoneRoom {
	i, ok := slices.BinarySearchFunc(r.Zones, key, func(z ZoneRoom, key model.ZoneKey) int {
		return cmp.Or(strings.Compare(z.Zone.Region, key.Region), strings.Compare(z.Zone.Zone, key.Zone))
	})
	if !ok {
		r.Zones = slices.Insert(r.Zones, i, ZoneRoom{Zone: key})
	}
	return &r.Zones[i]
}

func takesPods(n *model.Node) bool {
	return n.IsReady() && !n.Unschedulable && !slices.ContainsFunc(n.Taints, func(t model.Taint) bool {
		return t.Effect == model.NoSchedule || t.Effect == model.NoExecute
	})
}

// fill places the pods, the largest first, each on the first node that it fits on.
func (r *reckoning) fill() {
	share := func(of model.Requests) float64 {
		return float64(of.CPU)/float64(max(r.Free.CPU, 1)) + float64(of.Memory)/float64(max(r.Free.Memory, 1))
	}
	sizes := slices.SortedFunc(maps.Keys(r.placed), func(a, b model.Requests) int {
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(b.CPU, a.CPU), cmp.Compare(b.Memory, a.Memory))
	})
	for _, of := range sizes {
		if !slices.ContainsFunc(r.free, func(left Amount) bool { return fits(left, of) > 0 }) {
			r.Unfit += r.placed[of]
		}
	}
	free := slices.Clone(r.free)
	for _, of := range sizes {
		n := r.placed[of]
		for i := range free {
			k := min(n, fits(free[i], of))
			free[i].add(of, -k)
			n -= k
		}
		r.Left += n
	}
}

func fits(left Amount, of model.Requests) int {
	n := left.Pods
	if of.CPU > 0 {
		n = min(n, int(left.CPU/of.CPU))
	}
	if of.Memory > 0 {
		n = min(n, int(left.Memory/of.Memory))
	}
	return n
}
