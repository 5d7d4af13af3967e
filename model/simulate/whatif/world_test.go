package whatif_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/whatif"
)

var epoch = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

func second(s float64) model.Instant { return epoch.Add(time.Duration(s * float64(time.Second))) }

// cluster is nodes whose kubelets die and come back, under some flags. It plays the same way each
// time, but for what the controllers decide.
type cluster struct {
	nodes []*node
	flags model.Params
	clock loop.Clock
	// seed decides who gets a token.
	seed uint64
	// begins is when somebody begins to record, ends when that ends.
	begins, ends float64
	by           evidence
}

// node is one of them. Its kubelet renews every 10 s from offset on, and looks every 10 s from sync on
// whether its node is still Ready; it is dead within each of dead, its clock stands within each of stands, and it
// may not renew within each of denied.
type node struct {
	name, zone           string
	offset, sync         float64
	dead, stands, denied [][2]float64
	pods                 []int64 // the seconds that they tolerate the taints; negative is for ever
	// excluded: the node does not count in its zone.
	excluded bool
	// shy: the kubelet never says that a pod is ready again that the controllers marked not ready.
	shy bool
}

func (n *node) alive(at model.Instant) bool { return spanAt(n.dead, at) == nil }

// renew writes the lease, with the time that the kubelet's clock says.
func (n *node) renew(l *loop.Loop) {
	said := l.Now()
	if spanAt(n.denied, said) != nil {
		return
	}
	if stands := spanAt(n.stands, said); stands != nil {
		said = second(stands[0])
	}
	l.Renew(n.name, said)
}

// spanAt is the first of some spans of seconds that an instant lies in; nil where it lies in none.
func spanAt(spans [][2]float64, at model.Instant) *[2]float64 {
	for i := range spans {
		if second(spans[i][0]) < at && at < second(spans[i][1]) {
			return &spans[i]
		}
	}
	return nil
}

// evidence is how a cluster is seen.
type evidence uint8

const (
	byAudit evidence = iota // to the millisecond, by the API server's clock
	byWatch                 // to about a second, by the stamps in the objects
	byOwn                   // when it arrived
)

// recording is what is seen of a cluster.
type recording struct {
	cluster *cluster
	state   *model.Cluster
	changes []model.Change
	last    model.Instant
	version uint64
	listed  bool
}

// play runs the cluster to its end, and returns what was decided and what was seen of it.
func (c *cluster) play() ([]model.Decision, *recording) {
	rec := &recording{cluster: c, state: model.NewCluster()}
	l := loop.New(c.flags, c.clock)
	l.Watch = rec.watch
	order := rand.New(rand.NewPCG(c.seed, 3))
	l.Hidden.Pick = func(_ model.ZoneKey, waiting []string) string { return waiting[order.IntN(len(waiting))] }
	for _, n := range c.nodes {
		c.join(l, n)
	}
	return l.Run(second(c.ends)), rec
}

func (c *cluster) join(l *loop.Loop, n *node) {
	l.At(epoch, func(l *loop.Loop) {
		l.SetNode(n.name, &model.Node{UID: uid(n.name), Created: epoch.Add(-time.Hour), Zone: model.ZoneKey{Zone: n.zone}, ExcludeDisruption: n.excluded,
			Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Reason: "KubeletReady", Heartbeat: epoch, Transition: epoch}}})
		for i, seconds := range n.pods {
			t := &model.Tolerations{{Operator: "Exists"}}
			if seconds >= 0 {
				t = tolerating(seconds)
			}
			name := fmt.Sprintf("%s-%d", n.name, i)
			l.SetPod(&model.Pod{Key: model.Key{Namespace: "shop", Name: name}, UID: uid(name), Node: n.name, Phase: model.PhaseRunning, Ready: model.StatusTrue, GraceSeconds: 30, Tolerations: t})
		}
	})
	l.Terminates = func(name string) bool {
		i := slices.IndexFunc(c.nodes, func(n *node) bool { return n.name == name })
		return c.nodes[i].alive(l.Now())
	}
	for t := n.offset; t <= c.ends; t += 10.2 {
		if n.alive(second(t)) {
			l.At(second(t), n.renew)
		}
	}
	for _, d := range n.dead {
		l.At(second(d[1]), n.renew)
	}
	for t := n.sync; t <= c.ends; t += 10.2 {
		if n.alive(second(t)) {
			l.At(second(t), func(l *loop.Loop) { n.look(l) })
		}
	}
}

// look is a status sync: a kubelet that finds its node other than Ready says so, ends the pods that
// were deleted, and the others are ready.
func (n *node) look(l *loop.Loop) {
	name := n.name
	if ready := l.Cache.Node(name).Ready(); ready.Status == model.StatusTrue {
		return
	}
	now := l.Now().Truncate(time.Second)
	l.EditNode(name, func(n *model.Node) {
		n.Conditions = []model.Condition{{Type: "Ready", Status: model.StatusTrue, Reason: "KubeletReady", Heartbeat: now, Transition: now}}
	})
	for _, p := range slices.Clone(l.Cache.Find(name).Pods()) {
		switch {
		case p.Deletion.Known():
			l.At(l.Now().Add(time.Second), func(l *loop.Loop) { l.RemovePod(name, p.Key) })
		case p.Ready == model.StatusFalse && !n.shy:
			ready := *p
			ready.Ready, ready.ReadySince = model.StatusTrue, now
			l.SetPod(&ready)
		}
	}
}

