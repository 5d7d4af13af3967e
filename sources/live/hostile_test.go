package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// small are limits that a test reaches soon.
func small() *limits {
	l := production
	l.answer, l.refusal, l.event = 64<<10, 16<<10, 32<<10
	l.burst, l.every = 40, 200*time.Millisecond
	l.pages, l.objects, l.bytes = 20, 100, 192<<10
	return &l
}

// raw is an answer with a body as it is.
func raw(code int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: code, Status: fmt.Sprintf("%d %s", code, http.StatusText(code)),
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(body)}
}

// endless is a body that repeats a text, and counts how much of it was read.
type endless struct {
	text string
	read int
}

func (e *endless) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(into)
	return len(into), nil
}

// dripping is a body of which a byte comes each second until the request ends.
type dripping struct{ ctx context.Context }

func (d dripping) Read(into []byte) (int, error) {
	until(d.ctx, time.Second, nil)
	into[0] = ' '
	return 1, d.ctx.Err()
}

func watches(req *http.Request) bool { return req.URL.Query().Has("watch") }

// lists are requests for listed or watched objects.
func lists(req *http.Request) bool { return strings.HasPrefix(req.URL.Path, "/api") }

// spoil answers requests for lists and watches with whatever a function makes.
func spoil(make func(req *http.Request) *http.Response) *api {
	a := newAPI()
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if lists(req) {
			return make(req), nil
		}
		return nil, nil
	})
	return a
}

func page(version, next string, names ...string) *http.Response {
	items := []metav1.Object{}
	for _, name := range names {
		items = append(items, nodeNamed(name))
	}
	return answer(200, map[string]any{"apiVersion": "v1", "kind": "NodeList",
		"metadata": map[string]string{"resourceVersion": version, "continue": next}, "items": items})
}

func notStreams() *http.Response { return failure(422, metav1.StatusReasonInvalid, "no WatchList") }

// added is the line of a watch that adds a node.
func added(name string) string {
	return string(encode("", map[string]any{"type": "ADDED", "object": encode("nodes", nodeNamed(name))})) + "\n"
}

