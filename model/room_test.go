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

// What decisions list lies in such memory too, and nobody else's list changes with one.
func TestRoomForWhatIsListed(t *testing.T) {
	var room Room
	for _, r := range []*Room{nil, &room} {
		a, none, b := r.Causes(1, 2), r.Causes(), r.Causes(3)
		_ = append(a, 9)
		if len(none) > 0 || len(a) != 2 || a[0] != 1 || a[1] != 2 || len(b) != 1 || b[0] != 3 {
			t.Errorf("%v %v %v", a, none, b)
		}
	}
	write, check, input := Write{Node: "a"}, Check{What: ComparedSilence}, Input{What: InputNode}
	lists := func() {
		for range 300 {
			if w := room.Writes(write, write); len(w) != 2 || w[1].Node != "a" || len(room.Checks(check)) != 1 || len(room.Inputs(input, input, input)) != 3 {
				t.Error("lists do not hold what was laid in them")
			}
		}
	}
	lists()
	if n := testing.AllocsPerRun(10, func() { room.Clear(); lists() }); n > 0 {
		t.Errorf("%v allocations in memory that was there", n)
	}
}
