// Package stall answers when the API server took no write of anybody.
//
// A frozen API server, an etcd that does not answer and a broken way to both look the same from outside: all who renew a
// lease fall silent together, nothing else is written, and most of them are back when the first write comes. A request
// that waited meanwhile was decided before the Stall ended, and is written after it. For nine nodes that renew every ten
// seconds, of which nothing is heard from 11:05:27 to 11:06:41 and all within a second after:
//
//	In(h, model.Always) = [{11:05:27 11:06:41}]
package stall

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

const (
	// least is how long a silence of all must be to be looked at.
	least = 3 * time.Second
	// renewedEvery is how often a kubelet and an API server renew their leases, leaderRenews how often a leader does, until
	// they have shown how often. Source: kubernetes: pkg/kubelet, nodeLeaseRenewIntervalFraction; component-base/config, RetryPeriod.
	renewedEvery, leaderRenews = 10 * time.Second, 2 * time.Second
	// returns is how long after a Stall those that were due may take to be heard again: a client whose connection broke
	// dials later and later.
	returns = 15 * time.Second
	// dated is how well a write must be dated to end a silence.
	dated = 2500 * time.Millisecond
	// Queued is how long after its end the API server may write what waited for it: what it has read is answered first.
	Queued = 5 * time.Second
)

// In are the Stalls within a time, in order. Errors are those of reading. Open says that the last one is none for sure: the
// record ends in it, and its Latest is FarFuture, or too soon after it for those that were due to be back.
func In(h history.History, over model.Interval) (list []model.Interval, open bool, err error) {
	var f Finder
	err = history.WalkCondensed(h, over.Earliest, over.Latest, func(_ int, ch *model.Change) bool {
		f.take(ch)
		return true
	})
	if end := min(over.Latest, h.Coverage().Latest); end.Bounded() && f.last.Known() && end.Sub(f.last) >= least {
		if f.silent(model.Interval{Earliest: f.last, Latest: end}); f.open.due > 0 {
			f.open.Latest = model.FarFuture
		}
	}
	last, is := f.open.Interval, f.open.due > 0
	if list = f.Stalls(h); is && !blind(h, last) && !slices.Contains(list, last) {
		list, open = append(list, last), true
	}
	return list, open, err
}

// lease names one that is renewed again and again.
type lease struct {
	kind model.Kind
	key  model.Key
}

// beats is what was heard of a lease.
type beats struct {
	last  model.Instant
	every time.Duration
	// due is the number of the silence in which it was due, from 1, and back that it came back after it.
	due  int
	back bool
}

// Finder reads Changes in order. The zero value has read none.
type Finder struct {
	leases []beats
	byName map[lease]int32
	rows   history.LeaseRows
	last   model.Instant // the last write
	number int           // of the silence that is open
	open   silence       // the last silence of all, which is not settled yet; number 0 for none
	out    []model.Interval
}

// silence is a time in which nothing was written though leases were due.
type silence struct {
	model.Interval
	due, back int
	// queued are renewals heard with its end that say they were sent in it, of sources that show when they arrived.
	queued int
}

// Page reads what stands in the places [from, to) of a page, up to an instant.
func (f *Finder) Page(page *history.Condensed, from, to int, until model.Instant) {
	page.Each(from, to, func(_ int, r *model.Renewal) bool {
		w := write{r.Effective(), r.Arrival, r.Time}
		if w.at <= until && f.wrote(&w) {
			f.renewed(f.rows.Row(page, r.Lease, f.leaseOf), r.Renewed, &w, renewedEvery)
		}
		return true
	}, func(_ int, ch *model.Change) bool {
		if ch.Effective() <= until {
			f.take(ch)
		}
		return true
	})
}

// take reads one Change.
func (f *Finder) take(ch *model.Change) {
	if !written(ch) {
		return
	}
	w := write{ch.Effective(), ch.Arrival, ch.Time}
	if every := pace(ch.Kind); f.wrote(&w) && every > 0 && (ch.Op == model.OpModify || ch.Op == model.OpRepeat) {
		f.renewed(f.row(lease{ch.Kind, ch.Key}), ch.Lease.Renewed, &w, every)
	}
}

// leaseOf is the place of a node's lease in leases.
func (f *Finder) leaseOf(node string) int32 {
	return f.row(lease{model.KindNodeLease, model.Key{Namespace: model.NodeLeaseNamespace, Name: node}})
}

