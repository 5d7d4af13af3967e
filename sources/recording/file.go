package recording

import (
	"io"

	"kardia/model"
	"kardia/model/timeline"
)

// File is an open recording: a timeline.History whose pages are read when they are asked
// for. It belongs to one goroutine.
type File struct{}

// Open opens a recording. A file that was not closed, or that is damaged, opens as far as it
// can be read; Problems tell what is missing.
func Open(path string) (*File, error) { return nil, errNotYet }

// OpenAt opens a recording of size bytes that lies elsewhere than in a file of its own. name is
// for messages. Close closes r if it is an io.Closer.
func OpenAt(r io.ReaderAt, size int64, name string) (*File, error) { return nil, errNotYet }

// Sniff says whether a file that begins with these bytes is an MCAP file.
func Sniff(head []byte) bool { return false }

// Meta is what the recording says of itself.
func (f *File) Meta() Meta { return Meta{} }

// Marks are the marks in it, by time.
func (f *File) Marks() []Mark { return nil }

// Problems are what could not be read, in words for the person.
func (f *File) Problems() []timeline.Problem { return nil }

// Close closes the file.
func (f *File) Close() error { return nil }

// Span implements timeline.History.
func (f *File) Span() (first, end int) { return 0, 0 }

// PageAt implements timeline.History.
func (f *File) PageAt(position int) timeline.Page { return timeline.Page{} }

// PageBefore implements timeline.History.
func (f *File) PageBefore(t model.Instant) timeline.Page { return timeline.Page{} }

// Read implements timeline.History.
func (f *File) Read(p timeline.Page) ([]model.Change, error) { return nil, errNotYet }

// Coverage implements timeline.History.
func (f *File) Coverage() model.Interval { return model.Interval{} }

// Gaps implements timeline.History.
func (f *File) Gaps() []timeline.Gap { return nil }

// Sources implements timeline.History.
func (f *File) Sources() []timeline.Source { return nil }

// KeyframeBefore implements timeline.Keyframed.
func (f *File) KeyframeBefore(position int) (at int, ok bool) { return 0, false }

// Keyframe implements timeline.Keyframed.
func (f *File) Keyframe(at int) (*model.Cluster, error) { return nil, errNotYet }
