package recording

import (
	"errors"
	"io"
	"time"

	"kardia/model"
	"kardia/model/timeline"
)

// Options guide writing.
type Options struct {
	// ArrivalUnit rounds times of arrival up to a multiple of it, and with them the times that
	// rest on them (At, and the end of Time); 0 keeps them exact. A recorder uses a millisecond.
	ArrivalUnit time.Duration
	// Packed makes large pages and chunks: fewer bytes, but up to a minute of Changes are in
	// memory and would be lost with the process. It is for what can be written again.
	Packed bool
}

// Mark is a note somebody made at an instant.
type Mark struct {
	At   model.Instant
	Note string
}

// Writer writes a recording. It asks for no time: who records calls Flush every few seconds.
// It belongs to one goroutine.
type Writer struct{}

var errNotYet = errors.New("recording: not written yet")

// Create begins a recording on w. Flush makes what was added so far readable.
func Create(w io.Writer, m Meta, o Options) (*Writer, error) { return nil, errNotYet }

// CreateFile begins a recording in a new file that only its owner may read. Close packs it:
// the small chunks that a crash would have left readable become large ones, in a temporary
// file beside it that then takes its name.
func CreateFile(path string, m Meta, o Options) (*Writer, error) { return nil, errNotYet }

// Add appends a Change. It takes effect no earlier than the one before it. The Change is
// copied; what it points to must not be modified afterwards.
func (w *Writer) Add(ch *model.Change) error { return errNotYet }

// AddGap notes a time of which a source knows nothing.
func (w *Writer) AddGap(g timeline.Gap) error { return errNotYet }

// Cover extends the coverage to include t. The first call sets its start.
func (w *Writer) Cover(t model.Instant) {}

// AddMark notes a person's mark.
func (w *Writer) AddMark(m Mark) error { return errNotYet }

// Flush writes what was added since the last one as a chunk of its own, so that a crash
// loses nothing from before it. Where w is a file it is synced now and then.
func (w *Writer) Flush() error { return errNotYet }

// Size is how many bytes were written so far.
func (w *Writer) Size() int64 { return 0 }

// Close flushes, writes the index, and, for CreateFile, packs and closes the file.
func (w *Writer) Close() error { return errNotYet }
