package recording

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kardia/model"
)

// A keyframe is the state at a position: in full, or what changed since the keyframe before.
//
//	byte     1
//	uvarint  position: how many Changes are part of the state
//	byte     1 for a full one
//	uvarint  position of the keyframe it rests on; 0 for a full one
//	instant  Now; uvarint Folded, Stale, Attempts, Gaps
//	uvarint  rows; uvarint of which the keyframe before has the first; then the names of the
//	         others
//	leases   of all rows: see leaseTable
//	uvarint  nodes, then each: uvarint row, byte 1 with an object | 2 gone, uvarint version,
//	         intervals Written and ReadySet, instant Posted, and the object
//	uvarint  rows whose Events changed, then each: uvarint row, uvarint n, Events
//	pods     see podTable
//	uvarint  pods that are gone, then each: string namespace, string name
//	uvarint  leaders, then each: string name, and its lease: see leaderRow
const (
	// keyframeWeight is how much may lie between two keyframes: a heartbeat counts one, a
	// Change that stands as JSON rowWeight more. It is what is folded in some thirty
	// milliseconds.
	keyframeWeight = 128 << 10
	rowWeight      = 8
	// Larger states get no keyframes; they are reached by folding.
	maxKeyframeRows = 100_000
	maxKeyframePods = 400_000

	// leaseNamespace is where nodes' leases live.
	leaseNamespace = "kube-node-lease"
)

// keyframer follows the state while a recording is written.
type keyframer struct {
	state  *model.Cluster
	weight int
	nodes  map[string]bool // changed since the last keyframe
	events map[string]bool
	pods   map[model.Key]bool

	last       int // position of the last keyframe; 0 before the first
	rows       int // that it had
	full       int // bytes of the last full one
	sinceFull  int // bytes of those that rest on it
	impossible bool
	torn       bool // Changes were lost, and the state is not the true one: see AddLost
}

func newKeyframer() *keyframer {
	k := &keyframer{state: model.NewCluster()}
	k.forget()
	return k
}

func (k *keyframer) forget() {
	k.nodes, k.events, k.pods = map[string]bool{}, map[string]bool{}, map[model.Key]bool{}
	k.weight = 0
}

func (k *keyframer) fold(ch *model.Change) {
	if k.impossible {
		return
	}
	k.state.Fold(ch)
	k.weight++
	switch ch.Kind {
	case model.KindNode:
		k.nodes[ch.Key.Name] = true
	case model.KindPod:
		k.pods[ch.Key] = true
		k.weight += rowWeight
	case model.KindEvent:
		k.weight += rowWeight
		if ch.Event != nil {
			k.events[ch.Event.Regarding.Name] = true
		}
	}
}

// keyframe writes a keyframe where one is due, in a chunk of its own.
func (w *Writer) keyframe() error {
	k := w.keyframes
	if k.impossible || k.torn || k.weight < cmp.Or(w.options.keyframe, keyframeWeight) {
		return nil
	}
	full := k.last == 0 || k.sinceFull >= k.full
	var o out
	ref := keyframeRef{position: w.index.end(), chunk: int32(w.sink.chunks())}
	if !full {
		ref.base = k.last
	}
	rows := k.encode(&o, &ref, w.dictionary)
	if rows > maxKeyframeRows || k.state.PodCount() > maxKeyframePods || len(o.b) > maxKeyframe {
		*k = keyframer{impossible: true}
		return nil
	}
	w.sink.add(message{channelKeyframe, uint32(ref.position), logTime(w.last), o.b})
	w.index.keyframes = append(w.index.keyframes, ref)
	k.last, k.rows = ref.position, rows
	if full {
		k.full, k.sinceFull = len(o.b), 0
	} else {
		k.sinceFull += len(o.b)
	}
	k.forget()
	return w.endChunk()
}

// encode writes a keyframe, and returns how many rows it has.
func (k *keyframer) encode(o *out, ref *keyframeRef, d *dictionary) int {
	o.byte(1)
	o.uint(uint64(ref.position))
	o.bool(ref.base == 0)
	o.uint(uint64(ref.base))
	c := k.state
	o.instant(c.Now)
	for _, n := range [...]int{c.Folded, c.Stale, c.Attempts, c.Gaps} {
		o.uint(uint64(n))
	}
	known := 0
	if ref.base != 0 {
		known = k.rows
	}
	rows := slices.Collect(func(yield func(*model.NodeRow) bool) { c.Rows(yield) })
	o.uint(uint64(len(rows)))
	o.uint(uint64(known))
	for _, r := range rows[known:] {
		o.string(r.Name)
	}
	o.leaseTable(rows, c.Now, d)
	o.nodeRows(rows, func(r *model.NodeRow) bool { return ref.base == 0 || k.nodes[r.Name] })
	o.eventRows(rows, func(r *model.NodeRow) bool { return ref.base == 0 || k.events[r.Name] })
	put, gone := c.Pods(), []model.Key(nil)
	if ref.base != 0 {
		put, gone = k.changedPods()
	}
	o.podTable(put)
	o.uint(uint64(len(gone)))
	for _, key := range gone {
		o.string(key.Namespace)
		o.string(key.Name)
	}
	o.uint(uint64(len(c.Leaders())))
	for _, l := range c.Leaders() {
		o.string(l.Name)
		o.leaderRow(&l.LeaseRow)
	}
	return len(rows)
}

