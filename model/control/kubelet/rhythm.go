// Package kubelet models when a kubelet's next lease renewal and status post are due, and for scenarios a kubelet that
// renews and posts. Everything random in reality is an input.
//
// Source: kubernetes v1.36.3: pkg/kubelet (kubelet_node_status.go, nodelease), component-helpers apimachinery/lease.
package kubelet

import (
	"time"

	"kardia/model"
)

// Config is the part of a kubelet's configuration that sets its heartbeats.
type Config struct {
	// LeaseDuration is nodeLeaseDurationSeconds; a lease is renewed every quarter of it.
	LeaseDuration time.Duration
	// StatusUpdate is nodeStatusUpdateFrequency, StatusReport nodeStatusReportFrequency.
	StatusUpdate, StatusReport time.Duration
	// Version decides whether the report frequency is spread (from 1.34).
	Version model.Version
}

// Defaults are those of the kubelet's configuration.
func Defaults(v model.Version) Config {
	return Config{LeaseDuration: 40 * time.Second, StatusUpdate: 10 * time.Second, StatusReport: 5 * time.Minute, Version: v}
}

// jitter is the longest random part of a wait: both loops wait [1.0, 1.04) of their period. 1.18 had none: part is 0.
const jitter = 0.04

// RenewEvery is the period of renewals without jitter.
func (c Config) RenewEvery() time.Duration { return c.LeaseDuration / 4 }

// NextRenewal is when the renewal after one at last is due, without the time of the request: a period, or up to 4 %
// more.
func (c Config) NextRenewal(last model.Instant) model.Interval {
	return model.Interval{Earliest: last.Add(c.RenewEvery()), Latest: last.Add(stretch(c.RenewEvery(), 1))}
}

// NextPost is when a kubelet whose status does not change posts again after last. From 1.34 a change or a restart
// spreads the period by ±50 % (kubernetes#130919); the post comes with the first status sync after it.
func (c Config) NextPost(last model.Instant) model.Interval {
	sync := stretch(c.StatusUpdate, 1)
	if !c.Version.AtLeast(1, 34) {
		return model.Interval{Earliest: last.Add(c.StatusReport), Latest: last.Add(c.StatusReport + sync)}
	}
	return model.Interval{Earliest: last.Add(c.StatusReport / 2), Latest: last.Add(c.StatusReport + c.StatusReport/2 + sync)}
}

// UpdateTries is how often a renewal is tried without a pause, before the fallback that ensures that the lease exists.
const UpdateTries = 5

// EnsureWait is the wait before try n (from 0) of that fallback: 200 ms, doubled each time, at most 7 s.
func EnsureWait(n int) time.Duration {
	wait := 200 * time.Millisecond
	for range n {
		if wait *= 2; wait >= 7*time.Second {
			return 7 * time.Second
		}
	}
	return wait
}

// stretch is a wait of d with a part (0 to 1) of the jitter.
func stretch(d time.Duration, part float64) time.Duration {
	return d + time.Duration(float64(d)*jitter*part)
}
