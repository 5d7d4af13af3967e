package screens_test

import (
	"strings"
	"testing"
	"time"

	"kardia/ui/controllers"
	"kardia/ui/headline"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens/fleet"
	"kardia/ui/screens/zones"
)

// Where no leases are to be had, the fleet draws no pulse, and no age that goes by a status is taken
// for a silence: it may be less.
func TestWithoutLeases(t *testing.T) {
	path := screentest.IncidentPath("../../../demo/zone-outage") + "/nodes.watch.jsonl.zst"
	s := screentest.Recorded(t, path, 2*time.Minute)
	s.Judged = &controllers.Judgement{Missing: "the input holds no node leases: silence cannot be judged"}
	p := screentest.Painters()["dark"]
	frame := func(v screen.View, w, h int) string {
		return screentest.Plain(v.Render(s, p, screen.Area{W: w, H: h, Tier: screen.TierOf(w, h)}))
	}
	for _, size := range [][2]int{{80, 18}, {120, 30}, {200, 54}} {
		shown := frame(fleet.New(), size[0], size[1])
		for _, no := range []string{"Pulse", "none"} {
			if strings.Contains(shown, no) {
				t.Errorf("fleet says %q in\n%s", no, shown)
			}
		}
		if !strings.Contains(shown, "≤2m01s") {
			t.Errorf("fleet does not say ≤2m01s:\n%s", shown)
		}
	}
	if shown := frame(zones.New(), 200, 54); !strings.Contains(shown, "≤2m01s") {
		t.Errorf("zones does not say ≤2m01s:\n%s", shown)
	}
	calm := screentest.Recorded(t, path, time.Minute)
	if got := headline.Rows(calm, p, 120, 2)[0].Text; !strings.Contains(screentest.Plain([]string{got}), "all 28 nodes read Ready; no heartbeat is known to the second") {
		t.Errorf("headline: %q", got)
	}
}