func (f *Finder) row(of lease) int32 {
	i, ok := f.byName[of]
	if !ok {
		if f.byName == nil {
			f.byName = map[lease]int32{}
		}
		i = int32(len(f.leases))
		f.leases, f.byName[of] = append(f.leases, beats{}), i
	}
	return i
}

// write is when something took effect, when it arrived, and within when it was written.
type write struct {
	at, arrival model.Instant
	within      model.Interval
}

// observed says that an observer dates it, and no log of the API server, which knows when a request began.
func (w *write) observed() bool { return w.arrival.Known() && w.arrival >= w.within.Latest }

// wrote reads when something was written; false if that is not known well enough to count.
func (f *Finder) wrote(w *write) bool {
	at := w.at
	if w.observed() {
		at = model.HeardAt(w.arrival, at)
	}
	if w.at = at; !at.Bounded() || !w.arrival.Known() && w.within.Width() > dated {
		return false
	}
	if f.last.Known() && at.Sub(f.last) >= least {
		f.silent(model.Interval{Earliest: f.last, Latest: at})
	}
	f.last = max(f.last, at)
	if f.open.due > 0 && at.Sub(f.open.Latest) > returns {
		f.settle()
	}
	return true
}

// written says that a Change shows when the API server took a write. One that was refused for what it asks was answered.
func written(ch *model.Change) bool {
	switch ch.Op {
	case model.OpBaseline, model.OpGap:
		return false
	case model.OpAttempt:
		if ch.Code == 0 || ch.Code >= 500 || ch.Code == 408 || ch.Code == 429 {
			return false
		}
	}
	return ch.Kind != model.KindEvent || ch.Quality == model.ByServer // else it is dated by the clock of its sender
}

// pace is how often a lease of a kind is renewed, as a rule; 0 for what is no lease.
func pace(kind model.Kind) time.Duration {
	switch kind {
	case model.KindNodeLease, model.KindServerLease:
		return renewedEvery
	case model.KindLeaderLease:
		return leaderRenews
	}
	return 0
}

// renewed reads a renewal.
func (f *Finder) renewed(row int32, sent model.Instant, w *write, every time.Duration) {
	b, at := &f.leases[row], w.at
	if b.every == 0 {
		b.last, b.every = at, every
		return
	}
	if b.due == f.number && f.open.due > 0 {
		if !b.back {
			b.back = true
			f.open.back++
		}
		if w.observed() && sent > f.open.Earliest && sent < f.open.Latest {
			f.open.queued++
		}
	} else if apart := at.Sub(b.last); apart >= time.Second {
		b.every += (min(apart, 4*every) - b.every) / 4
	}
	b.last = at
}

// silent reads a time without a write.
func (f *Finder) silent(v model.Interval) {
	f.settle()
	f.number++
	live := 0
	for i := range f.leases {
		b := &f.leases[i]
		next := b.last.Add(b.every + slack(b.every))
		if next < v.Earliest {
			continue // it had fallen silent before
		}
		if live++; next < v.Latest {
			b.due, b.back = f.number, false
			f.open.due++
		}
	}
	if f.open.Interval = v; f.open.due < 2 || 5*f.open.due < 4*live {
		f.open = silence{}
	}
}

// slack is by how much a renewal may be late.
func slack(every time.Duration) time.Duration { return every/10 + time.Second }

// settle judges the open silence: at least half of those that were due came back soon. Where renewals arrive at an observer
// that was cut off, each of them that was made meanwhile comes.
func (f *Finder) settle() {
	o := &f.open
	due := time.Duration(o.back) * o.Width()
	if o.due > 0 && o.back >= 2 && 2*o.back >= o.due && time.Duration(o.queued)*renewedEvery < due*3/5 {
		f.out = append(f.out, o.Interval)
	}
	*o = silence{}
}

// Stalls are those that were found, but where a source of the History that was read was blind, or may have been, and did not
// go on after that without having missed anything.
func (f *Finder) Stalls(h history.History) (list []model.Interval) {
	f.settle()
	for _, v := range f.out {
		if !blind(h, v) {
			list = append(list, v)
		}
	}
	return list
}

func blind(h history.History, v model.Interval) bool {
	for _, g := range h.Gaps() {
		if g.Overlaps(v) && !g.Resumed() {
			return true
		}
	}
	return false
}
