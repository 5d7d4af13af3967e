// Package screen is the input of every view: the state at one time, and its causes. A view reads a Snapshot and
// computes no facts. Example: screens/fleet draws the nodes of Snapshot.Nodes.
package screen

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/past"
	"kardia/model/simulate/alternative"
	"kardia/sources/capture/stream"
	"kardia/ui/contract"
	"kardia/ui/nodes"
)

// Mode is the source of the time shown. A permanent badge on every screen shows it, because it must not be confused.
type Mode uint8

const (
	// Live: the time shown is now, and moves.
	Live Mode = iota
	// LivePaused: a live session, held while the watch continues.
	LivePaused
	// Playing: a recording, moving.
	Playing
	// Paused: a recording, held.
	Paused
	// Ended: a recording, at its end.
	Ended
	// LiveReplay: a live session that replays its history while the watch continues.
	LiveReplay
)

func (m Mode) String() string {
	return [...]string{"LIVE", "LIVE PAUSED", "REPLAY", "REPLAY PAUSED", "REPLAY END", "LIVE REPLAY"}[min(m, LiveReplay)]
}

// Moves reports whether the time shown moves by itself.
func (m Mode) Moves() bool { return m == Live || m == Playing || m == LiveReplay }

// Watches reports whether a cluster is watched, whichever time is shown.
func (m Mode) Watches() bool { return m == Live || m == LivePaused || m == LiveReplay }

// Opening is how far the opening of a recording has come, in bytes; Total is 0 while that is not known.
type Opening struct {
	Done, Total int64
	// Plays reports that they are nanoseconds of a running scenario.
	Plays bool
	For   time.Duration
}

// Share is the part that is read, 0 to 1.
func (o Opening) Share() float64 {
	if o.Total <= 0 {
		return 0
	}
	return float64(o.Done) / float64(o.Total)
}

// Rate is bytes a second; 0 while that is not known.
func (o Opening) Rate() float64 {
	if o.For < time.Second {
		return 0
	}
	return float64(o.Done) / o.For.Seconds()
}

// Left is how long it takes yet at the rate so far; false while that is not known.
func (o Opening) Left() (time.Duration, bool) {
	rate := o.Rate()
	if rate <= 0 {
		return 0, false
	}
	return time.Duration(float64(o.Total-o.Done) / rate * float64(time.Second)), true
}

// Memory is the data that a session keeps in memory to reach other times faster.
type Memory struct {
	// Seek are states to fold on from, Source the recording's own data, Models states of the controllers' models.
	Seek, Source, Models history.Kept
}

// Snapshot is the state at one time and all that every screen shows of it. It must not be modified, and does not change
// when the session advances. Only the Overview of its Past is that of the session, and grows.
type Snapshot struct {
	// Revision changes whenever anything below may have changed. Ages also change with At.
	Revision uint64
	Cluster  *model.Cluster
	At       model.Instant
	// Underway is a long seek; zero without one.
	Underway Underway
	Params   model.Params
	// ZoneLabel is a label of nodes whose value is shown beside a zone's name; "" for none.
	ZoneLabel string
	// Thresholds are the limits from which something needs attention.
	Thresholds nodes.Thresholds

	Mode Mode
	// Name is the context or the recording.
	Name string
	// Speed is the factor of replay, 0.25 to 1024.
	Speed float64
	// Coverage and Gaps are those of the History; Blind reports that At lies in a gap.
	Coverage model.Interval
	// Remembered is the start of the time before the Coverage that timestamps and Events show; unknown without any.
	Remembered model.Instant
	Gaps       []history.Gap
	// Unwatched is when which kinds were not watched: their earlier state is the last known.
	Unwatched history.Unwatched
	Blind     bool
	// AsOf is the last sign of life of the source, if At is in a gap or the API server does not answer. Nodes silent
	// since then are not known to be silent. Unknown if everything is current.
	AsOf model.Instant
	// Silent reports that nothing has arrived since AsOf until now: a session held at At knows as much as a live one.
	Silent bool
	// Read is the time by which heartbeats were read in a capture; the zero value is At.
	Read model.AsOf
	// Lost is how the API server of a live session fails to answer; "" while it answers.
	Lost string
	// Standstills are the times in which the controllers of a live session missed required actions, in order; one
	// without an end has FarFuture.
	Standstills []model.Interval
	// Said is the statements of components in their own logs, in order; with the Curtain only those by At.
	Said []history.Statement
	// Kinds reports which kinds the History has: a panel without its kind shows that.
	Kinds map[model.Kind]bool
	// PodsListed is the time from which all pods are known, if their first list came last; else unknown.
	PodsListed model.Instant
	// Caveats are why something may not be stated of At; none while nothing is read.
	Caveats caveat.List
	// Status is the state of the watches; nil in a replay.
	Status []stream.Status
	// Contact is the state of a live session's source as a whole.
	Contact stream.Contact
	// Loading is the progress of opening a recording: 0 to 1.
	Loading float64
	// Opening is the same in bytes and time; zero when it is over.
	Opening Opening

	Memory Memory

	// Judged is the models' result; nil if no models run.
	Judged *outlook.Judgement
	// JudgedAsOf is the time of the models' result, if it is more than a pass ago and the models still have news to
	// read; else unknown. States, queues and the headline show it.
	JudgedAsOf model.Instant
	// Stepped is the decision that was stepped to; nil otherwise.
	Stepped *model.Decision

	// Curtain hides events after At: Judged and Past hold none of them. The Overview and the end of the Coverage still
	// do, and must not be drawn beyond At.
	Curtain bool
	// Timeline is the whole covered time; nil if not requested.
	Timeline *Timeline

	// Track is a node's past over a window. It may be slow: the session caches it, and only the node view asks for it.
	Track func(node string, window model.Interval) *past.Track

	// Margin is how near nodes came to being declared Unknown within a time, as far as worked out; nil if it is not. It
	// is asked for only while on screen.
	Margin func(over model.Interval) Margin

	// Hypotheses would explain the unexplained writes without direct evidence, as far as searched; nil if not. It is
	// asked for only while on screen.
	Hypotheses func() Hypotheses

	// Alternatives is the simulated results of possible events for a node, and of remedies, at the time that it names.
	// nil while that is being worked out; asked for only for the node in sight.
	Alternatives func(node string) *alternative.Tried

	// Branch is the simulated result under other conditions; nil if not requested.
	Branch *Branch

	// Beside is another incident that this one is compared with; nil for none.
	Beside *Beside

	derived derived
}

