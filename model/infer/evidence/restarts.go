package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

const (
	// ElectedWithin is how long after it became leader a controller manager makes its first
	// pass, at most: it starts its controllers, and fills their caches.
	ElectedWithin = 10 * time.Second
	// OneBurst is how far apart the signs of one restart may be.
	OneBurst = 30 * time.Second
	// toldAtOnce is how long after it was recorded an Event is written that is the first of a burst. Those of one burst are
	// written one after another, which takes minutes where there are thousands and the API server is slow.
	toldAtOnce = 5 * time.Second
)

// Vacancy is a time in which nobody led: whoever held the controller manager's lease renewed it last at Renewed, and
// another took it at Taken. It may have acted on until GivesUp, if it could not renew; one that has died did not.
type Vacancy struct {
	Renewed, GivesUp, Taken model.Instant
	// Left is what the lease told last of who had it.
	Left Leader
}

// The times of kube-controller-manager's leader election, as they are unless flags say otherwise: a lease of 15 s that
// is renewed every two, and given up once that has failed for ten.
// Source: kubernetes: staging/src/k8s.io/component-base/config/v1alpha1, RecommendedDefaultLeaderElectionConfiguration;
// client-go: tools/leaderelection, renew.
const (
	leaseSeconds = 15
	givesUpAfter = 12 * time.Second
	// renewals is how often at least a lease is renewed in the time that it lasts, where all renewals are shown.
	renewals = 3
)

// Leader is what the lease of a leader tells.
type Leader struct {
	// Renewed is when it was renewed last: when that was heard and, where nobody heard it, by its own time. Unknown where no
	// lease was seen.
	Renewed model.Instant
	// Lasts is for how long it then is held; Released says that its holder has given it up.
	Lasts    time.Duration
	Released bool
	// Listed says that nobody heard that renewal, so that it is known by its holder's clock; Confirmed that the API server's
	// tells the same.
	Listed, Confirmed bool
	// Shown is how many renewals in a row were seen that follow each other as a leader's do: where some are missing, that
	// one is missing says nothing. Source is the index of the source that showed it last; -1 where that is not known.
	Shown  int
	Source int
}

// LeaderOf is what a lease tells that was heard at an instant, or is only known by its own time.
func LeaderOf(l *model.LeaseRow, heard model.Instant) Leader {
	is := Leader{Renewed: cmp.Or(heard, l.Renewed), Lasts: leaseSeconds * time.Second, Released: l.Holder == "", Listed: !heard.Known(), Confirmed: l.Confirmed()}
	if l.Seconds > 0 && l.Holder != "" { // who releases it leaves a second
		is.Lasts = time.Duration(l.Seconds) * time.Second
	}
	return is
}

// HeldFor is how long after it has renewed its lease last a leader may act: then it has given it up, if it runs. By other
// flags than those that are usual it does so before the lease runs out.
func (l *Leader) HeldFor() time.Duration {
	if l.Lasts == leaseSeconds*time.Second {
		return givesUpAfter
	}
	return l.Lasts
}

// registered: a controller that registers a node it must have known has lost its memory. What was listed later tells it too.
func (s *survey) registered(ch *model.Change, at model.Instant) {
	e := ch.Event
	if e == nil || ch.Op != model.OpAdd && ch.Op != model.OpBaseline {
		return
	}
	if e.Reason != model.ReasonRegisteredNode {
		if ch.Op == model.OpAdd && e.ByControllers() {
			s.runs()
		}
		return
	}
	var born model.Instant
	if n := s.traces[e.Regarding.Name]; n != nil {
		if born = n.created; !born.Known() {
			born = n.heard
		}
	}
	written := at
	v, late := startedWithin(ch)
	if late {
		at = v.Latest
	}
	n := len(s.Restarts)
	told := late && n > 0 && v.Earliest.Sub(s.Restarts[n-1].Latest) < OneBurst // or is of a process before that one
	if !born.Known() || at.Sub(born) < OneBurst || at <= s.Begins || told {
		if written > s.Begins {
			s.runs()
		}
		return
	}
	switch {
	case n == 0 || at.Sub(s.Restarts[n-1].Latest) > OneBurst:
		s.Restarts = append(s.Restarts, v)
		s.Registrations++
	case s.elected:
		s.Restarts[n-1] = v // the pass itself tells better than the election did
		s.elected = false
	case v.Latest < s.Restarts[n-1].Latest:
		last := &s.Restarts[n-1]
		last.Latest, last.Earliest = v.Latest, min(last.Earliest, v.Latest)
	}
}

