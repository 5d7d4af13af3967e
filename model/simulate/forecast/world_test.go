package forecast_test

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/control/podgc"
	"kardia/model/infer"
)

// world is zones of nodes, some of which fall silent at an instant of their own.
type world struct {
	sizes []int
	// silent is when each silent node renews last.
	silent map[string]float64
	// began is the first pass of the controller's process.
	began time.Duration
	// changes are what else happens, by people and kubelets.
	changes []change
	// pods are what each node has, by name: their tolerations.
	pods   map[string]*model.Tolerations
	params model.Params
	// watch, clock, pick and offset are set for worlds that are not as simple: who is told of what is
	// written, when passes and ticks come, who gets a token, and when a node renews first.
	watch  func(*model.Change)
	clock  *loop.Clock
	pick   func(waiting []string) string
	offset func() float64
	// lag is how old the Nodes are that a tick reads; shown is what each was when.
	lag   time.Duration
	shown map[string][]shownNode
	// eachWrite is how long a pass takes for each object that it writes: of those that the pass at passed
	// declares Unknown, and of their pods, it has written so many.
	eachWrite time.Duration
	passed    model.Instant
	written   int
	unknown   map[string]bool
	// did is what the controllers decided until then.
	did []model.Decision
	// unleased are nodes that have no lease; their kubelets only post. Of unheard nodes there is the
	// object alone, from a second on.
	unleased map[string]bool
	unheard  map[string]float64
}

// shownNode is a Node from an instant on.
type shownNode struct {
	at   model.Instant
	node *model.Node
}

// writtenAt is when something is written: what a pass writes comes one by one, and what else is written to a
// Node not before that.
func (w *world) writtenAt(ch *model.Change) model.Instant {
	at := ch.Time.Earliest
	if w.eachWrite == 0 || ch.Node == nil && ch.Pod == nil {
		return at
	}
	own := false
	if ch.Node != nil {
		ready := ch.Node.Ready()
		own = ready != nil && ready.Status == model.StatusUnknown && ready.Transition == at.Truncate(time.Second) && !w.unknown[ch.Key.Name]
		w.unknown[ch.Key.Name] = ready != nil && ready.Status == model.StatusUnknown
	}
	if own && at != w.passed {
		w.passed, w.written = at, 0
	}
	switch last := w.shown[ch.Key.Name]; {
	case at == w.passed && (own || ch.Pod != nil):
		w.written++
		return at.Add(time.Duration(w.written) * w.eachWrite)
	case ch.Node != nil && len(last) > 0:
		return max(at, last[len(last)-1].at)
	}
	return at
}

// show notes what is written, for ticks that read it late.
func (w *world) show(ch *model.Change) {
	late := *ch
	late.Time = model.Exactly(w.writtenAt(ch))
	if ch = &late; w.watch != nil {
		w.watch(ch)
	}
	if ch.Kind == model.KindNode && ch.Node != nil {
		w.shown[ch.Key.Name] = append(w.shown[ch.Key.Name], shownNode{ch.Time.Earliest, ch.Node})
	}
}

// view is the cache as a tick reads it, whose informer is behind.
func (w *world) view(at model.Instant, cache *informer.Cache) *informer.Cache {
	view := cache
	for name, list := range w.shown {
		n := len(list) - 1
		for n > 0 && list[n].at > at.Add(-w.lag) {
			n--
		}
		row := cache.Find(name)
		if n == len(list)-1 || row == nil || row.Node == nil {
			continue
		}
		if view == cache {
			view = cache.Clone()
		}
		view.SetNode(name, list[n].node, row.Version, 0, 0)
	}
	return view
}

type change struct {
	at float64
	do func(*loop.Loop)
}

// newWorld is a world whose first pass is at the epoch.
func newWorld(sizes []int, silent map[string]float64) *world {
	return &world{sizes: sizes, silent: silent, pods: fourKinds, params: params()}
}

func (w *world) each(do func(name, zone string)) {
	for z, n := range w.sizes {
		for i := range n {
			do(fmt.Sprintf("%c%02d", 'a'+z, i), string(rune('a'+z)))
		}
	}
}

func (w *world) falls(name string) bool { _, ok := w.silent[name]; return ok }

func tolerate(key string, seconds int64) model.Toleration {
	return model.Toleration{Key: key, Operator: "Exists", Seconds: model.Some(seconds)}
}

// maintenance is somebody's own taint.
const maintenance = "shop/maintenance"

// fourKinds are the pods that every node has, by what they tolerate; allKinds those of drawn
// worlds.
var (
	fourKinds = map[string]*model.Tolerations{"short": tolerating(30), "long": tolerating(300), "none": nil, "ever": forever()}
	allKinds  = map[string]*model.Tolerations{
		"short": tolerating(30), "long": tolerating(300), "none": nil, "ever": forever(),
		"zero":  tolerating(0),
		"both":  {tolerate(model.TaintNotReady, 20), tolerate(model.TaintUnreachable, 40)},
		"other": {{Key: model.TaintNotReady, Operator: "Exists"}},
		"while": {tolerate(maintenance, 100), tolerate(model.TaintUnreachable, 200)},
	}
)

