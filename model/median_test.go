package model

import "testing"

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   []int
		want int
	}{{[]int{7}, 7}, {[]int{1, 9}, 1}, {[]int{1, 5, 9}, 5}, {[]int{1, 5, 6, 9}, 5}} {
		if got, ok := Median(c.of); got != c.want || !ok {
			t.Errorf("of %v it is %d", c.of, got)
		}
	}
	if _, ok := Median([]int{}); ok {
		t.Error("there is one of nothing")
	}
}
