package live

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// eitherWay runs a test against servers that stream lists and against ones that do not.
func eitherWay(t *testing.T, test func(t *testing.T, a *api)) {
	t.Run("streamed lists", func(t *testing.T) { test(t, newAPI()) })
	t.Run("paged lists", func(t *testing.T) {
		a := newAPI()
		a.noStreams = true
		test(t, a)
	})
}

func TestAClusterIsListedAndFollowed(t *testing.T) {
	eitherWay(t, func(t *testing.T, a *api) {
		leader := leaseOf("kube-scheduler")
		leader.Namespace = "kube-system"
		event := &corev1.Event{ObjectMeta: named("default", "n1.1"), Reason: "NodeNotReady",
			InvolvedObject: corev1.ObjectReference{Kind: "Node", Name: "n1"}}
		foreign := &corev1.Event{ObjectMeta: named("default", "rs.1"), InvolvedObject: corev1.ObjectReference{Kind: "ReplicaSet"}}
		other := leaseOf("cert-manager")
		other.Namespace = "kube-system"
		a.set(nodeNamed("n1"), leaseOf("n1"), podNamed("p1"), leader, other, event, foreign)
		sit(t, a, Options{}, func(s *sitting) {
			var got []string
			for _, ch := range s.changes() {
				got = append(got, fmt.Sprint(ch.Op, " ", ch.Kind, " ", ch.Key))
			}
			for _, want := range []string{"baseline Node n1", "baseline Lease kube-node-lease/n1", "baseline Pod default/p1",
				"baseline Event default/n1.1", "baseline LeaderLease kube-system/kube-scheduler"} {
				if !strings.Contains(strings.Join(got, "; "), want) {
					t.Errorf("no %s in %v", want, got)
				}
			}
			if len(got) != 5 {
				t.Errorf("%d changes, want 5: %v", len(got), got)
			}
			s.after(2 * acceptAfter)
			for _, kind := range model.Kinds {
				s.mustBe(kind, stream.Live)
			}
			if s.ServerVersion() != "v1.37.2" || s.Name() != "http://cluster.test" {
				t.Errorf("version %q of %q", s.ServerVersion(), s.Name())
			}

			a.set(nodeNamed("n2"))
			a.set(nodeNamed("n1"))
			a.remove(nodeNamed("n2"))
			s.after(time.Second)
			s.mustTell(model.KindNode, "add n2, modify n1, delete n2")
		})
		for _, r := range a.requests {
			if !strings.HasPrefix(r, "GET ") {
				t.Errorf("sent %s", r)
			}
		}
	})
}

func TestARenewalMovesHeard(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"), leaseOf("n1"))
	sit(t, a, Options{}, func(s *sitting) {
		c := model.NewCluster()
		fold := func() model.Ages {
			for _, ch := range s.changes() {
				c.Fold(&ch)
			}
			return c.Node("n1").Ages(model.At(time.Now()))
		}
		if ages := fold(); ages.Heard.Known || !ages.Says.Known || ages.From != model.AgeUnknown { // the bubble's clock is far behind
			t.Errorf("before the first renewal: %+v", ages)
		}
		s.after(10 * time.Second)
		a.set(leaseOf("n1"))
		s.after(3 * time.Second)
		if ages := fold(); ages.Heard != model.Some(3*time.Second) {
			t.Errorf("3 s after a renewal: %+v", ages)
		}
	})
}

func TestALongListFillsTheScreenPageByPage(t *testing.T) {
	a := newAPI()
	a.noStreams = true
	for i := range 1200 {
		a.set(nodeNamed(fmt.Sprintf("n%04d", i)))
	}
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if req.URL.Query().Get("continue") != "" {
			a.mu.Unlock()
			time.Sleep(5 * time.Second)
			a.mu.Lock()
		}
		return nil, nil
	})
	sit(t, a, Options{}, func(s *sitting) {
		for _, want := range []int{500, 1000, 1200} {
			if st := s.state(model.KindNode); st.Loaded != want || (st.State == stream.Live) != (want == 1200) {
				t.Errorf("loaded %d, %v; want %d", st.Loaded, st.State, want)
			}
			s.after(5*time.Second + stream.Interval)
			s.after(acceptAfter)
		}
		if n := len(s.changes()); n != 1200 {
			t.Errorf("%d changes", n)
		}
	})
}