// derived is the values computed from a Snapshot once for all screens, and their inputs.
type derived struct {
	nodes    *nodes.List
	of       *model.Cluster
	revision uint64
	at       nodes.AsOf
	outlook  *outlook.Outlook
}

// NotKnown are the reasons why some claims are not supported, for the person; first is the first of them, for a small
// place. "" if the claims are supported.
func (s *Snapshot) NotKnown(claims caveat.Claim) (all, first string) {
	list := contract.CaveatsOf(s.Caveats.Forbids(claims))
	if len(list.NotKnown) > 0 {
		first = list.NotKnown[0].Says
	}
	return list.Says(), first
}

// Node is a node at At by its name; nil if there is none.
func (s *Snapshot) Node(name string) *model.NodeRow {
	if s.Cluster == nil {
		return nil
	}
	return s.Cluster.Node(name)
}

// Result is what the models found; nil without one.
func (s *Snapshot) Result() *infer.Result {
	if s.Judged == nil {
		return nil
	}
	return s.Judged.Result
}

// Outages is how often nothing was known for a while: gaps of several watches that overlap are one.
func (s *Snapshot) Outages() (n int) {
	gaps := slices.Clone(s.Gaps)
	slices.SortFunc(gaps, func(a, b history.Gap) int { return cmp.Compare(a.Earliest, b.Earliest) })
	until := model.FarPast
	for i := range gaps {
		if gaps[i].Earliest > until || i == 0 {
			n++
		}
		until = max(until, gaps[i].Latest)
	}
	return n
}

// Follow takes over from the Snapshot before the values that still hold.
func (s *Snapshot) Follow(before *Snapshot) {
	if before != nil {
		s.derived = before.derived
	}
}

// Nodes are the nodes and zones at At, and which of them are late as of the last sign of life.
func (s *Snapshot) Nodes() *nodes.List {
	d := &s.derived
	at := nodes.AsOf{Now: s.ReadAsOf(s.From()), Confirmed: s.ReadAsOf(s.Confirmed()), Grace: s.Params.NodeMonitorGracePeriod.Value, ZoneLabel: s.ZoneLabel, Thresholds: s.Thresholds}
	if d.nodes == nil || d.of != s.Cluster || d.revision != s.Revision || d.at != at {
		d.nodes, d.of, d.revision, d.at = nodes.Read(s.Cluster, at, s.Unwatched, d.nodes), s.Cluster, s.Revision, at
	}
	return d.nodes
}

// Outlook is the models' result for At.
func (s *Snapshot) Outlook() *outlook.Outlook {
	unsettled := s.Unwatched.Unsettles(s.At, s.Params.NodeMonitorGracePeriod.Value+s.Params.NodeMonitorPeriod.Value)
	s.derived.outlook = outlook.Read(s.Judged, s.At, unsettled, s.derived.outlook)
	return s.derived.outlook
}

// Underway is a long seek. The time shown is still the one before it, and its target may be unknown.
type Underway struct {
	// What is the target, and At the progress; "" if At is the target itself.
	What string
	At   model.Instant
}

// ReadAsOf is the time by which the heartbeats of the state were read: one time, or a bound in a capture.
func (s *Snapshot) ReadAsOf(at model.Instant) model.AsOf {
	if s.Read == (model.AsOf{}) {
		return model.Watched(at)
	}
	return s.Read
}

// Reach is the time that can be gone to: the Coverage, and the reconstructed time before.
func (s *Snapshot) Reach() model.Interval { return Reach(s.Coverage, s.Remembered) }

// Reach is a coverage and the reconstructed time before.
func Reach(coverage model.Interval, remembered model.Instant) model.Interval {
	if remembered.Bounded() && remembered < coverage.Earliest {
		coverage.Earliest = remembered
	}
	return coverage
}

// Confirmed is the time up to which the state shown is confirmed: At, or AsOf if the source has been silent since.
func (s *Snapshot) Confirmed() model.Instant {
	if s.AsOf.Known() {
		return min(s.AsOf, s.At)
	}
	return s.At
}

// From is the time that ages and countdowns count from: At, or the last sign of life if nothing has arrived since.
// Otherwise the two would contradict each other: a node would be silent ever longer while its pods stayed seven seconds
// from deletion. Only the time since the last arrival grows.
func (s *Snapshot) From() model.Instant {
	if s.Mode == Live || s.Silent {
		return s.Confirmed()
	}
	return s.At
}
