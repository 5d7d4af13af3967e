package controllers_test

import (
	"fmt"
	"testing"
	"time"

	"kardia/ui/screen/screentest"
)

// All pods that go are counted, those too whose nodes are still to be tainted; and no more than there are tokens for.
// The recordings tell how many went.
func TestTotal(t *testing.T) {
	for _, c := range []struct {
		path  string
		after time.Duration
		want  string
	}{
		{"demo:zone-outage", 95 * time.Second, "20 true"},
		{"demo:zone-outage", 130 * time.Second, "20 true"},
		{"demo:zone-outage", 200 * time.Second, "8 true"},
		{"demo:node-loss", 100 * time.Second, "5 true"},
		{"demo:all-dark", 150 * time.Second, "4 true"},
		{"demo:all-dark", 235 * time.Second, "12 true"},
		{"scenario:small-zone-partial", 110 * time.Second, "6 false"},
	} {
		is := screentest.Recorded(t, c.path, c.after).Controllers().Total
		if got := fmt.Sprint(is.Most, " ", is.Surely()); got != c.want {
			t.Errorf("%s +%v: %s, want %s", c.path, c.after, got, c.want)
		}
	}
}
