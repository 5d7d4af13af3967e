package live

import (
	"errors"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// contact is how the source as a whole is doing after the latest batch.
func (s *sitting) whole() stream.Contact {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.batches) == 0 {
		return stream.Contact{}
	}
	return s.batches[len(s.batches)-1].Contact
}

// fails lets questions of a kind fail, and lets pass what is not asked.
func fails(path string, how func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		if path == "" || req.URL.Path == path {
			return how(req)
		}
		return nil, nil
	}
}

// hangs answers nothing until the client gives up.
func hangs(a *api) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		a.mu.Unlock()
		<-req.Context().Done()
		a.mu.Lock()
		return nil, req.Context().Err()
	}
}

// An API server that shuts down takes no question, and leaves its watches open and silent. Within seconds that is
// known, with the last sign of life. When it is back, every watch is dialled again, loses nothing, and reports a gap
// that begins with the silence.
func TestASilentServerIsKnownWithinSeconds(t *testing.T) {
	for name, fault := range map[string]struct {
		how func(*api) func(*http.Request) (*http.Response, error)
		why string
	}{
		"refuses": {func(*api) func(*http.Request) (*http.Response, error) { return refused }, "dial tcp 10.0.0.1:6443: connect: connection refused"},
		"hangs":   {hangs, "no answer within 2s"},
		"is not ready": {func(*api) func(*http.Request) (*http.Response, error) {
			return fails("/readyz", func(*http.Request) (*http.Response, error) {
				return failure(500, metav1.StatusReasonInternalError, "[+]ping ok\n[-]etcd failed: reason withheld\n[-]shutdown failed: reason withheld\nreadyz check failed"), nil
			})
		}, "it answers that it is not ready: etcd, shutdown"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI()
			a.set(nodeNamed("n1"), leaseOf("n1"))
			sit(t, a, Options{}, func(s *sitting) {
				s.after(3 * time.Second)
				a.set(leaseOf("n1"))
				s.after(time.Second)
				last := s.state(model.KindNodeLease).Last
				if c := s.whole(); c.Lost || c.Last != last {
					t.Fatalf("before: %+v, and something arrived at %v", c, last)
				}
				a.failWith(fault.how(a))
				s.after(5 * time.Second)
				c := s.whole()
				if !c.Lost || c.Last != last || c.Why != fault.why {
					t.Errorf("after 5 s: %+v, and the last sign of life was at %v", c, last)
				}
				s.mustBe(model.KindNodeLease, stream.Live) // its watch knows nothing
				s.changes()
				s.after(10 * time.Second)
				a.bookmarks() // to who watches already: it takes no question all the same
				s.after(time.Second)
				if c := s.whole(); !c.Lost || c.Last != last {
					t.Errorf("after a bookmark: %+v, and the last sign of life was at %v", c, last)
				}
				s.after(9 * time.Second)
				a.failWith(nil)
				a.set(leaseOf("n1"))
				s.after(5 * time.Second)
				if c := s.whole(); c.Lost || c.Last <= last {
					t.Errorf("after it came back: %+v", c)
				}
				beats, gaps := 0, map[model.Kind]model.Interval{}
				for _, ch := range s.changes() {
					switch {
					case ch.Op == model.OpGap:
						gaps[ch.Kind] = ch.Time
					case ch.Kind == model.KindNodeLease:
						beats++
					default:
						t.Errorf("%v %v is told again", ch.Op, ch.Key)
					}
				}
				if beats != 1 {
					t.Errorf("%d renewals, and there was one", beats)
				}
				for _, k := range model.Kinds {
					if g := gaps[k]; g.Earliest != last || g.Width() < 24*time.Second {
						t.Errorf("%v: a gap %v, and the silence began at %v", k, g, last)
					}
				}
			})
		})
	}
}

// Nodes that fall silent are no outage of the API server: it answers, and is asked no more often than
// every other second.
func TestSilentNodesAreNoOutage(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"), leaseOf("n1"))
	for name, how := range map[string]func(*http.Request) (*http.Response, error){
		"answers": nil,
		"forbids": fails("/readyz", func(*http.Request) (*http.Response, error) {
			return failure(403, metav1.StatusReasonForbidden, "no"), nil
		}),
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI()
			a.set(nodeNamed("n1"), leaseOf("n1"))
			a.failWith(how)
			sit(t, a, Options{}, func(s *sitting) {
				s.after(time.Minute)
				c := s.whole()
				if c.Lost || s.clock.now().Sub(c.Last) > 2*quietFor {
					t.Errorf("%+v at %v", c, s.clock.now())
				}
				for _, ch := range s.changes() {
					if ch.Op == model.OpGap {
						t.Errorf("a gap %v", ch.Time)
					}
				}
				if n := len(a.asked("readyz")); n < 20 || n > 31 {
					t.Errorf("asked %d times in a minute", n)
				}
			})
		})
	}
}

// An API server that wants to be left alone is not asked for its sign of life either: neither after its answer to that
// question, nor after its answer to the watches, of which none is open.
func TestAThrottlingServerIsSpared(t *testing.T) {
	throttles := func(*http.Request) (*http.Response, error) {
		header := http.Header{"Retry-After": {"20"}, "Content-Type": {"text/plain"}}
		return &http.Response{StatusCode: 429, Header: header, Body: http.NoBody}, nil
	}
	for name, is := range map[string]struct {
		how  func(*http.Request) (*http.Response, error)
		most int
	}{
		"every question": {throttles, 4},
		"its readiness":  {fails("/readyz", throttles), 4},
		"all but its readiness": {func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/readyz" {
				return nil, nil
			}
			return throttles(req)
		}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI()
			a.set(nodeNamed("n1"), leaseOf("n1"))
			a.failWith(is.how)
			sit(t, a, Options{}, func(s *sitting) {
				s.after(time.Minute)
				if n := len(a.asked("readyz")); n == 0 || n > is.most {
					t.Errorf("asked %d times in a minute", n)
				}
				if c := s.whole(); c.Lost {
					t.Errorf("lost: %+v", c)
				}
			})
		})
	}
}

// A watch that is throttled while another is open and silent is no reason not to ask: whether its silence is news
// hangs on it.
func TestOneThrottledWatchSparesNobody(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"), leaseOf("n1"))
	a.failWith(fails("/api/v1/pods", func(*http.Request) (*http.Response, error) {
		header := http.Header{"Retry-After": {"30"}, "Content-Type": {"text/plain"}}
		return &http.Response{StatusCode: 429, Header: header, Body: http.NoBody}, nil
	}))
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		if n := len(a.asked("readyz")); n < 20 {
			t.Errorf("asked %d times in a minute", n)
		}
	})
}

// While anything arrives, the API server is not asked.
func TestABusyServerIsNotAsked(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"), leaseOf("n1"))
	sit(t, a, Options{}, func(s *sitting) {
		for range 60 {
			a.set(leaseOf("n1"))
			s.after(time.Second)
		}
		if n := len(a.asked("readyz")); n > 0 {
			t.Errorf("asked %d times", n)
		}
	})
}

// A server that cannot be reached from the beginning was never heard.
func TestAServerThatWasNeverThere(t *testing.T) {
	a := newAPI()
	a.failWith(func(*http.Request) (*http.Response, error) { return nil, errors.New("no route to host") })
	sit(t, a, Options{}, func(s *sitting) {
		s.after(5 * time.Second)
		if c := s.whole(); !c.Lost || c.Last.Known() || c.Why != "no route to host" {
			t.Errorf("%+v", c)
		}
	})
}