// TestWhatBreaksTheRulesIsRefused: an API server that is broken or hostile is asked seldom, read to a limit, and said to
// be what it is; never does a watch of it count as live.
func TestWhatBreaksTheRulesIsRefused(t *testing.T) {
	n := 0
	for name, c := range map[string]struct {
		answer func(*http.Request) *http.Response
		why    string
	}{
		"a list without a version": {func(req *http.Request) *http.Response {
			if watches(req) {
				return notStreams()
			}
			return page("", "", "n1")
		}, "the list has no resourceVersion"},
		"a streamed list without a version": {func(req *http.Request) *http.Response {
			return raw(200, strings.NewReader(`{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Node","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}`))
		}, "the list has no resourceVersion"},
		"a list in a circle": {func(req *http.Request) *http.Response {
			if watches(req) {
				return notStreams()
			}
			return page("1", "again", "n1")
		}, "the list goes in a circle"},
		"a list without an end": {func(req *http.Request) *http.Response {
			if watches(req) {
				return notStreams()
			}
			n++
			return page("1", fmt.Sprint(n), "n1")
		}, "more than 20 pages"},
		"a list of ever more objects": {func(req *http.Request) *http.Response {
			if watches(req) {
				return notStreams()
			}
			names := make([]string, 30)
			for i := range names {
				n++
				names[i] = fmt.Sprint("n", n)
			}
			return page("1", fmt.Sprint(n), names...)
		}, "more than 100 objects"},
		"a page without an end": {func(req *http.Request) *http.Response {
			if watches(req) {
				return notStreams()
			}
			return raw(200, &endless{text: " "})
		}, "the answer has more than 65536 bytes"},
		"a streamed list without an end": {func(req *http.Request) *http.Response {
			return raw(200, &endless{text: added("n1")})
		}, "the list has more than 196608 bytes"},
		"an event without an end": {func(req *http.Request) *http.Response {
			return raw(200, io.MultiReader(strings.NewReader(added("n1")+`{"type":"ADDED","object":{"kind":"`), &endless{text: "x"}))
		}, "one event of a watch has more than 32768 bytes"},
		"space without an end": {func(req *http.Request) *http.Response {
			return raw(200, &endless{text: " \n"})
		}, "one event of a watch has more than 32768 bytes"},
		"a refusal without an end": {func(req *http.Request) *http.Response {
			return raw(500, &endless{text: "no \x1b[31m"})
		}, "the API server refuses (500 Internal Server Error), and its reason has more than 16384 bytes"},
		"headers and then nothing": {func(req *http.Request) *http.Response {
			return raw(200, dripping{req.Context()})
		}, ""},
		"the same, in pages": {func(req *http.Request) *http.Response {
			if watches(req) {
				return notStreams()
			}
			return raw(200, dripping{req.Context()})
		}, "the API server did not answer within 30s"},
		"a watch that ends at once": {func(req *http.Request) *http.Response {
			return raw(200, strings.NewReader(""))
		}, errCut.Error()},
		"a wait of a century": {func(req *http.Request) *http.Response {
			resp := failure(429, metav1.StatusReasonTooManyRequests, "busy")
			resp.Header.Set("Retry-After", "3155760000")
			return resp
		}, "busy"},
		"a wait that is no time": {func(req *http.Request) *http.Response {
			resp := failure(429, metav1.StatusReasonTooManyRequests, "busy")
			resp.Header.Set("Retry-After", "-99999999999999999999")
			return resp
		}, "busy"},
		"no changes, again and again": {func(req *http.Request) *http.Response {
			return failure(410, metav1.StatusReasonExpired, "gone")
		}, "no longer has the changes"},
		"a reason as long as a book": {func(req *http.Request) *http.Response {
			return failure(500, metav1.StatusReasonInternalError, strings.Repeat("word ", 2000))
		}, "word word"},
	} {
		t.Run(name, func(t *testing.T) {
			a := spoil(c.answer)
			sit(t, a, Options{limits: small()}, func(s *sitting) {
				s.after(time.Minute)
				st := s.state(model.KindNode)
				if st.State == stream.Live || !strings.Contains(st.Why, c.why) || len(st.Why) > maxText+3 {
					t.Errorf("%v: %s", st.State, st.Why)
				}
				if n := len(a.requests); n > 600 {
					t.Errorf("%d requests in a minute", n)
				}
				for _, b := range s.batches {
					for _, st := range b.Status {
						if st.State == stream.Live {
							t.Fatalf("%v counts as live", st.Kind)
						}
					}
				}
				if s.state(model.KindNode).Bytes > 200<<20 {
					t.Errorf("%d bytes were read", s.state(model.KindNode).Bytes)
				}
			})
		})
	}
}

// TestWatchesThatFlapDoNotWakeEachOther: each comes up and ends at once, which lets the others try again.
func TestWatchesThatFlapDoNotWakeEachOther(t *testing.T) {
	a := spoil(func(req *http.Request) *http.Response {
		return raw(200, strings.NewReader(`{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Node","metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}`))
	})
	sit(t, a, Options{}, func(s *sitting) {
		s.after(10 * time.Minute)
		if n := len(a.requests); n > 1200 {
			t.Errorf("%d requests in ten minutes", n)
		}
	})
}

// TestAWatchGoesOnThroughAnyNumberOfEvents: the bound is on one event, and not on all of them together.
func TestAWatchGoesOnThroughAnyNumberOfEvents(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"))
	l := small()
	l.event = 1 << 10
	sit(t, a, Options{limits: l}, func(s *sitting) {
		s.after(time.Minute)
		for range 3000 {
			a.set(nodeNamed("n1"))
			s.after(time.Millisecond)
		}
		s.after(time.Second)
		s.mustBe(model.KindNode, stream.Live)
		if s.state(model.KindNode).Bytes < 4*(readAtOnce+l.event) {
			t.Errorf("only %d bytes were read", s.state(model.KindNode).Bytes)
		}
	})
}

