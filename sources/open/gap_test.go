package open

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/read/input/inputtest"
)

// broken opens the watch files of an incident as they were, had every watch been cut for a
// while: what changed meanwhile is missing, and the list that is made when the watch is back
// shows what there is.
func broken(t *testing.T, name string, from, long time.Duration) *Opened {
	t.Helper()
	whole := incident(t, name, watchFiles)
	start := whole.History.Coverage().Earliest
	gap := model.Interval{Earliest: start.Add(from), Latest: start.Add(from + long)}
	sources := whole.History.Sources()
	lines := map[string]map[int32]model.Instant{} // path → line → when
	newest := uint64(0)                           // version when the list is made
	for _, ch := range changesOf(t, whole.History) {
		if ch.Effective() <= gap.Latest {
			newest = max(newest, ch.Version)
		}
		for _, o := range []model.Origin{ch.Origin, ch.Also} {
			path := sources[o.Source].Path
			if lines[path] == nil {
				lines[path] = map[int32]model.Instant{}
			}
			if o.Line > 0 {
				lines[path][o.Line] = ch.Effective()
			}
		}
	}
	dir := t.TempDir()
	for _, f := range filesOf(t, name) {
		if !watchFiles(strings.TrimSuffix(f.Path, ".zst")) {
			continue
		}
		text := inputtest.Text(t, f)
		at := lines[f.Path]
		if at == nil {
			at = lines[strings.TrimSuffix(f.Path, ".zst")]
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(strings.TrimSuffix(f.Path, ".zst"))), without(text, at, gap, from < 0, newest), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Open(t.Context(), []string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// without cuts the events of a gap out of a watch file, and puts a new list in their place.
// The first list of a watch ends with a bookmark.
func without(text []byte, at map[int32]model.Instant, gap model.Interval, first bool, version uint64) []byte {
	var out bytes.Buffer
	objects := map[string]string{}
	var order []string
	listed := false
	list := func() {
		if listed {
			return
		}
		listed = true
		if !first {
			out.WriteString(`{"type":"X-RECONNECT"}` + "\n")
		}
		for _, key := range order {
			if o := objects[key]; o != "" {
				fmt.Fprintf(&out, `{"type":"ADDED","object":%s}`+"\n", o)
			}
		}
		if first {
			fmt.Fprintf(&out, `{"type":"BOOKMARK","object":{"kind":%q,"apiVersion":%q,"metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n",
				gjson.Get(objects[order[0]], "kind").Str, gjson.Get(objects[order[0]], "apiVersion").Str, version)
		}
	}
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 16<<20)
	last := model.Instant(0)
	for n := int32(1); scan.Scan(); n++ {
		line := scan.Text()
		if when, ok := at[n]; ok {
			last = max(last, when)
		}
		object := gjson.Get(line, "object")
		key := object.Get("metadata.namespace").Str + "/" + object.Get("metadata.name").Str
		if last > gap.Latest {
			list()
		}
		if !first && last < gap.Earliest || last > gap.Latest {
			out.WriteString(line + "\n")
		}
		if gjson.Get(line, "type").Str == "BOOKMARK" {
			continue
		}
		if _, known := objects[key]; !known {
			order = append(order, key)
		}
		objects[key] = object.Raw
		if gjson.Get(line, "type").Str == "DELETED" {
			objects[key] = ""
		}
	}
	list()
	return out.Bytes()
}

// TestAGapIsNotJudged: 40 s and more are cut out of the watches of real incidents, at every stage. Events that the
// models could have caused in them are explained. Events that they could not have caused are no finding if they cannot
// be known, and the gap is reported.
func TestAGapIsNotJudged(t *testing.T) {
	for _, name := range []string{"node-loss", "zone-outage", "all-dark", "partial", "notready"} {
		whole, _ := shadowed(t, incident(t, name, watchFiles).History, flags)
		for _, long := range []time.Duration{10 * time.Second, 40 * time.Second, 70 * time.Second} {
			for from := 20 * time.Second; from+long < whole.Coverage.Width(); from += 53 * time.Second {
				o := broken(t, name, from, long)
				for _, opts := range []infer.Options{{Params: flags}, {Params: flags, Mode: infer.Causal, Until: o.History.Coverage().Earliest.Add(from + long + 15*time.Second)}} {
					res, err := infer.Run(o.History, opts)
					if err != nil {
						t.Fatal(err)
					}
					v := verify.Evaluate(&hypotheses.Found{Base: res, Result: res})
					if v.Exit != 0 && (v.Exit != 4 || len(v.NotJudged) == 0 || len(v.Unexplained) > 0) {
						t.Errorf("%s, %s from +%s, %s: exit %d", name, long, from, opts.Mode, v.Exit)
						for _, u := range v.Unexplained {
							t.Logf("  unexplained: %s … %s %s %s: %s", u.Time.Earliest, u.Time.Latest, u.Kind, u.Subject(), u.Unexplained)
						}
						for _, u := range v.Unobserved {
							t.Logf("  unobserved: %s %s %s %s", u.Time, u.Kind, u.Node, u.Pod)
						}
					}
					if name == "zone-outage" && !slices.ContainsFunc(v.Assumptions, func(a infer.Note) bool { return a.Code == infer.NotSeen && a.Name == "Lease" }) {
						t.Errorf("%s, %s from +%s: the gap is not said: %v, gaps %v", name, long, from, v.Assumptions, o.History.Gaps())
					}
				}
			}
		}
	}
}

// TestAGapHidesNoMistake: a mistake outside of a gap is found all the same.
func TestAGapHidesNoMistake(t *testing.T) {
	forged := flags
	forged.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 40 * time.Second, From: model.FromFlag}
	for _, from := range []time.Duration{20 * time.Second, 4 * time.Minute} {
		if _, v := shadowed(t, broken(t, "zone-outage", from, 20*time.Second).History, forged); v.Exit != 3 {
			t.Errorf("gap from +%s: exit %d, %d of %d explained", from, v.Exit, v.Explained, v.Observed)
		}
	}
}

// TestOneMayBeginInTheMiddle: the watches begin during the incident, as they do when a person is called. Later events
// are explained.
func TestOneMayBeginInTheMiddle(t *testing.T) {
	// What began before, and left nothing behind, cannot be known: that a node which has its taint
	// waits for another, after master disruption; that a countdown runs on from a taint that was
	// swapped since.
	unknowable := map[string][]time.Duration{"all-dark": {178 * time.Second, 215 * time.Second}, "notready": {104 * time.Second}}
	for _, name := range []string{"node-loss", "zone-outage", "all-dark", "partial", "notready", "restart"} {
		whole, _ := shadowed(t, incident(t, name, watchFiles).History, flags)
		for from := 30 * time.Second; from < whole.Coverage.Width()-30*time.Second; from += 37 * time.Second {
			_, v := shadowed(t, broken(t, name, -time.Hour, time.Hour+from).History, flags)
			if v.Exit != 0 && !slices.Contains(unknowable[name], from) {
				t.Errorf("%s, from +%s: exit %d", name, from, v.Exit)
				for _, u := range v.Unexplained {
					t.Logf("  unexplained: %s … %s %s %s: %s", u.Time.Earliest, u.Time.Latest, u.Kind, u.Subject(), u.Unexplained)
				}
				for _, u := range v.Unobserved {
					t.Logf("  unobserved: %s %s %s %s", u.Time, u.Kind, u.Node, u.Pod)
				}
			}
		}
	}
}
