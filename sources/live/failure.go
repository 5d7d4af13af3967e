package live

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/sources/capture/stream"
	"kardia/sources/live/credential"
)

// Waits between attempts grow from firstWait to maxWait, and are shortened by up to half at random. Many observers must
// not return to an ailing API server at once.
const (
	firstWait = 800 * time.Millisecond
	maxWait   = 30 * time.Second
	// forbiddenWait is how often a refused watch is retried: rights change seldom.
	forbiddenWait = time.Minute
)

var (
	errClosed  = errors.New("the connection was closed")
	errCut     = errors.New("the watch ended before the list was complete")
	errStalled = fmt.Errorf("nothing arrived for %v, not even a bookmark", stallAfter)
	errSlow    = fmt.Errorf("the API server did not answer within %v", openTimeout)
)

func stateFor(err error) stream.State {
	switch {
	case apierrors.IsForbidden(err):
		return stream.Forbidden
	case apierrors.IsUnauthorized(err):
		return stream.Expired
	case gone(err):
		return stream.Loading
	}
	return stream.Disconnected
}

// wait is how long to wait after the nth error in a row, from 1.
func wait(err error, nth int) time.Duration {
	if apierrors.IsForbidden(err) {
		return jitter(forbiddenWait)
	}
	return max(jitter(min(firstWait<<min(nth-1, 6), maxWait)), delay(err))
}

// delay is the answer's Retry-After; 0 without one.
func delay(err error) time.Duration {
	seconds, ok := apierrors.SuggestsClientDelay(err)
	if !ok {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, maxWait)
}

func jitter(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1)
}

// gone reports that the API server cannot continue from the requested version, as after a restore: a list is needed.
func gone(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}

func notStreamed(err error) bool {
	return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) ||
		apierrors.IsNotAcceptable(err) || apierrors.IsMethodNotSupported(err)
}

// explain is an error in words: without the URL, which differs by watch, and without secrets.
func explain(err error) string {
	if apierrors.IsUnauthorized(err) {
		return "the API server does not accept the credentials"
	}
	if gone(err) {
		return "the API server no longer has the changes since the last one seen"
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return brief(cmp.Or(own(err), err).Error())
}

// own is the error of this package in an error, which is complete by itself; nil if there is none.
func own(err error) error {
	if o, ok := errors.AsType[*overrun](err); ok {
		return o
	}
	if f, ok := errors.AsType[*credential.Failure](err); ok {
		return f
	}
	return nil
}

const maxText = 600

// brief is a text from outside for a person, without secrets. The screen replaces its control characters.
func brief(text string) string {
	text = sent.hide(text)
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}

type worded struct {
	error
	text string
}

func (w *worded) Error() string { return w.text }

func (w *worded) Unwrap() error { return w.error }

func inWords(err error) error {
	if err == nil {
		return nil
	}
	return &worded{err, brief(cmp.Or(own(err), err).Error())}
}

func slow(err error) error { return cmp.Or(own(err), errSlow) }
