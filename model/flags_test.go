package model_test

import (
	"testing"
	"time"

	"kardia/model"
)

// A flag that is set says so, and goes over others; what cannot be read changes nothing.
func TestFlagsAreSetByTheirNames(t *testing.T) {
	p := model.Defaults(model.Version{Major: 1, Minor: 36})
	for name, value := range map[string]string{"node-monitor-grace-period": "2m0s", "node-eviction-rate": "0.5", "large-cluster-size-threshold": "7",
		"unhealthy-zone-threshold": "0.3", "feature-gates": "TaintTolerationComparisonOperators=true"} {
		f := model.FlagNamed(name)
		if err := f.Set(&p, value, model.FromFlag); err != nil || f.Value(&p) != value || f.From(&p) != model.FromFlag {
			t.Errorf("%s is %q from %s, %v", name, f.Value(&p), f.From(&p), err)
		}
	}
	for name, value := range map[string]string{"node-monitor-grace-period": "-1s", "node-eviction-rate": "NaN", "unhealthy-zone-threshold": "1.1",
		"large-cluster-size-threshold": "2.5", "node-monitor-period": "48h", "feature-gates": "All=true"} {
		before := p
		if err := model.FlagNamed(name).Set(&p, value, model.FromUser); err == nil || p != before {
			t.Errorf("%s takes %q", name, value)
		}
	}
	over := model.Defaults(model.Version{Major: 1, Minor: 30})
	over.SetOver(&p, model.FromFlag)
	if over.NodeMonitorGracePeriod.Value != 2*time.Minute || over.NodeMonitorPeriod != model.Defaults(model.Version{}).NodeMonitorPeriod {
		t.Errorf("over others: %+v", over)
	}
	if model.FlagNamed("pod-eviction-timeout") != nil {
		t.Error("a flag that is gone since 1.27 is there")
	}
}

// The grace period cannot be shorter than the period, and the gate needs its version.
func TestFlagsThatCannotBeTogether(t *testing.T) {
	p := model.Defaults(model.Version{Major: 1, Minor: 34})
	if err := p.Sound(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	p.ComparisonOperators.Value = true
	if p.Sound() == nil {
		t.Error("a gate of 1.35 in 1.34")
	}
	p = model.Defaults(model.Version{})
	p.NodeMonitorGracePeriod.Value = time.Second
	if p.Sound() == nil {
		t.Error("a grace period of a second, and a period of five")
	}
}
