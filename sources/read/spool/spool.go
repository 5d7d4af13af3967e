// Package spool is a History too long for memory: its pages lie in a temporary file, and
// a few of them are in memory at a time.
package spool

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"sort"

	"github.com/klauspost/compress/zstd"

	"kardia/model"
	"kardia/model/history"
)

const (
	pageSize = 4096
	// cached is how many pages are kept decoded.
	cached = 8
	// MaxSize is how large the file may grow; what comes after is refused.
	MaxSize = 16 << 30
)

// Spool is a history.History in a temporary file. Append to it, then read; it belongs to
// one goroutine. The file has no name while it is open, where the system allows that, and
// goes with the process.
type Spool struct {
	file   *os.File
	size   int64
	index  []entry
	tail   []model.Change
	cache  []page
	intern model.Interner

	pack   *zstd.Encoder
	unpack *zstd.Decoder

	coverage model.Interval
	gaps     []history.Gap
	sources  []history.Source
}

// entry is where a page lies.
type entry struct {
	history.Page
	offset, length int64
}

type page struct {
	start   int
	changes []model.Change
}

// New makes an empty Spool in the system's temporary directory.
func New() (*Spool, error) {
	f, err := os.CreateTemp("", "kardia-*.pages")
	if err != nil {
		return nil, fmt.Errorf("a long recording needs room for temporary files: %w (set TMPDIR to a directory with room)", err)
	}
	_ = os.Remove(f.Name())
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return &Spool{file: f, pack: pack, unpack: unpack}, nil
}

// ErrFull says that the Spool has reached MaxSize.
var ErrFull = errors.New("the recording needs more than 16 GiB of temporary pages; name fewer files")

// Append adds a Change at the end. It takes effect no earlier than the one before it.
func (s *Spool) Append(ch model.Change) error {
	if last := s.last(); last > ch.Effective() {
		ch.At = last
	}
	s.tail = append(s.tail, ch)
	if len(s.tail) < pageSize {
		return nil
	}
	return s.flush()
}

func (s *Spool) last() model.Instant {
	if n := len(s.tail); n > 0 {
		return s.tail[n-1].Effective()
	}
	if n := len(s.index); n > 0 {
		return s.index[n-1].Last
	}
	return model.FarPast
}

// flush writes the tail as a page.
func (s *Spool) flush() error {
	if len(s.tail) == 0 {
		return nil
	}
	var plain bytes.Buffer
	if err := gob.NewEncoder(&plain).Encode(s.tail); err != nil {
		return fmt.Errorf("cannot write a page: %w", err)
	}
	packed := s.pack.EncodeAll(plain.Bytes(), nil)
	if s.size+int64(len(packed)) > MaxSize {
		return ErrFull
	}
	if _, err := s.file.WriteAt(packed, s.size); err != nil {
		return fmt.Errorf("cannot write temporary pages: %w (set TMPDIR to a directory with room)", err)
	}
	start := s.flushed()
	s.index = append(s.index, entry{offset: s.size, length: int64(len(packed)), Page: history.Page{
		Start: start, End: start + len(s.tail), First: s.tail[0].Effective(), Last: s.tail[len(s.tail)-1].Effective()}})
	s.size += int64(len(packed))
	s.tail = s.tail[:0]
	return nil
}

func (s *Spool) flushed() int {
	if n := len(s.index); n > 0 {
		return s.index[n-1].End
	}
	return 0
}

// Finish ends the writing and says what the History is of.
func (s *Spool) Finish(coverage model.Interval, gaps []history.Gap, sources []history.Source) error {
	s.coverage, s.gaps, s.sources = coverage, gaps, sources
	return s.flush()
}

// Close gives the room on disk back.
func (s *Spool) Close() error { return s.file.Close() }

// Size is how many bytes the pages take on disk.
func (s *Spool) Size() int64 { return s.size }

// Span implements history.History.
func (s *Spool) Span() (first, end int) { return 0, s.flushed() }

// PageAt implements history.History.
func (s *Spool) PageAt(position int) history.Page {
	i := sort.Search(len(s.index), func(i int) bool { return s.index[i].End > position })
	return s.index[min(i, len(s.index)-1)].Page
}

// PageBefore implements history.History.
func (s *Spool) PageBefore(t model.Instant) history.Page {
	i := sort.Search(len(s.index), func(i int) bool { return s.index[i].First > t })
	return s.index[max(i-1, 0)].Page
}

// Read implements history.History. The Changes are valid until a few other pages were read.
func (s *Spool) Read(p history.Page) ([]model.Change, error) {
	for _, c := range s.cache {
		if c.start == p.Start {
			return c.changes, nil
		}
	}
	e := s.index[p.Start/pageSize]
	packed := make([]byte, e.length)
	if _, err := s.file.ReadAt(packed, e.offset); err != nil {
		return nil, fmt.Errorf("cannot read temporary pages: %w", err)
	}
	plain, err := s.unpack.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("a temporary page is damaged: %w", err)
	}
	var changes []model.Change
	if err := gob.NewDecoder(bytes.NewReader(plain)).Decode(&changes); err != nil {
		return nil, fmt.Errorf("a temporary page is damaged: %w", err)
	}
	for i := range changes {
		s.share(&changes[i])
	}
	s.cache = append(s.cache, page{p.Start, changes})
	if len(s.cache) > cached {
		s.cache = s.cache[1:]
	}
	return changes, nil
}

// share gives equal parts of decoded objects the same memory again: the state keeps them.
func (s *Spool) share(ch *model.Change) {
	ch.Key.Namespace = s.intern.String(ch.Key.Namespace)
	ch.Lease.Holder = s.intern.String(ch.Lease.Holder)
	if p := ch.Pod; p != nil {
		p.Key = ch.Key
		p.Node = s.intern.String(p.Node)
		p.DisruptionReason = s.intern.String(p.DisruptionReason)
		p.Tolerations = s.intern.Tolerations(p.Tolerations.List())
		if p.Owner != nil {
			p.Owner = s.intern.Owner(p.Owner.Kind, p.Owner.Name)
		}
	}
	if n := ch.Node; n != nil {
		for i := range n.Conditions {
			c := &n.Conditions[i]
			c.Type, c.Reason, c.Message = s.intern.String(c.Type), s.intern.String(c.Reason), s.intern.String(c.Message)
		}
		n.Place.Region, n.Place.Zone = s.intern.String(n.Place.Region), s.intern.String(n.Place.Zone)
		n.KubeletVersion = s.intern.String(n.KubeletVersion)
	}
}

// Coverage implements history.History.
func (s *Spool) Coverage() model.Interval { return s.coverage }

// Gaps implements history.History.
func (s *Spool) Gaps() []history.Gap { return s.gaps }

// Sources implements history.History.
func (s *Spool) Sources() []history.Source { return s.sources }