func TestAnOrdinaryEndIsNoGap(t *testing.T) {
	eitherWay(t, func(t *testing.T, a *api) {
		a.set(nodeNamed("n1"))
		sit(t, a, Options{}, func(s *sitting) {
			s.after(time.Minute)
			s.changes()
			a.hangUp(nil)
			a.set(nodeNamed("n2"))
			s.after(5 * time.Second)
			s.mustTell(model.KindNode, "add n2")
			s.mustBe(model.KindNode, stream.Live)
		})
	})
}

func TestAnOutageIsAGapAndNothingIsLost(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"))
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		s.changes()
		broke := model.At(time.Now())
		a.failWith(refused)
		a.hangUp(nil)
		s.after(20 * time.Second)
		st := s.state(model.KindNode)
		if st.State != stream.Disconnected || st.Why != "dial tcp 10.0.0.1:6443: connect: connection refused" {
			t.Errorf("in the outage: %v, %q", st.State, st.Why)
		}
		if announced := s.announced(model.KindNode); announced < 3 {
			t.Errorf("%d attempts were announced", announced)
		}
		if since := st.Since.Sub(broke); since > time.Second {
			t.Errorf("disconnected since %v after the break", since)
		}
		a.failWith(nil)
		a.set(nodeNamed("n2")) // while there is no watch
		s.after(maxWait)
		got := s.changes()
		var nodes []model.Change
		for _, ch := range got {
			if ch.Kind == model.KindNode {
				nodes = append(nodes, ch)
			}
		}
		if len(nodes) != 2 || nodes[0].Op != model.OpGap || nodes[1].Op != model.OpAdd {
			t.Fatalf("after the outage: %+v", nodes)
		}
		gap := nodes[0]
		if gap.Time.Earliest != broke || gap.Time.Latest.Sub(broke) < 20*time.Second || gap.Time.Latest > nodes[1].Arrival {
			t.Errorf("broke at %v, gap %v", broke, gap.Time)
		}
		if !strings.Contains(gap.Note, "connection refused") || !strings.Contains(gap.Note, "no change was lost") {
			t.Errorf("the gap says %q", gap.Note)
		}
		s.mustBe(model.KindNode, stream.Live)
	})
}

func TestAListAfterAGapTellsWhatDiffers(t *testing.T) {
	eitherWay(t, func(t *testing.T, a *api) {
		for _, name := range []string{"changed", "gone", "recreated", "same"} {
			a.set(nodeNamed(name))
		}
		sit(t, a, Options{}, func(s *sitting) {
			s.after(time.Minute)
			a.set(nodeNamed("changed"))
			s.after(time.Second)
			good := model.At(time.Now()).Add(-time.Second)
			s.changes()
			s.after(time.Second)
			a.failWith(refused)
			a.hangUp(nil)
			s.after(time.Second)
			a.set(nodeNamed("changed"), nodeNamed("new"))
			a.remove(nodeNamed("gone"))
			a.remove(nodeNamed("recreated"))
			again := nodeNamed("recreated")
			again.UID = uidOf("another")
			a.set(again)
			a.forget()
			a.failWith(nil)
			s.after(10 * time.Second)
			var got []string
			for _, ch := range s.changes() {
				if ch.Kind != model.KindNode {
					continue
				}
				got = append(got, strings.TrimSpace(ch.Op.String()+" "+ch.Key.String()))
				if ch.Op != model.OpGap && ch.Time.Earliest != good {
					t.Errorf("%v %v can have been written from %v on, want %v", ch.Op, ch.Key, ch.Time.Earliest, good)
				}
			}
			if want := "gap, modify changed, add new, delete recreated, add recreated, delete gone"; strings.Join(got, ", ") != want {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, ", "), want)
			}
			s.mustBe(model.KindNode, stream.Live)
			a.set(nodeNamed("new"))
			s.after(time.Second)
			s.mustTell(model.KindNode, "modify new")
		})
	})
}

