package conformance

import (
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What goes wrong between the controllers and the API server.

// Refuse sets whether controllers' requests for a node fail, or, for a pod's namespace/name, writes of its status.
func (s *APIServer) Refuse(name string, yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken[name] = yes
	s.trace.add(Step{Broken: &Broken{name, yes}})
}

func (s *APIServer) refused(by Actor, name string) error {
	if s.broken[name] {
		s.trace.add(Step{By: by, Refused: name})
		return apierrors.NewInternalError(fmt.Errorf("refused by the scenario"))
	}
	return nil
}

// Conflict makes the next write of an object by a controller meet a newer version.
func (s *APIServer) Conflict(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conflicts[name] = true
}

// quietUntil sets the time before which no kubelet or person acts.
func (s *APIServer) quietUntil(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = at
}

// Slow delays the answer to a pass that writes a pod's status.
func (s *APIServer) Slow(pod string, by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow[pod] = by
}

// conflicting reports whether a write meets a conflict now. A pass tries again 20 ms later and decides by as much
// later. No conflict comes if that reaches another second, a tick or a heartbeat: the model gives a pass one time.
func (s *APIServer) conflicting(by Actor, name string) bool {
	now := time.Now()
	again := now.Add(25 * time.Millisecond)
	if by == Pass && (now.Sub(s.ticks)%Tolerance > 70*time.Millisecond || again.Unix() != now.Unix() || again.After(s.quiet)) {
		return false
	}
	if !s.conflicts[name] || by == World {
		return false
	}
	delete(s.conflicts, name)
	s.trace.add(Step{By: by, Conflict: name})
	return true
}

func (s *APIServer) slowness(pod string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slow[pod]
}
