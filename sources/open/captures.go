package open

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/read/chronology"
	"kardia/sources/read/input"
)

// ErrCapturedAt reports that the time given for a capture is impossible.
var ErrCapturedAt = errors.New("the capture cannot have been taken then")

type named struct {
	path string
	// when its captures were taken; unknown if not given
	when model.Instant
}

// readNamed reads PATH@TIME. An existing file of that name takes precedence.
func readNamed(text string) named {
	at := strings.LastIndexByte(text, '@')
	if at <= 0 {
		return named{path: text}
	}
	t, err := time.Parse(time.RFC3339Nano, text[at+1:])
	if err != nil || !model.At(t).Bounded() {
		return named{path: text}
	}
	if _, err := os.Lstat(text); err == nil {
		return named{path: text}
	}
	return named{text[:at], model.At(t)}
}

// member is a file, or a list of one, without history.
type member struct {
	source     int32
	path       string
	group      string // its group: the folder, and the time in its name or in its contents
	when       model.Instant
	says       model.Instant // when, by the file's own contents; unknown if they do not show it
	after      model.Instant // not before then, as ages in it show; unknown if they do not
	own        bool          // it was taken then
	taken      model.Interval
	first, end int // its sightings
}

// apart is how far apart answers of the API server that belong together may be, if each has its arrival.
const apart = 10 * time.Second

// capture takes a source without history. at is the file's time, after the earliest time by ages in it; or unknown.
func (b *builder) capture(f input.File, source int32, sightings []chronology.Sighting, at, after model.Instant) {
	for i := range sightings {
		sightings[i].Origin.Source = source
	}
	m := member{source: source, path: f.Path, says: at, after: after, first: len(b.sightings), end: len(b.sightings) + len(sightings)}
	b.sightings = append(b.sightings, sightings...)
	if m.end > m.first {
		b.captured = append(b.captured, m)
	}
}

var resources = map[model.Kind]string{model.KindNode: "nodes", model.KindNodeLease: "leases", model.KindPod: "pods"}

// unlisted marks the sources whose objects were requested by name: the output of describe, and a single object that is
// no item of a list. Several, each in a file, are taken for a bundle of all there are. So is one in the folder that a
// must-gather has for its kind.
func (b *builder) unlisted() {
	alone := map[model.Kind]int{}
	single := func(m member) bool {
		return m.end == m.first+1 && b.sightings[m.first].List == 0 &&
			!slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(m.path)), "/"), resources[b.sightings[m.first].Kind])
	}
	for _, m := range b.captured {
		if single(m) {
			alone[b.sightings[m.first].Kind]++
		}
	}
	for _, m := range b.captured {
		s := &b.sources[m.source]
		s.Unlisted = s.Format == "describe" || single(m) && alone[b.sightings[m.first].Kind] == 1
	}
}

// place finds when a member was taken, and its group. Its own time is not used if timestamps in it are later.
func (b *builder) place(m *member) {
	m.taken = chronology.Bounds(b.sightings[m.first:m.end])
	if !b.eras.Believed().Contains(m.after) {
		m.after = 0
	}
	if m.after.Known() {
		m.taken = model.Interval{Earliest: max(m.taken.Earliest, m.after), Latest: max(m.taken.Latest, m.after)}
	}
	m.group, m.when = b.groupOf(m.path)
	if at := m.says; !m.when.Known() && at.Known() && b.eras.Believed().Contains(at) && m.taken.Earliest <= at.Add(clockTolerance) {
		m.when, m.own = at, true
		m.group += "@" + at.Truncate(apart).String()
	}
}

// groupOf is the group of a file: its named folder, or else itself. Files in it with one time in their names are one.
func (b *builder) groupOf(path string) (group string, when model.Instant) {
	group = filepath.Dir(path)
	for _, n := range b.options.named {
		folder := strings.TrimSuffix(n.path, string(filepath.Separator)) + string(filepath.Separator)
		switch {
		case n.path == path:
			when = n.when
		case strings.HasPrefix(path, folder):
			group, when = n.path, n.when
		}
	}
	if when.Known() {
		return group + "@" + when.String(), when
	}
	return group + "@" + timeIn.FindString(strings.TrimPrefix(path, group)), b.options.CapturedAt
}

// timeIn matches 2026-11-20T23:52:10Z, 20261120-235210, 2026-11-20_23.52, 1795176000.
var timeIn = regexp.MustCompile(`20[0-9]{2}[-_.]?[01][0-9][-_.]?[0-3][0-9][-_.T ]?[0-2][0-9][-_.:h]?[0-5][0-9]([-_.:m]?[0-5][0-9])?|\b1[5-9][0-9]{8}\b`)

