package live

import (
	"net/http"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
)

// TestTheServersClock: answers bound the API server's clock, never to less than a point within it.
func TestTheServersClock(t *testing.T) {
	const ahead = 7300 * time.Millisecond // of ours
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ours := start
	s := &serverClock{clock: newClock(func() time.Time { return ours })}
	ask := func(took time.Duration, header ...string) {
		asked := s.reading()
		ours = ours.Add(took / 2)
		resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Date": {ours.Add(ahead).Format(http.TimeFormat)}}}
		for _, name := range header {
			resp.Header.Set(name, "3")
		}
		ours = ours.Add(took / 2)
		s.answered(asked, resp)
	}
	if s.now().Known {
		t.Error("known before anybody answered")
	}
	ask(0, "Age")
	if s.now().Known {
		t.Error("a stored answer counted")
	}
	ask(20 * time.Millisecond)
	if got, want := s.now(), model.Some(history.Offset{Least: 6980 * time.Millisecond, Most: 8 * time.Second}); got != want {
		t.Errorf("after one answer: %v, want %v", got.Value, want.Value)
	}
	for i := range 300 {
		ours = ours.Add(time.Duration(i%17) * 137 * time.Millisecond)
		ask(time.Duration(i%5) * 10 * time.Millisecond)
		b := s.now().Value
		if b.Least > ahead || b.Most < ahead || b.Most < b.Least {
			t.Fatalf("after %d answers %v, and it is %v", i, b, ahead)
		}
	}
	near := s.now().Value
	if near.Most-near.Least > 100*time.Millisecond {
		t.Errorf("many answers tell no more than %v", near)
	}
	ours = ours.Add(time.Minute)
	if far := s.now().Value; far.Least >= near.Least || far.Most <= near.Most {
		t.Errorf("a minute later still %v, after %v", far, near)
	}
	// Another server, another clock: the newest counts.
	asked := s.reading()
	s.answered(asked, &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Date": {ours.Truncate(time.Second).Format(http.TimeFormat)}}})
	if b := s.now().Value; b.Least > 0 || b.Most < 0 || b.Most > time.Second {
		t.Errorf("another one: %v", b)
	}
	for _, resp := range []*http.Response{{StatusCode: http.StatusBadGateway, Header: http.Header{"Date": {start.Format(http.TimeFormat)}}}, {StatusCode: http.StatusOK, Header: http.Header{"Date": {"yesterday"}}}, {StatusCode: http.StatusOK}} {
		before := s.now()
		s.answered(s.reading(), resp)
		if s.now() != before {
			t.Errorf("%v counted", resp)
		}
	}
	var none *serverClock
	none.answered(none.reading(), &http.Response{StatusCode: http.StatusOK})
}

// A machine that slept starts again: its clock leapt, and the server's did not.
func TestTheServersClockAfterASleep(t *testing.T) {
	wall := time.Now() // with a monotonic reading
	s := &serverClock{clock: newClock(func() time.Time { return wall })}
	s.take(s.reading(), history.Offset{Least: 0, Most: time.Second})
	s.clock.line = stream.NewLine(s.clock.line.Steady(-time.Hour), 0) // an hour passes, and the monotonic clock is paused
	if s.now().Known {
		t.Error("known after a sleep")
	}
}
