package snapshots

import (
	"cmp"
	"slices"

	"kardia/model"
)

// Stack is the layers that a keyframe rests on, the full one first: what changes seldom in the
// state at its position. It is a model.Stored.
type Stack struct {
	layers []*Layer
	Names  []string // of all rows
	pods   []int32  // how many each row has
	events map[int][]*model.Event
}

// NewStack puts layers on each other.
func NewStack(layers []*Layer) (*Stack, error) {
	s := &Stack{layers: layers, events: map[int][]*model.Event{}}
	for k, l := range layers {
		if l.below != len(s.Names) || k > 0 && l.Base != layers[k-1].Position || k == 0 && l.Base != 0 {
			return nil, ErrKeyframe
		}
		if s.Names == nil {
			s.Names = slices.Clip(l.names)
		} else {
			s.Names = append(s.Names, l.names...)
		}
		s.pods = append(s.pods, make([]int32, len(l.names))...)
		for k := range l.sections {
			b := &l.sections[k]
			if b.put > 0 && b.row >= 0 && s.Names[b.row] == "" {
				return nil, ErrKeyframe // a pod that names no node is on no row
			}
			if b.row >= 0 {
				s.pods[b.row] = b.pods
			}
			if b.changed {
				s.events[int(b.row)] = b.events
			}
		}
	}
	return s, nil
}

// name is the node that a row stands for.
func (s *Stack) name(row int) string {
	if row < 0 {
		return ""
	}
	return s.Names[row]
}

// PodCount implements model.Stored.
func (s *Stack) PodCount(row int) int { return int(s.pods[row]) }

// Pods implements model.Stored.
func (s *Stack) Pods(row int) (pods []*model.Pod) {
	above := map[model.Key]bool{}
	for _, l := range slices.Backward(s.layers) {
		if b := l.find(row); b != nil {
			pods = l.section(b, s.name(row)).unpack(pods, above)
		}
	}
	return pods
}

// Events implements model.Stored.
func (s *Stack) Events(row int) []*model.Event { return s.events[row] }

// RowOf implements model.Stored: the row that had the pod last.
func (s *Stack) RowOf(key model.Key) (row int, ok bool) {
	hash := keyHash(key.Namespace, []byte(key.Name))
	for _, l := range slices.Backward(s.layers) {
		if k, ok := slices.BinarySearchFunc(l.keys, hash, func(a keyRow, hash uint64) int { return cmp.Compare(a.hash, hash) }); ok {
			return int(l.keys[k].row), true
		}
	}
	return 0, false
}

var _ model.Stored = (*Stack)(nil)