// loop is the world until a second.
func (w *world) loop(until float64) *loop.Loop {
	clock := loop.StartingAt(epoch.Add(w.began), period, drift)
	if w.clock != nil {
		clock = *w.clock
	}
	l := loop.New(w.params, clock)
	l.Watch = w.watch
	if w.eachWrite > 0 {
		w.lag = max(w.lag, 1)
	}
	if w.lag > 0 {
		w.shown, w.unknown = map[string][]shownNode{}, map[string]bool{}
		l.Watch, l.TickView = w.show, w.view
	}
	if w.pick != nil {
		l.Hidden.Pick = func(_ model.ZoneKey, waiting []string) string { return w.pick(waiting) }
	}
	type beat struct {
		at   float64
		node string
	}
	var beats []beat
	w.each(func(name, zone string) {
		n := ready()
		n.Zone = model.ZoneKey{Zone: zone}
		l.At(epoch, func(l *loop.Loop) {
			if _, ok := w.unheard[name]; !ok {
				l.SetNode(name, n)
			}
			for what, t := range w.pods {
				l.SetPod(&model.Pod{Key: model.Key{Namespace: "shop", Name: what + "-" + name}, Node: name, Phase: model.PhaseRunning, Ready: model.StatusTrue, GraceSeconds: 30, Tolerations: t})
			}
		})
		last, falls := w.silent[name]
		if at, ok := w.unheard[name]; ok {
			w.changes = append(w.changes, change{at, func(l *loop.Loop) {
				l.SetNode(name, &model.Node{Zone: n.Zone, Created: l.Now()})
			}})
			return
		}
		if w.unleased[name] {
			for t := 5.; t < 1500 && (!falls || t <= last); t += 10 {
				w.changes = append(w.changes, change{t, func(l *loop.Loop) {
					l.EditNode(name, func(n *model.Node) { n.Conditions[0].Heartbeat = l.Now() })
				}})
			}
			return
		}
		begins := 0.0
		if w.offset != nil {
			begins = w.offset()
		}
		for t := begins; t < 1500 && (!falls || t <= last); t += 10 {
			beats = append(beats, beat{t, name})
		}
		if falls {
			beats = append(beats, beat{last, name})
		}
	})
	slices.SortStableFunc(beats, func(a, b beat) int { return cmp.Compare(a.at, b.at) }) // planned in order they cost little
	for _, b := range beats {
		l.At(second(b.at), func(l *loop.Loop) { l.Renew(b.node, l.Now()) })
	}
	for _, c := range w.changes {
		l.At(second(c.at), c.do)
	}
	w.did = l.Run(second(until))
	return l
}

// next is the clock after an instant of a loop that began when the world's did.
func (w *world) next(at model.Instant) loop.Clock {
	after := func(every time.Duration) model.Instant {
		next := epoch.Add(w.began)
		for next <= at {
			next = next.Add(every)
		}
		return next
	}
	return loop.Clock{Pass: after(period + drift), Period: period, Drift: drift, Tick: after(tick), Collect: after(podgc.Period)}
}

func (w *world) state(l *loop.Loop, clock loop.Clock) *infer.State {
	return &infer.State{At: l.Now(), Cache: l.Cache, Nodes: l.Nodes, Taints: l.Taints, Pods: l.Pods, Clock: clock, Params: w.params}
}

// draw is a random world and a second at which to forecast.
func draw(t *rapid.T) (*world, float64) {
	sizes := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 3).Draw(t, "zones")
	w := newWorld(sizes, map[string]float64{})
	w.pods = allKinds
	w.began = time.Duration(rapid.IntRange(0, 4999).Draw(t, "phase")) * time.Millisecond
	if rapid.IntRange(0, 3).Draw(t, "rates") == 0 { // a large zone by this flag keeps tainting when most of it is dark
		w.params.LargeClusterSizeThreshold.Value = 4
		w.params.SecondaryNodeEvictionRate.Value = 0.05
	}
	from := rapid.Float64Range(60, 110).Draw(t, "from")
	spread := rapid.SampledFrom([]float64{0, 8, 8, 40}).Draw(t, "spread")
	// How many of a zone's nodes fall, of twelve: a third, nearly all, all.
	share := 0
	zone := ""
	w.each(func(name, z string) {
		if z != zone {
			zone, share = z, rapid.SampledFrom([]int{4, 4, 4, 10, 12}).Draw(t, "share")
		}
		if rapid.IntRange(0, 11).Draw(t, "falls") < share {
			w.silent[name] = from + rapid.Float64Range(0, spread).Draw(t, "last")
		}
	})
	until := rapid.Float64Range(from+spread+1, 260).Draw(t, "until")
	if rapid.IntRange(0, 2).Draw(t, "changes") == 0 {
		w.drawChanges(t, until)
	}
	return w, until
}

// drawChanges draws what people and kubelets do before the forecast.
func (w *world) drawChanges(t *rapid.T, until float64) {
	if rapid.IntRange(0, 5).Draw(t, "restart") == 0 {
		at := rapid.IntRange(20, int(until)).Draw(t, "restarted")
		w.changes = append(w.changes, change{float64(at), (*loop.Loop).Restart})
		w.began = time.Duration(at) * time.Second
	}
	edits := []func(*model.Node){
		func(n *model.Node) { n.Unschedulable = true },
		func(n *model.Node) { n.ExcludeDisruption = true },
		func(n *model.Node) { n.Conditions[0].Status = model.StatusFalse }, // its kubelet posts it
		func(n *model.Node) {
			n.Taints = append(n.Taints, model.Taint{Key: maintenance, Effect: model.NoExecute})
		},
	}
	w.each(func(name, _ string) {
		what := rapid.IntRange(0, 19).Draw(t, "what")
		if what > len(edits) {
			return
		}
		latest := until
		if last, falls := w.silent[name]; falls && what == 2 {
			latest = last
		}
		at := rapid.Float64Range(20, latest).Draw(t, "changed")
		w.changes = append(w.changes, change{at, func(l *loop.Loop) {
			if what == len(edits) {
				l.DeleteNode(name)
				return
			}
			l.EditNode(name, func(n *model.Node) {
				edits[what](n)
				if what == 2 {
					n.Conditions[0].Heartbeat = l.Now()
				}
			})
		}})
	})
}
