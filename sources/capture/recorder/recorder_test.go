package recorder

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/capture/stream"
	"kardia/sources/recording"
)

const epoch = model.Instant(1_773_489_600e9)

// stage is a stream, an output, a clock and its ticks, all in the hands of a test.
type stage struct {
	mu    sync.Mutex
	wall  model.Instant
	since time.Duration

	ticks  chan time.Time
	ticked chan struct{}

	deliver chan stream.Batch
	stopped chan struct{}
	version string

	status    []stream.Status // as of the last batch
	log       []string        // what was done to the output
	size      int64
	fails     error
	unflushed int
}

func newStage() *stage {
	return &stage{wall: epoch, ticks: make(chan time.Time), ticked: make(chan struct{}), deliver: make(chan stream.Batch), stopped: make(chan struct{})}
}

func (s *stage) Name() string          { return "prod" }
func (s *stage) ServerVersion() string { return s.version }
func (s *stage) Run(ctx context.Context, deliver func(stream.Batch)) error {
	defer close(s.stopped)
	for {
		select {
		case b := <-s.deliver:
			deliver(b)
		case <-ctx.Done():
			deliver(stream.Batch{Changes: []model.Change{renewal(epoch)}, Status: s.status}) // what was left
			return nil
		}
	}
}

func (s *stage) Add(*model.Change) error { s.unflushed++; return s.fails }
func (s *stage) AddGap(g history.Gap) error {
	s.log = append(s.log, fmt.Sprintf("gap of source %d: %v to %v: %s", g.Source, g.Earliest.Sub(epoch), g.Latest.Sub(epoch), g.Why))
	return nil
}
func (s *stage) AddMark(m past.Bookmark) error {
	s.log = append(s.log, fmt.Sprintf("mark at %v: %s", m.At.Sub(epoch), m.Note))
	return nil
}
func (s *stage) AddClock(r history.ClockReading) error {
	if r.Stepped() {
		s.log = append(s.log, fmt.Sprintf("clock at %v: %s", r.At.Sub(epoch), stepped(&r)))
	}
	return nil
}
func (s *stage) Cover(model.Instant)          {}
func (s *stage) BeginAt(model.Instant)        {}
func (s *stage) SetMeta(recording.Meta) error { return s.fails }
func (s *stage) Flush() error {
	s.log = append(s.log, fmt.Sprintf("flush %d", s.unflushed))
	s.unflushed = 0
	return s.fails
}
func (s *stage) Size() int64 { return s.size }
func (s *stage) Close() error {
	s.log = append(s.log, "close")
	return nil
}

// pass lets time pass, second by second.
func (s *stage) pass(seconds int) {
	for range seconds {
		s.mu.Lock()
		s.since += time.Second
		s.wall += 1e9
		s.mu.Unlock()
		s.ticks <- time.Time{}
		<-s.ticked
	}
}

// set sets the wall clock.
func (s *stage) set(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wall = s.wall.Add(by)
}

func (s *stage) look() Look {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Look{Wall: s.wall, Since: s.since}
}

// bring lets the stream bring Changes, and returns when they were recorded.
func (s *stage) bring(changes ...model.Change) {
	s.deliver <- stream.Batch{Changes: changes}
	s.deliver <- stream.Batch{}
}

func renewal(at model.Instant) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "n1"}, Arrival: at, Lease: model.Lease{Renewed: at}}
}

// record runs a recording while act is in charge of everything outside.
func (s *stage) record(t *testing.T, o Options, act func(stop func())) (Summary, error) {
	t.Helper()
	o.ticks = s.ticks
	o.look = s.look
	o.SaysClock = func(c *history.ClockReading) string { return fmt.Sprint(c.Slept.Value, c.Set) }
	o.Progress = func(Progress) { s.ticked <- struct{}{} }
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	type outcome struct {
		sum Summary
		err error
	}
	done := make(chan outcome)
	go func() {
		sum, err := Record(ctx, s, func(recording.Meta) (Output, error) { return s, nil }, o)
		done <- outcome{sum, err}
	}()
	act(stop)
	out := <-done
	<-s.stopped
	return out.sum, out.err
}

func (s *stage) done() string { return strings.Join(s.log, "\n") }

func TestFlushesInTime(t *testing.T) {
	s := newStage()
	sum, err := s.record(t, Options{}, func(stop func()) {
		s.bring(renewal(epoch), renewal(epoch+1))
		s.pass(9)
		stop()
	})
	if want := "flush 2\nflush 0\nflush 1\nclose"; err != nil || s.done() != want || sum.Reason != Asked || sum.Changes != 3 {
		t.Errorf("%v, %+v:\n%s", err, sum, s.done())
	}
}

