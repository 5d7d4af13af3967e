package command

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
)

// TestTheClockIsTold: what the recorder's clock did is in info, comes along into copies, and is
// left out of parts that lie elsewhere.
func TestTheClockIsTold(t *testing.T) {
	dir := t.TempDir()
	path, copied, part, later := filepath.Join(dir, "r.mcap"), filepath.Join(dir, "copy.mcap"), filepath.Join(dir, "part.mcap"), filepath.Join(dir, "later.mcap")
	w, err := recording.CreateFile(path, recording.Meta{Clock: "recorder"}, recording.Options{})
	if err != nil {
		t.Fatal(err)
	}
	noon := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, r := range []history.ClockReading{
		{At: noon, Wall: noon},
		{At: noon + 20e9, Wall: noon + 18e9, Since: 20 * time.Second, Set: -2 * time.Second, Slept: model.Some(time.Duration(0)), During: model.Interval{Earliest: noon + 19e9, Latest: noon + 20e9},
			Server: model.Some(history.Offset{Least: -1500 * time.Microsecond, Most: 900*time.Millisecond + 1})},
	} {
		if err := w.AddClock(r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range model.Instant(60) {
		ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: "n1"}, Arrival: noon + i*1e9, Lease: model.Lease{Renewed: noon + i*1e9}}
		if err := w.Add(&ch); err != nil {
			t.Fatal(err)
		}
		w.Cover(ch.Arrival)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const (
		step   = "Clock      2026-11-20T12:00:19Z to 2026-11-20T12:00:20Z: the recorder's clock was set back by 2s; arrivals are counted on from before, and are now ahead of it by 2s\n"
		server = "Clock      2026-11-20T12:00:20Z: the API server's clock is 2ms behind to 901ms ahead of the arrivals, by its answers\n"
	)
	for _, line := range []string{"convert " + path + " -o " + copied, "cut " + path + " --from +10s --to +30s -o " + part, "cut " + path + " --from +30s -o " + later} {
		if got := kardia(t, nil, line); got.code != OK {
			t.Fatalf("kardia %s: exit %d\n%s", line, got.code, got.err)
		}
	}
	for _, p := range []string{path, copied, part} {
		if got := kardia(t, nil, "info "+p); got.code != OK || !strings.Contains(got.out, step+server) {
			t.Errorf("%s: exit %d\n%s%s", p, got.code, got.out, got.err)
		}
	}
	if got := kardia(t, nil, "info "+later); got.code != OK || strings.Contains(got.out, "Clock  ") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	got := kardia(t, nil, "info "+path+" -o json")
	for _, want := range []string{`"at": "2026-11-20T12:00:20Z"`, `"wallClock": "2026-11-20T12:00:18Z"`, `"sinceSeconds": 20`, `"setSeconds": -2`, `"sleptSeconds": 0`, `"sleptSeconds": null`, `"during": null`,
		`"leastSeconds": -0.002`, `"mostSeconds": 0.901`} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %s in\n%s", want, got.out)
		}
	}
}
