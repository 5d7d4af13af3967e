package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

const (
	// ElectedWithin is the longest time from an election to the first pass: controllers start and caches are filled.
	ElectedWithin = 10 * time.Second
	// OneBurst is the longest time between the signs of one restart.
	OneBurst = 30 * time.Second
	// toldAtOnce is the longest delay from an Event's timestamp to its write, for the first Event of a burst. A burst
	// can take minutes.
	toldAtOnce = 5 * time.Second
)

// Vacancy is a time without a leader: the holder of the controller manager's lease renewed it last at Renewed, and
// another took it at Taken. The old holder may have acted until GivesUp if it was alive and could not renew.
type Vacancy struct {
	Renewed, GivesUp, Taken model.Instant
	// Left is the lease's last state under the old holder.
	Left Leader
}

// Defaults of kube-controller-manager's leader election: 15 s, renewed every 2 s, given up after 10 s of failures.
// Source: kubernetes: staging/src/k8s.io/component-base/config/v1alpha1, RecommendedDefaultLeaderElectionConfiguration;
// client-go: tools/leaderelection, renew.
const (
	leaseSeconds = 15
	givesUpAfter = 12 * time.Second
	// renewals is how often a lease is renewed at least in its duration, if all renewals are shown.
	renewals = 3
)

// Leader is the state of a leader's lease.
type Leader struct {
	// Renewed is when the last renewal arrived or, if its arrival was not seen, its renewTime. Unknown without a lease.
	Renewed model.Instant
	// Lasts is how long the lease is then held; Released says that its holder has given it up.
	Lasts    time.Duration
	Released bool
	// Listed says that only the holder's clock dates the renewal; Confirmed that the API server's clock agrees.
	Listed, Confirmed bool
	// Shown counts the renewals seen in a row at a leader's pace: if some are missing, a missing one proves nothing.
	// Source is the index of the source that showed the last one; -1 if unknown.
	Shown  int
	Source int
}

// LeaderOf is the state of a lease whose last renewal arrived at heard; unknown if only its renewTime is known.
func LeaderOf(l *model.LeaseRow, heard model.Instant) Leader {
	is := Leader{Renewed: cmp.Or(heard, l.Renewed), Lasts: leaseSeconds * time.Second, Released: l.Holder == "", Listed: !heard.Known(), Confirmed: l.Confirmed()}
	if l.Seconds > 0 && l.Holder != "" { // a release leaves a duration of one second
		is.Lasts = time.Duration(l.Seconds) * time.Second
	}
	return is
}

// HeldFor is how long a running leader may act after its last renewal; with other flags, an upper bound.
func (l *Leader) HeldFor() time.Duration {
	if l.Lasts == leaseSeconds*time.Second {
		return givesUpAfter
	}
	return l.Lasts
}

// registered takes in RegisteredNode: a controller that registers a node it must have known has restarted.
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
	if n := s.traces.Find(e.Regarding.Name); n != nil {
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
	told := late && n > 0 && v.Earliest.Sub(s.Restarts[n-1].Latest) < OneBurst // may be of an older process
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
		s.Restarts[n-1] = v // the pass dates it better than the election
		s.elected = false
	case v.Latest < s.Restarts[n-1].Latest:
		last := &s.Restarts[n-1]
		last.Latest, last.Earliest = v.Latest, min(last.Earliest, v.Latest)
	}
}

// startedWithin bounds the pass that registered a node, by its Event, which follows the registration. late says that
// the Event was listed or written late, so that its own timestamp dates it, to the second.
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

// recordedAt bounds the time of an Event's cause by the Event's timestamp.
func recordedAt(stamp model.Instant) model.Interval {
	return model.Interval{Earliest: stamp.Add(-Reaction), Latest: stamp.Add(time.Second)}
}

// elect takes in the controller manager's lease: a new holder is a new process with an empty memory.
func (s *survey) elect(ch *model.Change) {
	if ch.Key.Name != model.ControllerManager {
		return
	}
	if ch.Lease.Holder == "" && !ch.Lease.Renewed.Known() { // known by its request only: a release has a renewTime
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

// takenAt is when a new holder took the lease that was last seen renewed at led. If that write was not seen,
// acquireTime dates it, by the holder's clock.
func takenAt(ch *model.Change, led model.Instant) model.Interval {
	if at := ch.Lease.Acquired; at.Bounded() && at > led && ch.Time.Earliest.Sub(at) > unseenFor {
		return model.Exactly(at)
	}
	return ch.Time
}

// unseenFor is how far before a write acquireTime proves an earlier one: clocks of leaders differ by less.
const unseenFor = 5 * time.Second

// renewedSomehow takes in a write of the lease whose time alone is known: a renewal, or a new holder.
func (s *survey) renewedSomehow(at model.Instant) {
	if s.Leader.Renewed.Known() {
		s.Leader.Renewed, s.Leader.Shown, s.Leader.Released = max(s.Leader.Renewed, at), 0, false
	}
}

// vacant takes in a time without a leader, unless renewals in it may be unseen.
func (s *survey) vacant(v Vacancy, released bool) {
	// An unwatched time counts if a list after it shows the lease unchanged.
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

// runs notes that a controller manager runs. If no start was recorded before, it ran before the first one.
func (s *survey) runs() { s.ranBefore = s.ranBefore || len(s.Restarts) == 0 }

// firstProcess finds whether a write, a leader, an Event or a log line precedes the first recorded start.
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
		s.First, s.Begun = first, 1
	}
}

// standingProcess reads the process at the first lists: since when it leads, and whether it registered nodes that it
// must have known. Without leader lease and Events, the lists cannot show a process that had just started.
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
			s.elected = true
			if since := at.Sub(l.Lease.Created); l.Lease.Transitions == 0 && since.Abs() < unseenFor {
				s.Begun = 1 // the lease is new: it had no other holder
			} else {
				s.Elections++
			}
		}
	}
	if began.Known() {
		s.Restarts = append(s.Restarts, began)
	}
}
