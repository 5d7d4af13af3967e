package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/container"
	"kardia/sources/recording/rows"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// File is an open recording: a history.History whose pages are read on demand. It belongs to one goroutine.
type File struct {
	name      string
	closer    io.Closer
	container *container.File
	meta      Meta
	index

	words  columns.DictionaryReader
	names  wire.Names
	coder  rows.Coder
	blocks columns.BlockReader
	states snapshots.Reader
	page   columns.Slots       // memory for readPage
	later  []model.Change      // likewise
	leases []model.LeaseObject // see leaseObjects

	problems []history.Problem
	dropped  int
	holes    []model.Interval // times of which all is lost, found while opening
	closed   bool             // the file was closed by its writer

	chunks  []cachedChunk
	layers  *snapshots.Cache
	warmed  int           // how many keyframes ReadAhead has looked at
	scanned snapshots.Ref // the last one that was found while opening, whose layer is to come
}

// cachedChunks is the number of chunks kept decompressed.
const cachedChunks = 2

type cachedChunk struct {
	chunk   int32
	records []byte
}

// Sniff reports whether a file that begins with these bytes is an MCAP file.
func Sniff(head []byte) bool { return container.Sniff(head) }

// Open opens a recording. A damaged or unclosed file opens as far as it can be read; Problems are the missing parts.
func Open(path string) (*File, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := r.Stat()
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	f, err := OpenAt(r, info.Size(), path)
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return f, nil
}

// OpenAt opens a recording of size bytes elsewhere. name is for messages. Close closes r if it is an io.Closer.
func OpenAt(r io.ReaderAt, size int64, name string) (*File, error) {
	head := make([]byte, len(container.Magic))
	if _, err := r.ReadAt(head, 0); err != nil || !Sniff(head) {
		return nil, fmt.Errorf("%s is no MCAP file", name)
	}
	f := &File{name: name, container: container.NewFile(r, size), layers: &snapshots.Cache{}}
	f.closer, _ = r.(io.Closer)
	f.coder.Names = &f.names
	if err := f.load(); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return f, nil
}

func (f *File) load() error {
	x, dictionary, found, err := f.findIndex()
	if found && err == nil {
		err = f.takeIndex(x, dictionary)
	}
	switch {
	case refused(err):
		return err
	case found && err == nil:
		f.closed = true
		if f.container.Size <= checkAtOpening {
			f.check()
		}
	default:
		if found {
			f.problem(f.container.Size, fmt.Sprintf("the index at its end cannot be used (%v); all of it was read instead", err))
		}
		f.index, f.words = index{}, columns.DictionaryReader{}
		if err := f.scan(); err != nil {
			return err
		}
	}
	if f.index.end() == 0 && len(f.index.chunks) == 0 {
		return errors.New("it holds no chunk that is whole")
	}
	f.describe()
	return nil
}

func (f *File) takeIndex(x index, dictionary []byte) error {
	first, err := f.container.Record(int64(len(container.Magic)))
	if err != nil {
		return err
	}
	if err := f.checkProfile(first); err != nil {
		return err
	}
	if f.meta, err = readMeta(x.meta); err != nil {
		return err
	}
	f.index = x
	return f.words.Read(dictionary, &f.names)
}

func (f *File) describe() {
	f.From = slices.Clone(f.meta.Sources)
	for _, c := range f.counts.list() {
		for int(c.source) >= len(f.From) {
			f.From = append(f.From, history.Source{Path: f.name, Format: "recording"})
		}
		s := &f.From[c.source]
		if s.Kinds == nil {
			s.Kinds = map[model.Kind]int{}
		}
		if s.Changes == 0 || c.quality < s.Quality {
			s.Quality = c.quality
		}
		s.Changes += c.n
		s.Kinds[c.kind] += c.n
	}
	for i := range f.From {
		if f.From[i].Kinds == nil {
			f.From[i].Kinds = map[model.Kind]int{}
		}
	}
	if !f.closed {
		f.clamp()
	}
	for _, v := range f.holes {
		f.hole(v)
	}
	if len(f.From) == 1 && !f.From[0].Coverage.Known() { // it is the only source, so it covers all of the recording
		f.From[0].Coverage = f.index.Covers
	}
}

