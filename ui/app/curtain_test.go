package app

import (
	"strings"
	"testing"
)

// The curtain hides all that is recorded of later: on the scrub bar, in the lanes, the list of
// decisions and what came of one; what is predicted stays, and what was before is as it was.
func TestCurtain(t *testing.T) {
	s := incident(t, "zone-outage", 150, 160, 50)
	s.keys("4").shows("░ 23:54:33.5Z", "NEAR MISS", "20 of 52", "2m35s later", "░ later")
	s.keys("c").shows("later hidden", "c shows later events", "20 of 20", "◌ 23:54:33")
	s.hides("of 52", "m35.14s", "░ 23:54:33")
	for _, line := range strings.Split(s.screen(), "\n") {
		if head, lane, ok := strings.Cut(line, "taints "); ok && strings.TrimSpace(head) == "" && (strings.Contains(lane, "╻") || !strings.Contains(lane, "░") || !strings.Contains(lane, "+7 −0")) {
			t.Errorf("the lane of taints tells of later: %s", line)
		}
	}
	// Whatever comes later, the frame is the same: as that of a recording that ends here.
	for _, key := range []string{"1", "3", "5"} {
		s.keys(key).shows("c shows later events")
	}
	s.keys("4", "c").shows("20 of 52").hides("c shows later events")
}
