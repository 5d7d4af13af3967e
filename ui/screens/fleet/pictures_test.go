package fleet

import (
	"strings"
	"testing"
	"time"

	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// The pulse and the margin count what the heartbeats say: who beats, how often, and how far the
// oldest is from the grace period.
func TestPictures(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 120*time.Second)
	v := New()
	frame := draw(v, s, 120, 36)
	for _, want := range []string{"1.0/s", "0.8/s", "none", "Margin  oldest 3s of 50s, 46s to spare; 10 beyond"} {
		if !strings.Contains(frame, want) {
			t.Errorf("%q is not in\n%s", want, frame)
		}
	}
	c := &rendering{View: v, p: screentest.Painters()["dark"], s: s, grace: 50 * time.Second}
	beats := 0
	for i := range v.nodes.Zones {
		for _, n := range c.renewals(&v.nodes.Zones[i]) {
			beats += n
		}
	}
	counts, most, beyond, oldest := c.spread(50)
	sum := 0
	for age, n := range counts {
		if sum += n; n > most || n > 0 && age >= int(50*oldest.Then.Age.Value/c.grace)+1 {
			t.Errorf("%d nodes of %d s, most %d, oldest %v", n, age, most, oldest.Then.Age.Value)
		}
	}
	if beats != 18 || sum != 18 || beyond != 10 {
		t.Errorf("%d beat, %d within the grace and %d beyond, of 28", beats, sum, beyond)
	}
}

// A window without room has no pictures, and no picture breaks a frame.
func TestPicturesFit(t *testing.T) {
	s := screentest.Incident()
	for w := 100; w < 240; w += 7 {
		for h := 20; h < 70; h += 5 {
			v, p := New(), screentest.Painters()["ascii"]
			area := screen.Arrange(w, h).Area()
			lines := v.Render(s, p, area)
			screentest.CheckFrame(t, lines, p, area.W, area.H)
			if area.Tier < screen.Standard && strings.Contains(screentest.Plain(lines), "Margin") {
				t.Errorf("%dx%d has pictures", w, h)
			}
		}
	}
}
