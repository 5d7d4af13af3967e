package margin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/model/past/stall"
	"kardia/model/past/subjects"
)

// Reading computes a Margin while its caller reads a History from its first page on. Create it with Begin.
type Reading struct {
	o    Options
	over model.Interval
	gaps []history.Gap
	// stalls finds when the API server stored no write, in history.
	stalls   stall.Finder
	history  history.History
	nodes    subjects.Nodes[node]
	beats    int64
	pauses   []int64
	longest  time.Duration
	silences []Silence
	shortest time.Duration // the least length that is kept, once there are too many
	dropped  int
	hidden   int
	falls    []falling
	objects  bool // Node objects were seen
}

type node struct {
	name         string
	last, posted model.Instant
	zone         model.Maybe[model.ZoneKey]
	ready        model.Status
	fell         int           // index of its current falling, from 1; 0 while Ready
	tainted      model.Instant // since when it has node-lifecycle's NoExecute taint
	taints       taints
	leased       bool          // its lease was seen
	declared     bool          // since the last heartbeat
	stood        model.Instant // since when it was declared, if it was when first seen
	gone         bool
	beats        int64
	near         Near
	cordoned     bool
	cordon       Cordon
	object       *model.Node // the previous version; nil if none was seen
	pace         past.Pace
}

const maxFalls = 50_000

// Begin starts to read a History. It ignores Options.Progress, since the caller reads.
func Begin(h history.History, o Options) *Reading {
	f := &Reading{o: o, over: o.Over, gaps: h.Gaps(), history: h, pauses: make([]int64, int(finest/fine)+1)}
	f.nodes.New = func(name string) node { return node{name: name} }
	if c := history.Recorded(h); !f.over.Known() {
		f.over = c
	} else if both, ok := f.over.Intersect(c); ok {
		f.over = both
	}
	return f
}

// read reads the recorded part from its start: the state before it counts.
func (f *Reading) read(h history.History) error {
	first, end := h.Span()
	var page history.Condensed
	for err := range history.Pages(h, first, f.over.Latest, &page) {
		if err != nil || f.o.Progress != nil && !f.o.Progress(float64(page.Start-first)/float64(end-first)) {
			return err
		}
		f.Page(&page)
	}
	return nil
}

func (f *Reading) Page(page *history.Condensed) {
	end := page.End - page.Start
	f.stalls.Page(page, 0, end, f.over.Latest)
	page.Each(0, end, func(_ int, r *model.Renewal) bool {
		f.renewed(f.nodes.OfLease(page, r.Lease), model.HeardAt(r.Arrival, r.Effective()))
		return true
	}, func(_ int, ch *model.Change) bool {
		f.change(ch)
		return true
	})
}

func (f *Reading) change(ch *model.Change) {
	switch {
	case ch.Renews(), ch.Kind == model.KindNodeLease && ch.Op == model.OpRepeat && ch.Lease.Renewed.Bounded(): // a repeat shows that the kubelet lives
		f.renewed(f.nodes.Of(ch.Key.Name), model.HeardAt(ch.Arrival, ch.Effective()))
	case ch.Kind == model.KindNodeLease && ch.Op == model.OpBaseline && ch.Lease.Renewed.Bounded():
		n := f.nodes.Of(ch.Key.Name)
		n.leased, n.last = true, max(n.last, min(ch.Lease.Renewed, ch.Effective()))
	case ch.Kind == model.KindNode && ch.Op == model.OpDelete:
		n := f.nodes.Of(ch.Key.Name)
		*n = node{name: n.name, gone: true, beats: n.beats, near: n.near, zone: n.zone, taints: n.taints}
	case ch.Kind == model.KindNode && ch.Node != nil:
		f.nodeChanged(ch)
	}
}

// nodeChanged takes a version of a Node. A newer status heartbeat counts, unless a person wrote it.
func (f *Reading) nodeChanged(ch *model.Change) {
	n := f.nodes.Of(ch.Key.Name)
	n.schedules(ch)
	n.zone, n.gone, f.objects = model.Some(ch.Node.Zone), false, true
	before := n.object
	if post, ok := past.PostOf(n.object, ch); ok && f.over.Contains(ch.Effective()) {
		n.pace.Put(post)
	}
	n.object = ch.Node
	r := ch.Node.Ready()
	if r == nil {
		return
	}
	if posted := r.Posted(); posted.Bounded() && posted > n.posted {
		known := n.posted.Known()
		n.posted = posted
		if known && ch.Op == model.OpModify && !ch.Requester.Kubectl() && ch.WroteReady(before).PostsAsKubelet(n.leased) {
			f.beat(n, ch.Effective())
		}
	}
	f.readyChanged(n, ch, r.Status)
	if n.ready = r.Status; r.Status == model.StatusUnknown {
		if n.declared = true; ch.Op == model.OpBaseline {
			n.stood = r.Transition
		}
	}
}