func TestHistoryLostInTheStream(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"))
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		s.changes()
		a.hangUp(status(410, metav1.StatusReasonExpired, "too old resource version"))
		s.after(time.Second)
		s.mustTell(model.KindNode, "gap")
		s.mustBe(model.KindNode, stream.Live)
	})
}

func TestHistoryLostAtTheDoor(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"))
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		s.changes()
		a.failWith(func(req *http.Request) (*http.Response, error) {
			if req.URL.Query().Get("resourceVersion") != "" {
				return failure(410, metav1.StatusReasonGone, "gone"), nil
			}
			return nil, nil
		})
		a.hangUp(nil)
		s.after(time.Second)
		s.mustTell(model.KindNode, "gap")
		s.mustBe(model.KindNode, stream.Live)
	})
}

// A server that lists and then refuses what it has just listed is not asked in a loop.
func TestAListThatDoesNotHelpIsNotRepeatedAtOnce(t *testing.T) {
	a := newAPI()
	a.noStreams = true
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if req.URL.Query().Get("resourceVersion") != "" {
			return failure(410, metav1.StatusReasonGone, "gone"), nil
		}
		return nil, nil
	})
	sit(t, a, Options{}, func(s *sitting) {
		s.after(10 * time.Minute)
		if asked := len(a.asked("nodes")); asked > 150 {
			t.Errorf("asked %d times in ten minutes", asked)
		}
	})
}

// An API server that cannot keep up has no streamed list of the pods, at each attempt, and has it in pages.
func TestAListThatIsNotStreamedForLackOfTimeIsReadInPages(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"))
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if req.URL.Query().Get("sendInitialEvents") != "" {
			return failure(410, metav1.StatusReasonExpired, "too old resource version"), nil
		}
		return nil, nil
	})
	sit(t, a, Options{}, func(s *sitting) {
		s.after(10 * time.Second)
		s.mustBe(model.KindNode, stream.Live)
	})
}

func TestARefusedKindLeavesTheOthersAlone(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"), podNamed("p1"))
	noPods := func(req *http.Request) (*http.Response, error) {
		if resourceOf(req) == "pods" {
			return failure(403, metav1.StatusReasonForbidden, `pods is forbidden: User "viewer" cannot watch resource "pods"`), nil
		}
		return nil, nil
	}
	a.failWith(noPods)
	sit(t, a, Options{}, func(s *sitting) {
		s.mustTell(model.KindNode, "baseline n1")
		s.mustBe(model.KindNode, stream.Live)
		if st := s.state(model.KindPod); st.State != stream.Forbidden || !strings.Contains(st.Why, "cannot watch") {
			t.Errorf("pods: %v %q", st.State, st.Why)
		}
		before := len(a.asked("pods"))
		for range 10 {
			s.after(time.Minute)
			a.bookmarks()
		}
		if asked := len(a.asked("pods")) - before; asked < 9 || asked > 21 {
			t.Errorf("asked %d times in ten minutes", asked)
		}
		s.changes()
		a.failWith(nil)
		s.after(forbiddenWait)
		s.mustTell(model.KindPod, "baseline default/p1")
		s.mustBe(model.KindPod, stream.Live)
	})
}

func TestOneOfSeveralWatchesRefused(t *testing.T) {
	a := newAPI()
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if strings.Contains(req.URL.Path, "/namespaces/b/pods") {
			return failure(403, metav1.StatusReasonForbidden, "forbidden"), nil
		}
		return nil, nil
	})
	a.set(podNamed("p1"))
	mine := podNamed("p2")
	mine.Namespace = "a"
	a.set(mine)
	sit(t, a, Options{Namespaces: []string{"a", "b"}}, func(s *sitting) {
		s.mustTell(model.KindPod, "baseline a/p2")
		if st := s.state(model.KindPod); st.State != stream.Forbidden || st.Why != "pods in b: forbidden" {
			t.Errorf("%v %q", st.State, st.Why)
		}
	})
}

