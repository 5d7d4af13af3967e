package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// api is an API server in memory, reached by being the client's transport. It keeps objects and the history of their
// changes, lists in pages or streams, and fails on request.
type api struct {
	mu      sync.Mutex
	version uint64
	objects map[string]map[string]metav1.Object // by resource, then namespace/name
	history []change
	// oldest: a watch from before this version is answered with 410 in the stream.
	oldest  uint64
	streams []*openWatch

	// noStreams: lists are not streamed, as before Kubernetes 1.32.
	noStreams bool
	// fail answers instead, if it returns something.
	fail     func(*http.Request) (*http.Response, error)
	requests []string
	opened   []time.Time
}

type change struct {
	version  uint64
	resource string
	kind     string
	object   metav1.Object
	raw      json.RawMessage
}

func newAPI() *api { return &api{version: 100, objects: map[string]map[string]metav1.Object{}} }

func (a *api) config() (*rest.Config, error) {
	return &rest.Config{Host: "http://cluster.test", Transport: a}, nil
}

func (a *api) RoundTrip(req *http.Request) (*http.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, req.Method+" "+req.URL.Path)
	a.opened = append(a.opened, time.Now())
	if a.fail != nil {
		if resp, err := a.fail(req); resp != nil || err != nil {
			return resp, err
		}
	}
	q := req.URL.Query()
	switch {
	case req.URL.Path == "/version":
		return answer(200, map[string]string{"gitVersion": "v1.37.2"}), nil
	case req.URL.Path == "/readyz":
		return answer(200, "ok"), nil
	case q.Get("watch") != "":
		return a.watch(req), nil
	}
	return a.list(req), nil
}

func resourceOf(req *http.Request) string {
	return req.URL.Path[strings.LastIndexByte(req.URL.Path, '/')+1:]
}

// selected says whether a request's path and selector take in an object.
func selected(req *http.Request, o metav1.Object) bool {
	if _, rest, ok := strings.Cut(req.URL.Path, "/namespaces/"); ok && !strings.HasPrefix(rest, o.GetNamespace()+"/") {
		return false
	}
	field, value, _ := strings.Cut(req.URL.Query().Get("fieldSelector"), "=")
	switch field {
	case "metadata.name":
		return o.GetName() == value
	case "involvedObject.kind":
		return o.(*corev1.Event).InvolvedObject.Kind == value
	}
	return true
}

func (a *api) sorted(req *http.Request) []metav1.Object {
	all := a.objects[resourceOf(req)]
	var out []metav1.Object
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if selected(req, all[key]) {
			out = append(out, all[key])
		}
	}
	return out
}

func (a *api) list(req *http.Request) *http.Response {
	all := a.sorted(req)
	q := req.URL.Query()
	from, _ := strconv.Atoi(q.Get("continue"))
	limit, _ := strconv.Atoi(q.Get("limit"))
	m := map[string]any{"resourceVersion": strconv.FormatUint(a.version, 10)}
	page := all[from:]
	if limit > 0 && len(page) > limit {
		page = page[:limit]
		m["continue"] = strconv.Itoa(from + limit)
	}
	apiVersion, kind := typeOf(resourceOf(req))
	return answer(200, map[string]any{"apiVersion": apiVersion, "kind": kind + "List", "metadata": m, "items": page})
}

func typeOf(resource string) (apiVersion, kind string) {
	switch resource {
	case "nodes":
		return "v1", "Node"
	case "pods":
		return "v1", "Pod"
	case "events":
		return "v1", "Event"
	}
	return "coordination.k8s.io/v1", "Lease"
}

func (a *api) watch(req *http.Request) *http.Response {
	q := req.URL.Query()
	s := &openWatch{req: req, resource: resourceOf(req), lines: make(chan []byte, 1<<12), done: req.Context().Done()}
	if q.Get("sendInitialEvents") == "true" {
		if a.noStreams {
			return failure(422, metav1.StatusReasonInvalid, "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled")
		}
		for _, o := range a.sorted(req) {
			s.send("ADDED", encode(s.resource, o))
		}
		s.send("BOOKMARK", bookmark(s.resource, a.version, true))
	} else {
		since, _ := strconv.ParseUint(q.Get("resourceVersion"), 10, 64)
		if since < a.oldest {
			s.send("ERROR", status(410, metav1.StatusReasonExpired, "too old resource version"))
			s.end()
		}
		for _, c := range a.history {
			if c.version > since && since >= a.oldest {
				s.offer(c)
			}
		}
	}
	a.streams = append(a.streams, s)
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: s}
}

