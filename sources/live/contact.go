package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kardia/model"
	"kardia/sources/capture/stream"
)

const (
	// quietFor is how long nothing may arrive before the API server is asked for a sign of life, and how often. While
	// kubelets renew their leases it is hardly ever asked, and one short request in two seconds is no load.
	quietFor     = 2 * time.Second
	answerWithin = 2 * time.Second
)

var errSilent = fmt.Errorf("no answer within %v", answerWithin)

// contact is whether the API server gives signs of life. One that shuts down leaves its watches open for a minute, a
// network that fails for longer. So silence is news about nodes only while the API server answers.
type contact struct {
	clock *clock

	mu sync.Mutex
	signs
}

// signs are what is known of a contact.
type signs struct {
	is stream.Contact
	// back is closed when the API server returns: streams opened before are not trusted.
	back chan struct{}
	// lost is the state before the latest return.
	lost stream.Contact
	// spared is until when the API server refuses requests, by its answer to one; throttled is by one to a watch.
	spared, throttled model.Instant
}

func newContact(c *clock) *contact {
	return &contact{clock: c, signs: signs{back: make(chan struct{})}}
}

func (c *contact) state() signs {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.signs
}

// counts reports whether an arrival on a stream is a sign of life. After a loss only new streams count: an API server
// that shuts down takes no requests, but still sends bookmarks to open watches.
func (s signs) counts(opened model.Instant) bool {
	return !s.is.Lost || !opened.Known() || opened > s.is.Last
}

// heard notes a sign of life, and reports whether it ends a loss.
func (c *contact) heard() (back bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if back = c.is.Lost; back {
		c.lost = c.is
	}
	c.is = stream.Contact{Last: c.clock.now()}
	if back {
		close(c.back)
		c.back = make(chan struct{})
	}
	return back
}

// silent notes that a request sent at a time got no answer. Anything that arrived since is an answer.
func (c *contact) silent(asked model.Instant, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.is.Last <= asked {
		c.is.Lost, c.is.Why = true, silence(err)
	}
}

// spare notes in one of the signs that the API server refuses requests until a time.
func (c *contact) spare(in *model.Instant, until model.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*in = max(*in, until)
}

// sparedUntil is until when the API server is not asked. Its answer to a watch may be meant for watches only. So it
// counts only without followed streams, while the API server is known to be there.
func (s signs) sparedUntil(follows bool) model.Instant {
	if follows || s.is.Lost || !s.is.Last.Known() {
		return s.spared
	}
	return max(s.spared, s.throttled)
}

// since is the last sign of life before a time at which something broke.
func (s signs) since(broke model.Instant) model.Instant {
	if s.is.Lost && s.is.Last.Known() {
		return min(broke, s.is.Last)
	}
	return broke
}

func (s *Source) heard() {
	if s.contact.heard() {
		s.nudge()
	}
}

// keepAsking asks the API server for a sign of life if nothing arrives, unless it refuses requests.
func (s *Source) keepAsking(ctx context.Context) {
	asked := s.clock.now()
	for ctx.Err() == nil {
		now, is := s.clock.now(), s.contact.state()
		if quiet := now.Sub(max(is.is.Last, asked)); quiet < quietFor {
			until(ctx, quietFor-quiet, nil)
			continue
		}
		if spared := is.sparedUntil(s.follows()); spared > now {
			until(ctx, min(spared.Sub(now), quietFor), nil) // not longer: followed streams may start again
			continue
		}
		asked = now
		if err := s.ask(ctx); err == nil {
			s.heard()
		} else if ctx.Err() == nil {
			s.contact.silent(asked, err)
		}
		s.batch.setDirty()
	}
}

func (s *Source) follows() bool {
	s.batch.mu.Lock()
	defer s.batch.mu.Unlock()
	return slices.ContainsFunc(s.watches, func(w *watcher) bool { return w.progress.State == stream.Live })
}

// ask asks whether the API server is ready. A refusal is an answer.
func (s *Source) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	c := s.current()
	if err := c.login(ctx); err != nil {
		return err
	}
	err := c.api.Get().AbsPath("/readyz").MaxRetries(0).Do(ctx).Error()
	var answer apierrors.APIStatus
	if d := delay(err); d > 0 {
		s.contact.spare(&s.contact.spared, s.clock.now().Add(d))
	}
	switch {
	case err == nil || errors.As(err, &answer) && answer.Status().Code < 500:
		return nil
	case ctx.Err() != nil && own(err) == nil:
		return errSilent
	}
	return err
}

func silence(err error) string {
	var answer apierrors.APIStatus
	if !errors.As(err, &answer) {
		return explain(err)
	}
	var failing []string
	for _, part := range strings.Split(err.Error(), "[-]")[1:] { // one for each check that failed
		name, _, _ := strings.Cut(part, " ")
		failing = append(failing, name)
	}
	if len(failing) == 0 {
		return "it answers that it is not ready"
	}
	return brief("it answers that it is not ready: " + strings.Join(failing, ", "))
}