// clamp limits the coverage of the sources to the contents of the file.
func (f *File) clamp() {
	end := f.index.Covers.Latest
	for i := range f.From {
		switch v := &f.From[i].Coverage; {
		case !end.Known() || v.Earliest > end:
			*v = model.Interval{}
		case v.Latest > end:
			v.Latest = end
		}
	}
}

// maxProblems is the most problems listed; the rest is counted.
const maxProblems = 100

func (f *File) problem(offset int64, what string) {
	if len(f.problems) >= maxProblems {
		f.dropped++
		return
	}
	f.problems = append(f.problems, history.Problem{Path: f.name, Offset: offset, What: what})
}

// hole is a time of lost Changes: a gap of every source with any Changes.
func (f *File) hole(v model.Interval) {
	for source := range f.From {
		if f.From[source].Changes > 0 && len(f.index.Blind) < wire.MaxNotes {
			f.index.Blind = append(f.index.Blind, history.Gap{Interval: v, Source: source, Why: whyLost})
		}
	}
	slices.SortStableFunc(f.index.Blind, func(a, b history.Gap) int { return cmp.Compare(a.Earliest, b.Earliest) })
}

// Meta is the recording's description of itself.
func (f *File) Meta() Meta { return f.meta }

// Marks are the marks in it, in the order in which they were made.
func (f *File) Marks() []past.Bookmark { return f.index.marks }

// Problems are what could not be read, in words for the person.
func (f *File) Problems() []history.Problem { return f.problems }

// Dropped counts the problems beyond the ones listed.
func (f *File) Dropped() int { return f.dropped }

// Closed reports whether the writer closed the file; others are read up to their last whole chunk.
func (f *File) Closed() bool { return f.closed }

// Close closes the file.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Span implements history.History.
func (f *File) Span() (first, end int) { return 0, f.index.end() }

// PageAt implements history.History.
func (f *File) PageAt(position int) history.Page {
	p := f.index.pages
	i := sort.Search(len(p), func(i int) bool { return p[i].End > position })
	return p[min(i, len(p)-1)].Page
}

// PageBefore implements history.History.
func (f *File) PageBefore(t model.Instant) history.Page {
	p := f.index.pages
	i := sort.Search(len(p), func(i int) bool { return p[i].First > t })
	return p[max(i-1, 0)].Page
}

// Sources implements history.History: the sources of the Changes before they were recorded. The last one has the faults
// of the recording itself.
func (f *File) Sources() []history.Source {
	if len(f.problems) == 0 {
		return f.From
	}
	return append(slices.Clip(f.From), history.Source{Path: f.name, Format: "recording", Kinds: map[model.Kind]int{}, Problems: f.problems, Dropped: f.dropped})
}

// Name is the path it was opened by.
func (f *File) Name() string { return f.name }

// Size is how many bytes the file has.
func (f *File) Size() int64 { return f.container.Size }

// Keyframes is how many states the file holds.
func (f *File) Keyframes() int { return len(f.index.keyframes) }

// checkAtOpening is the size up to which a whole file is checked when it is opened, so that damage is reported at once.
const checkAtOpening = 32 << 20

func (f *File) check() {
	var room []byte
	for n, c := range f.index.chunks {
		r, err := f.container.Record(c.At)
		if err == nil && r != c {
			err = container.ErrFrame
		}
		if err == nil {
			room, err = f.container.Chunk(r, room)
		}
		if err == nil {
			continue
		}
		f.problem(c.At, fmt.Sprintf("a chunk is damaged (%v); its contents are a gap", err))
		for i := range f.index.pages {
			if p := &f.index.pages[i]; p.chunk == int32(n) {
				p.chunk = -1
				f.holes = append(f.holes, model.Interval{Earliest: p.First, Latest: p.Last})
			}
		}
		f.index.keyframes = slices.DeleteFunc(f.index.keyframes, func(k snapshots.Ref) bool { return k.Chunk == int32(n) || k.Chunk == int32(n-1) })
	}
}

var _ history.History = (*File)(nil)
