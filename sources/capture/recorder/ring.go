package recorder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/sources/recording"
)

const DefaultRingSize = 1 << 30

const (
	// arrivalUnit is the precision of arrivals, which is that of our own measurement.
	arrivalUnit = time.Millisecond
	// segments is how many parts a full ring has: one is dropped at a time.
	segments = 8
	// A segment lasts a segments-th of the ring, within these.
	minSegment, maxSegment = time.Minute, time.Hour
)

// RingOptions are the limits of a Ring.
type RingOptions struct {
	Meta recording.Meta
	// Keep is how long Changes are kept at least, if there is room.
	Keep time.Duration
	// MaxSize is how many bytes all segments may take together; 0 means DefaultRingSize. A segment being closed may
	// take twice its size for a moment.
	MaxSize int64
}

// Ring is a directory of recordings that follow each other, the segments. Each starts with the state, so that it can be
// read alone. The oldest are deleted once the others hold all that is to be kept, or without room. Segments of an
// earlier Ring count too; other files are left alone. It belongs to one goroutine.
type Ring struct {
	dir     string
	options RingOptions

	sealed []segment // oldest first
	number int       // of the segment under way
	// Writer writes that segment.
	*recording.Writer
	// begun is the first time of the current segment, last the newest.
	begun, last model.Instant
	// base is the size of the state at the start of the current segment.
	base int64

	clock history.ClockReading

	state *model.Cluster
	pods  map[model.Key]podVersion
}

type segment struct {
	path   string
	number int
	size   int64
	last   model.Instant // of its Changes; when it was written if that is not known
}

// podVersion is what the state does not keep of a pod.
type podVersion struct {
	version uint64
	written model.Interval
}