// set writes objects, each with a version of its own.
func (a *api) set(objects ...metav1.Object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range objects {
		r := resourceFor(o)
		if a.objects[r] == nil {
			a.objects[r] = map[string]metav1.Object{}
		}
		kind := "ADDED"
		if _, had := a.objects[r][o.GetNamespace()+"/"+o.GetName()]; had {
			kind = "MODIFIED"
		}
		a.commit(kind, o)
		a.objects[r][o.GetNamespace()+"/"+o.GetName()] = o
	}
}

func (a *api) remove(o metav1.Object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.objects[resourceFor(o)], o.GetNamespace()+"/"+o.GetName())
	a.commit("DELETED", o)
}

func (a *api) commit(kind string, o metav1.Object) {
	a.version++
	o.SetResourceVersion(strconv.FormatUint(a.version, 10))
	c := change{a.version, resourceFor(o), kind, o, encode(resourceFor(o), o)}
	a.history = append(a.history, c)
	for _, s := range a.streams {
		s.offer(c)
	}
}

// hangUp ends every stream; with an error if one is given.
func (a *api) hangUp(err json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.streams {
		if !s.closed {
			if err != nil {
				s.send("ERROR", err)
			}
			s.end()
		}
	}
	a.streams = nil
}

// deafen lets every stream hang: open, and silent forever.
func (a *api) deafen() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.streams = nil
}

// bookmarks sends every stream one.
func (a *api) bookmarks() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.version++
	for _, s := range a.streams {
		s.send("BOOKMARK", bookmark(s.resource, a.version, false))
	}
}

// forget drops the history: watches from before now get 410.
func (a *api) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.oldest = a.version + 1
	a.version++
}

func (a *api) failWith(f func(*http.Request) (*http.Response, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fail = f
}

// asked is when a resource was asked for.
func (a *api) asked(resource string) []time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	var at []time.Time
	for i, r := range a.requests {
		if strings.HasSuffix(r, "/"+resource) {
			at = append(at, a.opened[i])
		}
	}
	return at
}

func refused(*http.Request) (*http.Response, error) {
	return nil, errors.New("dial tcp 10.0.0.1:6443: connect: connection refused")
}

// openWatch is the body of one watch.
type openWatch struct {
	req      *http.Request
	resource string
	lines    chan []byte
	rest     []byte
	done     <-chan struct{}
	closed   bool
}

func (s *openWatch) offer(c change) {
	if c.resource == s.resource && selected(s.req, c.object) {
		s.send(c.kind, c.raw)
	}
}

func (s *openWatch) end() {
	close(s.lines)
	s.closed = true
}

func (s *openWatch) send(kind string, object json.RawMessage) {
	if !s.closed && s.req.Context().Err() == nil {
		s.lines <- append(encode("", map[string]any{"type": kind, "object": object}), '\n')
	}
}

func (s *openWatch) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		select {
		case line, ok := <-s.lines:
			if !ok {
				return 0, io.EOF
			}
			s.rest = line
		case <-s.done:
			return 0, context.Canceled
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *openWatch) Close() error { return nil }

// encode is an object as JSON, with its type where a resource is named.
func encode(resource string, o any) json.RawMessage {
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	if resource == "" {
		return raw
	}
	apiVersion, kind := typeOf(resource)
	return append([]byte(fmt.Sprintf(`{"apiVersion":%q,"kind":%q,`, apiVersion, kind)), raw[1:]...)
}

func bookmark(resource string, version uint64, initial bool) json.RawMessage {
	m := map[string]any{"resourceVersion": strconv.FormatUint(version, 10)}
	if initial {
		m["annotations"] = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	}
	return encode(resource, map[string]any{"metadata": m})
}

func status(code int, reason metav1.StatusReason, message string) json.RawMessage {
	return encode("", metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   "Failure", Code: int32(code), Reason: reason, Message: message,
	})
}

func answer(code int, body any) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(encode("", body)))}
}

func failure(code int, reason metav1.StatusReason, message string) *http.Response {
	return answer(code, status(code, reason, message))
}

func resourceFor(o metav1.Object) string {
	switch o.(type) {
	case *corev1.Node:
		return "nodes"
	case *corev1.Pod:
		return "pods"
	case *corev1.Event:
		return "events"
	}
	return "leases"
}

func named(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, UID: uidOf(namespace + "/" + name)}
}

