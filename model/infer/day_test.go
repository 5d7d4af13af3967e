package infer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// healthy is a History of a large cluster in which nothing happens but what always does:
// nodes renew every ten seconds, pods come and go. Its pages are made when they are read.
type healthy struct {
	*history.Memory // of nothing: there is no state but the empty one, and no gap

	nodes, pages int
	names        []string
	buffer       [2][]model.Change
	turn         int
}

const (
	healthyPage = 4096
	// podsAPage is how many slots of a page are about pods: every fourth pod is made, bound,
	// running and gone in a page.
	podsAPage = 64
)

func newHealthy(nodes int, long time.Duration) *healthy {
	h := &healthy{Memory: history.NewMemory(nil, model.Interval{}, nil, nil), nodes: nodes, pages: int(long.Seconds()/10*float64(nodes))/(healthyPage-podsAPage) + 1}
	for i := range nodes {
		h.names = append(h.names, fmt.Sprintf("ip-10-%d-%d.ec2.internal", i/250, i%250))
	}
	for i := range h.buffer {
		h.buffer[i] = make([]model.Change, healthyPage)
		for k := range h.buffer[i] {
			h.buffer[i][k] = model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease"}, Lease: model.Lease{Seconds: 40}}
		}
	}
	return h
}

func (h *healthy) time(position int) model.Instant {
	page, slot := position/healthyPage-h.initial(), position%healthyPage
	if page < 0 {
		return noon
	}
	renewals := page*(healthyPage-podsAPage) + max(0, slot-podsAPage)
	return noon.Add(time.Duration(renewals) * 10 * time.Second / time.Duration(h.nodes))
}

// initial is how many pages the initial list takes: the nodes, and thirty pods on each.
func (h *healthy) initial() int { return (31*h.nodes + healthyPage - 1) / healthyPage }

func (h *healthy) Span() (first, end int) { return 0, (h.initial() + h.pages) * healthyPage }
func (h *healthy) PageAt(position int) history.Page {
	start := position / healthyPage * healthyPage
	return history.Page{Start: start, End: start + healthyPage, First: h.time(start), Last: h.time(start + healthyPage - 1)}
}

// PageBefore is the first page: no other is asked for.
func (h *healthy) PageBefore(model.Instant) history.Page { return h.PageAt(0) }
func (h *healthy) Coverage() model.Interval {
	_, end := h.Span()
	return model.Interval{Earliest: noon, Latest: h.time(end - 1)}
}
func (h *healthy) Fork() history.History { return h }

func (h *healthy) Read(p history.Page, into *history.Condensed) error {
	if p.Start/healthyPage < h.initial() {
		into.Share(p, h.list(p.Start))
		return nil
	}
	h.turn = 1 - h.turn
	out := h.buffer[h.turn]
	at := h.time(p.Start)
	for slot := range podsAPage {
		out[slot] = h.pod(p.Start/healthyPage*podsAPage+slot, at)
	}
	renewal := (p.Start/healthyPage - h.initial()) * (healthyPage - podsAPage)
	node, apart := renewal%h.nodes, 10*time.Second/time.Duration(h.nodes)
	for slot := podsAPage; slot < healthyPage; slot++ {
		ch := &out[slot]
		ch.Key.Name, ch.Version = h.names[node], uint64(p.Start+slot+1)
		ch.Time, ch.Arrival, ch.At, ch.Lease.Renewed = model.Exactly(at), at, at, at.Add(-3*time.Millisecond)
		if node++; node == h.nodes {
			node = 0
		}
		at = at.Add(apart)
	}
	into.Share(p, out)
	return nil
}

// pod is a step in the life of the pods that come and go: made, bound, running, gone.
func (h *healthy) pod(step int, at model.Instant) model.Change {
	p := &model.Pod{Key: model.Key{Namespace: "batch", Name: fmt.Sprintf("job-%d", step/4)}, Created: at, Phase: model.PhasePending, GraceSeconds: 30}
	ch := model.Change{Kind: model.KindPod, Op: model.OpModify, Key: p.Key, Time: model.Exactly(at), At: at, Arrival: at, Pod: p}
	switch step % 4 {
	case 0:
		ch.Op = model.OpAdd
	case 1:
		p.Node = h.names[step*7919%h.nodes]
	case 2:
		p.Node, p.Phase, p.Ready = h.names[(step-1)*7919%h.nodes], model.PhaseRunning, model.StatusTrue
	case 3:
		p.Node, ch.Op = h.names[(step-2)*7919%h.nodes], model.OpDelete
	}
	return ch
}

// list is a page of the initial list.
func (h *healthy) list(start int) []model.Change {
	var out []model.Change
	for i := start; i < start+healthyPage; i++ {
		ch := model.Change{Op: model.OpBaseline, Time: model.Interval{Earliest: model.FarPast, Latest: noon}, At: noon}
		name := h.names[i%h.nodes]
		if i < h.nodes {
			ch.Kind, ch.Key = model.KindNode, model.Key{Name: name}
			ch.Node = &model.Node{Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Zone: fmt.Sprint("z", i%3)},
				Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: noon, Transition: noon.Add(-time.Hour)}}}
		} else {
			ch.Kind, ch.Key = model.KindPod, model.Key{Namespace: "shop", Name: fmt.Sprintf("web-%d", i)}
			ch.Pod = &model.Pod{Key: ch.Key, Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue}
		}
		out = append(out, ch)
	}
	return out
}

// BenchmarkHealthy runs over an hour of 5,000 nodes: both reads, and the making of the pages,
// which BenchmarkHealthyPages measures alone. Run with -args day for a whole one.
func BenchmarkHealthy(b *testing.B) {
	h := newHealthy(5000, long())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(h, Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})}); err != nil {
			b.Fatal(err)
		}
	}
	_, end := h.Span()
	b.ReportMetric(float64(end)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mchanges/s")
}

func BenchmarkHealthyPages(b *testing.B) {
	h := newHealthy(5000, long())
	_, end := h.Span()
	var page history.Condensed
	b.ReportAllocs()
	for b.Loop() {
		for range 2 {
			for at := 0; at < end; at += healthyPage {
				_ = h.Read(h.PageAt(at), &page)
			}
		}
	}
	b.ReportMetric(float64(end)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mchanges/s")
}

// BenchmarkSeek is what Result.At takes, and what a Run leaves in memory.
func BenchmarkSeek(b *testing.B) {
	h := newHealthy(5000, long())
	var m runtime.MemStats
	peak := uint64(0)
	res, err := Run(h, Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36}), Progress: func(float64) bool {
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapInuse)
		return true
	}})
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&m)
	cover := h.Coverage()
	random := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		if _, err := res.At(cover.Earliest.Add(time.Duration(random.Int64N(int64(cover.Width()))))); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "kept-MiB")
	runtime.KeepAlive(res)
}
