package model

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
)

func TestNamesSortAsPeopleDo(t *testing.T) {
	want := []string{"", "a", "a-1", "a-2", "a-10", "a-10-b", "a-010", "ip-10-2-4", "ip-10-2-30", "ip-10-10-1", "z"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareNames)
	// a-010 and a-10 are the same number; the raw text decides last of all.
	if want = []string{"", "a", "a-1", "a-2", "a-010", "a-10", "a-10-b", "ip-10-2-4", "ip-10-2-30", "ip-10-10-1", "z"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNameOrderIsTotal(t *testing.T) {
	name := rapid.StringMatching(`[ab0-2-]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if (CompareNames(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q compare equal", a, b)
		}
		if CompareNames(a, b) != -CompareNames(b, a) {
			t.Fatalf("%q and %q: the order has no direction", a, b)
		}
		if CompareNames(a, b) < 0 && CompareNames(b, c) < 0 && CompareNames(a, c) >= 0 {
			t.Fatalf("%q < %q < %q, but not %q < %q", a, b, c, a, c)
		}
	})
}
