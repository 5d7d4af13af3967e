package command

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/open"
)

// TestOpening: what is short is open before the app begins; what a session gets of it
// begins where --at says, or where the recording does.
func TestOpening(t *testing.T) {
	o := openBeside(t.Context(), []string{"demo:all-dark"}, open.Options{})
	o.lengthy = nil
	if o.long() || o.err != nil {
		t.Fatalf("a demo takes long, or fails: %v", o.err)
	}
	start := o.opened.History.Coverage().Earliest
	for _, tt := range []struct {
		at   string
		want model.Instant
		ok   bool
	}{
		{"", o.opened.Start, true},
		{"+90s", start.Add(90 * time.Second), true},
		{"+9h", o.opened.Start, false},
	} {
		got, err := o.recording(&showFlags{at: tt.at})
		if got.Start != tt.want || (err == nil) != tt.ok || got.History == nil || got.Name != "all-dark" {
			t.Errorf("--at %q: start %v, want %v; %v", tt.at, got.Start, tt.want, err)
		}
		if got.Params.Version != (model.Version{Major: 1, Minor: 36}) {
			t.Errorf("the cluster's version is %v", got.Params.Version)
		}
	}
}

func TestOpeningFails(t *testing.T) {
	o := openBeside(t.Context(), []string{t.TempDir() + "/missing"}, open.Options{})
	o.lengthy = nil
	if o.long() || !errors.Is(o.err, open.ErrUnreadable) {
		t.Fatal(o.err)
	}
	if got, err := o.recording(&showFlags{}); got.History != nil || err == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestOpeningThatWaits: of a pipe into which nobody writes it is told that it is waited for, and nobody need wait for its
// end.
func TestOpeningThatWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	path := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", path).Run(); err != nil {
		t.Skip("no pipes here:", err)
	}
	o := openBeside(ctx, []string{path}, open.Options{})
	passed := make(chan time.Time)
	close(passed)
	if o.lengthy = passed; !o.long() {
		t.Fatal("open:", o.err)
	}
	if is := <-o.read; is.Total != 0 || is.Done != 0 {
		t.Errorf("%+v", is)
	}
	cancel()
	if <-o.done; !errors.Is(o.err, context.Canceled) {
		t.Error(o.err)
	}
}