func TestExpiredCredentialsAreReadAgain(t *testing.T) {
	a := newAPI()
	var token atomic.Value
	token.Store("old")
	config := func() (*rest.Config, error) {
		cfg, _ := a.config()
		cfg.BearerToken = token.Load().(string)
		return cfg, nil
	}
	valid := "old"
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if req.Header.Get("Authorization") != "Bearer "+valid {
			return failure(401, metav1.StatusReasonUnauthorized, "Unauthorized"), nil
		}
		return nil, nil
	})
	a.set(nodeNamed("n1"))
	sit(t, a, Options{Config: config}, func(s *sitting) {
		s.after(time.Minute)
		a.mu.Lock()
		valid = "new"
		a.mu.Unlock()
		a.hangUp(nil)
		s.after(time.Minute)
		if st := s.state(model.KindNode); st.State != stream.Expired || st.Why == "" {
			t.Errorf("%+v", st)
		}
		token.Store("new") // the person logs in
		s.after(3 * maxWait)
		s.mustBe(model.KindNode, stream.Live)
	})
}

func TestAttemptsBecomeRarer(t *testing.T) {
	a := newAPI()
	a.failWith(refused)
	sit(t, a, Options{}, func(s *sitting) {
		s.after(10 * time.Minute)
		s.mustBe(model.KindNode, stream.Disconnected)
		at := a.asked("nodes")
		if first := at[1].Sub(at[0]); first > firstWait {
			t.Errorf("the first wait was %v", first)
		}
		for i := 1; i < len(at); i++ {
			if d := at[i].Sub(at[i-1]); d > maxWait || (i > 6 && d < maxWait/2) {
				t.Errorf("wait %d was %v", i, d)
			}
		}
		s.RetryNow()
		s.after(0)
		if asked := len(a.asked("nodes")) - len(at); asked != 1 {
			t.Errorf("asked %d times after RetryNow", asked)
		}
	})
}

func TestAServerThatAsksForTimeGetsIt(t *testing.T) {
	a := newAPI()
	a.failWith(func(req *http.Request) (*http.Response, error) {
		header := http.Header{"Retry-After": {"20"}, "Content-Type": {"text/plain"}}
		return &http.Response{StatusCode: 429, Header: header, Body: http.NoBody}, nil
	})
	sit(t, a, Options{}, func(s *sitting) {
		s.after(19 * time.Second)
		if asked := len(a.asked("nodes")); asked != 1 {
			t.Errorf("asked %d times within 19 s", asked)
		}
	})
}

func TestBookmarksMoveOnWithoutAChange(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"))
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		s.changes()
		a.bookmarks()
		s.after(time.Second)
		if st := s.state(model.KindNode); model.At(time.Now()).Sub(st.Last) > 2*time.Second {
			t.Errorf("heard last at %v", st.Last)
		}
		a.mu.Lock()
		a.oldest = a.version // all before the bookmark is forgotten
		a.mu.Unlock()
		a.hangUp(nil)
		s.after(5 * time.Second)
		s.mustTell(model.KindNode, "")
		s.mustBe(model.KindNode, stream.Live)
	})
}

