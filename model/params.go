package model

import (
	"fmt"
	"strings"
	"time"
)

// Provenance is where a parameter's value came from; a later one replaces an earlier one.
type Provenance uint8

const (
	// FromDefault: the default of the Kubernetes version.
	FromDefault Provenance = iota
	// FromInferred: the observation contradicts the default, and not this value.
	FromInferred
	// FromFile: stated by the input (a recording's metadata, a controller's log).
	FromFile
	// FromFlag: given on Kardia's command line.
	FromFlag
	// FromUser: edited in a session.
	FromUser
)

func (p Provenance) String() string {
	return [...]string{"default", "inferred", "file", "flag", "user"}[min(p, FromUser)]
}

type Param[T any] struct {
	Value T
	From  Provenance
}

// Version is a Kubernetes minor version. The zero value is "not known".
type Version struct {
	Major, Minor int
}

// ParseVersion reads "v1.36.3", "1.36" or "v1.37.0-rc.1+k3s1"; ok is false for other text.
func ParseVersion(s string) (v Version, ok bool) {
	if _, err := fmt.Sscanf(strings.TrimPrefix(s, "v"), "%d.%d", &v.Major, &v.Minor); err != nil {
		return Version{}, false
	}
	return v, true
}

// AtLeast compares versions. An unknown version counts as the newest.
func (v Version) AtLeast(major, minor int) bool {
	return v == Version{} || v.Major > major || (v.Major == major && v.Minor >= minor)
}

func (v Version) String() string {
	if v == (Version{}) {
		return "unknown"
	}
	return fmt.Sprintf("v%d.%d", v.Major, v.Minor)
}

// Params are the flags of kube-controller-manager that node-lifecycle decisions depend on.
// Source: kubernetes: pkg/controller/nodelifecycle/config/v1alpha1,
// RecommendedDefaultNodeLifecycleControllerConfiguration.
type Params struct {
	Version                   Version
	NodeMonitorPeriod         Param[time.Duration]
	NodeMonitorGracePeriod    Param[time.Duration]
	NodeStartupGracePeriod    Param[time.Duration]
	NodeEvictionRate          Param[float32]
	SecondaryNodeEvictionRate Param[float32]
	LargeClusterSizeThreshold Param[int32]
	UnhealthyZoneThreshold    Param[float32]
	// ComparisonOperators is the gate for the toleration operators Gt and Lt, alpha since 1.35, off by default.
	ComparisonOperators Param[bool] `json:",omitzero"`
}

// GateComparisonOperators is the gate's name in --feature-gates.
const GateComparisonOperators = "TaintTolerationComparisonOperators"

// Defaults are the flags' defaults in a Kubernetes version. The grace period was 40 s up to 1.31 (kubernetes#126287).
func Defaults(v Version) Params {
	grace := 50 * time.Second
	if !v.AtLeast(1, 32) {
		grace = 40 * time.Second
	}
	return Params{
		Version:                   v,
		NodeMonitorPeriod:         Param[time.Duration]{Value: 5 * time.Second},
		NodeMonitorGracePeriod:    Param[time.Duration]{Value: grace},
		NodeStartupGracePeriod:    Param[time.Duration]{Value: time.Minute},
		NodeEvictionRate:          Param[float32]{Value: 0.1},
		SecondaryNodeEvictionRate: Param[float32]{Value: 0.01},
		LargeClusterSizeThreshold: Param[int32]{Value: 50},
		UnhealthyZoneThreshold:    Param[float32]{Value: 0.55},
	}
}
