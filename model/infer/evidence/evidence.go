// Package evidence tells what a source shows of the controllers, without any model: what they wrote and
// within when, what must have happened while nobody watched, when nodes were heard last, and which
// processes began.
package evidence

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// How far what is seen may lie from what it tells of.
const (
	// LagBound is how long after a decision its write may come: workers that wait for each other, and one
	// conflict with its retry.
	LagBound = time.Second
	// Reaction is how long after a pass or tick decides its first request reaches the API
	// server, at most.
	Reaction = 40 * time.Millisecond
	// SeenWithin is how long after it was written a sign of life is in the controller's cache, at
	// most.
	SeenWithin = 50 * time.Millisecond
	// PassIdle is what a pass takes that finds nothing to do, at most.
	PassIdle = 10 * time.Millisecond
	// RenewsWithin is how often a kubelet renews its lease, and a little: a node that was heard so
	// lately is declared by a controller whose cache is behind, whatever its flags are.
	RenewsWithin = 15 * time.Second
	// CatchesUp is how long after an outage of the API server the caches of the controllers may be
	// behind: their watches are dialled again later and later.
	CatchesUp = time.Minute
)

// Scope says what is read of a History, and with which of the controllers' times.
type Scope struct {
	Coverage model.Interval
	// Until: nothing after it is read.
	Until model.Instant
	// Period is that of the monitor's passes.
	Period time.Duration
	// Prologue is how long before a known state the models begin; 0 where the time cannot be judged, and
	// no state is taken in.
	Prologue time.Duration
	// Share is which share of the work reading is.
	Share float64
	// Lasting says that what the History hands out lies in memory as long as the Evidence, and never changes: it is
	// held, and not copied.
	Lasting bool
}

// Evidence is what a source shows. It must not be modified, but for Writes by the one who explains them.
type Evidence struct {
	Begins model.Instant // of coverage
	Period time.Duration // of the monitor, as in the Scope
	Last   model.Instant // of the last Change that was read

	// Writes are those of the controllers that were seen, in order of time.
	Writes []Seen
	// Backlogs are the times in which node-lifecycle wrote without a pause, more than its client lets through at once, in order.
	Backlogs []model.Interval
	// Cycles are those of pod garbage collection that left a trace.
	Cycles []model.Instant
	// Steps are versions that nobody has seen, and Moved the positions of Changes that are folded as Steps.
	Steps []Step
	Moved map[int]bool
	// Repeats are what was tried to do to pods again, and Patched when objects were patched, and it is not
	// known how.
	Repeats map[model.Key][]Repeat
	Patched map[model.Reference][]model.Interval

	// Stalls are the times in which the API server took no write, in order.
	Stalls []model.Interval

	// Seeds are the objects that stood there before the first Change; KnownStart says that these are all.
	Seeds      Seeds
	KnownStart bool
	Bindings   Bindings
	Gaps       Gaps
	// Ends is since when nothing tells of a kind that its watch went on: it was the last that the files of watches show.
	// FarFuture where something tells.
	Ends [model.KindPod + 1]model.Instant

	// Heard is when nodes were heard last, and BecameReady when nodes became Ready, or came and were, in the
	// order seen.
	Heard       map[string]Signs
	BecameReady []model.Interval
	// Unseen are nodes known by their leases only, or OtherNodes if no lease is known; Unleased those of which
	// no lease is known: they may beat. Deleted is when the objects of nodes went first, LastDeleted when they did last.
	Unseen []string
	// Others says that there may be nodes of which nothing is shown: no list names all, and some stood there
	// before anybody wrote to them.
	Others               bool
	Unleased             map[string]bool
	Deleted, LastDeleted map[string]model.Instant
	// Known are those of them whose objects had been shown before they went.
	Known map[string]bool
	// LeasedFrom is when the lease was seen first of a node that stood there before it: when it was renewed before
	// that is not known.
	LeasedFrom map[string]model.Instant
	// Nodes is how many there are at the end; Listed is by when a list had shown all of them, FarFuture where
	// none did.
	Nodes  int
	Listed model.Instant
	// Counts are how many Changes of each kind there are.
	Counts [model.KindLeaderLease + 1]int

	// Restarts are within when the first passes of new processes began; Elections and Registrations how many of
	// them are known by what. TellsRestarts: the first lists would tell of a process that had just begun.
	Restarts                 []model.Interval
	Elections, Registrations int
	TellsRestarts            bool
	// Vacancies are the times without a leader of the controller manager, in order.
	Vacancies []Vacancy
	// Leader is what the controller manager's lease told last.
	Leader Leader
	// First is by when the first process began that is told of, where nothing shows that one ran before it; unknown
	// where something does.
	First model.Instant
	// TakesWrites is since when the API server takes writes, as the leases of the first lists show; AllLate
	// that none of them had been renewed for long: nobody, or nothing, was heard.
	TakesWrites model.Instant
	AllLate     bool
	// Logs are those of the controller manager that were read, and Told when passes came by of which they tell, in
	// order: at the beginning of each, or later in it.
	Logs []Log
	Told []model.Interval

	heardIn map[gapOf]model.Instant             // the last renewal that a gap hides others before
	shown   map[model.Reference][]model.Instant // objects → when versions of them were, if it matters
}

// Repeat is a request about a pod that changed nothing.
type Repeat struct {
	Time     model.Interval
	Evidence model.Input
}

// Read finds what an Input shows. It narrows the Input to what is to be driven over: after the lists that
// tell what stood there, and up to the last Change that counts.
func Read(in *Input, scope Scope) (*Evidence, error) {
	s := newSurvey(scope)
	s.sources = in.History.Sources()
	in.Share(0, scope.Share/3)
	if err := s.findStalls(in); err != nil {
		return nil, err
	}
	s.Gaps, s.Ends = gapsIn(in.History, s.Evidence.Stalls), endsIn(in.History)
	for _, kind := range in.listed {
		s.Gaps[kind] = nil
	}
	s.blindOfLeaders = history.BlindIn(in.History, model.KindLeaderLease)
	if scope.Prologue > 0 {
		if err := s.takeBase(in, scope); err != nil {
			return nil, err
		}
	}
	in.Share(scope.Share/3, scope.Share)
	err := in.Pages(in.First, func(page *history.Condensed, from, to int) (bool, error) {
		if n := s.page(page, from, to); n < to {
			in.End = page.Start + n
			return false, nil
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	s.end()
	said := in.History.Statements()
	s.hearLogs(said, model.Interval{Earliest: scope.Coverage.Earliest, Latest: min(scope.Coverage.Latest, scope.Until)})
	s.firstProcess(said)
	return s.Evidence, nil
}

// Sharing is the same Evidence with Writes of its own.
func (e *Evidence) Sharing() *Evidence {
	c := *e
	c.Writes = slices.Clone(e.Writes)
	for i := range c.Writes {
		w := *c.Writes[i].Write
		c.Writes[i].Write = &w
	}
	return &c
}

// HeardIn is the last renewal of a node that a gap hides others before; ok is false where there is none.
func (e *Evidence) HeardIn(gap *Gap, node string) (last model.Instant, ok bool) {
	last, ok = e.heardIn[gapOf{gap.Earliest, node}]
	return last, ok
}