// uidOf makes a UUID out of any text.
func uidOf(text string) types.UID {
	h := fmt.Sprintf("%032x", text)
	h = h[len(h)-32:]
	return types.UID(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

func nodeNamed(name string) *corev1.Node { return &corev1.Node{ObjectMeta: named("", name)} }

func podNamed(name string) *corev1.Pod { return &corev1.Pod{ObjectMeta: named("default", name)} }

// leaseOf is a node's lease, renewed now.
func leaseOf(node string) *coordinationv1.Lease {
	t := metav1.NowMicro()
	return &coordinationv1.Lease{ObjectMeta: named("kube-node-lease", node), Spec: coordinationv1.LeaseSpec{RenewTime: &t}}
}

// sitting is a stream at work in a test's bubble.
type sitting struct {
	*Source
	t       *testing.T
	mu      sync.Mutex
	batches []stream.Batch
	read    int // batches taken by changes
	when    []time.Time
}

// sit runs play with a stream of the cluster, in a bubble of virtual time.
func sit(t *testing.T, a *api, options Options, play func(s *sitting)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if options.Config == nil {
			options.Config = a.config
		}
		source, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		s := &sitting{Source: source, t: t}
		ctx, cancel := context.WithCancel(t.Context())
		finished := make(chan error)
		go func() { finished <- source.Run(ctx, s.deliver) }()
		s.after(stream.Interval)
		play(s)
		cancel()
		if err := <-finished; err != nil {
			t.Errorf("Run: %v", err)
		}
		s.check()
	})
}

func (s *sitting) deliver(b stream.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = append(s.batches, b)
	s.when = append(s.when, time.Now())
}

// after lets time pass until everything has settled.
func (s *sitting) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// check holds for every run: arrivals never decrease, times are sound, batches are not more frequent than promised, and
// every batch has the status of every kind.
func (s *sitting) check() {
	s.t.Helper()
	var last model.Instant
	for i, b := range s.batches {
		if i > 0 && i < len(s.batches)-1 && s.when[i].Sub(s.when[i-1]) < stream.Interval {
			s.t.Errorf("batch %d came %v after the one before", i, s.when[i].Sub(s.when[i-1]))
		}
		if len(b.Status) < len(model.Kinds) {
			s.t.Errorf("batch %d has %d states", i, len(b.Status))
		}
		for _, ch := range b.Changes {
			if ch.Arrival < last || !ch.Arrival.Known() {
				s.t.Errorf("%v %v %v arrived %v, after one of %v", ch.Op, ch.Kind, ch.Key, ch.Arrival, last)
			}
			last = ch.Arrival
			if ch.Quality != model.ByArrival || ch.Time.Latest > ch.Arrival || ch.Time.Earliest > ch.Time.Latest || !ch.Time.Known() {
				s.t.Errorf("%v %v %v has time %v, quality %v", ch.Op, ch.Kind, ch.Key, ch.Time, ch.Quality)
			}
		}
	}
}

// changes are the Changes delivered since it was asked last.
func (s *sitting) changes() []model.Change {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []model.Change
	for _, b := range s.batches[s.read:] {
		out = append(out, b.Changes...)
	}
	s.read = len(s.batches)
	return out
}

// story is the Changes since it was asked last as "op kind key", sorted within the batch's kind
// only by arrival.
func (s *sitting) story(kind model.Kind) string {
	var out []string
	for _, ch := range s.changes() {
		if ch.Kind == kind {
			out = append(out, strings.TrimSpace(ch.Op.String()+" "+ch.Key.String()))
		}
	}
	return strings.Join(out, ", ")
}

// state is the latest status of a kind.
func (s *sitting) state(kind model.Kind) stream.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.batches) == 0 {
		s.t.Fatal("nothing was delivered")
	}
	for _, st := range s.batches[len(s.batches)-1].Status {
		if st.Kind == kind {
			return st
		}
	}
	s.t.Fatalf("no status of %v", kind)
	return stream.Status{}
}

// announced is how many different retries of a kind the person was shown; each must be ahead, and not far.
func (s *sitting) announced(kind model.Kind) int {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	told := map[model.Instant]bool{}
	for i, b := range s.batches {
		for _, st := range b.Status {
			if st.Kind != kind || !st.Retry.Known() {
				continue
			}
			told[st.Retry] = true
			if ahead := st.Retry.Sub(model.At(s.when[i])); ahead < 0 || ahead > maxWait {
				s.t.Errorf("a retry %v ahead", ahead)
			}
		}
	}
	return len(told)
}

func (s *sitting) mustBe(kind model.Kind, want stream.State) {
	s.t.Helper()
	if got := s.state(kind); got.State != want {
		s.t.Errorf("%v is %v (%s), want %v", kind, got.State, got.Why, want)
	}
}

func (s *sitting) mustTell(kind model.Kind, want string) {
	s.t.Helper()
	if got := s.story(kind); got != want {
		s.t.Errorf("%v:\n got %s\nwant %s", kind, got, want)
	}
}
