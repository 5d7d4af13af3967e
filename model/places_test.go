package model

import (
	"cmp"
	"slices"
	"testing"
)

func TestPlacesKeepEquals(t *testing.T) {
	list := []int{3, 1, 2, 1, 3}
	if got := Places(len(list), func(i, k int32) int { return cmp.Compare(list[i], list[k]) }); !slices.Equal(got, []int32{1, 3, 2, 0, 4}) {
		t.Errorf("%v", got)
	}
}
