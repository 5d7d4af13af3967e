// Package evidence finds, without a model, what a source shows of the controllers: writes with time bounds, events
// hidden in gaps, and starts of processes. It also has the last signs of life of nodes. For example, two versions of a
// Node that differ by a NoExecute taint yield one Write of kind TaintNoExecute.
package evidence

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// Bounds on delays between a cause and its trace.
const (
	// LagBound is the longest delay from a decision to its write: workers wait, and one conflict is retried.
	LagBound = time.Second
	// Reaction is the longest delay from the decision of a pass or tick to the arrival of its first request.
	Reaction = 40 * time.Millisecond
	// SeenWithin is the longest delay from the write of a sign of life to its arrival in the controller's cache.
	SeenWithin = 50 * time.Millisecond
	// PassIdle is the longest duration of a pass that finds nothing to do.
	PassIdle = 10 * time.Millisecond
	// RenewsWithin is a kubelet's renewal interval and a margin. If a node with a younger renewal is declared Unknown,
	// the controller's cache is behind, whatever its flags are.
	RenewsWithin = 15 * time.Second
	// CatchesUp is how long the controllers' caches may be behind after an outage: watches reconnect with a backoff.
	CatchesUp = time.Minute
)

// Scope is the part of a History to read, and the controllers' times to read it with.
type Scope struct {
	Coverage model.Interval
	// Until is the last time that is read.
	Until  model.Instant
	Period time.Duration
	// Prologue is how far before a known state the models start; 0 if that time is not judged: no state is taken in.
	Prologue time.Duration
	Share    float64
	// Lasting says that the objects of the History outlive the Evidence unchanged: they are held without a copy.
	Lasting bool
}

// Evidence is what a source shows. It must not be modified, except Writes, by the caller that explains them.
type Evidence struct {
	Begins model.Instant // start of coverage
	Period time.Duration // of the monitor passes
	Last   model.Instant // time of the last Change read

	// Writes are those of the controllers, by time, as are Backlogs, Cycles, Stalls, Vacancies and the passes in logs.
	Writes []Seen
	// Backlogs are the times in which node-lifecycle wrote more than its client's burst without a pause.
	Backlogs []model.Interval
	// Cycles are the pod garbage collections that left a trace.
	Cycles []model.Instant
	// Steps are unseen versions; Moved holds the positions of Changes that are folded as Steps.
	Steps []Step
	Moved map[int]bool
	// Repeats are repeated requests about pods without effect. Patched are the times of patches with unknown content.
	Repeats map[model.Key][]Repeat
	Patched map[model.Reference][]model.Interval

	// Stalls are the times in which the API server took no write.
	Stalls []model.Interval

	// Seeds are the objects that existed before the first Change; KnownStart says that there were no others.
	Seeds      Seeds
	KnownStart bool
	Bindings   Bindings
	Gaps       Gaps
	// Ends is when the watch of a kind ends, maybe cut off, if only files of watches show the kind; else FarFuture.
	Ends [model.KindPod + 1]model.Instant

	// Heard has the last signs of life. BecameReady is when nodes became Ready or joined as Ready, in the order seen.
	Heard       map[string]Signs
	BecameReady []model.Interval
	// Unseen are lease-only nodes, or OtherNodes if no lease is known. Unleased are nodes without a known lease: they
	// may renew one. Deleted and LastDeleted are the first and the last deletion of each Node object.
	Unseen []string
	// Others says that nodes may exist unseen: no list names all, and some existed before their first Change.
	Others               bool
	Unleased             map[string]bool
	Deleted, LastDeleted map[string]model.Instant
	// Refused is when a write of node-lifecycle to a node was first refused, if none was accepted since.
	Refused map[string]model.Instant
	// Known are the Deleted nodes whose objects were seen before.
	Known map[string]bool
	// LeasedFrom is when the lease of a node that existed before it was first seen: earlier renewals are unknown.
	LeasedFrom map[string]model.Instant
	// Nodes are those at the end. Listed is when a list had shown all nodes; FarFuture without one.
	Nodes  int
	Listed model.Instant
	Counts [model.KindLeaderLease + 1]int

	// Restarts bound the first passes of new processes; Elections and Registrations count their sources. Begun is 1 if
	// no process ran before the first of them, else 0. TellsRestarts says that the first lists would show a process that had
	// just started.
	Restarts                        []model.Interval
	Elections, Registrations, Begun int
	TellsRestarts                   bool
	Vacancies                       []Vacancy
	// Leader is the last known state of kube-controller-manager's lease.
	Leader Leader
	// First is the start of the first recorded process if nothing shows an earlier one; else unknown.
	First model.Instant
	// TakesWrites is since when the API server takes writes, by the leases of the first lists. AllLate says that none
	// of several leases was renewed within RenewsWithin.
	TakesWrites model.Instant
	AllLate     bool
	// Logs are the controller manager's logs; the intervals are when they show passes: at their start, or later.
	Logs []Log
	Told []model.Interval

	heardIn map[gapOf]model.Instant             // the last known renewal in a gap
	shown   map[model.Reference][]model.Instant // objects → times of their versions, for kinds with an unlisted gap
}

// Repeat is a request about a pod that changed nothing.
type Repeat struct {
	Time     model.Interval
	Evidence model.Input
}

// Read finds what an Input shows. It narrows the Input to the range for the models: from after the initial lists to the
// last Change that counts.
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

// Sharing is a copy of the Evidence with Writes of its own.
func (e *Evidence) Sharing() *Evidence {
	c := *e
	c.Writes = slices.Clone(e.Writes)
	for i := range c.Writes {
		w := *c.Writes[i].Write
		c.Writes[i].Write = &w
	}
	return &c
}

// LastWrite is the latest end of the writes that count; FarPast without one.
func (e *Evidence) LastWrite(counts func(*Seen) bool) model.Instant {
	last := model.FarPast
	for w := range model.Each(e.Writes) {
		if counts(w) {
			last = max(last, w.Time.Latest)
		}
	}
	return last
}

// HeardIn is a node's last known renewal in a gap, which hides earlier ones.
func (e *Evidence) HeardIn(gap *Gap, node string) (last model.Instant, ok bool) {
	last, ok = e.heardIn[gapOf{gap.Earliest, node}]
	return last, ok
}
