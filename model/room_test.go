package model

import (
	"fmt"
	"testing"
)

// Lists lie in one piece of memory without touching each other, and when it is taken back the next lie where they lay.
func TestRoom(t *testing.T) {
	list := func(r *Room, of string, n int) []Decision {
		l := r.Begin()
		for i := range n {
			l = r.Add(l, Decision{Node: fmt.Sprint(of, i)})
		}
		return r.End(l)
	}
	holds := func(l []Decision, of string, n int) bool {
		for i := range l {
			if l[i].Node != fmt.Sprint(of, i) {
				return false
			}
		}
		return len(l) == n
	}
	for _, r := range []*Room{nil, {}} {
		a, none, b, c := list(r, "a", 3), list(r, "", 0), list(r, "b", 200), list(r, "c", 1)
		if !holds(a, "a", 3) || len(none) > 0 || !holds(b, "b", 200) || !holds(c, "c", 1) {
			t.Error("lists do not hold what was added to them")
		}
		_ = append(a, Decision{Node: "somebody's"})
		if b = append(b, Decision{Node: "b200"}); !holds(b, "b", 201) || !holds(c, "c", 1) {
			t.Error("what is appended to a list lies in another")
		}
	}
	var r Room
	list(&r, "a", 100)
	allocated := testing.AllocsPerRun(10, func() {
		r.Clear()
		if l := r.Begin(); cap(l) < 100 {
			t.Errorf("room for %d after one list of 100", cap(l))
		} else {
			r.End(append(l, Decision{}))
		}
	})
	if allocated > 0 {
		t.Errorf("%v allocations in memory that was there", allocated)
	}
}
