package session

import (
	"context"
	"time"

	"kardia/model"
	"kardia/sources/scenario"
	"kardia/ui/screen"
)

// Sandbox is a cluster to break: a scenario that is written while it plays, and its sessions. Each action is a replay
// of another History, the same up to then.
type Sandbox struct {
	*scenario.Sandbox
	Options Options
}

// Next is the next session of the sandbox: it starts at the present one's time, and plays in the same way.
type Next struct {
	scenario *scenario.Scenario
	options  Options
	curtain  bool
}

// First is a session of its beginning, with later events hidden. A large cluster shows its progress in it.
func (b *Sandbox) First() (*Session, error) {
	s, err := b.Scenario()
	if err != nil {
		return nil, err
	}
	n := &Next{scenario: s, options: b.Options, curtain: true}
	if beats := len(s.Nodes) * int(s.Length/renewsEvery); b.Options.Judging == AtOnce || beats < many {
		return n.Play(nil), nil
	}
	return n.opening(), nil
}

// many is the number of renewals, renewsEvery apart, whose run takes too long to wait before an empty screen.
const many, renewsEvery = 50_000, 10 * time.Second

func (n *Next) opening() *Session {
	o := n.options
	s := Opening(func(ctx context.Context, progress func(screen.Opening)) (Recording, error) {
		h := n.scenario.History(o.Name, func(share float64) bool {
			length := float64(n.scenario.Length)
			progress(screen.Opening{Done: int64(share * length), Total: int64(length), Plays: true})
			return ctx.Err() == nil
		})
		if h == nil {
			return Recording{}, ctx.Err()
		}
		return Recording{History: h, Params: n.scenario.Params}, nil
	}, o)
	s.curtain = n.curtain
	return s
}

// After is the session after another one, from a time on.
func (b *Sandbox) After(s *Session, at model.Instant) (*Next, error) {
	o := b.Options
	o.Start, o.Play, o.Speed = at, s.moving && !s.backward, s.speed
	played, err := b.Scenario()
	return &Next{scenario: played, options: o, curtain: s.curtain}, err
}

// Play plays it; the caller starts the Session. The callback, if set, gets the share played, and ends it by returning
// false: then the Session is nil.
func (n *Next) Play(told func(share float64) bool) *Session {
	o := n.options
	o.Params = n.scenario.Params
	h := n.scenario.History(o.Name, told)
	if h == nil {
		return nil
	}
	s := Replay(h, o)
	s.curtain = n.curtain
	return s
}

func (s *Session) Since(at model.Instant) time.Duration { return at.Sub(s.Coverage().Earliest) }
