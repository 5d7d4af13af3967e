package recording

import (
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/timeline"
)

// cachedState is the state at a keyframe.
type cachedState struct {
	position int
	state    *model.Cluster
	rows     []string
}

// maxCachedState is how many nodes and pods the states that are kept may have together.
const maxCachedState = 1 << 19

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
		position := f.index.keyframes[k].position
		state, err := f.stateAt(k)
		if err == nil {
			return state.Clone(), position, nil
		}
		if isIO(err) {
			return nil, 0, err
		}
		// It is damaged: it, and those that rest on it, are as if they had never been.
		chunk := f.index.keyframes[k].chunk
		f.index.keyframes = slices.Delete(f.index.keyframes, k, k+1)
		f.problem(f.index.chunks[chunk].at, "a keyframe is damaged ("+err.Error()+"); the states behind it take longer to reach")
	}
}

// stateAt is the state at the k-th keyframe, which must not be modified.
func (f *File) stateAt(k int) (*model.Cluster, error) {
	// The keyframes it rests on, back to a full one or to a state that is known.
	chain := []int{k}
	var from cachedState
	for {
		ref := f.index.keyframes[chain[len(chain)-1]]
		if i := slices.IndexFunc(f.states, func(s cachedState) bool { return s.position == ref.position }); i >= 0 {
			from = f.states[i]
			chain = chain[:len(chain)-1]
			break
		}
		if ref.base == 0 {
			from = cachedState{state: model.NewCluster()}
			break
		}
		base := f.keyframeBefore(ref.base)
		if base < 0 || f.index.keyframes[base].position != ref.base {
			return nil, errKeyframe
		}
		chain = append(chain, base)
	}
	if len(chain) == 0 {
		return from.state, nil
	}
	state, rows := from.state.Clone(), from.rows
	for n, i := range slices.Backward(chain) {
		data, err := f.keyframeData(i)
		if err != nil {
			return nil, err
		}
		in := &in{b: data}
		if rows, err = in.apply(state, rows, n == 0, f.words.entries, &f.names); err != nil {
			return nil, err
		}
	}
	f.keepState(cachedState{f.index.keyframes[k].position, state, rows})
	return state, nil
}

func (f *File) keyframeData(k int) ([]byte, error) {
	ref := f.index.keyframes[k]
	records, err := f.chunk(ref.chunk)
	if err != nil {
		return nil, err
	}
	m, _, err := nextMessage(records)
	if err != nil {
		return nil, err
	}
	head := (&in{b: m.data}).keyframeHead()
	if m.channel != channelKeyframe || head.position != ref.position || head.base != ref.base {
		return nil, errKeyframe
	}
	return m.data, nil
}

// keepState keeps the newest states that were asked for.
func (f *File) keepState(s cachedState) {
	f.states = slices.DeleteFunc(f.states, func(c cachedState) bool { return c.position == s.position })
	f.states = append(f.states, s)
	size := 0
	for k := len(f.states) - 1; k >= 0; k-- {
		c := f.states[k].state
		if size += c.RowCount() + c.PodCount(); size > maxCachedState && k < len(f.states)-1 {
			f.states = slices.Delete(f.states, 0, k+1)
			return
		}
	}
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
