package impact

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
	screentest.Goldens(t, "impact", s, func() screen.View { return New() })
}

// Who suffers, and what takes their place; the others are counted.
func TestWhoSuffers(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	if text := screentest.Shown(v, s); !strings.Contains(text, "0/1") || !strings.Contains(text, "it asks no PodDisruptionBudget") {
		t.Errorf("who suffers:\n%s", text)
	}
	calm := screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	v = New()
	if text := screentest.Shown(v, calm); !strings.Contains(text, "no workload suffers") {
		t.Errorf("calm:\n%s", text)
	}
	v.Do(screen.Attention, calm)
	if text := screentest.Shown(v, calm); !strings.Contains(text, "1/1") {
		t.Errorf("all:\n%s", text)
	}
	_ = v.SetFilter("nonsense")
	if text := screentest.Shown(v, calm); !strings.Contains(text, "esc clears the filter") {
		t.Errorf("filtered:\n%s", text)
	}
	blind := *s
	blind.Kinds = map[model.Kind]bool{model.KindNode: true}
	if text := screentest.Shown(New(), &blind); !strings.Contains(text, "no pods to be had") {
		t.Errorf("without pods:\n%s", text)
	}
}

func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		v.All = rapid.Bool().Draw(t, "all")
		return v
	}, func(*rapid.T, *View, screentest.Frame) {})
}
