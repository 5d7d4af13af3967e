package model

import "testing"

// TestApply: what becomes of an object that stands in version 5, or of which nothing is known.
func TestApply(t *testing.T) {
	mine, other := UUID([16]byte{1}), UUID([16]byte{2})
	stands, unversioned, nothing := ObjectVersion{true, mine, 5}, ObjectVersion{true, mine, 0}, ObjectVersion{}
	node := &Node{}
	for _, c := range []struct {
		op      Op
		version uint64
		uid     UID
		node    *Node
		before  ObjectVersion
		want    Transition
	}{
		{OpModify, 6, mine, node, stands, TransitionSet},
		{OpModify, 5, mine, node, stands, TransitionSet},
		{OpModify, 4, mine, node, stands, TransitionStale},
		{OpModify, 0, mine, node, stands, TransitionSet},
		{OpModify, 4, mine, node, unversioned, TransitionSet},
		{OpModify, 4, mine, node, nothing, TransitionSet},
		{OpAdd, 6, other, node, stands, TransitionSet},
		{OpAdd, 4, other, node, stands, TransitionStale},
		{OpModify, 6, mine, nil, stands, TransitionUnknown},
		{OpPatch, 6, mine, node, stands, TransitionUnknown},
		{OpAttempt, 6, mine, node, stands, TransitionUnknown},
		{OpGap, 0, UID{}, nil, stands, TransitionUnknown},
		{OpRepeat, 5, mine, node, stands, TransitionUnknown},
		{OpRepeat, 6, mine, node, stands, TransitionSet},
		{OpRepeat, 5, mine, node, nothing, TransitionSet},
		{OpDelete, 6, mine, nil, stands, TransitionGone},
		{OpDelete, 0, UID{}, nil, stands, TransitionGone},
		{OpDelete, 4, mine, nil, stands, TransitionStale},
		{OpDelete, 6, other, nil, stands, TransitionGone},
		{OpDelete, 0, other, nil, stands, TransitionStale},
		{OpDelete, 6, other, nil, unversioned, TransitionStale},
		{OpDelete, 0, mine, nil, nothing, TransitionGone},
	} {
		ch := Change{Kind: KindNode, Op: c.op, Version: c.version, UID: c.uid, Node: c.node}
		if got := Apply(&ch, c.before); got != c.want {
			t.Errorf("%s of version %d of %q, object %v, where %+v stands: %s, want %s", c.op, c.version, c.uid, c.node != nil, c.before, got, c.want)
		}
	}
}
