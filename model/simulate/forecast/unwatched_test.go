package forecast

import (
	"strings"
	"testing"

	"kardia/model"
)

// In a hole what was due by now may have come, and nobody saw it: it is not promised.
func TestWhatWasDueInAHoleIsNotPromised(t *testing.T) {
	within := func(from, to int) model.Interval {
		return model.Interval{Earliest: model.Instant(from) * 1e9, Latest: model.Instant(to) * 1e9}
	}
	f := &Forecast{At: 100e9, Evictions: []Eviction{{Node: "past", Window: within(110, 119), Certain: true}, {Node: "now", Window: within(110, 130), Certain: true},
		{Node: "later", Window: within(125, 130), Certain: true}, {Node: "never", Window: never}}}
	for _, w := range []model.Interval{within(105, 106), within(115, 125), within(121, 122)} {
		f.Coming = append(f.Coming, Coming{Decision: model.Decision{Window: w}, Sure: true})
	}
	f.unwatched(120e9)
	var left []string
	for _, e := range f.Evictions {
		if left = append(left, e.Node); e.Certain != (e.Node == "later") {
			t.Errorf("%s is certain: %t", e.Node, e.Certain)
		}
	}
	if got := strings.Join(left, " "); got != "now later never" {
		t.Errorf("left are %s", got)
	}
	if len(f.Coming) != 2 || f.Coming[0].Sure || !f.Coming[1].Sure {
		t.Errorf("to come are %+v", f.Coming)
	}
	if last := f.Assumptions[len(f.Assumptions)-1]; !strings.HasPrefix(last, "1 deletion fell due since") {
		t.Errorf("said is %q", last)
	}
}
