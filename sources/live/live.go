package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/rest"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
)

// Options are what to watch and how.
type Options struct {
	// Config makes the connection's configuration. New calls it, and so does another goroutine after refused
	// credentials: it should read the kubeconfig again, to notice a new login. Required.
	Config func() (*rest.Config, error)
	// Name is the context and cluster, for the title line; empty: the server's address.
	Name string
	// Version is Kardia's own, for the user agent.
	Version string
	// LogTo takes what client-go logs and warns; nil drops it. It is never stdout or stderr. Those loggers are global.
	LogTo io.Writer
	Now   func() time.Time
	// Kinds are the watched kinds; empty means all.
	Kinds []model.Kind
	// Namespaces limits pods and the Events about them; empty means all.
	Namespaces []string

	// limits differ from production in tests.
	limits *limits
}

// Source is a stream.Stream of a live cluster.
type Source struct {
	options Options
	agent   string
	clock   *clock
	server  *serverClock
	contact *contact
	batch   *batcher
	log     *lockedWriter
	limits  *limits
	pace    *rate.Limiter
	watches []*watcher
	turns   *turns
	// besides counts the requests of no watch.
	besides traffic
	gathers atomic.Bool
	// listing counts the lists in progress.
	listing atomic.Int32

	mu      sync.Mutex
	clients *clients
	version string
	retry   chan struct{} // closed to end every pause
	nudged  model.Instant // when nudge last did
	asked   []model.Kind
	asks    chan struct{} // closed when asked changes
}

var (
	_ stream.Stream   = (*Source)(nil)
	_ stream.Timed    = (*Source)(nil)
	_ stream.Asker    = (*Source)(nil)
	_ stream.Gatherer = (*Source)(nil)
)

// New prepares a stream without connecting. The error is that of Config, or a fault of the configuration.
func New(o Options) (*Source, error) {
	if o.Config == nil {
		return nil, errors.New("live: no configuration given")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Source{options: o, agent: "kardia/" + cmp.Or(o.Version, "unknown"), limits: cmp.Or(o.limits, &production), retry: make(chan struct{}), asks: make(chan struct{})}
	s.log = &lockedWriter{w: cmp.Or(o.LogTo, io.Discard)}
	s.pace = s.limits.pace()
	logs.to(s.log)
	cfg, err := o.Config()
	if err != nil {
		return nil, err
	}
	s.options.Name = cmp.Or(o.Name, address(cfg.Host))
	s.clock = newClock(o.Now)
	s.server = &serverClock{clock: s.clock}
	if s.clients, err = s.connect(cfg); err != nil {
		return nil, err
	}
	s.contact = newContact(s.clock)
	s.batch = newBatcher(s.clock)
	s.batch.contact = func() stream.Contact {
		is := s.contact.state().is
		is.Requests, is.Bytes = s.besides.requests.Load(), s.besides.bytes.Load()
		return is
	}
	for _, r := range resources(o.Namespaces) {
		if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, r.kind) {
			continue
		}
		s.watches = append(s.watches, s.watch(r))
	}
	s.turns = newTurns(s.watches)
	return s, nil
}

// watch is a watcher of a resource, which has a status from now on.
func (s *Source) watch(r resource) *watcher {
	w := &watcher{resource: r, source: s, known: map[model.Key]known{}, begun: func() {}}
	w.progress = &progress{Status: stream.Status{Kind: r.kind, Since: s.clock.now()}, name: r.String()}
	s.batch.mu.Lock()
	defer s.batch.mu.Unlock()
	s.batch.watches = append(s.batch.watches, w.progress)
	return w
}

// Name implements stream.Stream.
func (s *Source) Name() string { return s.options.Name }

// ServerVersion implements stream.Stream. It may be called at any time.
func (s *Source) ServerVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// ServerClock implements stream.Timed.
func (s *Source) ServerClock() model.Maybe[history.Offset] { return s.server.now() }

// nudge ends every wait because the API server answered. A server that answers only for moments gets no more requests.
func (s *Source) nudge() {
	s.mu.Lock()
	now := s.clock.now()
	often := s.nudged.Known() && now.Sub(s.nudged) < steady
	if !often {
		s.nudged = now
	}
	s.mu.Unlock()
	if !often {
		s.RetryNow()
	}
}

// RetryNow ends every wait between two attempts. It may be called at any time.
func (s *Source) RetryNow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.retry)
	s.retry = make(chan struct{})
}

// Run implements stream.Stream. Changes are in order of arrival. It returns nil once the context and all work ended.
func (s *Source) Run(ctx context.Context, deliver func(stream.Batch)) error {
	var all sync.WaitGroup
	for _, w := range s.watches {
		all.Go(crash.Guarded(func() { w.run(ctx) }))
	}
	besides := s.besides.counting(ctx)
	all.Go(crash.Guarded(func() { s.keepVersion(besides) }))
	all.Go(crash.Guarded(func() { s.keepAsking(besides) }))
	all.Go(crash.Guarded(func() { s.keepListing(ctx) }))
	s.batch.run(ctx, deliver)
	all.Wait()
	if plugin := s.current().plugin; plugin != nil {
		plugin.End()
	}
	return nil
}

// How often the server is asked for its version: it may be upgraded meanwhile.
const (
	versionEvery = 5 * time.Minute
	versionRetry = 15 * time.Second
)

func (s *Source) keepVersion(ctx context.Context) {
	until(ctx, patience, s.turns.connected)
	for ctx.Err() == nil {
		wait := versionRetry
		if v, err := s.askVersion(ctx); err == nil {
			s.mu.Lock()
			s.version = v
			s.mu.Unlock()
			wait = versionEvery
		}
		s.sleep(ctx, wait)
	}
}

func (s *Source) askVersion(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	c := s.current()
	if err := c.login(ctx); err != nil {
		return "", err
	}
	return c.version(ctx)
}

func (s *Source) sleep(ctx context.Context, d time.Duration) {
	s.mu.Lock()
	retry := s.retry
	s.mu.Unlock()
	until(ctx, d, retry)
}

func (s *Source) current() *clients {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients
}

// renew reads the configuration again after refused was refused, once for all watches.
func (s *Source) renew(refused *clients) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clients != refused {
		return
	}
	cfg, err := s.options.Config()
	if err == nil {
		var fresh *clients
		if fresh, err = s.connect(cfg); err == nil {
			s.clients = fresh
			return
		}
	}
	fmt.Fprintf(s.log, "reading the configuration again: %v\n", err)
}