// NewRing opens a directory for a ring; LockRing makes it.
func NewRing(dir string, o RingOptions) (*Ring, error) {
	o.MaxSize = cmp.Or(o.MaxSize, DefaultRingSize)
	r := &Ring{dir: dir, options: o, state: model.NewCluster(), pods: map[model.Key]podVersion{}}
	found, err := segmentsIn(dir)
	if err != nil {
		return nil, err
	}
	r.sealed = found
	if n := len(found); n > 0 {
		r.number = found[n-1].number
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	return r, r.forget() // an earlier ring may have been allowed more
}

var segmentName = regexp.MustCompile(`^segment-(\d{6,9})\.mcap$`)

// IsSegment reports whether a file has the name of a segment.
func IsSegment(path string) bool { return segmentName.MatchString(filepath.Base(path)) }

// LockRing locks the directory of a ring, made if missing, against other recorders: see recording.Lock.
func LockRing(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return recording.Lock(filepath.Join(dir, "ring"))
}

func segmentsIn(dir string) ([]segment, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []segment
	for _, e := range entries {
		m := segmentName.FindStringSubmatch(e.Name())
		info, err := e.Info()
		if m == nil || err != nil || !info.Mode().IsRegular() {
			continue
		}
		number, _ := strconv.Atoi(m[1])
		found = append(found, segment{filepath.Join(dir, e.Name()), number, info.Size(), model.At(info.ModTime())})
	}
	slices.SortFunc(found, func(a, b segment) int { return cmp.Compare(a.number, b.number) })
	return found, nil
}

func (r *Ring) begin() error {
	r.number, r.begun = r.number+1, 0
	w, err := recording.CreateFile(r.path(), r.meta(r.options.Meta), recording.Options{ArrivalUnit: arrivalUnit})
	if err != nil {
		return err
	}
	r.Writer = w
	if !r.last.Known() {
		return nil
	}
	r.begun = r.last
	w.Cover(r.last)
	for ch := range r.state.Baseline(r.last, r.podVersion) {
		ch.Origin.Source = int32(stream.SourceOf(ch.Kind))
		if err := w.Add(ch); err != nil {
			return err
		}
	}
	// The state of the clocks only: their steps are in the segment before.
	if r.clock.At.Known() {
		err = w.AddClock(standing(r.clock))
	}
	err = errors.Join(err, w.Flush())
	r.base = w.Size()
	return err
}

// meta is the description of the current segment, whose sources cover all of it, apart from gaps.
func (r *Ring) meta(m recording.Meta) recording.Meta {
	m.Segment, m.Whole = r.number, true
	m.Sources = slices.Clone(m.Sources)
	for i := range m.Sources {
		m.Sources[i].Coverage = model.Interval{}
		if r.begun.Known() {
			m.Sources[i].Coverage = model.Interval{Earliest: r.begun, Latest: r.last}
		}
	}
	if n := len(r.sealed); n > 0 {
		m.Continues = filepath.Base(r.sealed[n-1].path)
	}
	return m
}

// SetMeta implements Output, for the current segment and those to come.
func (r *Ring) SetMeta(m recording.Meta) error {
	r.options.Meta = m
	return r.Writer.SetMeta(r.meta(m))
}

func (r *Ring) path() string { return filepath.Join(r.dir, fmt.Sprintf("segment-%06d.mcap", r.number)) }

func (r *Ring) podVersion(p *model.Pod) (uint64, model.Interval) {
	v := r.pods[p.Key]
	return v.version, v.written
}

// Add implements Output.
func (r *Ring) Add(ch *model.Change) error {
	if t := ch.Effective(); t.Bounded() {
		r.last = max(r.last, t)
	}
	r.begun = cmp.Or(r.begun, r.last)
	r.state.Fold(ch)
	if ch.Kind == model.KindPod {
		if ch.Op == model.OpDelete {
			delete(r.pods, ch.Key)
		} else {
			r.pods[ch.Key] = podVersion{ch.Version, ch.Time}
		}
	}
	return r.Writer.Add(ch)
}

// AddClock implements Output.
func (r *Ring) AddClock(c history.ClockReading) error {
	r.clock = c
	return r.Writer.AddClock(c)
}

// Cover implements Output.
func (r *Ring) Cover(t model.Instant) {
	r.last = max(r.last, t)
	r.Writer.Cover(t)
}

// BeginAt implements Output.
func (r *Ring) BeginAt(t model.Instant) {
	r.Cover(t)
	r.Writer.BeginAt(t)
}

// Flush implements Output. It also starts the next segment, and deletes the oldest.
func (r *Ring) Flush() error {
	if err := r.Writer.Flush(); err != nil {
		return err
	}
	length := min(max(r.options.Keep/segments, minSegment), maxSegment)
	// A segment with hardly more than its initial state would be a waste.
	large := max(r.options.MaxSize/segments, 2*r.base)
	if (r.begun.Known() && r.last.Sub(r.begun) >= length) || r.Writer.Size() >= large {
		if err := r.seal(); err != nil {
			return err
		}
		if err := r.begin(); err != nil {
			return err
		}
	}
	return r.forget()
}

func (r *Ring) seal() error {
	// The arrival of the last Change was rounded up, and the next segment starts after it.
	r.last = r.last.Add(arrivalUnit - 1).Truncate(arrivalUnit)
	if err := r.Writer.SetMeta(r.meta(r.options.Meta)); err != nil {
		return errors.Join(err, r.Writer.Close())
	}
	if err := r.Writer.Close(); err != nil {
		return err
	}
	info, err := os.Stat(r.path())
	if err != nil {
		return err
	}
	r.sealed = append(r.sealed, segment{r.path(), r.number, info.Size(), r.last})
	return nil
}

// forget deletes the oldest segments: those whose last Change is older than Keep, and those without room.
func (r *Ring) forget() error {
	for len(r.sealed) > 0 {
		oldest := r.sealed[0]
		expired := r.options.Keep > 0 && r.last.Known() && r.last.Sub(oldest.last) > r.options.Keep
		if !expired && r.Size() <= r.options.MaxSize {
			return nil
		}
		if err := os.Remove(oldest.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		r.sealed = r.sealed[1:]
	}
	return nil
}

// Size implements Output: all segments.
func (r *Ring) Size() int64 {
	size := r.Writer.Size()
	for _, s := range r.sealed {
		size += s.size
	}
	return size
}

// Close implements Output.
func (r *Ring) Close() error { return r.seal() }
