// Package kubelet models the rhythm of a kubelet's heartbeats: when its next lease renewal
// and status post are due, and a kubelet that beats, for scenarios.
//
// Everything random in reality is an input.
// Source: kubernetes v1.36.3: pkg/kubelet (kubelet_node_status.go, nodelease), component-helpers
// apimachinery/lease.
package kubelet

import (
	"time"

	"kardia/model"
)

// Config is what a kubelet's configuration says of heartbeats.
type Config struct {
	// LeaseDuration is nodeLeaseDurationSeconds; a lease is renewed every quarter of it.
	LeaseDuration time.Duration
	// StatusUpdate is nodeStatusUpdateFrequency, StatusReport nodeStatusReportFrequency.
	StatusUpdate, StatusReport time.Duration
	// Version decides whether the report frequency is spread (from 1.34).
	Version model.Version
}

// Defaults are the configuration's defaults.
func Defaults(v model.Version) Config {
	return Config{LeaseDuration: 40 * time.Second, StatusUpdate: 10 * time.Second, StatusReport: 5 * time.Minute, Version: v}
}

// jitter is how much longer than asked a wait may be: both loops wait a random [1.0, 1.04)
// of their period. Since 1.18 had none, its absence is an input too: pass 0.
const jitter = 0.04

// RenewEvery is the nominal distance of two renewals.
func (c Config) RenewEvery() time.Duration { return c.LeaseDuration / 4 }

// NextRenewal is when the renewal after one at last is due: between a period and 4 % more,
// plus what the request itself takes.
func (c Config) NextRenewal(last model.Instant) model.Interval {
	return model.Interval{Earliest: last.Add(c.RenewEvery()), Latest: last.Add(stretch(c.RenewEvery(), 1))}
}

// NextPost is when a kubelet to which nothing changes posts its status again after last.
// From 1.34 the period is spread by ±50 % after a change or a restart (kubernetes#130919);
// the post falls on the first status sync after that.
func (c Config) NextPost(last model.Instant) model.Interval {
	sync := stretch(c.StatusUpdate, 1)
	if !c.Version.AtLeast(1, 34) {
		return model.Interval{Earliest: last.Add(c.StatusReport), Latest: last.Add(c.StatusReport + sync)}
	}
	return model.Interval{Earliest: last.Add(c.StatusReport / 2), Latest: last.Add(c.StatusReport + c.StatusReport/2 + sync)}
}

// UpdateTries is how often a renewal is tried at once, without a pause, before the kubelet
// falls back to making sure that the lease exists.
const UpdateTries = 5

// EnsureWait is the wait before try n (from 0) of that fallback: 200 ms, doubled each time,
// at most 7 s.
func EnsureWait(n int) time.Duration {
	wait := 200 * time.Millisecond
	for range n {
		if wait *= 2; wait >= 7*time.Second {
			return 7 * time.Second
		}
	}
	return wait
}

// stretch is a wait of d, spread by part (0 to 1) of the jitter.
func stretch(d time.Duration, part float64) time.Duration {
	return d + time.Duration(float64(d)*jitter*part)
}
