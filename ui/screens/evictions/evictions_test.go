package evictions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFrames(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	screentest.Goldens(t, "evictions", s, func() screen.View { return New() })
}

// Deletions of one time are one row: six pods wait for a token, in any order, and those whose countdown runs are before
// them.
func TestWhatGoesTogetherIsOneRow(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	text := screentest.Shown(v, s)
	if !strings.Contains(text, "6 pods: ") || !strings.Contains(text, "3 nodes, b-002") || strings.Index(text, "b-003") > strings.Index(text, "6 pods: ") {
		t.Errorf("by time:\n%s", text)
	}
	v.Do(screen.Reverse, s)
	if text = screentest.Shown(v, s); strings.Index(text, "b-003") < strings.Index(text, "6 pods: ") {
		t.Errorf("turned round:\n%s", text)
	}
	v.Do(screen.Reverse, s)
	v.Do(screen.Sort, s)
	if text = screentest.Shown(v, s); strings.Contains(text, "3 nodes") || !strings.Contains(text, "b-007") {
		t.Errorf("by node:\n%s", text)
	}
	v.Do(screen.Sort, s)
	if text = screentest.Shown(v, s); !strings.Contains(text, "us-east-1/us-east-1b") {
		t.Errorf("by zone:\n%s", text)
	}
}

// A pod that tolerates it forever stays, and is shown when asked for.
func TestWhoStays(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	if text := screentest.Shown(v, s); strings.Contains(text, "stays") || !strings.Contains(screentest.Plain([]string{v.Context(s, screentest.Painters()["dark"], 100)}), "stay") {
		t.Errorf("who stays is shown, or not counted:\n%s", text)
	}
	v.Do(screen.Attention, s)
	if text := screentest.Shown(v, s); !strings.Contains(text, "stays") {
		t.Errorf("who stays is not shown:\n%s", text)
	}
}

func TestFilterAndScope(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	_ = v.SetFilter("b-00 -b-003")
	if text := screentest.Shown(v, s); strings.Contains(text, "b-003") || !strings.Contains(text, "b-001") {
		t.Errorf("filtered:\n%s", text)
	}
	_ = v.SetFilter("nonsense")
	if text := screentest.Shown(v, s); !strings.Contains(text, "matches  nonsense   esc clears the filter") {
		t.Errorf("nothing says that nothing matches:\n%s", text)
	}
	if !v.Do(screen.Escape, s) {
		t.Error("esc does not clear the filter")
	}
	v.Visit(screen.Subject{Kind: screen.NodeSubject, Node: "b-003"}, screen.OfSelected, s)
	if text := screentest.Shown(v, s); strings.Contains(text, "b-001") || !strings.Contains(text, "b-003") || v.Crumb(s) != "b-003" {
		t.Errorf("not only b-003's:\n%s", text)
	}
	if got := v.Selected(s); got.Node != "b-003" {
		t.Errorf("selected is %+v", got)
	}
}

// A calm cluster, and one without known pods, have a text for it.
func TestNothingToShow(t *testing.T) {
	if text := screentest.Shown(New(), screentest.Recorded(t, "demo:zone-outage", 20*time.Second)); !strings.Contains(text, "no pod is to be deleted: no node is silent") {
		t.Errorf("calm:\n%s", text)
	}
	blind := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	blind.Kinds, blind.Judged = map[model.Kind]bool{model.KindNode: true}, nil
	if text := screentest.Shown(New(), blind); !strings.Contains(text, "pods were not read") {
		t.Errorf("without pods:\n%s", text)
	}
}

func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		v.All, v.Order = rapid.Bool().Draw(t, "all"), rapid.IntRange(byTime, byPod).Draw(t, "order")
		_ = v.SetFilter(rapid.SampledFrom([]string{"", "node", "-x", "e"}).Draw(t, "filter"))
		return v
	}, func(*rapid.T, *View, screentest.Frame) {})
}

// In a recording the outcome is beside the forecast, and the curtain hides it.
func TestWhatCameOfIt(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	wide := func() string {
		return screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(200, 60).Area()))
	}
	if text := wide(); !strings.Contains(text, "LATER") || !strings.Contains(text, "23:54:43.6Z") {
		t.Errorf("nothing says what came:\n%s", text)
	}
	s.Curtain = true
	if text := wide(); strings.Contains(text, "LATER") || strings.Contains(text, "23:54:43.6Z") {
		t.Errorf("the curtain does not hide it:\n%s", text)
	}
}

// Pods that are collected run no countdown: their node is gone, or out of service.
func TestWhyACollectedPodIsNotGoneYet(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	judged, foreseen := *s.Judged, *s.Judged.Forecast
	foreseen.Evictions = slices.Clone(foreseen.Evictions)
	for i := range foreseen.Evictions {
		if e := &foreseen.Evictions[i]; e.State == forecast.Due {
			e.Rule, e.Why, e.Seconds = model.RuleNodeMissed, forecast.Why{Reason: forecast.ByRule, By: model.Because(model.WhyNodeMissing)}, model.Maybe[int64]{}
		}
	}
	judged.Forecast, s.Judged = &foreseen, &judged
	s.Revision++
	if text := screentest.Shown(New(), &s); !strings.Contains(text, "node no longer") {
		t.Errorf("%s", text)
	}
}
