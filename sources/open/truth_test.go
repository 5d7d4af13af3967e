package open

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/sources/demo"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

// filesOf lists the files of a demo, or of a recording in testdata.
func filesOf(t testing.TB, name string) []input.File {
	t.Helper()
	dir := filepath.Join("testdata", "incidents", name)
	if _, err := os.Stat(dir); err != nil {
		files, err := demo.Files(name)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	files, err := input.Expand([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(f input.File) bool { return filepath.Base(f.Path) == "README" })
}

// incident opens those files of an incident that are wanted; their names come without the
// ending of compression.
func incident(t testing.TB, name string, want func(path string) bool) *Opened {
	t.Helper()
	files := filesOf(t, name)
	files = slices.DeleteFunc(files, func(f input.File) bool { return !want(strings.TrimSuffix(f.Path, ".zst")) })
	o, err := openFiles(context.Background(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func watchFiles(path string) bool { return strings.HasSuffix(path, ".jsonl") }

// changesOf reads a whole History.
func changesOf(t testing.TB, h history.History) []model.Change {
	t.Helper()
	var all []model.Change
	first, end := h.Span()
	for at := first; at < end; {
		page := h.PageAt(at)
		changes, err := historytest.ReadChanges(h, page)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, changes...)
		at = page.End
	}
	return all
}

// request is what the audit log, the ground truth, says of the write of one version.
type request struct {
	received, completed model.Instant
	agent               string
}

// requests reads an audit log with nothing but a JSON library, so that the truth does not
// come from the code under test.
func requests(t testing.TB, name string) map[uint64]request {
	t.Helper()
	files, err := demo.Files(name)
	if err != nil {
		t.Fatal(err)
	}
	found := map[uint64]request{}
	for _, f := range files {
		if !strings.HasSuffix(f.Path, "audit.log") {
			continue
		}
		r, err := f.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		lines := input.NewLines(&input.Reader{Reader: bufio.NewReader(r)})
		for {
			line, err := lines.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			e := gjson.ParseBytes(line.Data)
			version, err := strconv.ParseUint(e.Get("responseObject.metadata.resourceVersion").String(), 10, 64)
			if err != nil || e.Get("responseStatus.code").Int() >= 300 {
				continue
			}
			if _, again := found[version]; again {
				continue // a DELETE that changed nothing
			}
			found[version] = request{
				received:  object.Time(e.Get("requestReceivedTimestamp")),
				completed: object.Time(e.Get("stageTimestamp")),
				agent:     e.Get("userAgent").String(),
			}
		}
		_ = r.Close()
	}
	if len(found) == 0 {
		t.Fatalf("%s has no audit log", name)
	}
	return found
}

// TestWatchFilesTellWhenWithoutSaying is the foundation of everything shown from files that
// carry no time of arrival: for every object version in them, the interval derived from the
// watch files alone contains the instant at which the API server, by its own audit log,
// completed the write.
func TestWatchFilesTellWhenWithoutSaying(t *testing.T) {
	var all []time.Duration
	for _, d := range demo.List() {
		t.Run(d.Name, func(t *testing.T) {
			truth := requests(t, d.Name)
			o := incident(t, d.Name, watchFiles)
			var byController []time.Duration
			checked := 0
			for _, ch := range changesOf(t, o.History) {
				r, known := truth[ch.Version]
				if !known {
					continue
				}
				checked++
				if !ch.Time.Contains(r.completed) {
					t.Errorf("%s %s version %d: written %s, outside %s … %s (early by %s, late by %s; %s)", ch.Kind, ch.Key, ch.Version,
						r.completed, ch.Time.Earliest, ch.Time.Latest, ch.Time.Earliest.Sub(r.completed), r.completed.Sub(ch.Time.Latest), ch.Quality)
				}
				if strings.Contains(r.agent, "kube-controller-manager") && ch.Kind != model.KindEvent {
					byController = append(byController, ch.Time.Width())
				}
			}
			if len(byController) < 25 || checked < 300 {
				t.Fatalf("only %d versions, %d of them by a controller, could be checked", checked, len(byController))
			}
			slices.Sort(byController)
			p := func(q float64) time.Duration { return byController[int(q*float64(len(byController)-1))] }
			t.Logf("%d versions checked; %d by a controller, window p50 %s p90 %s max %s", checked, len(byController), p(.5), p(.9), p(1))
			if p(.5) > 1100*time.Millisecond || p(.9) > 1100*time.Millisecond || p(1) > 11*time.Second {
				t.Error("the windows are wider than the evidence allows")
			}
			all = append(all, byController...)
		})
	}
	slices.Sort(all)
	under := 0
	for under < len(all) && all[under] < time.Second {
		under++
	}
	t.Logf("of all %d versions by a controller, %d have a window of less than a second", len(all), under)
	if under*4 < len(all) {
		t.Error("fewer than a quarter of the windows are under a second: the leases no longer serve as a ruler")
	}
}
