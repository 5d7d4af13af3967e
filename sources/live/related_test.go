package live

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// attachments answers lists of VolumeAttachments, one object a page, and counts them.
type attachments struct {
	mu    sync.Mutex
	names []string // name=version
	asked int
	fail  func() *http.Response
}

// count is how often it was asked.
func (l *attachments) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

// are gives other names, and an end to failing.
func (l *attachments) are(names ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names, l.fail = names, nil
}

func (l *attachments) answer(req *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(req.URL.Path, "/volumeattachments") {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	from := 0
	if _, err := fmt.Sscan(req.URL.Query().Get("continue"), &from); err != nil {
		l.asked++
	}
	if l.fail != nil {
		return l.fail(), nil
	}
	items, m := []any{}, map[string]any{"resourceVersion": "9"}
	if from < len(l.names) {
		name, version, _ := strings.Cut(l.names[from], "=")
		items = append(items, map[string]any{"metadata": map[string]any{"name": name, "uid": uidOf(name), "resourceVersion": version, "creationTimestamp": "2000-01-01T00:00:00Z"},
			"spec":   map[string]any{"nodeName": "n1", "attacher": "csi.example", "source": map[string]any{"persistentVolumeName": "pv-" + name}},
			"status": map[string]any{"attached": true}})
		if from+1 < len(l.names) {
			m["continue"] = fmt.Sprint(from + 1)
		}
	}
	return answer(200, map[string]any{"kind": "VolumeAttachmentList", "metadata": m, "items": items}), nil
}

// Related objects are listed only while they are asked for, page by page, every half minute; the differences from the
// last list are handed on, dated within the time since.
func TestRelatedObjectsAreListedAsLongAsTheyAreAskedFor(t *testing.T) {
	a, l := newAPI(), &attachments{names: []string{"a=1", "b=1"}}
	a.set(nodeNamed("n1"))
	a.failWith(l.answer)
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		if n := l.count(); n != 0 {
			t.Fatalf("asked %d times though nobody wants it", n)
		}
		s.Ask(model.KindVolumeAttachment)
		s.after(time.Second)
		s.mustTell(model.KindVolumeAttachment, "baseline a, baseline b")
		s.mustBe(model.KindVolumeAttachment, stream.Live)
		l.are("a=2", "c=1")
		s.after(relatedEvery)
		s.mustTell(model.KindVolumeAttachment, "modify a, delete b, add c")
		s.Ask()
		s.after(10 * relatedEvery)
		if n := l.count(); n != 2 {
			t.Errorf("listed %d times, want 2", n)
		}
	})
}

// Of the leases of kube-system only those of API servers are asked for, by their label.
func TestTheLeasesOfAPIServersAreAskedForByTheirLabel(t *testing.T) {
	a := newAPI()
	asked := make(chan string, 100)
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if q := req.URL.Query(); strings.HasSuffix(req.URL.Path, "/namespaces/kube-system/leases") && q.Get("labelSelector") != "" {
			asked <- q.Get("labelSelector")
			return answer(200, map[string]any{"kind": "LeaseList", "metadata": map[string]any{}, "items": []any{
				map[string]any{"metadata": map[string]any{"name": "apiserver-x", "namespace": "kube-system", "uid": uidOf("x"), "resourceVersion": "3"},
					"spec": map[string]any{"holderIdentity": "apiserver-x_1", "renewTime": "2000-01-01T00:00:00.000001Z"}}}}), nil
		}
		return nil, nil
	})
	sit(t, a, Options{}, func(s *sitting) {
		s.Ask(model.KindServerLease)
		s.after(time.Second)
		s.mustTell(model.KindServerLease, "baseline kube-system/apiserver-x")
		s.mustBe(model.KindServerLease, stream.Live)
	})
	if with := <-asked; with != "apiserver.kubernetes.io/identity=kube-apiserver" {
		t.Errorf("asked with %q", with)
	}
}

// A refusal is reported, and the request repeated seldom. An overload is waited for as long as the API server asks. A
// kind that it does not have has no objects. An answer that is no list changes nothing.
func TestRelatedObjectsThatCannotBeHad(t *testing.T) {
	for _, c := range []struct {
		name  string
		fail  func() *http.Response
		state stream.State
		most  int // how often it is asked within a minute
	}{
		{"forbidden", func() *http.Response {
			return failure(403, metav1.StatusReasonForbidden, "volumeattachments is forbidden")
		}, stream.Forbidden, 3},
		{"overloaded", func() *http.Response {
			r := failure(429, metav1.StatusReasonTooManyRequests, "later")
			r.Header.Set("Retry-After", "20")
			return r
		}, stream.Disconnected, 4},
		{"not there", func() *http.Response { return failure(404, metav1.StatusReasonNotFound, "no such resource") }, stream.Live, 3},
		{"no list", func() *http.Response { return answer(200, "hello") }, stream.Disconnected, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, l := newAPI(), &attachments{names: []string{"a=1"}, fail: c.fail}
			a.failWith(l.answer)
			sit(t, a, Options{}, func(s *sitting) {
				s.Ask(model.KindVolumeAttachment)
				s.after(time.Second)
				s.mustBe(model.KindVolumeAttachment, c.state)
				s.after(time.Minute)
				if n := l.count(); n > c.most {
					t.Errorf("asked %d times, want at most %d", n, c.most)
				}
				s.mustTell(model.KindVolumeAttachment, "")
				l.are("a=1")
				s.after(2 * forbiddenWait)
				s.mustBe(model.KindVolumeAttachment, stream.Live)
			})
		})
	}
}
