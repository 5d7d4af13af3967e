package forecast

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
)

// Deletions counts the deleted pods of a Forecast. If a race decides which nodes are tainted, only numbers are known.
type Deletions struct {
	zones map[model.Maybe[model.ZoneKey]]*pool
}

// Deleted is how many pods are deleted.
type Deleted struct {
	Bounds
	// Of is how many pods may be deleted.
	Of int
	// Waiting are their nodes that wait for a token, or will; Tainted is how many of these get one at most.
	Waiting, Tainted int
}

// Surely reports whether all that may be deleted are.
func (d Deleted) Surely() bool { return d.Least == d.Of }

func (d *Deleted) add(o Deleted) {
	d.Least, d.Most, d.Of = d.Least+o.Least, d.Most+o.Most, d.Of+o.Of
	d.Waiting, d.Tainted = d.Waiting+o.Waiting, d.Tainted+o.Tainted
}

// Deletions counts the selected pods whose deletion is ahead, or may be; nil selects all.
func (f *Forecast) Deletions(of func(*Eviction) bool) *Deletions {
	list := make([]*Eviction, 0, len(f.Evictions))
	for i := range f.Evictions {
		if e := &f.Evictions[i]; of == nil || of(e) {
			list = append(list, e)
		}
	}
	return f.DeletionsAmong(list)
}

// DeletionsAmong is Deletions of a list.
func (f *Forecast) DeletionsAmong(list []*Eviction) *Deletions {
	d := &Deletions{zones: map[model.Maybe[model.ZoneKey]]*pool{}}
	var p *pool
	node := ""
	for _, e := range list {
		if !e.Comes() {
			continue
		}
		if p == nil || e.Node != node { // a node's pods usually follow each other
			p, node = d.pool(f, f.ZoneOf(e)), e.Node
		}
		p.pods = append(p.pods, e)
	}
	return d
}

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

// ZoneOf is the zone of a pod's node, if known.
func (f *Forecast) ZoneOf(e *Eviction) model.Maybe[model.ZoneKey] {
	if zone, ok := f.zoneOf[e.Node]; ok {
		return model.Some(zone)
	}
	return model.Maybe[model.ZoneKey]{}
}

// By is how many are deleted by a time, in all zones; FarFuture for all.
func (d *Deletions) By(at model.Instant) (all Deleted) {
	for _, p := range d.zones {
		all.add(p.by(at))
	}
	return all
}

// First is when the first pod is deleted. In a race, each pod may be the last, yet one of them is deleted after the
// first token. Unknown if none may be. Its Latest is FarFuture if none surely is, and for more pods than it searches.
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
	const near = 100 * time.Millisecond // times of a race are not known better
	from := w.Earliest
	steps := int(last.Sub(from)/near) + 1
	w.Latest = from.Add(time.Duration(sort.Search(steps, func(i int) bool { return d.By(from.Add(time.Duration(i)*near)).Least > 0 })) * near)
	w.Latest = min(w.Latest, last)
	return w
}

// In is By of one zone, or of nodes whose zone is not known.
func (d *Deletions) In(zone model.Maybe[model.ZoneKey], at model.Instant) Deleted {
	if p := d.zones[zone]; p != nil {
		return p.by(at)
	}
	return Deleted{}
}

type pool struct {
	pods  []*Eviction
	given *tokens // nil if nothing is known of them
}

// Raced reports whether the pod's deletion depends on a token that its node may not get, or on an unknown rate.
func (e *Eviction) Raced() bool { return e.raced() && !e.Certain || e.doubted }

// raced reports whether the node waits for a token, or will, and the pod is deleted a known time after it.
func (e *Eviction) raced() bool { return e.State == WaitingForTaint && e.Seconds.Known && !e.tokenless }

// onNode is the pods of a node that are deleted so many seconds after its token.
type onNode struct {
	node    string
	seconds int64
}

// by counts the pods deleted by a time: by tokens if their nodes wait for some, otherwise by their windows.
func (p *pool) by(at model.Instant) (d Deleted) {
	raced := map[onNode]*Bounds{} // surely after its token, and at most
	alone := map[int64]*Bounds{}  // seconds → by the pods' own windows
	nodes := map[string]int{}     // node → its pods that may be deleted
	var last *Eviction
	var is, own *Bounds // those of last
	for _, e := range p.pods {
		surely, may := one(e.Certain && e.Window.Latest <= at), one(e.Window.Earliest <= at)
		d.Of += may
		if !e.raced() {
			d.Least, d.Most = d.Least+surely, d.Most+may
			continue
		}
		if last == nil || e.Node != last.Node || e.Seconds != last.Seconds {
			last, is, own = e, made(raced, onNode{e.Node, e.Seconds.Value}), made(alone, e.Seconds.Value)
		}
		is.Least += one(e.follows && e.Window.Bounded())
		is.Most++
		own.Least, own.Most = own.Least+surely, own.Most+may
		nodes[e.Node] += may
	}
	most := 0
	for seconds, own := range alone {
		n := p.tokens(at, seconds)
		is := p.after(seconds, n, raced, nodes)
		d.Least, most = d.Least+max(is.Least, own.Least), most+min(is.Most, own.Most)
		d.Tainted = max(d.Tainted, n.Most)
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

// made finds or makes the value of a key.
func made[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}

// after counts the pods deleted so many seconds after n tokens: of the nodes with the fewest, and the most.
func (p *pool) after(seconds int64, n Bounds, raced map[onNode]*Bounds, nodes map[string]int) Bounds {
	var surely, may []int
	if p.given != nil {
		for _, node := range p.given.among {
			least := 0
			if is := raced[onNode{node, seconds}]; is != nil {
				least = is.Least
			}
			surely = append(surely, least)
		}
	}
	for node := range nodes {
		if is := raced[onNode{node, seconds}]; is != nil {
			may = append(may, is.Most)
		}
	}
	slices.Sort(surely)
	return Bounds{Least: sum(surely[:min(n.Least, len(surely))]), Most: sum(largest(may, n.Most))}
}

// tokens is how many tokens are given so long before a time. After the forecast's horizon their number is not known.
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

func largest(list []int, n int) []int {
	slices.Sort(list)
	return list[len(list)-min(n, len(list)):]
}

// leaveOpen removes the node and the pod from decisions that depend on a race: each course decides it its own way.
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
