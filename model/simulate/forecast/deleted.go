package forecast

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"kardia/model"
)

// Deletions counts pods of a Forecast that are deleted: everybody who says how many go asks it. Where a race decides which
// nodes are tainted nobody can say whose pods go, and of many that may go few do: as many as the nodes have that get a token.
type Deletions struct {
	zones map[model.Maybe[model.ZoneKey]]*pool
}

// Deleted is how many pods are deleted, at least and at most, and which may be.
type Deleted struct {
	Bounds
	// Of is how many pods there are of which each may be deleted.
	Of int
	// Waiting are the nodes among theirs that wait for a token, or will, and Tainted how many of those get one at most.
	Waiting, Tainted int
}

// Surely says that all that may be deleted are.
func (d Deleted) Surely() bool { return d.Least == d.Of }

// String is how many it is: "3 pods", "up to 1 of 11 pods", "2 to 4 of 14 pods".
func (d Deleted) String() string {
	pods := model.Counted(d.Of, "pod", "pods")
	if d.Most < d.Of {
		pods = fmt.Sprintf("%d of %s", d.Most, pods)
	}
	switch {
	case d.Least == d.Most:
		return pods
	case d.Least == 0:
		return "up to " + pods
	}
	return fmt.Sprintf("%d to %s", d.Least, pods)
}

// add joins what two zones have.
func (d *Deleted) add(o Deleted) {
	d.Least, d.Most, d.Of = d.Least+o.Least, d.Most+o.Most, d.Of+o.Of
	d.Waiting, d.Tainted = d.Waiting+o.Waiting, d.Tainted+o.Tainted
}

// Deletions counts those that are asked for of the pods whose deletion lies ahead, or may; nil for all.
func (f *Forecast) Deletions(of func(*Eviction) bool) *Deletions {
	list := make([]*Eviction, 0, len(f.Evictions))
	for i := range f.Evictions {
		if e := &f.Evictions[i]; of == nil || of(e) {
			list = append(list, e)
		}
	}
	return f.DeletionsAmong(list)
}

// DeletionsAmong is Deletions of those in a list.
func (f *Forecast) DeletionsAmong(list []*Eviction) *Deletions {
	d := &Deletions{zones: map[model.Maybe[model.ZoneKey]]*pool{}}
	var p *pool
	node := ""
	for _, e := range list {
		if !e.Comes() {
			continue
		}
		if p == nil || e.Node != node { // pods of one node most often stand beside each other
			p, node = d.pool(f, f.ZoneOf(e)), e.Node
		}
		p.pods = append(p.pods, e)
	}
	return d
}

// pool finds or makes the pool of a zone.
func (d *Deletions) pool(f *Forecast, zone model.Maybe[model.ZoneKey]) *pool {
	p := d.zones[zone]
	if p == nil {
		p = &pool{}
		if zone.Known {
			p.given = f.tokens[zone.Value]
		}
		d.zones[zone] = p
	}
	return p
}

// ZoneOf is the zone of a pod's node, where that is known.
func (f *Forecast) ZoneOf(e *Eviction) model.Maybe[model.ZoneKey] {
	if zone, ok := f.zoneOf[e.Node]; ok {
		return model.Some(zone)
	}
	return model.Maybe[model.ZoneKey]{}
}

// By is how many are deleted by an instant, in all zones; by FarFuture all that ever are.
func (d *Deletions) By(at model.Instant) (all Deleted) {
	for _, p := range d.zones {
		all.add(p.by(at))
	}
	return all
}

// First is when the first of them is deleted. Of pods in a race none has a window as narrow: each may be the last, and yet one of
// them goes as soon as a token has come. Unknown where none may be; its Latest is FarFuture where none surely is, and of more
// pods than are looked through for it.
func (d *Deletions) First() (w model.Interval) {
	const most = 5000
	last, pods := model.FarPast, 0
	for _, p := range d.zones {
		pods += len(p.pods)
		for _, e := range p.pods {
			if !w.Known() || e.Window.Earliest < w.Earliest {
				w = model.Interval{Earliest: e.Window.Earliest, Latest: model.FarFuture}
			}
			if e.Window.Bounded() {
				last = max(last, e.Window.Latest)
			}
		}
	}
	if !w.Known() || last < w.Earliest || pods > most || d.By(last).Least == 0 {
		return w
	}
	const near = 100 * time.Millisecond // no time of a race is known better
	from := w.Earliest
	steps := int(last.Sub(from)/near) + 1
	w.Latest = from.Add(time.Duration(sort.Search(steps, func(i int) bool { return d.By(from.Add(time.Duration(i)*near)).Least > 0 })) * near)
	w.Latest = min(w.Latest, last)
	return w
}

// In is By of one zone, or of nodes of which nobody knows the zone.
func (d *Deletions) In(zone model.Maybe[model.ZoneKey], at model.Instant) Deleted {
	if p := d.zones[zone]; p != nil {
		return p.by(at)
	}
	return Deleted{}
}

// pool is pods of one zone.
type pool struct {
	pods  []*Eviction
	given *tokens // nil where nothing is known of them
}

// Raced says that a token decides whether a pod goes, and its node may not get one; or nobody knows whose nodes do.
func (e *Eviction) Raced() bool { return e.raced() && !e.Certain || e.doubted }

