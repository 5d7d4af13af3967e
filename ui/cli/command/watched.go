package command

import (
	"context"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
	"kardia/ui/session"
)

// watchFlags are those of a command that judges controllers, and may watch a live cluster.
type watchFlags struct {
	lasts time.Duration
	// asks are the related kinds that the command shows, and lacks why nothing is known of one.
	asks   []model.Kind
	lacks  map[model.Kind]string
	unread map[model.Kind]string // kinds for which the live cluster did not answer, and why
}

// opened is the named recordings, or the live cluster, watched for a while.
func (w *watchFlags) opened(ctx context.Context, r *run, paths []string) (*open.Opened, error) {
	w.lacks = map[model.Kind]string{}
	if len(paths) > 0 {
		for _, kind := range w.asks {
			w.lacks[kind] = "not recorded"
		}
		if w.lasts > 0 {
			return nil, misuse("--for is for the live cluster, not for a PATH")
		}
		return r.open(ctx, paths)
	}
	s, done, err := r.watch(ctx, model.Params{}, session.Never)
	if err != nil {
		return nil, err
	}
	defer done()
	asked := w.asks
	if !s.Ask(asked...) {
		asked = nil
	}
	if err := r.load(ctx, s, asked...); err != nil {
		return nil, err
	}
	if w.lasts == 0 {
		r.say("a single look at the cluster: earlier actions are known only from the objects; --for 2m watches it")
	}
	enough, cancel := context.WithTimeout(ctx, w.lasts)
	defer cancel()
	for enough.Err() == nil {
		pause(enough, time.Second)
		s.Advance()
	}
	if ctx.Err() != nil {
		return nil, context.Canceled
	}
	sn := s.Snapshot()
	w.unread = stream.Unread(sn.Status)
	for _, kind := range w.asks {
		w.lacks[kind] = sn.Lacks(kind)
	}
	return &open.Opened{History: s.History(), Name: sn.Name, ServerVersion: s.ServerVersion(), Watched: true,
		LeadersUnwatched: stream.LeadersUnwatched(sn.Status)}, nil
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// look is whether a command watches a cluster, or only takes one look.
type look struct{ watched, glanced bool }

func (k *call) look() look {
	return look{watched: len(k.args) == 0, glanced: len(k.args) == 0 && k.watched.lasts == 0}
}

// asOf is up to when heartbeats were read at a time.
func (l look) asOf(h history.History, at model.Instant) model.AsOf {
	if l.glanced {
		return history.AsOfServer(h, at)
	}
	return history.AsOf(h, at)
}