// startedWithin is within when the pass was made that registered a node, as the Event of it tells: a pass registers a node before it tells
// of it. late says that nobody saw the Event written, or that it was not at once, so that it is known by when it was recorded,
// to the second.
func startedWithin(ch *model.Change) (v model.Interval, late bool) {
	v = model.Interval{Earliest: ch.Time.Earliest.Add(-Reaction), Latest: ch.Time.Latest}
	if ch.Quality == model.ByServer {
		v.Latest = ch.Time.Earliest
	}
	if recorded := ch.Event.First; recorded.Bounded() && (ch.Op == model.OpBaseline || v.Earliest.Sub(recorded) > toldAtOnce) {
		return recordedAt(recorded), true
	}
	return v, false
}

// recordedAt is within when an Event was recorded, as its stamp tells.
func recordedAt(stamp model.Instant) model.Interval {
	return model.Interval{Earliest: stamp.Add(-Reaction), Latest: stamp.Add(time.Second)}
}

// elect: another holder of the controller manager's lease is another process, which begins
// with an empty memory.
func (s *survey) elect(ch *model.Change) {
	if ch.Key.Name != model.ControllerManager {
		return
	}
	if ch.Lease.Holder == "" && !ch.Lease.Renewed.Known() { // of a request alone: who gives the lease up says when
		s.renewedSomehow(ch.Time.Latest)
		return
	}
	heard := ch.Time.Latest
	if ch.Op == model.OpBaseline {
		heard = 0
	}
	left, was, led := s.Leader, s.leader, s.led
	shown := left.Shown
	s.Leader = LeaderOf(&model.LeaseRow{Lease: ch.Lease, Written: ch.Time}, heard)
	s.Leader.Source = int(ch.Origin.Source)
	if ch.Op != model.OpBaseline && (was.Holder == ch.Lease.Holder || s.Leader.Released) {
		s.Leader.Shown = shown
	}
	if s.led = ch.Time.Latest; ch.Lease.Holder == "" {
		s.released = was.Holder != ""
		return
	}
	s.runs()
	released := s.released
	s.leader, s.released = ch.Lease, false
	if was.Holder == ch.Lease.Holder && ch.Op != model.OpBaseline {
		if s.Leader.Shown++; s.led.Sub(led) > s.Leader.Lasts/renewals {
			s.Leader.Shown = 0
		}
	}
	if was.Holder == "" || was.Holder == ch.Lease.Holder && was.Transitions == ch.Lease.Transitions || ch.Op == model.OpBaseline {
		return
	}
	taken := takenAt(ch, led)
	v := model.Interval{Earliest: taken.Earliest, Latest: taken.Latest.Add(ElectedWithin)}
	if n := len(s.Restarts); !v.Bounded() || n > 0 && v.Earliest.Sub(s.Restarts[n-1].Latest) < OneBurst {
		return
	}
	s.Restarts = append(s.Restarts, v)
	s.elected = true
	s.Elections++
	if shown > 0 {
		s.vacant(Vacancy{led, led, taken.Earliest, left}, released)
	}
}

// takenAt is when a new holder took the lease, led being when it was seen renewed by the one before. If the write that took it
// was not seen, as in a gap, acquireTime tells by the holder's own clock.
func takenAt(ch *model.Change, led model.Instant) model.Interval {
	if at := ch.Lease.Acquired; at.Bounded() && at > led && ch.Time.Earliest.Sub(at) > unseenFor {
		return model.Exactly(at)
	}
	return ch.Time
}

