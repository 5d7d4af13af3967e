package recording

import (
	"io"
	"slices"
)

// Reading is the recording as it stands at the last Flush, to be read while more is written:
// r reads what was written so far. The File belongs to one goroutine, which may be another
// than the Writer's.
func (w *Writer) Reading(r io.ReaderAt) *File {
	f := &File{name: "what is being recorded", container: &container{r: r, size: w.sink.written.n}, meta: w.meta, layers: &layerCache{}}
	f.coder.names = &f.names
	// Entries and pages that are there never change.
	f.words.entries = slices.Clip(w.dictionary.entries[:w.dictionary.written])
	f.index = index{pages: slices.Clone(w.index.pages), coverage: w.index.coverage}
	for _, c := range w.sink.mcap.ChunkIndexes {
		f.index.chunks = append(f.index.chunks, record{opChunk, int64(c.ChunkStartOffset), int64(c.ChunkLength) - recordHead})
	}
	return f
}
