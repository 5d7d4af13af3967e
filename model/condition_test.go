package model_test

import (
	"testing"
	"time"

	"kardia/model"
)

func TestWhatAConditionSaysOfItsNode(t *testing.T) {
	for _, tt := range []struct {
		condition, status, sense string
	}{
		{"Ready", "True", "good"}, {"Ready", "False", "bad"}, {"Ready", "Unknown", "unknown"}, {"Ready", "", "neutral"},
		{"DiskPressure", "False", "good"}, {"DiskPressure", "True", "bad"}, {"NetworkUnavailable", "True", "bad"},
		{"NetworkingReady", "True", "good"}, {"NetworkingReady", "False", "bad"}, // EKS
		{"KernelDeadlock", "False", "good"}, {"KernelDeadlock", "True", "bad"}, // node-problem-detector
		{"DrainInProgress", "True", "maintenance"}, {"DrainInProgress", "False", "neutral"},
		{"example.com/Warm", "True", "neutral"}, {"example.com/Warm", "False", "neutral"}, {"example.com/Warm", "Unknown", "unknown"},
	} {
		status := model.StatusAbsent
		if tt.status != "" {
			status = model.ParseStatus(tt.status)
		}
		if got := model.SenseOf(tt.condition, status).String(); got != tt.sense {
			t.Errorf("%s=%s is %s, want %s", tt.condition, tt.status, got, tt.sense)
		}
	}
	if got := model.ConditionOwner("StorageReady"); got != "EKS node monitoring agent" {
		t.Errorf("StorageReady is posted by %q", got)
	}
}

func TestAConditionWhoseOwnerStoppedPostingIsStale(t *testing.T) {
	noon := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	n := &model.Node{Conditions: []model.Condition{
		{Type: "Ready", Heartbeat: noon}, {Type: "MemoryPressure", Heartbeat: noon.Add(-5 * time.Minute)},
		{Type: "KernelDeadlock", Heartbeat: noon.Add(-3 * time.Hour)}, {Type: "example.com/Warm", Heartbeat: noon.Add(-15 * time.Minute)},
		{Type: "NetworkUnavailable", Heartbeat: noon.Add(-90 * 24 * time.Hour)}, {Type: "Drained", Heartbeat: noon.Add(-time.Hour)}, {Type: "XfsShutdown"},
	}}
	for i, want := range []time.Duration{0, 0, 3 * time.Hour, 15 * time.Minute, 0, 0, 0} {
		if c := &n.Conditions[i]; n.StaleBy(c) != want {
			t.Errorf("%s is behind by %s, want %s", c.Type, n.StaleBy(c), want)
		}
	}
}
