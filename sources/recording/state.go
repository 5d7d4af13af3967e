package recording

import (
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/container"
	"kardia/sources/recording/snapshots"
	"kardia/sources/recording/wire"
)

// StateBefore implements history.History.
func (f *File) StateBefore(position int) (at int) {
	if k := f.keyframeBefore(position); k >= 0 {
		at = f.index.keyframes[k].Position
	}
	return at
}

func (f *File) keyframeBefore(position int) int {
	k := f.index.keyframes
	return sort.Search(len(k), func(i int) bool { return k[i].Position > position }) - 1
}

// State implements history.History.
func (f *File) State(before int) (*model.Cluster, int, error) {
	for {
		k := f.keyframeBefore(before)
		if k < 0 {
			return model.NewCluster(), 0, nil
		}
		ref := f.index.keyframes[k]
		state, err := f.stateAt(ref)
		if err == nil {
			return state, ref.Position, nil
		}
		if isIO(err) {
			return nil, 0, err
		}
		// It is damaged: it, and those that rest on it, are as if they had never been.
		f.index.keyframes = slices.Delete(f.index.keyframes, k, k+1)
		f.problem(f.index.chunks[ref.Chunk].At, "a keyframe is damaged ("+err.Error()+"); the states behind it take longer to reach")
	}
}

// stateAt is the state at a keyframe.
func (f *File) stateAt(ref snapshots.Ref) (*model.Cluster, error) {
	data, err := f.only(ref.Chunk, channelKeyframe, &f.states.Records)
	if err != nil {
		return nil, err
	}
	i := wire.Read(data)
	if head := snapshots.ReadHead(i); i.Err != nil {
		return nil, i.Err
	} else if head.Position != ref.Position || head.Base != ref.Base {
		return nil, snapshots.ErrKeyframe
	}
	stack, err := f.stackAt(ref)
	if err != nil {
		return nil, err
	}
	return f.states.State(data, stack, f.words.Entries, &f.names)
}

// stackAt is the layers that a keyframe rests on.
func (f *File) stackAt(ref snapshots.Ref) (*snapshots.Stack, error) {
	var layers []*snapshots.Layer
	for {
		l, err := f.layer(ref)
		if err != nil {
			return nil, err
		}
		layers = append(layers, l)
		if ref.Base == 0 {
			f.layers.Stands(layers)
			slices.Reverse(layers)
			return snapshots.NewStack(layers)
		}
		k := f.keyframeBefore(ref.Base)
		if k < 0 || f.index.keyframes[k].Position != ref.Base {
			return nil, snapshots.ErrKeyframe
		}
		ref = f.index.keyframes[k]
	}
}

// layer is the layer of a keyframe.
func (f *File) layer(ref snapshots.Ref) (*snapshots.Layer, error) {
	if l := f.layers.Get(ref.Chunk); l != nil {
		return l, nil
	}
	data, err := f.only(ref.Chunk+1, channelLayer, new([]byte))
	if err != nil {
		return nil, err
	}
	l, err := snapshots.ReadLayer(wire.Read(data), &f.names)
	if err != nil {
		return nil, err
	}
	if l.Chunk = ref.Chunk; l.Ref != ref {
		return nil, snapshots.ErrKeyframe
	}
	f.layers.Put(l)
	return l, nil
}

// isShortStep reports that a keyframe rests on the one right before it.
func (f *File) isShortStep(ref snapshots.Ref) bool {
	k := f.keyframeBefore(ref.Position - 1)
	return k >= 0 && f.index.keyframes[k].Position == ref.Base
}

// Kept implements history.History: the layers that were read last.
func (f *File) Kept() history.Kept { return f.layers.Kept() }

// ReadAhead implements history.History. It reads one of the layers that many others rest on, which takes up to some
// thirty milliseconds. more is false when all of them are there, or as many as are kept.
func (f *File) ReadAhead() (more bool) {
	f.layers.ReadAhead()
	for k := f.index.keyframes; f.warmed < len(k); {
		ref := k[f.warmed]
		f.warmed++
		if f.isShortStep(ref) {
			continue
		}
		if kept := f.layers.Kept(); kept.Bytes > kept.Most*9/10 { // more would soon push out earlier ones
			f.warmed = len(k)
			return false
		}
		_, _ = f.layer(ref) // a damaged one is noted when it is needed
		return true
	}
	return false
}

// only is the only message of a chunk, which must be of a channel; in room, which grows as need be.
func (f *File) only(chunk int32, channel uint16, room *[]byte) ([]byte, error) {
	if int(chunk) >= len(f.index.chunks) {
		return nil, snapshots.ErrKeyframe
	}
	records, err := f.readChunk(chunk, *room)
	if err != nil {
		return nil, err
	}
	*room = records
	m, _, err := container.NextMessage(records)
	if err != nil {
		return nil, err
	}
	if m.Channel != channel {
		return nil, snapshots.ErrKeyframe
	}
	return m.Data, nil
}
