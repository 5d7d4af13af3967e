package kubelet

import (
	"time"

	"kardia/model"
)

// Action is what a kubelet does at an instant.
type Action uint8

const (
	// Nothing: the loop ran, and had nothing to write.
	Nothing Action = iota
	// Renew writes the lease with renewTime now.
	Renew
	// Post writes the node's status with new heartbeats.
	Post
)

// Kubelet is one living kubelet. Copy it to branch.
type Kubelet struct {
	config Config
	// Spread gives the random part, 0 to 1, of the next wait. Nil: 0, no jitter.
	Spread func() float64

	renew, sync, report model.Instant
	// failures counts renewals refused in a row.
	failures int
	changed  bool
}

// New is a kubelet whose loops start at an instant: it renews and posts at once.
func New(config Config, at model.Instant, spread func() float64) *Kubelet {
	return &Kubelet{config: config, Spread: spread, renew: at, sync: at, report: at, changed: true}
}

// Next is when the kubelet acts next.
func (k *Kubelet) Next() model.Instant { return min(k.renew, k.sync) }

// Changed says that something other than a heartbeat differs from what the API server has:
// the next status sync posts it.
func (k *Kubelet) Changed() { k.changed = true }

// Act runs the loop that is due at an instant and says what it does.
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

// Refused says that the renewal just made failed, tries and all: the kubelet tries again
// soon, and less and less often.
func (k *Kubelet) Refused(at model.Instant) {
	k.renew = at.Add(EnsureWait(k.failures))
	k.failures++
}

// Accepted says that the renewal just made succeeded after failures.
func (k *Kubelet) Accepted() { k.failures = 0 }

func (k *Kubelet) wait(period time.Duration) time.Duration { return stretch(period, k.part()) }

func (k *Kubelet) part() float64 {
	if k.Spread == nil {
		return 0
	}
	return k.Spread()
}
