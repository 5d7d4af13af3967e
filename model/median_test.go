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
	for hundredths, want := range map[int]int{0: 1, 33: 1, 34: 5, 50: 5, 99: 6, 100: 9} {
		if got, ok := Percentile([]int{1, 5, 6, 9}, hundredths); got != want || !ok {
			t.Errorf("%d hundredths: %d, want %d", hundredths, got, want)
		}
	}
	if _, ok := Median([]int{}); ok {
		t.Error("there is one of nothing")
	}
}
