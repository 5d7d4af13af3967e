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
	frame := draw(v, s, 200, 60)
	for _, want := range []string{"renewals 1.0/s ", "renewals 0.8/s ", "renewals none", "Margin  oldest 3s of 50s, 47s to spare; 10 beyond"} {
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

// A calm fleet in a wide window has its oldest heartbeats, the oldest first; one in trouble has the last decisions
// instead.
func TestWhatFillsAWideWindow(t *testing.T) {
	area := screen.Arrange(200, 60).Area()
	calm := screentest.Recorded(t, "demo:zone-outage", 10*time.Second)
	v := New()
	text := screentest.Plain(v.Render(calm, screentest.Painters()["dark"], area))
	if !strings.Contains(text, "Oldest heartbeats") || strings.Contains(text, "Decided lately") {
		t.Errorf("calm:\n%s", text)
	}
	c := &rendering{View: v, s: calm}
	last := time.Hour
	for _, e := range c.longestSilent(5) {
		if e.Then.Age.Value > last {
			t.Errorf("%s is older than the one before", e.Row.Name)
		}
		last = e.Then.Age.Value
	}
	younger := 0
	for i := range v.nodes.Entries {
		if v.nodes.Entries[i].Then.Age.Value < last {
			younger++
		}
	}
	if n := len(c.longestSilent(1 << 10)); n != 28 || younger > 23 {
		t.Errorf("%d nodes, %d younger than the five oldest", n, younger)
	}
	outage := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	text = screentest.Plain(New().Render(outage, screentest.Painters()["dark"], area))
	if strings.Contains(text, "Oldest heartbeats") || !strings.Contains(text, "Decided lately") {
		t.Errorf("outage:\n%s", text)
	}
}