// captures groups the members taken together: those of a group, unless versions or timestamps show otherwise.
func (b *builder) captures() ([]chronology.Capture, error) {
	members := slices.Clone(b.captured)
	for i := range members {
		b.place(&members[i])
	}
	slices.SortStableFunc(members, func(x, y member) int {
		return cmp.Or(strings.Compare(x.group, y.group), cmp.Compare(x.taken.Earliest, y.taken.Earliest), strings.Compare(x.path, y.path))
	})
	var out []chronology.Capture
	for len(members) > 0 {
		n := 1
		for n < len(members) && members[n].group == members[0].group {
			n++
		}
		layers := b.layers(members[:n])
		if err := checkCapturedAt(layers); err != nil {
			return nil, err
		}
		for _, l := range layers {
			out = append(out, l.Capture)
		}
		members = members[n:]
	}
	if b.options.CapturedAt.Known() && len(out) != 1 {
		return nil, fmt.Errorf("%w: --captured-at is for one capture, and there are %d; give each its time with PATH@TIME", ErrCapturedAt, len(out))
	}
	return out, nil
}

// layer is members that were taken together.
type layer struct {
	chronology.Capture
	members  []member
	versions map[model.ObjectID]version
	taken    model.Interval
}

func (b *builder) layers(members []member) (layers []*layer) {
	for _, m := range members {
		i := slices.IndexFunc(layers, func(l *layer) bool { return l.takes(m, b.sightings[m.first:m.end]) })
		if i < 0 {
			i = len(layers)
			layers = append(layers, &layer{versions: map[model.ObjectID]version{}, taken: model.Interval{Earliest: model.FarPast, Latest: model.FarFuture}})
		}
		l := layers[i]
		l.members, l.Sources = append(l.members, m), append(l.Sources, m.source)
		l.When, l.After = max(l.When, m.when), max(l.After, m.after)
		l.taken = model.Interval{Earliest: max(l.taken.Earliest, m.taken.Earliest), Latest: min(l.taken.Latest, m.taken.Latest)}
		for k := m.first; k < m.end; k++ {
			s := &b.sightings[k]
			l.versions[model.ObjectID{Kind: s.Kind, Key: s.Key}] = versionOf(s)
		}
	}
	return layers
}

// takes reports whether a member can have been taken with the others. With given times, timestamps need not agree.
func (l *layer) takes(m member, sightings []chronology.Sighting) bool {
	if both := (model.Interval{Earliest: max(l.taken.Earliest, m.taken.Earliest), Latest: min(l.taken.Latest, m.taken.Latest)}); both.Earliest > both.Latest && !m.when.Known() {
		return false
	}
	for i := range l.members { // if one text shows an object twice, ages show that it was printed twice
		if m.after.Known() && l.members[i].path == m.path {
			return false
		}
	}
	for i := range sightings {
		s := &sightings[i]
		if was, ok := l.versions[model.ObjectID{Kind: s.Kind, Key: s.Key}]; ok && was.differs(versionOf(s)) {
			return false
		}
	}
	return true
}

// version distinguishes the versions of an object: by resourceVersion, or else by the newest time in it, to the second.
type version struct {
	resource uint64
	newest   model.Instant
}

func versionOf(s *chronology.Sighting) version {
	newest := s.Lease.Renewed
	if s.Node != nil {
		for _, c := range s.Node.Conditions {
			newest = max(newest, c.Heartbeat, c.Transition)
		}
	}
	return version{s.Version, newest.Truncate(time.Second)}
}

func (v version) differs(other version) bool {
	if v.resource > 0 && other.resource > 0 {
		return v.resource != other.resource
	}
	return v.newest != other.newest
}

// clockTolerance is how far the clock of a given capture time may lag.
const clockTolerance = 30 * time.Second

func checkCapturedAt(layers []*layer) error {
	for _, l := range layers {
		m := l.members[0]
		switch {
		case !m.when.Known(), m.own:
		case len(layers) > 1:
			return fmt.Errorf("%w: %s and %s are of different times, and cannot both be of %s", ErrCapturedAt, layers[0].members[0].path, layers[1].members[0].path, m.when)
		case l.taken.Earliest > m.when.Add(clockTolerance):
			for _, late := range l.members {
				if late.taken.Earliest == l.taken.Earliest {
					m = late
				}
			}
			return fmt.Errorf("%w: %s holds a timestamp of %s, after %s", ErrCapturedAt, m.path, l.taken.Earliest, m.when)
		}
	}
	return nil
}