// unseenFor is how long before a write of a lease its acquireTime must lie so that another write took the lease: clocks of
// leaders are off by less.
const unseenFor = 5 * time.Second

// renewedSomehow is a write to that lease of which nothing is known but when it was made: its holder has renewed it, or
// another has taken it.
func (s *survey) renewedSomehow(at model.Instant) {
	if s.Leader.Renewed.Known() {
		s.Leader.Renewed, s.Leader.Shown, s.Leader.Released = max(s.Leader.Renewed, at), 0, false
	}
}

// vacant takes in a time in which nobody led, unless renewals in it may not have been seen.
func (s *survey) vacant(v Vacancy, released bool) {
	// Of a time that nobody watched, and after which the lease was listed and stood as before, it is known all the same.
	blind := slices.ContainsFunc(s.blindOfLeaders, func(b history.Blindness) bool {
		return b.Earliest <= v.Taken && v.Renewed <= b.Latest && (b.Unlisted || v.Taken <= b.Latest)
	})
	if !v.Renewed.Bounded() || v.Taken <= v.Renewed || blind {
		return
	}
	if !released {
		v.GivesUp = min(v.Renewed.Add(v.Left.HeldFor()), v.Taken)
	}
	s.Vacancies = append(s.Vacancies, v)
}

// runs notes that a controller manager is at work: where no start was told by then, one ran before the first that is.
func (s *survey) runs() { s.ranBefore = s.ranBefore || len(s.Restarts) == 0 }

// firstProcess finds whether anything shows that a controller manager ran before the first start that is told of: a
// write, a leader, an Event of its own, or a line in a log.
func (s *survey) firstProcess(said []history.Statement) {
	if len(s.Restarts) == 0 || s.Restarts[0].Earliest <= s.Begins || len(s.Vacancies) > 0 || s.ranBefore {
		return
	}
	first := s.Restarts[0].Earliest
	wrote := slices.ContainsFunc(s.out, func(w Seen) bool { return w.Time.Earliest < first })
	spoke := slices.ContainsFunc(said, func(x history.Statement) bool {
		return x.By == model.ControllerManager && x.At < first.Add(-OneBurst)
	})
	if !wrote && !spoke {
		s.First = first
	}
}

// standingProcess reads what the first lists tell of the process that ran when they were made: since when
// it leads, and that it registered nodes which it must have known. Where neither leader nor any Event is
// shown, nothing would tell of a process that had just begun.
func (s *survey) standingProcess(c *model.Cluster, gap model.Interval) {
	var began model.Interval
	c.Nodes(func(row *model.NodeRow) bool {
		for _, e := range row.Events() {
			s.TellsRestarts = true
			if row.Node == nil || e.Reason != model.ReasonRegisteredNode || e.First < gap.Earliest || e.First > gap.Latest || e.First.Sub(row.Node.Created) < OneBurst {
				continue
			}
			v := recordedAt(e.First)
			v.Latest = min(v.Latest, gap.Latest)
			if both, ok := v.Intersect(began); ok {
				v = both
			}
			if v.Latest >= began.Latest {
				began = v
			}
		}
		return true
	})
	if began.Known() {
		s.Registrations++
	}
	for _, l := range c.Leaders() {
		if l.Name != model.ControllerManager {
			continue
		}
		if l.Seen && !l.Gone {
			s.Leader = LeaderOf(&l.LeaseRow, l.Heard)
			s.Leader.Source = -1
		}
		if !l.Lease.Acquired.Known() {
			continue
		}
		s.TellsRestarts, s.ranBefore = true, true
		if at := l.Lease.Acquired; !began.Known() && at >= gap.Earliest && at <= gap.Latest {
			began = model.Interval{Earliest: at, Latest: min(at.Add(ElectedWithin), gap.Latest)}
			s.Elections++
			s.elected = true
		}
	}
	if began.Known() {
		s.Restarts = append(s.Restarts, began)
	}
}
