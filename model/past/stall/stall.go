// Package stall answers when the API server took no writes at all.
//
// A frozen API server, an etcd that does not answer and a broken path to both look the same from outside. All leases
// stop being renewed together, nothing else is written, and most renewals are back with the first write. A request that
// waited was decided before the Stall ended, and is written after it. For nine nodes that renew every ten seconds, all
// silent from 11:05:27 to 11:06:41 and all back within a second:
//
//	In(h, model.Always) = [{11:05:27 11:06:41}]
package stall

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past/subjects"
)

const (
	// least is the shortest silence that is examined.
	least = 3 * time.Second
	// renewedEvery is how often kubelets and API servers renew their leases, leaderRenews how often leaders do, until
	// they show their pace.
	// Source: kubernetes: pkg/kubelet, nodeLeaseRenewIntervalFraction; component-base/config, RetryPeriod.
	renewedEvery, leaderRenews = 10 * time.Second, 2 * time.Second
	// returns is how long after a Stall due renewals may come: clients with broken connections dial ever more rarely.
	returns = 15 * time.Second
	// dated is how exactly a write must be dated to end a silence.
	dated = 2500 * time.Millisecond
	// Queued is how long after its end the API server may write requests that waited: it answers these first.
	Queued = 5 * time.Second
)

// In are the Stalls within a time, in order; err is of reading. open: the last one is not certain, since the record
// ends in it (Latest is FarFuture), or too soon after it for the due renewals.
func In(h history.History, over model.Interval) (list []model.Interval, open bool, err error) {
	var f Finder
	err = history.Walk(h, over.Earliest, over.Latest, &history.Condensed{}, func(_ int, ch *model.Change) bool {
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

// beats is what is known of a lease's renewals.
type beats struct {
	last  model.Instant
	every time.Duration
	// due is the number of the silence in which it was due, from 1; back: it was renewed after it.
	due  int
	back bool
}

// Finder reads Changes in order. The zero value has read none.
type Finder struct {
	leases subjects.Nodes[beats] // those of other kinds by their kinds and keys
	last   model.Instant         // the last write
	number int                   // of the open silence
	open   silence               // the last silence, not settled yet; number 0 for none
	out    []model.Interval
}

// silence is a time without writes though leases were due.
type silence struct {
	model.Interval
	due, back int
	// queued counts renewals received at its end that were sent in it, of sources with arrival times.
	queued int
}

// Page reads the places [from, to) of a page, up to a time.
func (f *Finder) Page(page *history.Condensed, from, to int, until model.Instant) {
	page.Each(from, to, func(_ int, r *model.Renewal) bool {
		w := write{r.Effective(), r.Arrival, r.Time}
		if w.at <= until && f.wrote(&w) {
			f.renewed(f.leases.OfLease(page, r.Lease), r.Renewed, &w, renewedEvery)
		}
		return true
	}, func(_ int, ch *model.Change) bool {
		if ch.Effective() <= until {
			f.take(ch)
		}
		return true
	})
}

func (f *Finder) take(ch *model.Change) {
	if !written(ch) {
		return
	}
	w := write{ch.Effective(), ch.Arrival, ch.Time}
	if every := pace(ch.Kind); f.wrote(&w) && every > 0 && (ch.Op == model.OpModify || ch.Op == model.OpRepeat) {
		name := ch.Key.Name
		if ch.Kind != model.KindNodeLease {
			name = ch.Kind.String() + " " + ch.Key.String()
		}
		f.renewed(f.leases.Of(name), ch.Lease.Renewed, &w, every)
	}
}

// write is when something took effect, when it arrived, and within when it was written.
type write struct {
	at, arrival model.Instant
	within      model.Interval
}

// observed reports whether an observer dates it, and not an API server's log, which has the request's time.
func (w *write) observed() bool { return w.arrival.Known() && w.arrival >= w.within.Latest }

// wrote takes a write; false if its time is not known well enough to count.
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

// written reports whether a Change shows that the API server took a write, even if refused for its content.
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

// pace is how often a kind of lease is usually renewed; 0 for other kinds.
func pace(kind model.Kind) time.Duration {
	switch kind {
	case model.KindNodeLease, model.KindServerLease:
		return renewedEvery
	case model.KindLeaderLease:
		return leaderRenews
	}
	return 0
}

func (f *Finder) renewed(b *beats, sent model.Instant, w *write, every time.Duration) {
	at := w.at
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

// silent takes a time without a write.
func (f *Finder) silent(v model.Interval) {
	f.settle()
	f.number++
	live := 0
	for _, b := range f.leases.All() {
		next := b.last.Add(b.every + b.every/10 + time.Second) // it may be late
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

// settle judges the open silence: at least half of those due came back soon. If only the observer was cut off, the
// renewals sent meanwhile arrive at the end.
func (f *Finder) settle() {
	o := &f.open
	due := time.Duration(o.back) * o.Width()
	if o.due > 0 && o.back >= 2 && 2*o.back >= o.due && time.Duration(o.queued)*renewedEvery < due*3/5 {
		f.out = append(f.out, o.Interval)
	}
	*o = silence{}
}

// Stalls are those found, except if a source of the History had a gap there, in which it may have missed something.
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
	return slices.ContainsFunc(h.Gaps(), func(g history.Gap) bool { return g.Overlaps(v) && !g.Resumed() })
}
