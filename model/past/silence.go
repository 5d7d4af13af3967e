package past

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/past/subjects"
)

// Verdict is the cause of a time without any renewal.
type Verdict uint8

const (
	// Undecided: either the record has a hole, or there were no writes. Neither may be relied on.
	Undecided Verdict = iota
	// Hole: the record lacks writes.
	Hole
	// Outage: there were no writes.
	Outage
)

// Silence is a time in which a record shows nothing, though a lease was due to be renewed.
type Silence struct {
	model.Interval
	Verdict Verdict
	// Why is the evidence for a Hole, or why nothing decides.
	Why Finding
}

// FindingKind is the code of a Finding.
type FindingKind uint8

const (
	// Renewed: N leases were renewed in a silence, since later requests replace missing versions.
	Renewed FindingKind = iota + 1
	// RoomFor: the resourceVersion leaves room for N writes, and Missing renewals are missing. RoomBeside: others write
	// about Usual in such a time. RoomForMore: so do they, and no renewal need be missing.
	RoomFor
	RoomBeside
	RoomForMore
	// NoVersion: no resourceVersion is known; NoVersionBeside: not on both sides.
	NoVersion
	NoVersionBeside
	// FirstSeen: no node was seen before, and N leases are right after.
	FirstSeen
	// Losing: Missing of N renewals of as many Leases are missing at random.
	Losing
)

// String is the code.
func (k FindingKind) String() string {
	return [...]string{"none", "renewed", "room-for", "room-beside", "room-for-more", "no-version", "no-version-beside", "first-seen", "losing"}[min(k, Losing)]
}

// Finding is evidence about a record, with its values.
type Finding struct {
	Kind                      FindingKind
	N, Missing, Usual, Leases int
}

func (f Finding) String() string {
	return fmt.Sprint(f.Kind, " ", f.N, " ", f.Missing, " ", f.Usual, " ", f.Leases)
}

// Beat is one write of a regularly renewed lease, which shows that a record continues.
type Beat struct {
	// Who names the lease; Node is its node, "" for a leader or an API server.
	Who, Node string
	At        model.Instant
	// Version is the new version, Previous the replaced one; 0 if unknown.
	Version, Previous uint64
	// Apart: Version and Previous are not in the order of the other kinds' resourceVersions.
	Apart bool
	// Made: the write created the lease.
	Made bool
	// Every is how often it should be renewed; 0 if unknown.
	Every  time.Duration
	Source int32
}

const (
	// renewedEvery is how often kubelets and API servers renew by default.
	renewedEvery = 10 * time.Second
	// QuietFrom is from when on a record without lines counts as quiet.
	QuietFrom = time.Second
	// around is how far from a silence the usual pace of the resourceVersion is taken.
	around = 2 * time.Minute
	// maxPauses limits the late renewals, and the samples of the resourceVersion.
	maxPauses = 200_000
)

// SilenceFinder finds the silences of records that complete each other: watches, or the audit logs of a cluster's API
// servers. The zero value is ready.
type SilenceFinder struct {
	last     subjects.Nodes[lastBeat] // by the names of leases
	late     []pause
	declared map[string][]model.Instant // node → when it was declared Unknown
}

// lastBeat is the first and the last beat of a lease, and how often it is renewed.
type lastBeat struct {
	first   Beat
	node    string
	source  int32
	at      model.Instant
	version uint64
	every   time.Duration
	heard   int
}

// pause is a time between two beats of one lease that is too long, or in which the second proves a third.
type pause struct {
	who, node string
	// source has the first, next the second; −1 if there is none.
	source, next int32
	from, to     model.Instant // to is FarFuture without a second heartbeat
	every        time.Duration
	told         time.Duration // how often the lease should be renewed
	chain        chain
}

// chain is what is known of the versions between two beats.
type chain uint8

const (
	chainUnknown chain = iota
	// chainWhole: the second replaced the first.
	chainWhole
	// chainBroken: it replaced a newer one.
	chainBroken
)

// slack is how late a beat may be.
func slack(every time.Duration) time.Duration { return every/10 + time.Second }

