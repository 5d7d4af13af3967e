package past

import (
	"math"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// The bounds of an Overview: its memory does not grow with the length of the History.
const (
	// maxBuckets is how many buckets there may be; when there would be more, each two become one.
	maxBuckets = 1 << 16
	// firstBucket is the first width. It divides a second and only doubles, so buckets start on whole seconds.
	firstBucket = 125 * time.Millisecond
	// maxClockSteps is how many steps of kubelets' clocks are listed; later ones are counted.
	maxClockSteps = 1000
)

// Tally counts what changed in a stretch of time; the state at the start of the coverage is no change.
type Tally struct {
	// Renewals are those of node leases. Changes are object versions, Events and leaders, not Nodes' heartbeats.
	Renewals, Changes uint32
	// Tainted and Untainted count NoExecute taints added and removed.
	Tainted, Untainted uint32
	// Deletions are pods whose deletion was requested, or that were deleted without a seen request.
	Deletions uint32
	// Refused are writes that the API server refused.
	Refused uint32
}

func (t *Tally) Add(u Tally) {
	t.Renewals += u.Renewals
	t.Changes += u.Changes
	t.Tainted += u.Tainted
	t.Untainted += u.Untainted
	t.Deletions += u.Deletions
	t.Refused += u.Refused
}

// ClockStep is a kubelet's clock that was set: renewTime went back, or ran further ahead of its arrival than ever.
type ClockStep struct {
	At   model.Instant
	Node string
	// By is how far at least: negative for backwards.
	By time.Duration
}

// Overview is a bounded summary of a whole History, for drawing it at any zoom without reading it again. It has how
// much changed when, how many nodes of each zone were not Ready, and the steps of clocks. Extend builds it, and
// continues with a growing History. The zero value is empty. Counts are exact between multiples of Resolution.
type Overview struct {
	origin  model.Instant // a multiple of width; unknown while empty
	width   time.Duration
	buckets []Tally

	fold overviewFold
	reader
	seen bool

	quiets quiets
	gaps   []history.Gap // of the History, as known so far
	last   model.Instant // read up to here

	clockSteps     []ClockStep
	MoreClockSteps int
}

// Resolution is the width of the buckets: the finest zoom.
func (o *Overview) Resolution() time.Duration { return max(o.width, firstBucket) }

// ClockSteps are the steps of kubelets' clocks, in order.
func (o *Overview) ClockSteps() []ClockStep { return o.clockSteps }

// Extend reads on in the History, at most budget Changes (to within a page), and reports whether it is at its end.
func (o *Overview) Extend(h history.History, budget int) (done bool, err error) {
	first, _ := h.Span()
	if o.seen && o.read < first {
		*o = Overview{} // the History dropped a part that was not read yet
	}
	if !o.seen {
		o.seen, o.read = true, first
		if first > 0 {
			state, _, err := h.State(first)
			if err != nil {
				return false, err
			}
			o.stand(state, h.Coverage().Earliest)
		}
	}
	o.gaps = h.Gaps()
	defer func() { o.still(o.last) }()
	return o.on(h, budget, o.take)
}

func (o *Overview) take(_ int, ch *model.Change) {
	at := ch.Effective()
	o.last = max(o.last, at)
	beat := false
	if ch.Kind == model.KindNodeLease {
		if n := o.fold.tracked(ch.Key.Name); n != nil {
			beat = o.heard(n, ch, at)
			switch by, ok := n.clock(ch); {
			case ok && len(o.clockSteps) == maxClockSteps:
				o.MoreClockSteps++
			case ok:
				o.clockSteps = append(o.clockSteps, ClockStep{at, ch.Key.Name, by})
			}
		}
	}
	if ch.Op == model.OpBaseline || ch.Op == model.OpRepeat || !at.Bounded() {
		switch ch.Kind { // the state at the start of the coverage
		case model.KindNode:
			o.fold.node(ch, at)
		case model.KindPod:
			o.fold.pod(ch)
		}
		return
	}
	b := o.bucket(at)
	switch {
	case ch.Op == model.OpAttempt:
		b.Refused++
	case ch.Op == model.OpGap:
	case ch.Kind == model.KindServerLease && ch.Op == model.OpModify: // an API server lives
	case beat:
		b.Renewals++
	case ch.Kind == model.KindNode:
		tainted, untainted, news := o.fold.node(ch, at)
		if news {
			b.Changes++
		}
		b.Tainted += tainted
		b.Untainted += untainted
	case ch.Kind == model.KindPod:
		b.Changes++
		if o.fold.pod(ch) {
			b.Deletions++
		}
	default:
		b.Changes++
	}
}

// bucket is the bucket of a time, made if missing. Times do not decrease.
func (o *Overview) bucket(at model.Instant) *Tally {
	if !o.origin.Known() {
		o.width = firstBucket
		o.origin = at.Truncate(o.width)
	}
	i := max(at.Sub(o.origin), 0) / o.width
	for i >= maxBuckets {
		o.coarsen()
		i = max(at.Sub(o.origin), 0) / o.width
	}
	for len(o.buckets) <= int(i) {
		o.buckets = append(o.buckets, Tally{})
	}
	return &o.buckets[i]
}

// coarsen joins each two buckets.
func (o *Overview) coarsen() {
	origin := o.origin.Truncate(2 * o.width)
	shift := int(o.origin.Sub(origin) / o.width) // 0 or 1
	half := (len(o.buckets) + shift + 1) / 2
	for i := range half {
		var sum Tally
		for k := 2*i - shift; k < min(2*i-shift+2, len(o.buckets)); k++ {
			if k >= 0 {
				sum.Add(o.buckets[k])
			}
		}
		o.buckets[i] = sum
	}
	o.buckets = o.buckets[:half]
	o.origin, o.width = origin, 2*o.width
}

// Step is the length of cells of which n hold a window: a multiple of Resolution, at most an eighth too long. It stays
// the same while a window grows a little.
func (o *Overview) Step(window time.Duration, n int) time.Duration {
	least := time.Duration(math.Ceil(float64(max(window, 1)) / float64(max(n, 1))))
	unit := o.Resolution()
	for least > 16*unit {
		unit *= 2
	}
	return (least + unit - 1) / unit * unit
}

// Cells counts changes in n cells of length step from a time; exact for multiples of Resolution.
func (o *Overview) Cells(from model.Instant, step time.Duration, n int) []Tally {
	cells := make([]Tally, max(n, 0))
	if len(o.buckets) == 0 || step <= 0 || !from.Bounded() {
		return cells
	}
	end := from.Add(step * time.Duration(n))
	first := max(int(max(from.Sub(o.origin), 0)/o.width), 0)
	for i := first; i < len(o.buckets); i++ {
		at := o.origin.Add(time.Duration(i) * o.width)
		if at >= end {
			break
		}
		if at >= from {
			cells[at.Sub(from)/step].Add(o.buckets[i])
		}
	}
	return cells
}

// Snapshot is a copy for reading while this Overview is extended.
func (o *Overview) Snapshot() *Overview {
	c := &Overview{origin: o.origin, width: o.width, buckets: slices.Clone(o.buckets), reader: reader{read: o.read}, seen: true,
		clockSteps: slices.Clone(o.clockSteps), MoreClockSteps: o.MoreClockSteps,
		quiets: quiets{slices.Clone(o.quiets.kept), slices.Clone(o.quiets.declared), o.quiets.late}}
	c.fold.zones = slices.Clone(o.fold.zones)
	for i := range c.fold.zones {
		c.fold.zones[i].Steps = slices.Clone(c.fold.zones[i].Steps)
	}
	return c
}

// NextBusy is the start of the first stretch of Resolution after a time with other changes than heartbeats; or false.
func (o *Overview) NextBusy(after model.Instant) (at model.Instant, ok bool) {
	first := 0
	if len(o.buckets) > 0 && after >= o.origin {
		first = int(min(after.Sub(o.origin)/o.width, maxBuckets)) + 1
	}
	for i := first; i < len(o.buckets) && !ok; i++ {
		at, ok = o.origin.Add(time.Duration(i)*o.width), o.buckets[i].Changes > 0
	}
	return at, ok
}

// LastBusy is the end of the last such stretch that ends by a time.
func (o *Overview) LastBusy(before model.Instant) (at model.Instant, ok bool) {
	last := -1
	if len(o.buckets) > 0 && before > o.origin {
		last = min(int(min(before.Sub(o.origin)/o.width, maxBuckets)), len(o.buckets)) - 1
	}
	for i := last; i >= 0 && !ok; i-- {
		at, ok = o.origin.Add(time.Duration(i+1)*o.width), o.buckets[i].Changes > 0
	}
	return at, ok
}

func (o *Overview) Total() (sum Tally) {
	for i := range o.buckets {
		sum.Add(o.buckets[i])
	}
	return sum
}