// raced says that a pod's node waits for a token, or will, and how long after it the pod goes.
func (e *Eviction) raced() bool { return e.State == WaitingForTaint && e.Seconds.Known && !e.tokenless }

// toleration is for how long a pod stays once its node has the taint; it must be known.
func (e *Eviction) toleration() time.Duration { return time.Duration(e.Seconds.Value) * time.Second }

// by counts pods that are deleted by an instant: those whose nodes wait for tokens as the tokens come, the others as their
// windows are.
func (p *pool) by(at model.Instant) (d Deleted) {
	raced := map[int64]map[string]*Bounds{} // toleration → node → its pods that surely go once it has a token, and that may
	nodes := map[string]int{}               // and how many of each may at all
	var last *Eviction
	var is *Bounds // of the last one's node and toleration, which most often are the next one's too
	for _, e := range p.pods {
		may := one(e.Window.Earliest <= at)
		d.Of += may
		if !e.raced() {
			d.Least += one(e.Certain && e.Window.Latest <= at)
			d.Most += may
			continue
		}
		if last == nil || e.Node != last.Node || e.Seconds != last.Seconds {
			last, is = e, boundsOf(raced, e)
		}
		is.Least += one(e.follows && e.Window.Bounded())
		is.Most++
		nodes[e.Node] += may
	}
	most := 0
	for seconds, of := range raced {
		is := p.after(seconds, of, nodes, at)
		d.Least, most = d.Least+is.Least, most+is.Most
		d.Tainted = max(d.Tainted, p.tokens(at, seconds).Most)
	}
	may := make([]int, 0, len(nodes))
	for _, n := range nodes {
		if n > 0 {
			may = append(may, n)
		}
	}
	d.Waiting, d.Tainted = len(may), min(d.Tainted, len(may))
	d.Most += min(most, sum(largest(may, d.Tainted)))
	return d
}

// boundsOf finds or makes how many pods of an Eviction's node go a toleration after its token.
func boundsOf(raced map[int64]map[string]*Bounds, e *Eviction) *Bounds {
	of := raced[e.Seconds.Value]
	if of == nil {
		of = map[string]*Bounds{}
		raced[e.Seconds.Value] = of
	}
	is := of[e.Node]
	if is == nil {
		is = &Bounds{}
		of[e.Node] = is
	}
	return is
}

// after counts the pods that go one toleration after their nodes have tokens: of the nodes that may have those the ones with
// the fewest pods may, or those with the most.
func (p *pool) after(seconds int64, of map[string]*Bounds, nodes map[string]int, at model.Instant) (b Bounds) {
	n := p.tokens(at, seconds)
	var surely, may []int
	if p.given != nil {
		for _, node := range p.given.among {
			if is := of[node]; is != nil {
				surely = append(surely, is.Least)
			} else {
				surely = append(surely, 0)
			}
		}
	}
	for node := range nodes {
		if is := of[node]; is != nil {
			may = append(may, is.Most)
		}
	}
	alone, first := 0, 0
	for _, e := range p.pods { // by their own windows
		if e.raced() && e.Seconds.Value == seconds {
			alone += one(e.Certain && e.Window.Latest <= at)
			first += one(e.Window.Earliest <= at)
		}
	}
	slices.Sort(surely)
	return Bounds{Least: max(alone, sum(surely[:min(n.Least, len(surely))])), Most: min(first, sum(largest(may, n.Most)))}
}

// tokens is how many tokens are given so long before an instant; of those that come after the forecast's horizon nobody knows
// how many they are.
func (p *pool) tokens(at model.Instant, seconds int64) (b Bounds) {
	if p.given == nil {
		return Bounds{Most: len(p.pods)}
	}
	at = at.Add(-time.Duration(seconds) * time.Second)
	if b = p.given.by(at); p.given.on && at > p.given.until {
		b.Most = len(p.pods)
	}
	return b
}

// largest are the n largest numbers.
func largest(list []int, n int) []int {
	slices.Sort(list)
	return list[len(list)-min(n, len(list)):]
}

// leaveOpen leaves open whose pods are deleted where a race decides that: each course has it end some way.
func (f *Forecast) leaveOpen() {
	raced, among := map[model.Key]*Eviction{}, map[model.Maybe[model.ZoneKey]][]string{}
	for i := range f.Evictions {
		if e := &f.Evictions[i]; e.Raced() && e.mayCome() {
			raced[e.Pod] = e
			zone := f.ZoneOf(e)
			among[zone] = append(among[zone], e.Node)
		}
	}
	for zone, nodes := range among {
		slices.Sort(nodes)
		among[zone] = slices.Compact(nodes)
	}
	for i := range f.Coming {
		c := &f.Coming[i]
		d := &c.Decision
		e := raced[d.Pod]
		if e == nil || d.Kind != model.EvictPod && d.Kind != model.ScheduleEviction || len(among[f.ZoneOf(e)]) < 2 {
			continue
		}
		d.Zone, c.Among = f.ZoneOf(e), among[f.ZoneOf(e)]
		d.Node, d.Pod, d.Inputs, d.Writes = "", model.Key{}, nil, nil
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
