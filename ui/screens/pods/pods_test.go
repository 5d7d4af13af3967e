package pods

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFrames(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	screentest.Goldens(t, "pods", s, func() screen.View { return New() })
}

// Those that are well are counted, and shown when asked for; a node's are its own.
func TestWhoIsListed(t *testing.T) {
	calm := screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	v := New()
	if text := screentest.Shown(v, calm); !strings.Contains(text, "pods are healthy") {
		t.Errorf("calm:\n%s", text)
	}
	v.Do(screen.Attention, calm)
	if text := screentest.Shown(v, calm); !strings.Contains(text, "Running") {
		t.Errorf("all:\n%s", text)
	}
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v = New()
	v.Visit(screen.Subject{Kind: screen.NodeSubject, Node: "b-008"}, screen.OfSelected, s)
	if text := screentest.Shown(v, s); !strings.Contains(text, "stuck") || !strings.Contains(text, "taint eviction") || strings.Contains(text, "b-003") {
		t.Errorf("of b-008:\n%s", text)
	}
	_ = v.SetFilter("nonsense")
	if text := screentest.Shown(v, s); !strings.Contains(text, "esc clears the filter") {
		t.Errorf("filtered:\n%s", text)
	}
	blind := *s
	blind.Kinds = map[model.Kind]bool{model.KindNode: true}
	if text := screentest.Shown(New(), &blind); !strings.Contains(text, "pods not available") {
		t.Errorf("without pods:\n%s", text)
	}
}

// Before the pods are listed, the page of a pod must not claim that there is none.
func TestOpenBeforePodsAreListed(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	about := screen.Subject{Kind: screen.PodSubject, Pod: model.Key{Namespace: "shop", Name: "none"}}
	if err := New().Open(about, &s); err == nil || !strings.Contains(err.Error(), "no such pod") {
		t.Errorf("a pod that is not there: %v", err)
	}
	s.PodsListed = s.At.Add(time.Second)
	if err := New().Open(about, &s); err == nil || !strings.Contains(err.Error(), "not listed yet") {
		t.Errorf("before the pods are listed: %v", err)
	}
}

func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		v.All, v.Order = rapid.Bool().Draw(t, "all"), rapid.IntRange(byFate, byNode).Draw(t, "order")
		return v
	}, func(*rapid.T, *View, screentest.Frame) {})
}

// Columns that a person chooses have the room of those left out.
func TestChosenColumnsHaveTheRoom(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	v.SetColumns([]string{"POD", "OF"})
	lines := v.Render(s, screentest.Painters()["dark"], screen.Area{W: 60, H: 20, Tier: screen.Compact})
	if text := screentest.Plain(lines); !strings.Contains(text, " OF") {
		t.Errorf("a chosen column is left out:\n%s", text)
	}
}
