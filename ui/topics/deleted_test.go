package topics_test

import (
	"testing"

	"kardia/model/simulate/forecast"
	"kardia/ui/topics"
)

// How many pods go is said in the same words everywhere.
func TestHowManyGo(t *testing.T) {
	for _, c := range []struct {
		least, most, of int
		want            string
	}{
		{1, 1, 1, "1 pod"}, {3, 3, 3, "3 pods"}, {0, 3, 3, "up to 3 pods"}, {0, 1, 11, "up to 1 of 11 pods"},
		{2, 4, 14, "2 to 4 of 14 pods"}, {2, 2, 6, "2 of 6 pods"}, {18, 20, 20, "18 to 20 pods"},
	} {
		d := forecast.Deleted{Bounds: forecast.Bounds{Least: c.least, Most: c.most}, Of: c.of}
		if got := topics.Deleted(&d).String(); got != c.want {
			t.Errorf("%+v is %q, want %q", d, got, c.want)
		}
	}
}
