package memory

import (
	"bytes"

	"kardia/model"
	"kardia/sources/recording"
)

// part is a recording in memory.
type part struct {
	start int // position of its first Change
	// base is the state before it. It is never folded into.
	base *model.Cluster
	size int64           // bytes of the packed Changes
	file *recording.File // of the packed Changes; nil while there are none
}

// has reports that a position is packed.
func (p *part) has(position int) bool {
	if p.file == nil {
		return false
	}
	_, end := p.file.Span()
	return position-p.start < end
}

// packer packs pages in their order. It belongs to one goroutine after another.
type packer struct {
	segment int64          // bytes from which on another part begins
	state   *model.Cluster // before the next page
	file    *bytes.Buffer
	writer  *recording.Writer
	err     error
}

// begin begins a part at a position.
func (k *packer) begin(start int) part {
	p := part{start: start, base: k.state}
	k.state = k.state.Detach()
	k.file = &bytes.Buffer{}
	k.writer, k.err = recording.Create(k.file, recording.Meta{}, recording.Options{NoKeyframes: true})
	return p
}

// pack packs a page. now is its part, to be read by another goroutine while more is packed. next is the part that
// begins after it, if one does. Both are nil if it cannot be packed.
func (k *packer) pack(p page) (now *recording.File, next *part, err error) {
	p.ready.each(func(ch *model.Change) {
		k.state.Fold(ch)
		if k.err == nil {
			k.err = k.writer.Add(ch)
		}
	})
	if k.err == nil {
		k.err = k.writer.Flush()
	}
	if k.err != nil {
		return nil, nil, k.err
	}
	// What is in the buffer stays as it is, wherever it grows.
	now = k.writer.Reading(bytes.NewReader(k.file.Bytes()))
	if int64(k.file.Len()) >= k.segment {
		begun := k.begin(p.End)
		next = &begun
	}
	return now, next, k.err
}