func TestLimits(t *testing.T) {
	for name, tt := range map[string]struct {
		o    Options
		want Reason
	}{
		"time": {Options{For: 3 * time.Second}, Enough},
		"size": {Options{MaxSize: 1000}, Full},
		"disk": {Options{Free: func() (int64, error) { return 1 << 20, nil }}, NoRoom},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage()
			s.size = 1000
			sum, err := s.record(t, tt.o, func(func()) {
				s.bring(renewal(epoch))
				if tt.want == Enough {
					s.pass(2)
				}
				s.pass(1)
			})
			// What the stream had left is in the recording, and the recording is closed.
			if err != nil || sum.Reason != tt.want || sum.Changes != 2 || !strings.HasSuffix(s.done(), "flush 2\nclose") {
				t.Errorf("%v, %+v:\n%s", err, sum, s.done())
			}
		})
	}
}

func TestBlindness(t *testing.T) {
	s := newStage()
	sum, err := s.record(t, Options{}, func(stop func()) {
		s.bring(renewal(epoch), model.Change{Kind: model.KindPod, Op: model.OpGap, Arrival: epoch.Add(2 * time.Second), Note: "listed again",
			Time: model.Interval{Earliest: epoch, Latest: epoch.Add(2 * time.Second)}})
		s.pass(1)
		s.set(10 * time.Minute) // the machine sleeps
		s.pass(1)
		s.set(-30 * time.Second)
		s.pass(1)
		s.set(100 * time.Millisecond) // a clock that is slewed
		s.pass(1)
		stop()
	})
	const why = "0s 10m0s"
	want := []string{"gap of source 2: 0s to 2s: listed again", "clock at 10m2s: set 10m0s"}
	for source := range model.Kinds {
		want = append(want, fmt.Sprintf("gap of source %d: 2s to 10m2s: %s", source, why))
	}
	want = append(want, "clock at 10m3s: set -30s, 30s ahead",
		"flush 2", "flush 1", "close")
	if err != nil || sum.Gaps != 2 || s.done() != strings.Join(want, "\n") {
		t.Errorf("%v, %+v:\n%s\nwant\n%s", err, sum, s.done(), strings.Join(want, "\n"))
	}
}

// A watch of leaders that is broken when the recording ends leaves a gap: a missing renewal is not known then.
func TestBlindOfLeadersInTheEnd(t *testing.T) {
	for state, want := range map[stream.State]string{stream.Live: "flush 3\nclose",
		stream.Disconnected: "gap of source 4: 3s to 9s: the watch of leaders' leases was broken when the recording ended\nflush 3\nclose"} {
		s := newStage()
		s.status = []stream.Status{{Kind: model.KindLeaderLease, State: state, Since: epoch.Add(3 * time.Second), Last: epoch.Add(2 * time.Second)}}
		_, err := s.record(t, Options{}, func(stop func()) {
			s.bring(renewal(epoch), renewal(epoch.Add(9*time.Second)))
			stop()
		})
		if err != nil || s.done() != want {
			t.Errorf("%v: %v, %s", state, err, s.done())
		}
	}
}

// A disk that fails ends the recording; nothing hangs, and the file is closed as far as it goes.
func TestWriteFails(t *testing.T) {
	s := newStage()
	s.fails = errors.New("input/output error")
	sum, err := s.record(t, Options{}, func(func()) {
		s.deliver <- stream.Batch{Changes: []model.Change{renewal(epoch)}}
	})
	if !errors.Is(err, s.fails) || sum.Reason != Broken || sum.Changes != 0 || !strings.HasSuffix(s.done(), "close") {
		t.Errorf("%v, %+v:\n%s", err, sum, s.done())
	}
}

func TestUpgrade(t *testing.T) {
	s := newStage()
	r := &recorder{out: s, stream: s}
	for _, s.version = range []string{"", "v1.36.3", "v1.36.3", "v1.37.1"} {
		r.noteVersion(epoch)
	}
	if want := "mark at 0s: the API server is v1.37.1, and was v1.36.3"; s.done() != want || r.options.Meta.ServerVersion != "v1.36.3" {
		t.Error(s.done(), r.options.Meta.ServerVersion)
	}
}

// Until the first list comes nothing is opened, and no limit but the time counts.
func TestNothingIsWrittenBeforeTheFirstList(t *testing.T) {
	s := newStage()
	full := func() (int64, error) { return 0, nil }
	opened := 0
	done := make(chan Summary)
	go func() {
		sum, err := Record(t.Context(), silentStream{s}, func(recording.Meta) (Output, error) { opened++; return s, nil },
			Options{For: 3 * time.Second, Free: full, ticks: s.ticks, look: s.look, Progress: func(Progress) { s.ticked <- struct{}{} }})
		if err != nil {
			t.Error(err)
		}
		done <- sum
	}()
	s.deliver <- stream.Batch{Status: []stream.Status{{Kind: model.KindNode, State: stream.Disconnected}}}
	s.pass(3)
	if sum := <-done; sum.Reason != Enough || opened > 0 || s.done() != "" || len(sum.Status) != 1 || sum.Coverage.Known() {
		t.Errorf("%+v, opened %d times, %s", sum, opened, s.done())
	}
}

// silentStream is a stage that has nothing left when it ends.
type silentStream struct{ *stage }

func (s silentStream) Run(ctx context.Context, deliver func(stream.Batch)) error {
	for {
		select {
		case b := <-s.deliver:
			deliver(b)
		case <-ctx.Done():
			return nil
		}
	}
}