func TestASilentConnectionIsDialledAgain(t *testing.T) {
	for _, c := range []struct {
		say   string
		while func(a *api, s *sitting)
		want  string
	}{
		{"nothing had happened", func(*api, *sitting) {}, ""},
		{"it had lost its other end", func(a *api, s *sitting) {
			a.deafen()
			a.set(nodeNamed("n2"))
		}, "gap, add n2"},
		{"and nobody answers for a while", func(a *api, s *sitting) {
			s.after(stallAfter - 10*time.Second)
			a.failWith(refused)
			s.after(20 * time.Second)
			a.failWith(nil)
		}, "gap"},
	} {
		a := newAPI()
		a.set(nodeNamed("n1"))
		sit(t, a, Options{}, func(s *sitting) {
			s.after(stream.Interval)
			good := s.state(model.KindNode).Last
			s.changes()
			c.while(a, s)
			s.after(stallAfter + 10*time.Second)
			var got []string
			for _, ch := range s.changes() {
				if ch.Kind != model.KindNode {
					continue
				}
				got = append(got, strings.TrimSpace(ch.Op.String()+" "+ch.Key.String()))
				if ch.Op == model.OpGap && ch.Time.Earliest != good {
					t.Errorf("%s: gap from %v on, heard last at %v", c.say, ch.Time.Earliest, good)
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%s: %v, want %s", c.say, got, c.want)
			}
			if asked := len(a.asked("nodes")); asked < 2 {
				t.Errorf("%s: asked %d times", c.say, asked)
			}
			s.mustBe(model.KindNode, stream.Live)
		})
	}
}

// Of Events there are no bookmarks: a small cluster says nothing of them for minutes, and by then what the watch
// would resume from is compacted.
func TestQuietEventsAreNoGap(t *testing.T) {
	a := newAPI()
	a.set(nodeNamed("n1"))
	sit(t, a, Options{}, func(s *sitting) {
		s.after(stream.Interval)
		s.changes()
		a.failWith(func(req *http.Request) (*http.Response, error) {
			if strings.HasSuffix(req.URL.Path, "/events") && req.URL.Query().Get("sendInitialEvents") == "" && req.URL.Query().Get("watch") != "" {
				return failure(410, metav1.StatusReasonExpired, "too old resource version"), nil
			}
			return nil, nil
		})
		s.after(stallAfter + 10*time.Second)
		for _, ch := range s.changes() {
			if ch.Kind == model.KindEvent {
				t.Errorf("%v: %s", ch.Op, ch.Note)
			}
		}
		s.mustBe(model.KindEvent, stream.Live)
	})
}

func TestRepeatedVersionsAreToldOnce(t *testing.T) {
	a := newAPI()
	n := nodeNamed("n1")
	a.set(n)
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		s.changes()
		a.mu.Lock()
		for _, st := range a.streams {
			if st.resource == "nodes" {
				st.send("MODIFIED", encode("nodes", n))
			}
		}
		a.mu.Unlock()
		s.after(time.Second)
		s.mustTell(model.KindNode, "")
	})
}

func TestNonsenseInTheStreamIsSurvived(t *testing.T) {
	for _, nonsense := range []string{"not json", `{"type":"ADDED","object":{"kind":"Unheard","apiVersion":"v1"}}`,
		`{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a-pod"}}}`, `{"type":"ODD","object":null}`, "[]"} {
		a := newAPI()
		a.set(nodeNamed("n1"))
		sit(t, a, Options{}, func(s *sitting) {
			s.after(time.Minute)
			a.mu.Lock()
			for _, st := range a.streams {
				if st.resource == "nodes" {
					st.lines <- []byte(nonsense + "\n")
				}
			}
			a.mu.Unlock()
			s.after(time.Second)
			a.set(nodeNamed("n2"))
			s.after(time.Minute)
			if got := s.story(model.KindNode); !strings.HasSuffix(got, "add n2") || strings.Contains(got, "a-pod") {
				t.Errorf("after %q: %s", nonsense, got)
			}
			s.mustBe(model.KindNode, stream.Live)
		})
	}
}

func TestAnInterruptedFirstListBeginsAgain(t *testing.T) {
	a := newAPI()
	a.noStreams = true
	for i := range 700 {
		a.set(nodeNamed(fmt.Sprintf("n%04d", i)))
	}
	failed := false
	a.failWith(func(req *http.Request) (*http.Response, error) {
		if req.URL.Query().Get("continue") != "" && !failed {
			failed = true
			return failure(410, metav1.StatusReasonExpired, "the continue token is too old"), nil
		}
		return nil, nil
	})
	sit(t, a, Options{}, func(s *sitting) {
		s.after(time.Minute)
		got := s.changes()
		if len(got) != 700 {
			t.Errorf("%d changes", len(got))
		}
		for _, ch := range got {
			if ch.Op != model.OpBaseline {
				t.Fatalf("%v %v", ch.Op, ch.Key)
			}
		}
		s.mustBe(model.KindNode, stream.Live)
	})
}
