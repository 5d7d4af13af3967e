package live

import (
	"cmp"
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/sources/read/object"
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
	decode   object.Decoder

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
	// extent is how far the current list has come.
	extent extent
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
		w.source.contact.spare(&w.source.contact.throttled, w.now().Add(asked))
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
	if w.kind.Related() {
		w.source.await(ctx, w.kind)
	}
	if !w.complete && w.failures == 0 {
		w.status(func(s *stream.Status) { s.State = stream.Loading })
	}
	if err := c.login(ctx); err != nil {
		return err
	}
	if w.kind.Related() {
		return w.repeat(ctx, c)
	}
	if w.resume == "" && w.plain {
		w.lists(true)
		version, err := w.list(ctx, c)
		w.lists(false)
		if err == nil && version == "" {
			err = errNoVersion
		}
		if err != nil {
			return err
		}
		w.settle(ctx, version)
		w.broken(w.now()) // until the watch is open
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	listing := w.resume == ""
	if listing {
		w.lists(true)
		defer w.lists(false)
	}
	events, err := w.open(ctx, cancel, c, listing)
	w.source.turns.answer()
	if err != nil {
		if listing && !w.plain && notStreamed(err) {
			w.plain = true
			return w.attempt(ctx, c)
		}
		return err
	}
	w.opened = w.now()
	if listing {
		w.begin()
	}
	return w.follow(ctx, events, listing)
}

func (w *watcher) open(ctx context.Context, cancel func(), c *clients, listing bool) (<-chan event, error) {
	options := metav1.ListOptions{
		Watch: true, AllowWatchBookmarks: true, ResourceVersion: w.resume,
		TimeoutSeconds: ptr.To(300 + rand.Int64N(300)), // as client-go: so that streams do not all end at once
	}
	if listing {
		options.SendInitialEvents = ptr.To(true)
		options.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	if err := w.source.pace.Wait(ctx); err != nil {
		return nil, err
	}
	late := time.AfterFunc(openTimeout, cancel)
	body, err := c.request(&w.resource, options).Stream(ctx)
	if !late.Stop() && err == nil {
		body.Close()
		err = errSlow
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, slow(err)
	case err != nil:
		return nil, err
	}
	return events(ctx, body, w.source.limits.event), nil
}

// list reads a list page by page, and returns its version.
func (w *watcher) list(ctx context.Context, c *clients) (version string, err error) {
	w.begin()
	for options := (metav1.ListOptions{Limit: pageSize}); ; {
		if err := w.source.pace.Wait(ctx); err != nil {
			return "", err
		}
		page, err := c.page(ctx, &w.resource, options)
		if err != nil {
			return "", err
		}
		kind := strings.TrimSuffix(page.Get("kind").Str, "List")
		page.Get("items").ForEach(func(_, item gjson.Result) bool {
			w.listed(ctx, item, kind)
			return ctx.Err() == nil
		})
		w.heard()
		next := page.Get("metadata.continue").String()
		if err := cmp.Or(ctx.Err(), w.extent.turns(options.Continue, next), w.exceeds()); err != nil {
			return "", err
		}
		if options.Continue = next; next == "" {
			return strings.Clone(page.Get("metadata.resourceVersion").String()), nil
		}
	}
}

func (w *watcher) exceeds() error {
	return w.extent.exceeds(w.now(), len(w.known), w.progress.traffic.bytes.Load())
}

// follow reads a stream until it ends. While listing, the stream starts with the list. Else it counts as resumed with
// its first event, or if not refused for a while. An API server answers 200 first and 410 in the stream.
func (w *watcher) follow(ctx context.Context, events <-chan event, listing bool) error {
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
		case ev := <-events:
			switch {
			case ev.err == nil:
			case ends(ev.err):
				return w.closed(listing)
			default:
				return w.failed(ev.err, from)
			}
			if !resumed {
				resumed = true
				if w.stalled && ev.kind != watch.Bookmark {
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
func (w *watcher) failed(err error, from string) error {
	w.broken(w.last)
	if w.resume == from {
		w.resume = ""
	}
	return err
}

func (w *watcher) broken(at model.Instant) {
	if w.complete && !w.broke.Known() {
		w.broke, w.good = w.source.contact.state().since(at), w.last
	}
}

// event takes one watch event, and reports whether the list is still in progress.
func (w *watcher) event(ctx context.Context, ev event, listing bool) (lists bool, err error) {
	w.heard()
	version := strings.Clone(ev.object.Get("metadata.resourceVersion").String())
	switch {
	case ev.kind == watch.Bookmark && version == "":
		return listing, errNoVersion
	case ev.kind == watch.Bookmark && !listing:
	case ev.kind == watch.Bookmark:
		if ev.object.Get(initialEventsEnd).Str == "true" {
			w.lists(false)
			w.settle(ctx, version)
			w.live()
			return false, nil
		}
		return true, nil
	case listing && ev.kind != watch.Deleted:
		w.listed(ctx, ev.object, "")
		return true, w.exceeds()
	default:
		w.changed(ctx, ev, listing)
	}
	if listing {
		return true, w.exceeds()
	}
	w.resume = cmp.Or(version, w.resume)
	if most := w.source.limits.objects; len(w.known) > most {
		return false, overrunf("the watch has brought more than %d objects: it was ended", most)
	}
	return false, nil
}

// initialEventsEnd is the path of the annotation of the bookmark that ends a streamed list.
var initialEventsEnd = "metadata.annotations." + strings.ReplaceAll(metav1.InitialEventsAnnotationKey, ".", `\.`)

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
