package flags

import (
	"testing"

	"kardia/model"
)

// A zone that the secondary rate serves says which share is enough for it, and one that the first rate serves, which is not.
func TestThresholdsPartZonesByTheirRates(t *testing.T) {
	slow, fast := span{19.8, 20.2}, span{1.9, 2.1}
	for _, c := range []struct {
		what      string
		list      distances
		threshold float32
		size      int32
	}{
		{"one zone, slow", distances{{span: slow, bad: 6, size: 8}}, .55, 5},
		{"one zone of which half is not ready, slow", distances{{span: slow, bad: 6, size: 12}}, .5, 10},
		{"another of half, fast", distances{{span: slow, bad: 6, size: 8}, {span: fast, bad: 3, size: 6}}, .55, 5},
		{"two slow, a little apart from one that is fast", distances{{span: slow, bad: 18, size: 40}, {span: fast, bad: 8, size: 20}}, .45, 35},
		{"one that is fast, all known of none", distances{{span: fast, bad: 3, size: 6}}, .55, 50},
	} {
		p := model.Defaults(model.Version{Major: 1, Minor: 36})
		p.NodeEvictionRate.Value, p.SecondaryNodeEvictionRate.Value = .5, .05
		o := &Observed{Params: &p, Rates: Rates{Ends: map[string]Fit{}}}
		o.lowerThresholds(c.list)
		if p.UnhealthyZoneThreshold.Value != c.threshold || p.LargeClusterSizeThreshold.Value != c.size {
			t.Errorf("%s: threshold %v, size %v", c.what, p.UnhealthyZoneThreshold.Value, p.LargeClusterSizeThreshold.Value)
		}
	}
}
