package live

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"kardia/model"
	"kardia/sources/capture/stream"
)

const (
	// openTimeout limits the start of an answer, and a page.
	openTimeout = 30 * time.Second
	// stallAfter is how long an open watch may be silent before it is dialled again. Bookmarks come about every minute,
	// for Events about every ten. A connection without its other end stays silent.
	stallAfter = 150 * time.Second
	// acceptAfter is how long a resumed watch must last to be accepted.
	acceptAfter = time.Second
	// eventsStay is half of the default time for which Events are kept. A new list within it has lost none.
	eventsStay = 30 * time.Minute
	// steady is how long a stream must have lived for its end to be usual.
	steady = 10 * time.Second
	// redial is the usual time to dial again. Longer without a watch is a gap, even if nothing was lost.
	redial = 2 * time.Second
	// pageSize is the page of a list that is not streamed.
	pageSize = 500
)

// watcher keeps one resource: it lists, follows, and restarts if it must. It runs in one goroutine.
type watcher struct {
	resource
	source   *Source
	progress *progress
	convert  converter

	// known is the version of each object that was last handed on.
	known map[model.Key]known
	round uint32
	// complete: one list was received whole.
	complete bool
	// resume is the resourceVersion to follow from; "" means list first.
	resume string
	// plain: the API server does not stream lists.
	plain bool
	// listing: a list is in progress.
	listing bool
	// begun notes once that the first list is complete, or failed.
	begun func()
	// extent is how far the current list has come, and meter reads the open stream.
	extent extent
	meter  *meter
	// found is the differences of a repeated list, handed on after the gap.
	found []model.Change

	last model.Instant
	// broke is when the stream broke, or unknown. good is the latest arrival before, why the cause of break or delay.
	broke, good model.Instant
	why         string
	// stalled: the latest stream was given up for its silence. Whether that was a gap shows when the next one opens.
	stalled bool
	// opened is the latest stream's start, settled the latest list's end, failures the failed attempts in a row.
	opened, settled model.Instant
	failures        int
}

func (w *watcher) now() model.Instant { return w.source.clock.now() }

func (w *watcher) status(change func(*stream.Status)) { w.source.batch.update(w.progress, change) }

func (w *watcher) run(ctx context.Context) {
	ctx = w.progress.traffic.counting(ctx)
	w.source.turns.wait(ctx, w)
	for ctx.Err() == nil {
		clients := w.source.current()
		w.opened = 0
		err := w.attempt(ctx, clients)
		w.source.turns.answer()
		w.begun()
		if ctx.Err() != nil {
			return
		}
		w.pause(ctx, clients, err)
	}
}

// pause judges, reports and waits after an ended attempt.
func (w *watcher) pause(ctx context.Context, clients *clients, err error) {
	if w.opened.Known() && w.now().Sub(w.opened) >= steady {
		w.failures = 0
	}
	if err == nil {
		return // an ordinary end: dial again at once
	}
	w.failures++
	if w.stalled && !(w.kind == model.KindEvent && gone(err)) {
		w.broke = w.good
	}
	w.stalled = false
	d := wait(err, w.failures)
	if asked := delay(err); asked > 0 {
		w.source.contact.throttle(w.now().Add(asked))
	}
	switch {
	case !gone(err):
	case w.resume != "":
		w.resume = ""
		if w.now().Sub(w.settled) > steady {
			d = 0 // a list helps at once, unless one has just not helped
		}
	default:
		w.plain = !w.plain // an API server that cannot keep up may have the list in pages, if it cannot stream it
	}
	if w.why == "" || !gone(err) {
		w.why = explain(err)
	}
	w.status(func(s *stream.Status) {
		s.State, s.Why = stateFor(err), explain(err)
		s.Retry = w.now().Add(d)
	})
	w.source.sleep(ctx, d)
	if apierrors.IsUnauthorized(err) {
		w.source.renew(clients)
	}
	w.status(func(s *stream.Status) { s.Retry = 0 })
}

