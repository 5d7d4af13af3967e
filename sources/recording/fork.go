package recording

import (
	"slices"

	"kardia/model/history"
	"kardia/sources/recording/columns"
)

// Fork implements history.History: the same recording with memory of its own; layers are shared. Each finds damage for
// itself. Only the opened File must be closed.
func (f *File) Fork() history.History {
	fork := &File{name: f.name, container: f.container.Fork(), meta: f.meta,
		index: f.index, words: columns.DictionaryReader{Entries: slices.Clip(f.words.Entries), Size: f.words.Size},
		problems: slices.Clip(f.problems), dropped: f.dropped, holes: slices.Clip(f.holes), closed: f.closed, layers: f.layers}
	fork.coder.Names = &fork.names
	// These change when a damaged page or keyframe is found.
	fork.index.pages, fork.index.keyframes = slices.Clone(f.index.pages), slices.Clone(f.index.keyframes)
	fork.Blind, fork.From = slices.Clone(f.Blind), slices.Clone(f.From)
	return fork
}
