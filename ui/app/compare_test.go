package app

import (
	"context"
	"testing"
	"time"

	"kardia/sources/open"
	"kardia/ui/screen/screentest"
	"kardia/ui/session"
)

// Two incidents stand side by side, and the first is replayed: . goes from row to row with its clock, enter says
// why in both, and the other screens are those of the first.
func TestTwoIncidentsSideBySide(t *testing.T) {
	opened, err := open.Open(context.Background(), []string{"demo:zone-outage"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	beside := screentest.Beside(t, "demo:zone-outage", "demo:all-dark")
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		s := newClock()
		s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, View: "compare", Session: session.Replay(opened.History, session.Options{
			Name: "zone-outage", Now: s.time, Start: beside.Comparison.A.Start, Judging: session.AtOnce, Beside: beside})}, size[0], size[1])
		s.shows("C Compare", "A  zone-outage", "B  all-dark", "+0.0s", "B LATER")
		s.keys(".").shows("row 1 of ")
		if at := s.app.snapshot().At; at <= beside.Comparison.A.Start || at > beside.Comparison.A.Start.Add(time.Minute) {
			t.Errorf("the first row is at %s, and both begin at %s", at, beside.Comparison.A.Start)
		}
		s.keys("enter").shows("Why", "declared Unknown", "counted silence").keys("esc")
		s.keys("/").types("only-b").keys("enter").shows("only B").hides("only A")
		s.keys("esc", "1").shows("us-east-1b").keys("C").shows("B  all-dark")
		s.keys("q").shows("us-east-1b")
	}
}

// A sitting with one incident has no such screen.
func TestNothingToCompareWith(t *testing.T) {
	s := replay(t, 10, 200, 60)
	s.hides("Compare")
	s.keys("C").shows("C does nothing here")
}
