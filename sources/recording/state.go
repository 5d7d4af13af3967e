package recording

import (
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/timeline"
)

// KeyframeBefore implements timeline.Keyframed.
func (f *File) KeyframeBefore(position int) (at int, ok bool) {
	k := f.keyframeBefore(position)
	if k < 0 {
		return 0, false
	}
	return f.index.keyframes[k].position, true
}

func (f *File) keyframeBefore(position int) int {
	k := f.index.keyframes
	return sort.Search(len(k), func(i int) bool { return k[i].position > position }) - 1
}

// Keyframe implements timeline.Keyframed.
func (f *File) Keyframe(before int) (*model.Cluster, int, error) {
	for {
		k := f.keyframeBefore(before)
		if k < 0 {
			return nil, 0, nil
		}
		ref := f.index.keyframes[k]
		state, err := f.stateAt(ref)
		if err == nil {
			return state, ref.position, nil
		}
		if isIO(err) {
			return nil, 0, err
		}
		// It is damaged: it, and those that rest on it, are as if they had never been.
		f.index.keyframes = slices.Delete(f.index.keyframes, k, k+1)
		f.problem(f.index.chunks[ref.chunk].at, "a keyframe is damaged ("+err.Error()+"); the states behind it take longer to reach")
	}
}

// stateAt is the state at a keyframe.
func (f *File) stateAt(ref keyframeRef) (*model.Cluster, error) {
	data, err := f.only(ref.chunk, channelKeyframe, &f.states.records)
	if err != nil {
		return nil, err
	}
	i := &in{b: data}
	if head := i.keyframeHead(); i.err != nil {
		return nil, i.err
	} else if head.position != ref.position || head.base != ref.base {
		return nil, errKeyframe
	}
	stack, err := f.stackAt(ref)
	if err != nil {
		return nil, err
	}
	return f.states.state(data, stack, f.words.entries, &f.names)
}

// stackAt is the layers that a keyframe rests on.
func (f *File) stackAt(ref keyframeRef) (*stack, error) {
	var layers []*layer
	for {
		l, err := f.layer(ref)
		if err != nil {
			return nil, err
		}
		layers = append(layers, l)
		if ref.base == 0 {
			slices.Reverse(layers)
			return newStack(layers)
		}
		k := f.keyframeBefore(ref.base)
		if k < 0 || f.index.keyframes[k].position != ref.base {
			return nil, errKeyframe
		}
		ref = f.index.keyframes[k]
	}
}

// layer is the layer of a keyframe.
func (f *File) layer(ref keyframeRef) (*layer, error) {
	if l := f.layers.get(ref.chunk); l != nil {
		return l, nil
	}
	data, err := f.only(ref.chunk+1, channelLayer, new([]byte))
	if err != nil {
		return nil, err
	}
	l, err := (&in{b: data}).layer(&f.names)
	if err != nil {
		return nil, err
	}
	if l.position != ref.position || l.base != ref.base {
		return nil, errKeyframe
	}
	f.layers.put(cachedLayer{ref.chunk, f.isTwig(ref), l})
	return l, nil
}

// isTwig says that a keyframe rests on the one right before it.
func (f *File) isTwig(ref keyframeRef) bool {
	k := f.keyframeBefore(ref.position - 1)
	return k >= 0 && f.index.keyframes[k].position == ref.base
}

// Warm reads one of the layers that many others rest on, which takes up to some thirty milliseconds:
// jumps to far instants are quick once they are there. more is false when all of them are, or as
// many as are kept.
func (f *File) Warm() (more bool) {
	for k := f.index.keyframes; f.warmed < len(k); {
		ref := k[f.warmed]
		f.warmed++
		if f.isTwig(ref) {
			continue
		}
		if f.layers.nearlyFull() {
			f.warmed = len(k)
			return false
		}
		_, _ = f.layer(ref) // one that is damaged is noted when somebody goes there
		return true
	}
	return false
}

// only is the only message of a chunk, which must be of a channel; in room, which grows as need be.
func (f *File) only(chunk int32, channel uint16, room *[]byte) ([]byte, error) {
	if int(chunk) >= len(f.index.chunks) {
		return nil, errKeyframe
	}
	records, err := f.readChunk(chunk, *room)
	if err != nil {
		return nil, err
	}
	*room = records
	m, _, err := nextMessage(records)
	if err != nil {
		return nil, err
	}
	if m.channel != channel {
		return nil, errKeyframe
	}
	return m.data, nil
}

// Lost implements timeline.Keyframed.
func (f *File) Lost(p timeline.Page) bool {
	x := f.index.pages
	i := sort.Search(len(x), func(i int) bool { return x[i].End > p.Start })
	if i == len(x) || x[i].chunk < 0 {
		return i < len(x)
	}
	if p.End-p.Start != 1 {
		return false
	}
	changes, err := f.Read(p)
	return err == nil && isLost(changes)
}

var _ timeline.Keyframed = (*File)(nil)