func (f *Reading) renewed(n *node, at model.Instant) {
	n.leased = true
	f.beat(n, at)
}

func (f *Reading) beat(n *node, at model.Instant) {
	last, declared := n.last, n.declared
	n.last, n.declared = max(last, at), declared && at < n.stood
	if !f.over.Contains(at) {
		return
	}
	n.beats++
	f.beats++
	pause := at.Sub(last)
	switch {
	case !last.Known() || pause <= 0:
		return
	case history.Within(f.gaps, last, at):
		f.hidden++
		return
	}
	if !declared {
		f.pauses[min(int(pause/fine), len(f.pauses)-1)]++
		f.longest = max(f.longest, pause)
		if pause > n.near.Longest {
			n.near.Longest, n.near.At = pause, at
		}
	}
	if pause >= silentFrom {
		if declared {
			n.near.Declared++
			if pause > n.near.Silent {
				n.near.Silent, n.near.SilentTo = pause, at
			}
		} else {
			n.near.Misses++
		}
		f.keep(Silence{Node: n.name, Zone: n.zone, From: last, To: at, Declared: declared})
	}
}

func (n *node) schedules(ch *model.Change) {
	is := ch.Node.Unschedulable
	if is == n.cordoned {
		return
	}
	if n.cordoned = is; !is {
		return
	}
	n.cordon = Cordon{}
	for i := range ch.Node.Taints {
		if t := &ch.Node.Taints[i]; t.Key == model.TaintUnschedulable && t.Added.Bounded() {
			n.cordon.Since = t.Added
		}
	}
	if n.zone.Known && !n.gone { // an earlier version was not cordoned
		n.cordon.Since, n.cordon.By, n.cordon.Requester = ch.Effective(), ch.Writer, ch.Requester
	}
}

// open is how long a node has been silent at the end; 0 if it renews or is unknown. Among known Nodes, a lease without
// renewals and without a Node is a leftover.
func (f *Reading) open(n *node) time.Duration {
	silent, left := f.over.Latest.Sub(n.last), n.beats == 0 && f.objects && !n.zone.Known
	if !n.last.Known() || silent < silentFrom || n.gone || left || history.Within(f.gaps, n.last, f.over.Latest) {
		return 0
	}
	return silent
}

func (f *Reading) nears() (list []Near) {
	for name, n := range f.nodes.All() {
		is := n.near
		is.Node, is.Zone, is.Beats = name, n.zone, n.beats
		if is.Open = f.open(n); is.Open > 0 && n.declared {
			is.Declared++
			is.Silent = max(is.Silent, is.Open)
		}
		if n.beats == 0 && is.Open == 0 {
			continue
		}
		list = append(list, is)
	}
	slices.SortFunc(list, func(a, b Near) int {
		x, _, _ := a.Worst()
		y, _, _ := b.Worst()
		return cmp.Or(cmp.Compare(y, x), strings.Compare(a.Node, b.Node))
	})
	return list
}

func (f *Reading) cordons() (list []Cordon) {
	for name, n := range f.nodes.All() {
		if n.cordoned && !n.gone {
			c := n.cordon
			c.Node = name
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Cordon) int {
		return cmp.Or(cmp.Compare(a.Since, b.Since), strings.Compare(a.Node, b.Node))
	})
	return list
}

// keep stores a silence; if there are too many, the longest.
func (f *Reading) keep(s Silence) {
	if s.Length() < f.shortest {
		f.dropped++
		return
	}
	f.silences = append(f.silences, s)
	if len(f.silences) < maxSilences {
		return
	}
	slices.SortFunc(f.silences, func(a, b Silence) int { return cmp.Compare(b.Length(), a.Length()) })
	half := maxSilences / 2
	f.dropped += len(f.silences) - half
	f.silences = slices.Clip(f.silences[:half])
	f.shortest = f.silences[half-1].Length()
}
