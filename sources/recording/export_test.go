package recording

import (
	"bytes"

	"kardia/model"
	"kardia/sources/recording/wire"
)

func writeIndex(o *wire.Writer, x *index, dictionary []byte) { _ = x.code(wire.To(o), 0, &dictionary) }

func readIndex(i *wire.Reader, size int64) (x index, dictionary []byte, err error) {
	err = x.code(wire.From(i, nil), size, &dictionary)
	return x, dictionary, err
}

// WithPages makes small pages, and keyframes after a small weight.
func (o Options) WithPages(page, keyframe int) Options {
	o.page, o.keyframe = page, keyframe
	return o
}

// Bytes is a recording in memory.
func Bytes(data []byte, name string) (*File, error) {
	return OpenAt(bytes.NewReader(data), int64(len(data)), name)
}

// Portrait prints all that a state says.
func Portrait(c *model.Cluster) string { return portrait(c) }

// Keyframes are the positions of the states in a file.
func KeyframesOf(f *File) (positions []int) {
	for _, k := range f.index.keyframes {
		positions = append(positions, k.Position)
	}
	return positions
}

// ChunkOf is where the chunk lies that holds a position.
func ChunkOf(f *File, position int) (at, length int64) {
	for _, p := range f.index.pages {
		if p.Start <= position && position < p.End {
			return f.index.chunks[p.chunk].At, f.index.chunks[p.chunk].Length
		}
	}
	return 0, 0
}
