package events

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFrames(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	screentest.Goldens(t, "events", s, func() screen.View { return New() })
	screentest.Goldens(t, "in-full", s, func() screen.View {
		v := New()
		v.Do(screen.Open, s)
		return v
	})
}

// said are the lines of a frame.
func said(v *View, s *screen.Snapshot) string {
	area := screen.Arrange(120, 36).Area()
	return screentest.Plain(v.Render(s, screentest.Painters()["dark"], area))
}

func TestWhatSaysTheSameIsOneRow(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	v := New()
	text := said(v, s)
	if n := strings.Count(text, "NodeNotReady    b-"); n != 1 || !strings.Contains(text, "b-000 and 9 more") {
		t.Errorf("ten NodeNotReady are %d rows:\n%s", n, text)
	}
	v.Do(screen.Attention, s)
	if n := strings.Count(said(v, s), "NodeNotReady    b-"); n != 10 {
		t.Errorf("one by one, %d NodeNotReady are listed, want 10", n)
	}
}

func TestFilter(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	v := New()
	if err := v.SetFilter("notready B-00 -b-003"); err != nil {
		t.Fatal(err)
	}
	text := said(v, s)
	if !strings.Contains(text, "and 8 more") || strings.Contains(text, "RegisteredNode") {
		t.Errorf("9 Events match:\n%s", text)
	}
	_ = v.SetFilter("nonsense")
	if text := said(v, s); !strings.Contains(text, "matches  nonsense   esc clears the filter") {
		t.Errorf("nothing says that nothing matches:\n%s", text)
	}
	if !v.Do(screen.Escape, s) || !strings.Contains(said(v, s), "RegisteredNode") {
		t.Error("esc does not clear the filter")
	}
}

func TestEventsOfOneNode(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	v := New()
	v.Visit(screen.Subject{Kind: screen.NodeSubject, Node: "b-003"}, screen.OfSelected, s)
	if text := said(v, s); strings.Contains(text, "b-000") || !strings.Contains(text, "b-003") || v.Crumb(s) != "b-003" {
		t.Errorf("not only b-003's:\n%s", text)
	}
	if !v.Do(screen.Escape, s) || v.Do(screen.Escape, s) {
		t.Error("esc lists everyone's, and then has nothing to do")
	}
}

// The Event in full says all of its message, and scrolls.
func TestInFull(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	v := New()
	said(v, s)
	v.Do(screen.Open, s)
	if text := said(v, s); !strings.Contains(text, "message") || !strings.Contains(text, "type") {
		t.Errorf("not in full:\n%s", text)
	}
	v.Do(screen.Escape, s)
	if text := said(v, s); strings.Contains(text, "esc closes") {
		t.Errorf("esc does not close it:\n%s", text)
	}
}

func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		v.All = rapid.Bool().Draw(t, "all")
		_ = v.SetFilter(rapid.SampledFrom([]string{"", "node", "-x", "e"}).Draw(t, "filter"))
		return v
	}, func(*rapid.T, *View, screentest.Frame) {})
}
