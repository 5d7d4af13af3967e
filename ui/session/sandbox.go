package session

import (
	"time"

	"kardia/model"
	"kardia/sources/scenario"
)

// Sandbox is a cluster to break: a scenario that is written while it plays, and the sessions that show it.
// Each thing that is done is a replay of another History, the same up to then.
type Sandbox struct {
	*scenario.Sandbox
	// Options are those of the first session.
	Options Options
}

// Next is what the next session shows of it: from where the present one stands, as it goes on.
type Next struct {
	scenario *scenario.Scenario
	options  Options
	curtain  bool
}

// First is the beginning of it, with the curtain drawn: nobody knows yet what comes.
func (b *Sandbox) First() (*Next, error) {
	s, err := b.Scenario()
	return &Next{scenario: s, options: b.Options, curtain: true}, err
}

// After is what comes after a session, at an instant.
func (b *Sandbox) After(s *Session, at model.Instant) (*Next, error) {
	o := b.Options
	o.Start, o.Play, o.Speed = at, s.moving && !s.backward, s.speed
	played, err := b.Scenario()
	return &Next{scenario: played, options: o, curtain: s.curtain}, err
}

// Play plays it; the Session belongs to whoever starts it. It may take a while.
func (n *Next) Play() *Session {
	o := n.options
	o.Params = n.scenario.Params
	s := Replay(n.scenario.History(o.Name), o)
	s.curtain = n.curtain
	return s
}

// Since is how long after the start of a sandbox an instant is.
func (s *Session) Since(at model.Instant) time.Duration { return at.Sub(s.Coverage().Earliest) }