// Hear takes a beat. Those of one lease come in order.
func (l *SilenceFinder) Hear(b Beat) {
	if b.Every <= 0 {
		b.Every = renewedEvery
	}
	v := l.last.Of(b.Who)
	if v.heard++; v.heard == 1 {
		*v = lastBeat{b, b.Node, b.Source, b.At, b.Version, b.Every, 1}
		return
	}
	apart, chain := b.At.Sub(v.at), chainUnknown
	switch {
	case v.version == 0 || b.Previous == 0:
	case b.Previous == v.version:
		chain = chainWhole
	case b.Previous > v.version:
		chain = chainBroken
	}
	switch {
	case chain == chainBroken || apart > v.every+slack(v.every):
		if len(l.late) < maxPauses {
			l.late = append(l.late, pause{b.Who, v.node, v.source, b.Source, v.at, b.At, v.every, b.Every, chain})
		}
	case apart >= time.Second && apart < v.every:
		v.every = apart
	case apart > v.every:
		v.every += (apart - v.every) / 4
	}
	v.at, v.version, v.source = b.At, b.Version, b.Source
}

// Lose notes that a lease was written to an unknown version: the response was lost, or the object was created again.
func (l *SilenceFinder) Lose(who string) {
	if v := l.last.Find(who); v != nil {
		v.version = 0
	}
}

// Declare notes that the control plane declared a node Unknown.
func (l *SilenceFinder) Declare(node string, at model.Instant) {
	if l.declared == nil {
		l.declared = map[string][]model.Instant{}
	}
	if list := l.declared[node]; len(list) == 0 || list[len(list)-1] != at {
		l.declared[node] = append(list, at)
	}
}

