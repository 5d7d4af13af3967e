package session

import (
	"context"
	"time"

	"kardia/model/history"
)

// since is how long ago the cached answer was found.
func (l *latest[Q, A]) since(now time.Time) time.Duration { return now.Sub(l.ended) }

// find looks for an answer, and keeps it unless it is stopped. None may be running. One that can wait draws no frame.
func (l *latest[Q, A]) find(s *Session, to Q, look func(context.Context, *watched) (A, error)) {
	if l.reader == nil || s.live != nil {
		l.reader = &watched{History: s.history.Fork()}
	}
	is, reader, cost := &found[Q, A]{to: to}, l.reader, time.Duration(0)
	l.running = &to
	l.stop = s.do(func(ctx context.Context) {
		began := time.Now()
		reader.watch = func(history.Page) error { return ctx.Err() }
		is.answer, is.err = look(ctx, reader)
		reader.watch = nil
		cost = time.Since(began)
	}, func(stopped bool) {
		l.running = nil
		if !stopped {
			l.cached, l.cost, l.ended = is, cost, s.now()
		}
		if !l.waits || !s.following() {
			s.touch()
		}
	})
}

// Read implements history.History. What is read in full is good until the next such page.
func (h *watched) Read(p history.Page, into *history.Condensed) error {
	if h.watch != nil {
		if err := h.watch(p); err != nil {
			return err
		}
	}
	if !into.Full {
		return h.History.Read(p, into)
	}
	if h.full.Page != p || p.Start == p.End {
		h.full.Full = true
		if err := h.History.Read(p, &h.full); err != nil {
			h.full.Page = history.Page{}
			return err
		}
	}
	into.ShareCondensed(&h.full)
	return nil
}

// Fork implements history.History. It is not watched yet.
func (h *watched) Fork() history.History { return &watched{History: h.History.Fork()} }

// newViewpoint is one in a History without another reader.
func newViewpoint(h history.History) *viewpoint {
	reader := &watched{History: h}
	return &viewpoint{history.NewCursor(reader), reader}
}
