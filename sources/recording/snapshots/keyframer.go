package snapshots

import (
	"math"
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// Follower follows the state while a recording is written.
type Follower struct {
	State      *model.Cluster
	weight     int // of the Changes since the last keyframe
	Impossible bool
	torn       bool // Changes were lost, and the state is not the true one: see AddLost
	// listing: the last Change was of the initial list, and more of it may follow.
	Listing bool

	last, long base // the last keyframe, and the last long step
	shortSteps int  // keyframes since the long step
	full       int  // bytes of the last full layer
	longSteps  int  // bytes of the long steps since then
}

// base is a keyframe that another may rest on, with its state. The zero value is nothing: a layer that rests on it is
// full.
type base struct {
	position int
	rows     []*model.NodeRow
	unbound  []*model.Pod
}

// baseOf is the state at a position, which stays as it is.
func baseOf(position int, c *model.Cluster) base {
	held := c.Held()
	return base{position, slices.Collect(held.Rows), held.Unbound()}
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

func Follow() *Follower { return &Follower{State: model.NewCluster()} }

func (k *Follower) Fold(ch *model.Change) {
	if k.Impossible {
		return
	}
	k.weight++
	if ch.Kind == model.KindPod || ch.Kind == model.KindEvent {
		k.weight += rowWeight
	}
	k.Listing = ch.Op == model.OpBaseline
	k.State.Fold(ch)
}

// EndsList reports whether a Change is the first after the list of all that was there before.
func (k *Follower) EndsList(ch *model.Change) bool { return k.Listing && ch.Op != model.OpBaseline }

// Due reports whether there is to be a keyframe once the page ends, where this much lies behind the last.
func (k *Follower) Due(weight int) bool { return !k.Impossible && !k.torn && k.weight >= weight }

// Write is a keyframe at a position, whose chunk will be the one of this number, with its layer. ok is false if the
// state is too large for one, as all later states are then.
func (k *Follower) Write(position, chunk int, d *columns.Dictionary) (ref Ref, head, rest []byte, ok bool) {
	on := k.last
	long := k.last.position == 0 || k.shortSteps >= maxShortSteps
	full := k.last.position == 0 || long && k.longSteps >= k.full
	switch {
	case full:
		on = base{}
	case long:
		on = k.long
	}
	ref = Ref{Position: position, Base: on.position, Chunk: int32(chunk)}
	rows := slices.Collect(k.State.Rows)
	var o, below wire.Writer
	writeKeyframe(wire.To(&o), k.State, rows, &ref, d)
	layerOf(k.State, rows, &ref, &on).code(wire.To(&below))
	if len(rows) > maxKeyframeRows || k.State.PodCount() > maxKeyframePods || max(len(o.B), len(below.B)) > wire.MaxKeyframe {
		*k = Follower{Impossible: true}
		return ref, nil, nil, false
	}
	k.placed(len(below.B), position, long, full)
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
func (k *Follower) placed(size, position int, long, full bool) {
	k.last, k.weight = baseOf(position, k.State), 0
	k.shortSteps++
	if long {
		k.long, k.shortSteps = k.last, 0
		k.longSteps += size
	}
	if full {
		k.full, k.longSteps = size, 0
	}
}