// attempt lists if it must, and follows until the stream ends; nil means the API server ended it as usual.
func (w *watcher) attempt(ctx context.Context, c *clients) error {
	api := c.core
	if w.path == "leases" {
		api = c.coordination
	}
	if !w.complete && w.failures == 0 {
		w.status(func(s *stream.Status) { s.State = stream.Loading })
	}
	if err := c.login(ctx); err != nil {
		return err
	}
	if w.resume == "" && w.plain {
		w.lists(true)
		err := w.list(ctx, api)
		w.lists(false)
		if err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	listing := w.resume == ""
	if listing {
		w.lists(true)
		defer w.lists(false)
	}
	stream, err := w.open(ctx, cancel, api, listing)
	w.source.turns.answer()
	if err != nil {
		if listing && !w.plain && notStreamed(err) {
			w.plain = true
			return w.attempt(ctx, c)
		}
		return err
	}
	defer stream.Stop()
	w.opened = w.now()
	if listing {
		w.begin()
	}
	return w.follow(ctx, stream, listing)
}

func (w *watcher) open(ctx context.Context, cancel func(), api rest.Interface, listing bool) (watch.Interface, error) {
	options := metav1.ListOptions{
		Watch: true, AllowWatchBookmarks: true, FieldSelector: w.selector, ResourceVersion: w.resume,
		TimeoutSeconds: ptr.To(300 + rand.Int64N(300)), // as client-go: so that streams do not all end at once
	}
	if listing {
		options.SendInitialEvents = ptr.To(true)
		options.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	if err := w.source.pace.Wait(ctx); err != nil {
		return nil, err
	}
	var ended outcome
	late := time.AfterFunc(openTimeout, cancel)
	stream, err := w.request(api, &options).Watch(context.WithValue(ctx, outcomeKey{}, &ended))
	if !late.Stop() && err == nil {
		stream.Stop()
		err = errSlow
	}
	result := ended.Load()
	switch {
	case err == nil && result.err != nil: // client-go returns an empty stream for some errors
		stream.Stop()
		return nil, result.err
	case err != nil && ctx.Err() != nil:
		return nil, slow(err)
	case err == nil:
		w.meter = result.meter
	}
	return stream, err
}

func (w *watcher) request(api rest.Interface, options *metav1.ListOptions) *rest.Request {
	return api.Get().Namespace(w.namespace).Resource(w.path).MaxRetries(0).VersionedParams(options, parameters)
}

func (w *watcher) list(ctx context.Context, api rest.Interface) error {
	w.begin()
	options := metav1.ListOptions{Limit: pageSize, FieldSelector: w.selector}
	for {
		page, err := w.page(ctx, api, &options)
		if err != nil {
			return err
		}
		m, err := meta.ListAccessor(page)
		if err != nil {
			return fmt.Errorf("the answer is no list: %w", err)
		}
		if err := meta.EachListItem(page, func(obj runtime.Object) error {
			w.listed(ctx, obj)
			return ctx.Err()
		}); err != nil {
			return err
		}
		w.heard()
		if err := cmp.Or(w.extent.turns(options.Continue, m.GetContinue()), w.exceeds()); err != nil {
			return err
		}
		if options.Continue = m.GetContinue(); options.Continue == "" {
			if m.GetResourceVersion() == "" {
				return errNoVersion
			}
			w.settle(ctx, m.GetResourceVersion())
			w.broken(w.now()) // until the watch is open
			return nil
		}
	}
}

func (w *watcher) exceeds() error {
	return w.extent.exceeds(w.now(), len(w.known), w.progress.traffic.bytes.Load())
}

func (w *watcher) page(ctx context.Context, api rest.Interface, options *metav1.ListOptions) (runtime.Object, error) {
	if err := w.source.pace.Wait(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	page, err := w.request(api, options).Do(ctx).Get()
	if err != nil && ctx.Err() != nil {
		return nil, slow(err)
	}
	return page, err
}

// follow reads a stream until it ends. While listing, the stream starts with the list. Else it counts as resumed with
// its first event, or if not refused for a while. An API server answers 200 first and 410 in the stream.
func (w *watcher) follow(ctx context.Context, stream watch.Interface, listing bool) error {
	from := w.resume
	stall, accepted := time.NewTimer(stallAfter), time.NewTimer(acceptAfter)
	defer stall.Stop()
	defer accepted.Stop()
	contact := w.source.contact.state()
	resumed, back := listing, contact.back
	if contact.is.Lost {
		back = nil // this stream is younger than the loss
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-back:
			if listing {
				back = nil // an end of it will be seen
				continue
			}
			was := w.source.contact.state().lost
			w.broken(was.Last)
			w.why = "no sign of life from the API server: " + was.Why
			return nil
		case <-accepted.C:
			if !resumed {
				resumed = true
				w.resumed(ctx)
			}
		case <-stall.C:
			if listing {
				w.plain = true
				return errStalled
			}
			w.broken(w.now())
			w.stalled, w.why = true, explain(errStalled)
			return nil
		case ev, ok := <-stream.ResultChan():
			switch {
			case !ok:
				return w.closed(listing)
			case ev.Type == watch.Error:
				return w.failed(ev.Object, from)
			}
			if !resumed {
				resumed = true
				if w.stalled && ev.Type != watch.Bookmark {
					w.broke = w.good
				}
				w.resumed(ctx)
			}
			var err error
			if listing, err = w.event(ctx, ev, listing); err != nil {
				return err
			}
			if back == nil {
				back = w.source.contact.state().back
			}
			stall.Reset(stallAfter) // not before: a slow reader is not a silent server
			w.meter.refill()
		}
	}
}

// closed is the end of a stream without an error.
func (w *watcher) closed(listing bool) error {
	w.broken(w.now())
	switch {
	case listing:
		return errCut
	case w.now().Sub(w.opened) < steady:
		return errClosed
	}
	w.why = explain(errClosed)
	return nil
}

// failed is the end of a stream with an error. Without news since from it would fail there again, so only a list helps.
func (w *watcher) failed(obj runtime.Object, from string) error {
	w.broken(w.last)
	if w.resume == from {
		w.resume = ""
	}
	return apierrors.FromObject(obj)
}

func (w *watcher) broken(at model.Instant) {
	if w.complete && !w.broke.Known() {
		w.broke, w.good = w.source.contact.state().since(at), w.last
	}
}

// event takes one watch event, and reports whether the list is still in progress.
func (w *watcher) event(ctx context.Context, ev watch.Event, listing bool) (lists bool, err error) {
	w.heard()
	m, err := meta.Accessor(ev.Object)
	if err != nil {
		return listing, nil
	}
	switch {
	case ev.Type == watch.Bookmark && m.GetResourceVersion() == "":
		return listing, errNoVersion
	case ev.Type == watch.Bookmark:
		if listing && m.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
			w.lists(false)
			w.settle(ctx, m.GetResourceVersion())
			w.live()
			return false, nil
		}
		if !listing {
			w.resume = m.GetResourceVersion()
		}
		return listing, nil
	case listing && ev.Type != watch.Deleted:
		w.listed(ctx, ev.Object)
		return true, w.exceeds()
	}
	w.changed(ctx, ev, listing)
	if listing {
		return true, w.exceeds()
	}
	w.resume = m.GetResourceVersion()
	if most := w.source.limits.objects; len(w.known) > most {
		return false, overrunf("the watch has brought more than %d objects: it was ended", most)
	}
	return false, nil
}

func (w *watcher) heard() {
	w.last = w.now()
	if w.source.contact.state().counts(w.opened) {
		w.source.heard()
	}
	w.status(func(s *stream.Status) { s.Last = w.last })
}

// live notes that the state is complete and the watch open. If a server answers one watch, the waiting ones retry.
func (w *watcher) live() {
	w.status(func(s *stream.Status) { s.State, s.Why = stream.Live, "" })
	if w.failures > 0 {
		w.source.nudge()
	}
}