func tolerating(seconds int64) *model.Tolerations {
	var list model.Tolerations
	for _, key := range [...]string{model.TaintNotReady, model.TaintUnreachable} {
		list = append(list, model.Toleration{Key: key, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(seconds)})
	}
	return &list
}

func uid(name string) model.UID {
	var raw [16]byte
	copy(raw[:], name)
	return model.UUID(raw)
}

// watch takes down what is told.
func (r *recording) watch(ch *model.Change) {
	r.version++
	c := *ch
	at := ch.Time.Earliest
	c.Version, c.Quality = r.version, model.ByServer
	if c.Kind == model.KindNodeLease {
		c.Key.Namespace = model.NodeLeaseNamespace
	}
	switch r.cluster.by {
	case byAudit:
		c.Time.Latest = at.Add(4 * time.Millisecond)
	case byWatch:
		c.Quality = model.ByStamp
		c.Time = model.Interval{Earliest: max(at.Truncate(time.Second), r.last), Latest: at.Truncate(time.Second).Add(1100 * time.Millisecond)}
		if c.Lease.Renewed.Known() {
			c.Time.Earliest = max(c.Time.Earliest, c.Lease.Renewed.Add(-100*time.Millisecond))
		}
		at = c.Time.Earliest
	case byOwn:
		c.Quality = model.ByArrival
		at = at.Add(15 * time.Millisecond)
		c.Arrival, c.Time = at, model.Interval{Earliest: at.Add(-100 * time.Millisecond), Latest: at}
	}
	r.last = max(r.last, at)
	c.At = r.last
	if ch.Time.Earliest < second(r.cluster.begins) {
		r.state.Fold(&c)
		return
	}
	r.list()
	r.changes = append(r.changes, c)
}

// list is what there is when the recording begins.
func (r *recording) list() {
	if r.listed {
		return
	}
	r.listed = true
	from := second(r.cluster.begins)
	before := model.Interval{Earliest: epoch.Add(-time.Hour), Latest: from}
	r.state.Nodes(func(row *model.NodeRow) bool {
		r.changes = append(r.changes, model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: row.Name}, Version: row.Version, Time: before, At: from, Node: row.Node},
			model.Change{Kind: model.KindNodeLease, Op: model.OpBaseline, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: row.Name}, Version: row.Lease.Version, Time: before, At: from, Lease: row.Lease.Lease})
		return true
	})
	for _, p := range r.state.Pods() {
		r.changes = append(r.changes, model.Change{Kind: model.KindPod, Op: model.OpBaseline, Key: p.Key, UID: p.UID, Time: before, At: from, Pod: p})
	}
}

// history is what was recorded.
func (r *recording) history() history.History {
	kinds := map[model.Kind]int{}
	for i := range r.changes {
		kinds[r.changes[i].Kind]++
	}
	coverage := model.Interval{Earliest: second(r.cluster.begins), Latest: second(r.cluster.ends)}
	return history.NewMemory(r.changes, coverage, nil, []history.Source{{Path: "made up", Format: "audit", Changes: len(r.changes), Kinds: kinds, Coverage: coverage, Quality: model.ByServer}})
}

// base prepares a recording of a cluster.
func (r *recording) base(t testing.TB, o whatif.Options) (*whatif.Base, error) {
	t.Helper()
	h := r.history()
	res, err := infer.Run(h, infer.Options{Params: r.cluster.flags})
	if err != nil {
		t.Fatal(err)
	}
	return whatif.Prepare(h, res, o)
}

// small is a cluster of zones of so many nodes, each with a pod that tolerates a taint for a minute.
func small(sizes ...int) *cluster {
	flags := model.Defaults(model.Version{Major: 1, Minor: 36})
	clock := loop.StartingAt(epoch.Add(300*time.Millisecond), flags.NodeMonitorPeriod.Value, 2*time.Millisecond)
	c := &cluster{flags: flags, clock: clock, begins: 20, ends: 600}
	for z, n := range sizes {
		for i := range n {
			c.nodes = append(c.nodes, &node{name: fmt.Sprintf("%c%d", 'a'+z, i), zone: string(rune('a' + z)), offset: float64(len(c.nodes)*37%100) / 10, sync: float64(len(c.nodes)*53%100) / 10, pods: []int64{60}})
		}
	}
	return c
}

// dies lets kubelets be dead from a second to another.
func (c *cluster) dies(prefix string, from, until float64) {
	for _, n := range c.nodes {
		if strings.HasPrefix(n.name, prefix) {
			n.dead = append(n.dead, [2]float64{from, until})
		}
	}
}

// denied lets kubelets post, and not renew, from a second to another.
func (c *cluster) denied(prefix string, from, until float64) {
	for _, n := range c.nodes {
		if strings.HasPrefix(n.name, prefix) {
			n.denied = append(n.denied, [2]float64{from, until})
		}
	}
}

// stands lets the clocks of kubelets stand from a second to another.
func (c *cluster) stands(prefix string, from, until float64) {
	for _, n := range c.nodes {
		if strings.HasPrefix(n.name, prefix) {
			n.stands = append(n.stands, [2]float64{from, until})
		}
	}
}

// shy lets kubelets never say that their pods are ready again.
func (c *cluster) shy(prefix string) {
	for _, n := range c.nodes {
		n.shy = n.shy || strings.HasPrefix(n.name, prefix)
	}
}
