package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/evidence"
	"kardia/sources/live"
	"kardia/ui/screen"
	"kardia/ui/session"
)

// view is an open live session, with its reports.
type view struct {
	name  string
	began model.Instant

	mu      sync.Mutex
	samples []sample
	told    []session.Told
}

// sample is what a view said at an instant.
type sample struct {
	at     model.Instant
	live   bool // the badge
	blind  bool
	silent model.Instant // the last sign of life, where there is none
	ready  int
	late   int
	unseen bool // nothing may be read
	// result is what the models made of it; nil while they have not.
	result  *infer.Result
	overdue bool
}

// look opens a view as a user; it ends with the test.
func look(t *testing.T, name, user string, params model.Params) *view {
	t.Helper()
	source, err := live.New(live.Options{Config: func() (*rest.Config, error) { return kube.config(user), nil }, Version: "e2e", LogTo: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	s := session.Live(source, session.Options{Params: params})
	ctx, cancel := context.WithCancel(context.Background())
	v, over := &view{name: name, began: model.At(time.Now())}, make(chan struct{})
	s.Start(ctx)
	go func() {
		defer close(over)
		for ticks := time.NewTicker(200 * time.Millisecond); ctx.Err() == nil; <-ticks.C {
			s.Advance()
			v.take(s.Snapshot(), s.News())
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-over
		if t.Failed() {
			keep(t, s, name)
		}
		s.Close()
	})
	return v
}

// keep writes the Changes that a view received, so that a failure can be replayed.
func keep(t *testing.T, s *session.Session, name string) {
	path := kube.path(strings.ReplaceAll(name, " ", "-") + ".mcap")
	_, write, err := s.Saving(0)
	if err == nil {
		err = write(path)
	}
	t.Logf("what the %s view received: %s (%v)", name, path, err)
}

func (v *view) take(sn *screen.Snapshot, told []session.Told) {
	is := sample{at: sn.At, live: sn.Mode == screen.Live && !sn.Blind, blind: sn.Blind, silent: sn.AsOf, unseen: screen.Refused(sn)}
	for _, z := range sn.Nodes().Zones {
		is.ready += z.Ready
		is.late += z.Late
	}
	if j := sn.Judged; j != nil {
		is.result = j.Result
		is.overdue = j.State != nil && j.State.Overdue.Known()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.samples, v.told = append(v.samples, is), append(v.told, told...)
}

// now is what it says at present.
func (v *view) now() sample {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.samples) == 0 {
		return sample{}
	}
	return v.samples[len(v.samples)-1]
}

// between are the samples of a time.
func (v *view) between(from, to model.Instant) (list []sample) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range v.samples {
		if s.at >= from && s.at <= to {
			list = append(list, s)
		}
	}
	return list
}

// news reports whether a message was shown that contains a text.
func (v *view) news(text string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, n := range v.told {
		if strings.Contains(n.Text, text) {
			return true
		}
	}
	return false
}

// String is what it says at present, for who must find out what is wrong with it.
func (v *view) String() string {
	s := v.now()
	text := fmt.Sprintf("%s at %v: live %v, as of %v, %d ready, %d late, overdue %v", v.name, s.at, s.live, s.silent, s.ready, s.late, s.overdue)
	if s.result == nil {
		return text + ", not judged"
	}
	text += fmt.Sprintf("\ncovers %v, overdue since %v, restarts %v", s.result.Coverage, s.result.Overdue.Since, s.result.Restarts)
	for _, d := range s.result.Decisions[max(0, len(s.result.Decisions)-20):] {
		text += fmt.Sprintf("\n%v %s %s within %v, %s", d.Time, d.Kind, d.Subject(), d.Window, d.Basis)
	}
	return text
}

// soon waits for something to hold, and fails the test when it does not in time.
func soon(t *testing.T, within time.Duration, what string, v *view, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("not within %v: %s\n%s", within, what, v)
}

// written is one request of the controllers that changed something, by the audit log.
type written struct {
	at                   model.Instant
	verb, resource, name string
	status               bool
}

// served is when the API server answered last before an instant, by its audit log; watches apart, which it
// leaves open when it takes no request any more.
func served(t *testing.T, before model.Instant) (last model.Instant) {
	t.Helper()
	eachAudited(t, func(e *auditEvent) {
		if at := model.At(e.StageTimestamp); e.Verb != "watch" && e.Stage == "ResponseComplete" && at < before {
			last = max(last, at)
		}
	})
	return last
}

// auditEvent is what is read of a line of the audit log.
type auditEvent struct {
	Verb, UserAgent, Stage                   string
	RequestReceivedTimestamp, StageTimestamp time.Time
	ObjectRef                                struct{ Resource, Subresource, Name string }
	ResponseStatus                           struct{ Code int }
}

// eachAudited reads the audit log so far.
func eachAudited(t *testing.T, each func(*auditEvent)) {
	t.Helper()
	f, err := os.Open(kube.path("audit.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e auditEvent
		if json.Unmarshal(lines.Bytes(), &e) == nil { // the last line may be half written
			each(&e)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// audited are the controllers' writes so far.
func audited(t *testing.T) (list []written) {
	t.Helper()
	eachAudited(t, func(e *auditEvent) {
		if !strings.HasPrefix(e.UserAgent, "kube-controller-manager") || e.ResponseStatus.Code >= 300 {
			return
		}
		switch e.Verb {
		case "update", "patch", "delete":
			list = append(list, written{model.At(e.RequestReceivedTimestamp), e.Verb, e.ObjectRef.Resource, e.ObjectRef.Name, e.ObjectRef.Subresource == "status"})
		}
	})
	return list
}

// wrote says whether the audit log has what a decision writes, about when it was decided.
func wrote(list []written, d *model.Decision) bool {
	window := model.Interval{Earliest: d.Window.Earliest.Add(-time.Second), Latest: d.Window.Latest.Add(evidence.LagBound)}
	for _, w := range list {
		if !window.Contains(w.at) {
			continue
		}
		switch d.Kind {
		case model.MarkUnknown:
			if w.resource == "nodes" && w.status && w.name == d.Node {
				return true
			}
		case model.TaintNoExecute:
			if w.resource == "nodes" && !w.status && w.name == d.Node {
				return true
			}
		case model.EvictPod:
			if w.resource == "pods" && w.name == d.Pod.Name {
				return true
			}
		}
	}
	return false
}
