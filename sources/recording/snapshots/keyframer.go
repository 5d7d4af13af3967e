package snapshots

import (
	"math"
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// Follower follows the state while a recording is written, and what of it changes.
type Follower struct {
	State  *model.Cluster
	weight int // of the Changes since the last keyframe
	// small: since the last keyframe; large: since the last long step.
	small, large changes
	Impossible   bool
	torn         bool // Changes were lost, and the state is not the true one: see AddLost
	// listing: the last Change was of the initial list, and more of it may follow.
	Listing bool

	last, long base // the last keyframe, and the last long step
	shortSteps int  // keyframes since the long step
	full       int  // bytes of the last full layer
	longSteps  int  // bytes of the long steps since then
}

// base is a keyframe that another may rest on.
type base struct{ position, rows int }

// changes are the differences from a keyframe.
type changes struct {
	nodes, beats, events map[string]bool
	pods                 map[model.Key]held
}

// held is the place of a pod before.
type held struct {
	node string
	was  bool
}

func newChanges() changes {
	return changes{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[model.Key]held{}}
}

const (
	// KeyframeWeight is how much may be between two keyframes: a heartbeat counts one, a Change that is JSON rowWeight
	// more. That much is folded in some ten milliseconds.
	KeyframeWeight = 40 << 10
	rowWeight      = 8
	// A keyframe's layer is a short step from the one before. After maxShortSteps of them comes a long one, from the
	// last long step or the last full layer. So few layers are read for any state.
	maxShortSteps = 15
	// Larger states get no keyframes; they are reached by folding.
	maxKeyframeRows = 100_000
	maxKeyframePods = 400_000
)

func Follow() *Follower {
	return &Follower{State: model.NewCluster(), small: newChanges(), large: newChanges()}
}

func (k *Follower) Fold(ch *model.Change) {
	if k.Impossible {
		return
	}
	k.weight++
	k.Listing = ch.Op == model.OpBaseline
	switch ch.Kind {
	case model.KindNode:
		k.small.beats[ch.Key.Name], k.large.beats[ch.Key.Name] = true, true
		before := k.look(ch.Key.Name)
		k.State.Fold(ch)
		if after := k.look(ch.Key.Name); before.readySet != after.readySet || before.readyBy != after.readyBy || before.gone != after.gone || !columns.SameShape(before.node, after.node) {
			k.small.nodes[ch.Key.Name], k.large.nodes[ch.Key.Name] = true, true
		}
		return
	case model.KindPod:
		k.small.pod(k.State, ch.Key)
		k.large.pod(k.State, ch.Key)
		k.weight += rowWeight
	case model.KindEvent:
		k.weight += rowWeight
		if ch.Event != nil {
			k.small.events[ch.Event.Regarding.Name], k.large.events[ch.Event.Regarding.Name] = true, true
		}
	}
	k.State.Fold(ch)
}

// look is a layer's record of a node.
func (k *Follower) look(name string) (r nodeRecord) {
	if row := k.State.Row(name); row != nil {
		r.node, r.gone, r.readySet, r.readyBy = row.Node, row.Gone, row.ReadySet, row.ReadyBy
	}
	return r
}

// pod notes the place of a pod before.
func (c *changes) pod(state *model.Cluster, key model.Key) {
	if _, noted := c.pods[key]; noted {
		return
	}
	h := held{}
	if p := state.Pod(key); p != nil {
		h = held{p.Node, true}
	}
	c.pods[key] = h
}

// EndsList reports whether a Change is the first after the list of all that was there before.
func (k *Follower) EndsList(ch *model.Change) bool { return k.Listing && ch.Op != model.OpBaseline }

// Due reports whether there is to be a keyframe once the page ends, where this much lies behind the last.
func (k *Follower) Due(weight int) bool { return !k.Impossible && !k.torn && k.weight >= weight }

// Write is a keyframe at a position, whose chunk will be the one of this number, with its layer. ok is false if the
// state is too large for one, as all later states are then.
func (k *Follower) Write(position, chunk int, d *columns.Dictionary) (ref Ref, head, rest []byte, ok bool) {
	ref = Ref{Position: position, Chunk: int32(chunk)}
	since, on := &k.small, k.last
	long := k.last.position == 0 || k.shortSteps >= maxShortSteps
	full := k.last.position == 0 || long && k.longSteps >= k.full
	switch {
	case full:
		since, on = nil, base{}
	case long:
		since, on = &k.large, k.long
	}
	ref.Base = on.position
	rows := slices.Collect(k.State.Rows)
	var o, below wire.Writer
	writeKeyframe(&o, k.State, rows, &ref, d)
	writeLayer(&below, k.State, rows, &ref, on.rows, since)
	if len(rows) > maxKeyframeRows || k.State.PodCount() > maxKeyframePods || max(len(o.B), len(below.B)) > wire.MaxKeyframe {
		*k = Follower{Impossible: true}
		return ref, nil, nil, false
	}
	k.placed(base{ref.Position, len(rows)}, len(below.B), long, full)
	return ref, o.B, below.B, true
}

// Tear notes that Changes were lost: the state is not the true one.
func (k *Follower) Tear() { k.torn = true }

// FollowAnew follows a state that is known to be the true one again, of which there is to be a keyframe
// at once.
func FollowAnew(state *model.Cluster) *Follower {
	k := Follow()
	k.State, k.weight = state, math.MaxInt
	return k
}

// placed notes a keyframe that was written.
func (k *Follower) placed(at base, size int, long, full bool) {
	k.last, k.small, k.weight = at, newChanges(), 0
	k.shortSteps++
	if long {
		k.long, k.large, k.shortSteps = at, newChanges(), 0
		k.longSteps += size
	}
	if full {
		k.full, k.longSteps = size, 0
	}
}

// writeLayer writes what of the state is different since another keyframe that has the first known rows, or all of it
// where since is nil.
func writeLayer(o *wire.Writer, c *model.Cluster, rows []*model.NodeRow, ref *Ref, known int, since *changes) {
	w := newLayerWriter()
	if w.detailed = anyDetails(c, since); w.detailed {
		o.Byte(layerDetailed)
	} else {
		o.Byte(layerPlain)
	}
	o.Uint(uint64(ref.Position))
	o.Uint(uint64(ref.Base))
	o.Instant(c.Now)
	o.Uint(uint64(len(rows)))
	o.Uint(uint64(known))
	for _, r := range rows[known:] {
		o.Text(r.Name)
	}
	writeNodeRecords(o, rows, func(r *model.NodeRow) bool {
		if since != nil {
			return since.nodes[r.Name]
		}
		return r.Node != nil || r.Gone || r.ReadySet.Known()
	})
	writeNodeBeats(o, rows, c.Now, func(r *model.NodeRow) bool { return since == nil || since.beats[r.Name] })
	if since == nil {
		w.all(c, rows)
	} else {
		w.changed(c, rows, since)
	}
	w.finish(o)
}

// anyDetails reports whether a pod has details, of those that changed since another keyframe; of all where
// since is nil.
func anyDetails(c *model.Cluster, since *changes) bool {
	if since == nil {
		return slices.ContainsFunc(c.Pods(), func(p *model.Pod) bool { return p.Details != "" })
	}
	for key := range since.pods {
		if p := c.Pod(key); p != nil && p.Details != "" {
			return true
		}
	}
	return false
}

// all writes the sections of all rows that have something in them.
func (w *layerWriter) all(c *model.Cluster, rows []*model.NodeRow) {
	if loose := c.Unbound(); len(loose) > 0 {
		w.section(-1, 0, func(o *wire.Writer) { w.pods(o, sortedPods(loose), nil); w.events(o, false, nil) })
	}
	for k, r := range rows {
		if len(r.Pods())+len(r.Events()) > 0 {
			w.section(k, len(r.Pods()), func(o *wire.Writer) {
				w.pods(o, sortedPods(r.Pods()), nil)
				w.events(o, len(r.Events()) > 0, r.Events())
			})
		}
	}
}

// changed writes the sections of the rows in which something changed.
func (w *layerWriter) changed(c *model.Cluster, rows []*model.NodeRow, since *changes) {
	put, gone := map[string][]*model.Pod{}, map[string][]model.Key{}
	for key, h := range since.pods {
		p := c.Pod(key)
		if p != nil {
			put[p.Node] = append(put[p.Node], p)
		}
		if h.was && (p == nil || p.Node != h.node) {
			gone[h.node] = append(gone[h.node], key)
		}
	}
	section := func(row, pods int, name string, events bool, list []*model.Event) {
		if len(put[name])+len(gone[name]) == 0 && !events {
			return
		}
		slices.SortFunc(gone[name], model.CompareKeys)
		w.section(row, pods, func(o *wire.Writer) {
			w.pods(o, sortedPods(put[name]), gone[name])
			w.events(o, events, list)
		})
	}
	section(-1, 0, "", false, nil)
	for k, r := range rows {
		section(k, r.PodCount(), r.Name, since.events[r.Name], r.Events())
	}
}
