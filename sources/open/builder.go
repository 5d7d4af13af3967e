package open

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/read/audit"
	"kardia/sources/read/chronology"
	"kardia/sources/read/entries"
	"kardia/sources/read/era"
	"kardia/sources/read/identity"
	"kardia/sources/read/input"
	"kardia/sources/read/klog"
	"kardia/sources/read/object"
	"kardia/sources/read/prometheus"
	"kardia/sources/recording"
)

type builder struct {
	packed     map[string]bool // files that are compressed
	ctx        context.Context
	options    Options
	decoder    *object.Decoder
	seen       *audit.IDs
	who        *identity.Inputs
	progress   progress
	sightings  []chronology.Sighting
	ready      []chronology.Sighting // of a stream, those that are dated now
	captured   []member
	watchOf    map[string]int32 // the source of a watch that was recorded event by event, by its group
	notices    []chronology.Notice
	logs       []*logged
	sampled    prometheus.Log         // of all files
	gaps       []history.Gap          // of recordings that are merged
	clocks     []history.ClockReading // likewise
	statements []history.Statement    // likewise
	wholes     []chronology.Whole     // likewise, of those behind the first
	merged     []*recording.File
	joined     []*recording.File
	sources    []history.Source
	skipped    []string
	instead    string // what to capture instead of the first skipped file that kubectl printed
	passed     int
	version    string
	system     string // the UID of kube-system
	partial    bool
	holeFinder holeFinder
	eras       era.Eras
	aside      map[int32]*era.Aside // the timestamps of a source that were set aside
}

const maxProblems = 100

func (b *builder) source(path, format string) int32 {
	b.sources = append(b.sources, history.Source{Path: path, Format: format, Kinds: map[model.Kind]int{}})
	index := int32(len(b.sources) - 1)
	b.who.Of(index, path)
	return index
}

func (b *builder) problem(source int32, line int, offset int64, what string) {
	b.partial = true
	s := &b.sources[source]
	if len(s.Problems) >= maxProblems {
		s.Dropped++
		return
	}
	s.Problems = append(s.Problems, history.Problem{Path: s.Path, Line: line, Offset: offset, What: what})
}

// note reports a defect in a source that was used all the same.
func (b *builder) note(source int32, what string) {
	partial := b.partial
	b.problem(source, 0, 0, what)
	if s := &b.sources[source]; s.Dropped == 0 {
		s.Problems[len(s.Problems)-1].Used = true
	}
	b.partial = partial
}

// oneClock joins the findings on the clocks of sources in one file, of one recorder, unless they contradict each other.
func (b *builder) oneClock(list []chronology.Clock) (out []chronology.Clock) {
	for _, c := range list {
		i := slices.IndexFunc(out, func(o chronology.Clock) bool {
			return b.sources[o.Source].Path == b.sources[c.Source].Path && b.sources[o.Against].Path == b.sources[c.Against].Path &&
				max(o.Ahead.Least, c.Ahead.Least) <= min(o.Ahead.Most, c.Ahead.Most)
		})
		if i < 0 {
			out = append(out, c)
			continue
		}
		o := &out[i]
		o.Ahead.Least, o.Ahead.Most = max(o.Ahead.Least, c.Ahead.Least), min(o.Ahead.Most, c.Ahead.Most)
		o.Writes += c.Writes
	}
	return out
}

// setAside makes timestamps unknown that are far from those counted so far.
func (b *builder) setAside(sightings []chronology.Sighting) {
	believed := b.eras.Believed()
	for i := range sightings {
		s := &sightings[i]
		var aside era.Aside
		if aside.Clear(&s.Change, &s.Stamps, believed); aside.N == 0 {
			continue
		}
		if b.aside == nil {
			b.aside = map[int32]*era.Aside{}
		}
		if was := b.aside[s.Origin.Source]; was != nil {
			was.N += aside.N
		} else {
			b.aside[s.Origin.Source] = &aside
		}
	}
	for i := range b.notices {
		if n := &b.notices[i]; n.Arrival.Known() && !believed.Contains(n.Arrival) {
			n.Arrival = 0
		}
	}
}

// sayAside notes for each source the timestamps that were set aside.
func (b *builder) sayAside() {
	for source := range b.sources {
		if aside := b.aside[int32(source)]; aside != nil {
			b.note(int32(source), aside.String())
		}
	}
}

func (b *builder) count(from model.Origin, ch *model.Change) {
	s := &b.sources[from.Source]
	if s.Changes == 0 || ch.Quality < s.Quality {
		s.Quality = ch.Quality
	}
	s.Changes++
	s.Kinds[ch.Kind]++
}

func (b *builder) whyNothing() string {
	for _, s := range b.sources {
		for _, p := range s.Problems {
			if !p.Used {
				return p.String()
			}
		}
	}
	switch {
	case b.instead != "":
		return b.instead
	case len(b.skipped) > 0:
		return fmt.Sprintf("none of %d files holds watch events, objects or an audit log (%s)", len(b.skipped), strings.Join(b.skipped[:min(3, len(b.skipped))], ", "))
	case b.passed > 0:
		return fmt.Sprintf("none of %d members of archives holds watch events, objects or an audit log", b.passed)
	}
	for _, s := range b.sources {
		if len(s.Empty) > 0 {
			return fmt.Sprintf("%s is an empty list of %ss, and nothing else shows a node, lease, pod or Event", s.Path, s.Empty[0])
		}
	}
	if len(b.sources) > 0 {
		return "no Node, Lease, Pod or Event in " + b.sources[0].Path
	}
	return "there are no files"
}

// identify takes a sighting's evidence about its cluster.
func (b *builder) identify(s *chronology.Sighting) {
	if s.Kind == model.KindServerLease {
		return // its name contains the machine's: servers of two clusters may have the same without being related
	}
	written := max(s.Stamps.Managed, s.Lease.Renewed)
	stamped := max(written, s.Arrival)
	if s.Quality == model.ByServer && s.Time.Bounded() {
		stamped = max(stamped, s.Time.Earliest)
	}
	created := s.Stamps.Created
	switch {
	case s.Node != nil:
		created = cmp.Or(created, s.Node.Created)
		if ready := s.Node.Ready(); ready != nil {
			stamped, written = max(stamped, ready.Heartbeat), max(written, ready.Heartbeat)
		}
	case s.Kind == model.KindNodeLease:
		created = cmp.Or(created, s.Lease.Created)
	case s.Pod != nil:
		created = cmp.Or(created, s.Pod.Created)
	}
	b.who.Add(identity.Sighting{Change: &s.Change, Source: s.Origin.Source, List: s.List, Created: created, Stamped: stamped, Written: written})
}

// holeFinder finds gaps that the files do not report: holes in a log or a watch, certain or possible.
type holeFinder struct {
	versions        past.Versioning
	audits, watches past.SilenceFinder
	logs            map[int32]*audit.Reader
	apart           []model.Kind // kinds whose resourceVersions are not of the others' order
	// In quiet no watch reported a lease, in calm nothing. spoke are the times of reports, to half of past.QuietFrom.
	quiet, calm quietness
	spoke       map[int32][]model.Instant
}

// quietness is when nothing was reported for past.QuietFrom or longer.
type quietness struct {
	times []model.Interval
	last  model.Instant
}

type logged struct {
	file   input.File
	source int32
	reader *klog.Reader
}

type stream struct {
	file   input.File
	source int32
	first  model.Instant // of its first line, by which logs take their turns

	reader *input.Reader
	lines  entries.Lines
	log    *audit.Reader
	newest model.Instant
	done   bool
	// unusable counts the unusable lines before the next one.
	unusable int
}