// Silences are those of one record (the sources of own), out of the quiet times given, in order. versions may be nil.
func (l *SilenceFinder) Silences(quiet []model.Interval, own func(source int32) bool, versions *Versioning) (out []Silence) {
	var late []pause
	for _, c := range l.late {
		if own(c.source) || own(c.next) {
			late = append(late, c)
		}
	}
	for who, v := range l.last.All() {
		if !own(v.source) {
			continue
		}
		late = append(late, pause{who, v.node, v.source, -1, v.at, model.FarFuture, v.every, v.every, chainUnknown})
	}
	slices.SortFunc(late, func(a, b pause) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	lost := make([]int, len(quiet))
	for i := range late {
		if late[i].chain == chainBroken {
			if k := missedIn(&late[i], quiet); k >= 0 {
				lost[k]++
			}
		}
	}
	young := l.firstBeats(own)
	for k, q := range quiet {
		if lost[k] > 0 {
			out = append(out, Silence{q, Hole, Finding{Kind: Renewed, N: lost[k]}})
			continue
		}
		if silent := waitingIn(late, q); len(silent) > 0 {
			out = append(out, l.weigh(q, silent, versions))
		} else if s, ok := young.weigh(q, versions); ok {
			out = append(out, s)
		}
	}
	return out
}

// missedIn is the longest quiet time in which the next beat was due by the lease's pace; -1 without one.
func missedIn(c *pause, quiet []model.Interval) int {
	best, due := -1, c.from.Add(c.every)
	first := sort.Search(len(quiet), func(i int) bool { return quiet[i].Latest >= due.Add(-slack(c.every)) })
	for k := first; k < len(quiet) && quiet[k].Earliest <= due.Add(slack(c.every)); k++ {
		if c.to.Sub(quiet[k].Latest) <= c.every+slack(c.every) && (best < 0 || quiet[k].Width() > quiet[best].Width()) {
			best = k
		}
	}
	return best
}

// waitingIn are the pauses that started shortly before a quiet time, and miss a beat in it.
func waitingIn(late []pause, q model.Interval) (silent []pause) {
	const longest = 2 * time.Minute // no lease is renewed as seldom
	first := sort.Search(len(late), func(i int) bool { return late[i].from >= q.Earliest.Add(-longest) })
	for _, c := range late[first:] {
		if c.from > q.Earliest {
			break
		}
		if c.to >= q.Latest && q.Earliest.Sub(c.from) <= c.every+slack(c.every) && q.Width() > c.every+slack(c.every) {
			silent = append(silent, c)
		}
	}
	return silent
}

// weigh weighs the evidence for a hole and for an outage.
func (l *SilenceFinder) weigh(q model.Interval, silent []pause, versions *Versioning) Silence {
	s := Silence{Interval: q}
	whole, declared, back, missed := 0, 0, 0, 0
	for i := range silent {
		c := &silent[i]
		if c.chain == chainWhole {
			whole++
		}
		if slices.ContainsFunc(l.declared[c.node], func(t model.Instant) bool { return c.node != "" && t > c.from.Add(2*c.every) && t <= c.to }) {
			declared++
		}
		if c.to.Sub(q.Latest) <= c.every+slack(c.every) {
			back++
			missed += max(0, int(c.to.Sub(c.from)/c.every)-1)
		}
	}
	more, extra := versions.More(q)
	switch {
	case whole > 0: // their first renewals afterwards replace the last ones before
		s.Verdict = Outage
	case extra && (2*declared >= len(silent) || back == 0): // they fell silent, and others may have come back
		s.Verdict, s.Why = Undecided, more
	case 2*declared >= len(silent), back == 0: // the control plane received nothing either, or no node returns
		s.Verdict = Outage
	default:
		s.Verdict, s.Why = versions.room(q, missed)
	}
	return s
}

// Versioning is how the resourceVersion of a cluster went on, by all records together. The zero value is empty.
type Versioning struct {
	samples []versionSample
	seen    int
}

// versionSample is the greatest version by a time, and how many versions were seen by then.
type versionSample struct {
	at      model.Instant
	version uint64
	seen    int
}

// Note takes a version, in order of time.
func (v *Versioning) Note(at model.Instant, version uint64) {
	v.seen++
	n := len(v.samples)
	if n > 0 && (version <= v.samples[n-1].version || at < v.samples[n-1].at) {
		v.samples[n-1].seen = v.seen
		return
	}
	if n > 1 && at.Sub(v.samples[n-2].at) < QuietFrom/2 {
		v.samples[n-1] = versionSample{at, version, v.seen}
		return
	}
	if n >= maxPauses {
		for i := range n / 2 {
			v.samples[i] = v.samples[2*i+1]
		}
		v.samples = v.samples[:n/2]
	}
	v.samples = append(v.samples, versionSample{at, version, v.seen})
}

// least is how many renewals must be missing for the resourceVersion to prove anything.
const least = 3

// room weighs a silence, which would miss so many renewals as a hole, by the resourceVersion.
func (v *Versioning) room(q model.Interval, missed int) (Verdict, Finding) {
	if v == nil || len(v.samples) == 0 {
		return Undecided, Finding{Kind: NoVersion}
	}
	room, ok := v.unseenIn(q)
	if !ok {
		return Undecided, Finding{Kind: NoVersionBeside}
	}
	found := Finding{Kind: RoomFor, N: room, Missing: missed}
	if room == 0 || missed >= least && 2*room < missed {
		return Outage, found
	}
	others, ok := v.others(q)
	if !ok {
		return Undecided, found
	}
	if missed >= least && others <= float64(missed)/2 && float64(room)-others >= .6*float64(missed) {
		return Hole, found
	}
	found.Kind, found.Usual = RoomBeside, int(math.RoundToEven(others))
	return Undecided, found
}

// More reports whether so much was written in a silence of all records that they should have some of it.
func (v *Versioning) More(q model.Interval) (why Finding, ok bool) {
	if v == nil || q.Width() < renewedEvery+slack(renewedEvery) {
		return why, false
	}
	room, ok := v.unseenIn(q)
	if !ok {
		return why, false
	}
	others, ok := v.others(q)
	// Other writes come in bursts: a little more than usual proves nothing.
	if more := float64(room) - others; !ok || more < max(least, others/2, 2.5*math.Sqrt(others)) {
		return why, false
	}
	return Finding{Kind: RoomForMore, N: room, Usual: int(math.RoundToEven(others))}, true
}

// unseenIn is how many versions of a time no record shows.
func (v *Versioning) unseenIn(q model.Interval) (n int, ok bool) {
	if v == nil {
		return 0, false
	}
	before, after := v.beside(q)
	if before < 0 || after == len(v.samples) {
		return 0, false
	}
	return v.unseen(before, after), true
}

func (v *Versioning) beside(q model.Interval) (before, after int) {
	after = sort.Search(len(v.samples), func(i int) bool { return v.samples[i].at >= q.Latest })
	before = sort.Search(len(v.samples), func(i int) bool { return v.samples[i].at > q.Earliest }) - 1
	return before, after
}

func (v *Versioning) unseen(i, k int) int {
	a, b := v.samples[i], v.samples[k]
	return max(0, int(min(b.version-a.version, 1<<40))-(b.seen-a.seen))
}

// others is how many unseen versions are usual for as long a time, judged by the time around.
func (v *Versioning) others(q model.Interval) (n float64, ok bool) {
	before, after := v.beside(q)
	first := sort.Search(len(v.samples), func(i int) bool { return v.samples[i].at >= q.Earliest.Add(-around) })
	last := sort.Search(len(v.samples), func(i int) bool { return v.samples[i].at > q.Latest.Add(around) }) - 1
	if first > before || after > last {
		return 0, false
	}
	calm := v.samples[before].at.Sub(v.samples[first].at) + v.samples[last].at.Sub(v.samples[after].at)
	if calm < 2*renewedEvery {
		return 0, false
	}
	return float64(v.unseen(first, before)+v.unseen(after, last)) / calm.Seconds() * q.Width().Seconds(), true
}
