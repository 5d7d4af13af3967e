package recording

import (
	"slices"

	"kardia/model/timeline"
)

// Fork implements timeline.Forked: the same recording, with a memory of its own of the pages that were
// read; layers are shared.
// What turns out to be damaged while it is read, each finds out for itself. Only the File that was
// opened is to be closed.
func (f *File) Fork() timeline.History {
	fork := &File{name: f.name, container: &container{r: f.container.r, size: f.container.size}, meta: f.meta,
		index: f.index, words: lexicon{entries: slices.Clip(f.words.entries), size: f.words.size},
		problems: slices.Clip(f.problems), dropped: f.dropped, holes: slices.Clip(f.holes), closed: f.closed, layers: f.layers}
	fork.coder.names = &fork.names
	// These change when a page or a keyframe turns out to be damaged.
	fork.index.pages, fork.index.keyframes = slices.Clone(f.index.pages), slices.Clone(f.index.keyframes)
	fork.index.gaps, fork.sources = slices.Clone(f.index.gaps), slices.Clone(f.sources)
	return fork
}

var _ timeline.Forked = (*File)(nil)
