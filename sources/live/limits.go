package live

import (
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"kardia/model"
)

// limits bound what an API server can make this process read, keep, wait for and ask. They are far above the largest
// clusters: only a broken, hostile or foreign server exceeds them.
type limits struct {
	// answer, refusal and event are the most bytes of an unpacked answer, of an error, and of an event of a watch.
	answer, refusal, event int64
	// pages, objects, bytes and within limit one list.
	pages, objects int
	bytes          int64
	within         time.Duration
	// burst is how many pages and watches are requested at once, every the pause between further ones.
	burst int
	every time.Duration
}

// production are the limits outside of tests. A page of 500 pods has some 5 MiB; a list of 150,000 pods has 300 pages
// and 1 GiB.
var production = limits{
	answer: 64 << 20, refusal: 1 << 20, event: 16 << 20,
	pages: 5000, objects: 500_000, bytes: 4 << 30, within: 10 * time.Minute,
	burst: 400, every: 40 * time.Millisecond,
}

func (l *limits) pace() *rate.Limiter { return rate.NewLimiter(rate.Every(l.every), l.burst) }

// overrun is why an answer is not read to its end: it exceeds a limit, or breaks a rule of Kubernetes.
type overrun struct{ what string }

func (o *overrun) Error() string {
	return o.what + "; check that this address is a Kubernetes API server"
}

func overrunf(format string, args ...any) error { return &overrun{fmt.Sprintf(format, args...)} }

var (
	errNoVersion = overrunf("the list has no resourceVersion, so its changes cannot be followed")
	errCircle    = overrunf("the list goes in a circle: a page continues with itself")
)

type extent struct {
	limits *limits
	began  model.Instant
	pages  int
	// read is how many bytes were read before it.
	read int64
}

func (e *extent) exceeds(now model.Instant, objects int, read int64) error {
	const notRead = "it was not read to its end"
	switch l := e.limits; {
	case objects > l.objects:
		return overrunf("the list has more than %d objects: %s", l.objects, notRead)
	case e.pages > l.pages:
		return overrunf("the list has more than %d pages: %s", l.pages, notRead)
	case read-e.read > l.bytes:
		return overrunf("the list has more than %s: %s", size(l.bytes), notRead)
	case now.Sub(e.began) > l.within:
		return overrunf("the list was not complete after %v: %s", l.within, notRead)
	}
	return nil
}

// turns is the error if a page continues at itself.
func (e *extent) turns(from, to string) error {
	if e.pages++; to != "" && to == from {
		return errCircle
	}
	return nil
}

func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}
