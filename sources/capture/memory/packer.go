package memory

import (
	"bytes"

	"kardia/model"
	"kardia/sources/recording"
)

type part struct {
	start int // position of its first Change
	// base is the state before it. It is never folded into.
	base *model.Cluster
	size int64           // bytes of the packed Changes
	file *recording.File // of the packed Changes; nil while there are none
}

func (p *part) has(position int) bool {
	if p.file == nil {
		return false
	}
	_, end := p.file.Span()
	return position-p.start < end
}

// packer packs pages in order. One goroutine after another may use it.
type packer struct {
	segment int64          // bytes from which another part starts
	state   *model.Cluster // before the next page
	file    *bytes.Buffer
	writer  *recording.Writer
	err     error
}

func (k *packer) begin(start int) part {
	p := part{start: start, base: k.state}
	k.state = k.state.Detach()
	k.file = &bytes.Buffer{}
	k.writer, k.err = recording.Create(k.file, recording.Meta{}, recording.Options{NoKeyframes: true})
	return p
}

// pack packs a page. now is its part, for reading by another goroutine during further packing. base is the state after
// the page, and next the part that starts there, if one does. now and next are nil if it cannot be packed.
func (k *packer) pack(p page) (now *recording.File, base *model.Cluster, next *part, err error) {
	p.ready.each(func(ch *model.Change) {
		k.state.Fold(ch)
		if k.err == nil {
			k.err = k.writer.Add(ch)
		}
	})
	if k.err == nil {
		k.err = k.writer.Flush()
	}
	base = k.state
	k.state = base.Detach()
	if k.err != nil {
		return nil, base, nil, k.err
	}
	// The buffer's present bytes stay, even if it moves.
	now = k.writer.Reading(bytes.NewReader(k.file.Bytes()))
	if int64(k.file.Len()) >= k.segment {
		begun := k.begin(p.End)
		next = &begun
	}
	return now, base, next, k.err
}
