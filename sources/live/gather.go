package live

import (
	"context"
	"net"
	"time"

	"k8s.io/client-go/rest"
)

// gatherFor is how long a connection is left unread after it was read empty. A large cluster renews hundreds of leases
// a second, and waking up for each costs more than reading it.
const gatherFor = 20 * time.Millisecond

// Gather implements stream.Gatherer.
func (s *Source) Gather() { s.gathers.Store(true) }

// lists notes whether a list is in progress: a person waits for it, so nothing is gathered.
func (w *watcher) lists(is bool) {
	switch {
	case is && !w.listing:
		w.source.listing.Add(1)
	case !is && w.listing:
		w.source.listing.Add(-1)
	}
	w.listing = is
}

func (s *Source) trickles() bool { return s.gathers.Load() && s.listing.Load() == 0 }

// connect makes clients whose connections gather while the Source does.
func (s *Source) connect(cfg *rest.Config) (*clients, error) {
	cfg = rest.CopyConfig(cfg)
	dial := cfg.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: openTimeout, KeepAlive: openTimeout}).DialContext // as client-go does
	}
	cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &gathered{Conn: conn, source: s}, nil
	}
	return newClients(cfg, connection{s.agent, s.log, s.server, s.limits})
}

// gathered is a connection that is not read for gatherFor after it was read empty. A burst is read without a pause.
type gathered struct {
	net.Conn
	source *Source
	empty  time.Time // when it was read empty; zero while it was not
}

func (g *gathered) Read(b []byte) (n int, err error) {
	if !g.empty.IsZero() && g.source.trickles() {
		time.Sleep(gatherFor - time.Since(g.empty))
	}
	n, err = g.Conn.Read(b)
	g.empty = time.Time{}
	if n < len(b) {
		g.empty = time.Now()
	}
	return n, err
}
