package recording

import (
	"io"
	"slices"

	"kardia/model/history"
	"kardia/sources/recording/container"
	"kardia/sources/recording/snapshots"
)

// Reading is the recording as of the last Flush, readable while more is written: r reads the bytes written so far. The
// File belongs to one goroutine, which may be another than the Writer's.
func (w *Writer) Reading(r io.ReaderAt) *File {
	f := &File{name: "a growing recording", container: container.NewFile(r, w.sink.Written()), meta: w.meta, layers: &snapshots.Cache{}}
	f.coder.Names = &f.names
	// Existing entries and pages never change.
	f.words.Entries = slices.Clip(w.dictionary.Entries[:w.dictionary.Written])
	f.index = index{pages: slices.Clone(w.index.pages), Info: history.Info{Covers: w.index.Covers}}
	f.index.chunks = w.sink.ChunkRecords()
	return f
}