// changedPods are the pods that changed since the last keyframe and are there, and those that
// are not, by name.
func (k *keyframer) changedPods() (put []*model.Pod, gone []model.Key) {
	for key := range k.pods {
		if p := k.state.Pod(key); p != nil {
			put = append(put, p)
		} else {
			gone = append(gone, key)
		}
	}
	slices.SortFunc(put, model.ComparePods)
	slices.SortFunc(gone, func(a, b model.Key) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return put, gone
}

const (
	rowHasNode = 1 << iota
	rowGone
)

func (o *out) nodeRows(rows []*model.NodeRow, wanted func(*model.NodeRow) bool) {
	var which []int
	for i, r := range rows {
		if wanted(r) && (r.Node != nil || r.Gone || r.Version != 0 || r.Posted != 0 || r.Written.Known() || r.ReadySet.Known()) {
			which = append(which, i)
		}
	}
	o.uint(uint64(len(which)))
	for _, i := range which {
		r := rows[i]
		o.uint(uint64(i))
		flags := byte(0)
		if r.Node != nil {
			flags |= rowHasNode
		}
		if r.Gone {
			flags |= rowGone
		}
		o.byte(flags)
		o.uint(r.Version)
		o.interval(r.Written)
		o.interval(r.ReadySet)
		o.instant(r.Posted)
		if r.Node != nil {
			o.node(r.Node)
		}
	}
}

func (o *out) eventRows(rows []*model.NodeRow, wanted func(*model.NodeRow) bool) {
	var which []int
	for i, r := range rows {
		if wanted(r) && len(r.Events()) > 0 {
			which = append(which, i)
		}
	}
	o.uint(uint64(len(which)))
	for _, i := range which {
		o.uint(uint64(i))
		o.uint(uint64(len(rows[i].Events())))
		for _, e := range rows[i].Events() {
			o.event(e)
		}
	}
}

func (o *out) leaderRow(l *model.LeaseRow) {
	o.lease(&l.Lease)
	o.instant(l.Renewed)
	o.bool(l.Seen)
	o.bool(l.Gone)
	o.uint(l.Version)
	o.instant(l.Heard)
	o.interval(l.Written)
	o.uint(uint64(l.Renewals))
	o.uint(uint64(l.Refused))
}

func (i *in) leaderRow(names *names) model.LeaseRow {
	l := model.LeaseRow{Lease: i.lease(names)}
	l.Renewed = i.instant()
	l.Seen, l.Gone, l.Version, l.Heard, l.Written = i.bool(), i.bool(), i.uint(), i.instant(), i.interval()
	l.Renewals, l.Refused = uint32(i.uint()), uint32(i.uint())
	return l
}

var errKeyframe = errors.New("a keyframe is damaged")

// keyframeHead is what stands at the beginning of a keyframe.
func (i *in) keyframeHead() (ref keyframeRef) {
	if v := i.byte(); v != 1 && i.err == nil {
		i.fail(errVersion)
	}
	ref.position = i.small(maxPosition)
	full := i.bool()
	ref.base = i.small(maxPosition)
	if full != (ref.base == 0) || ref.base >= ref.position {
		i.fail(errKeyframe)
	}
	return ref
}

// apply brings the state from one keyframe to the next, or fills an empty one. Only the last of
// several needs the leases: all of them stand in each.
func (i *in) apply(c *model.Cluster, known []string, leases bool, entries []entry, names *names) (rows []string, err error) {
	ref := i.keyframeHead()
	now := i.instant()
	var counts [4]int
	for k := range counts {
		counts[k] = i.small(maxPosition)
	}
	n, have := i.small(maxKeyframeRows), i.small(maxKeyframeRows)
	if i.err == nil && (have > n || have != len(known) || (ref.base == 0) != (have == 0 || len(known) == 0) || n-have > len(i.b)) {
		return nil, errKeyframe
	}
	rows = known[:have:have]
	for range n - have {
		rows = append(rows, string(i.bytes()))
	}
	table := i.leaseTable(n, now, entries, names)
	if i.err != nil {
		return nil, i.err
	}
	for k, name := range rows {
		if k >= have {
			c.PutRow(model.NodeRow{Name: name})
		}
		if leases {
			c.PutLease(name, table[k])
		}
	}
	if err := i.applyRows(c, rows, names); err != nil {
		return nil, err
	}
	for range i.podTable(names, c) {
		c.DropPod(model.Key{Namespace: names.Bytes(i.bytes()), Name: string(i.bytes())})
	}
	for range i.count(maxList) {
		c.PutLeader(model.Leader{Name: string(i.bytes()), LeaseRow: i.leaderRow(names)})
	}
	c.Now, c.Folded, c.Stale, c.Attempts, c.Gaps = now, counts[0], counts[1], counts[2], counts[3]
	return rows, i.err
}

func (i *in) applyRows(c *model.Cluster, rows []string, names *names) error {
	for range i.count(len(rows)) {
		row := i.row(rows)
		flags := i.byte()
		r := model.NodeRow{Name: row, Gone: flags&rowGone != 0, Version: i.uint(), Written: i.interval(), ReadySet: i.interval(), Posted: i.instant()}
		if flags&rowHasNode != 0 {
			r.Node = i.node(names)
		}
		if i.err != nil {
			return i.err
		}
		c.PutObject(r)
	}
	for range i.count(len(rows)) {
		row := i.row(rows)
		var events []*model.Event
		for range i.count(maxEvents) {
			events = append(events, i.event(names))
		}
		if i.err != nil {
			return i.err
		}
		c.PutEvents(row, events)
	}
	return i.err
}

// row reads the number of a row, and returns its name.
func (i *in) row(rows []string) string {
	k := i.small(maxKeyframeRows)
	if k >= len(rows) {
		i.fail(fmt.Errorf("%w: there is no row %d", errKeyframe, k))
		return ""
	}
	return rows[k]
}
