package kubelet

import (
	"time"

	"kardia/model"
)

// Action is what a kubelet does when one of its loops runs.
type Action uint8

const (
	// Nothing: the loop had nothing to write.
	Nothing Action = iota
	// Renew writes the lease with renewTime now.
	Renew
	// Post writes the node's status with new heartbeats.
	Post
)

// Kubelet is one running kubelet. Copy it to branch.
type Kubelet struct {
	config Config
	// Spread gives the random part, 0 to 1, of the next wait. Nil: 0, no jitter.
	Spread func() float64

	renew, sync, report model.Instant
	failures            int
	changed             bool
}

// New is a kubelet whose loops start at at: it renews and posts at once.
func New(config Config, at model.Instant, spread func() float64) *Kubelet {
	return &Kubelet{config: config, Spread: spread, renew: at, sync: at, report: at, changed: true}
}

// Next is when the next loop is due.
func (k *Kubelet) Next() model.Instant { return min(k.renew, k.sync) }

// Changed makes the next status sync post: something other than a heartbeat changed.
func (k *Kubelet) Changed() { k.changed = true }

// Act runs the loop that is due.
func (k *Kubelet) Act(at model.Instant) Action {
	if k.renew <= k.sync {
		k.renew = at.Add(k.wait(k.config.RenewEvery()))
		return Renew
	}
	k.sync = at.Add(k.wait(k.config.StatusUpdate))
	if !k.changed && at < k.report {
		return Nothing
	}
	k.report = at.Add(k.config.StatusReport)
	if k.config.Version.AtLeast(1, 34) && k.changed {
		k.report = k.report.Add(time.Duration((k.part() - 0.5) * float64(k.config.StatusReport)))
	}
	k.changed = false
	return Post
}

// Refused is called if a renewal failed in all its tries: the kubelet waits, longer each time, and tries again.
func (k *Kubelet) Refused(at model.Instant) {
	k.renew = at.Add(EnsureWait(k.failures))
	k.failures++
}

// Accepted is called if a renewal succeeded.
func (k *Kubelet) Accepted() { k.failures = 0 }

func (k *Kubelet) wait(period time.Duration) time.Duration { return stretch(period, k.part()) }

func (k *Kubelet) part() float64 {
	if k.Spread == nil {
		return 0
	}
	return k.Spread()
}