// TestAnyAnswersAreSurvived: whatever an API server answers, it is asked seldom, and the stream ends on request.
func TestAnyAnswersAreSurvived(t *testing.T) {
	for seed := range uint64(15) {
		r := rand.New(rand.NewPCG(seed, 39))
		a := newAPI()
		a.set(nodeNamed("n1"), podNamed("p1"), leaseOf("n1"))
		a.fail = func(req *http.Request) (*http.Response, error) {
			if r.IntN(4) == 0 {
				return nil, nil
			}
			return scramble(r, req), nil
		}
		sit(t, a, Options{limits: small()}, func(s *sitting) {
			s.Ask(model.KindVolumeAttachment, model.KindPodDisruptionBudget)
			s.after(5 * time.Minute)
			if n := len(a.requests); n > 3000 {
				t.Errorf("seed %d: %d requests in five minutes", seed, n)
			}
		})
	}
}

// scramble is an answer that may be anything.
func scramble(r *rand.Rand, req *http.Request) *http.Response {
	code := []int{200, 200, 200, 200, 204, 301, 400, 401, 403, 404, 410, 422, 429, 500, 503, 999}[r.IntN(16)]
	resp := raw(code, nil)
	resp.Request = req
	for name, values := range map[string][]string{
		"Content-Type": {"application/json", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf;stream=watch", "text/plain", "application/json;stream=watch", "\x1b"},
		"Retry-After":  {"", "0", "-1", "9223372036854775807", "soon"},
		"Location":     {"", "/version", "http://elsewhere.test/", "::"},
		"Date":         {"", "Thu, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"},
		"Warning":      {"", `299 - "\x1b[31mred"`, "299"},
	} {
		resp.Header.Set(name, values[r.IntN(len(values))])
	}
	bodies := []string{"", "{", "null", "[]", `{"kind":"Status","apiVersion":"v1","status":"Failure","code":410,"reason":"Expired","details":{"retryAfterSeconds":-5}}`,
		`{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"x","continue":"y"},"items":[null,{},{"metadata":{"name":"n1"}}]}`,
		`{"kind":"List","items":[{"kind":"VolumeAttachment","metadata":{"name":"` + strings.Repeat("v", 300) + `"}}],"metadata":{"continue":"z"}}`,
		`{"type":"ERROR","object":null}`, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":410}}`, `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","resourceVersion":"-1"}}}`,
		added("n2"), "k8s\x00\x0a\x0c\x0a\x02v1\x12\x04Node", "\x00\x00\x00\x05hello", "\xff\xff\xff\xff"}
	var all bytes.Buffer
	for range r.IntN(4) {
		all.WriteString(bodies[r.IntN(len(bodies))])
	}
	resp.Body = io.NopCloser(&all)
	if r.IntN(4) == 0 {
		resp.Body = io.NopCloser(io.MultiReader(&all, dripping{req.Context()}))
	}
	return resp
}

// TestAListThatHasNoEndIsBoundInTime: pages that come slowly, each in its time.
func TestAListThatHasNoEndIsBoundInTime(t *testing.T) {
	n := 0
	a := spoil(func(req *http.Request) *http.Response {
		if watches(req) {
			return notStreams()
		}
		n++
		return page("1", fmt.Sprint(n), "n1")
	})
	answers := a.fail
	a.fail = func(req *http.Request) (*http.Response, error) {
		if lists(req) && !watches(req) {
			a.mu.Unlock()
			time.Sleep(29 * time.Second)
			a.mu.Lock()
		}
		return answers(req)
	}
	sit(t, a, Options{}, func(s *sitting) {
		s.after(11 * time.Minute)
		if st := s.state(model.KindNode); !strings.Contains(st.Why, "the list was not complete after 10m0s") {
			t.Errorf("%v: %s", st.State, st.Why)
		}
	})
}
