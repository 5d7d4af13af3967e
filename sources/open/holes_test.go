package open

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/past"
	"kardia/sources/read/input/inputtest"
)

var incidents = []string{"node-loss", "zone-outage", "all-dark", "partial", "notready", "restart"}

// dated is an incident as lines, each with the instant at which it was written.
type dated struct {
	name  string
	whole *Opened
	files map[string][]datedLine
}

type datedLine struct {
	text []byte
	at   model.Instant
}

// datedIncident reads the files of an incident that are wanted.
func datedIncident(t *testing.T, name string, want func(string) bool) *dated {
	t.Helper()
	d := &dated{name, incident(t, name, want), map[string][]datedLine{}}
	when := map[string]map[int32]model.Instant{}
	for _, ch := range changesOf(t, d.whole.History) {
		for _, o := range []model.Origin{ch.Origin, ch.Also} {
			path := filepath.Base(strings.TrimSuffix(d.whole.History.Sources()[o.Source].Path, ".zst"))
			if when[path] == nil {
				when[path] = map[int32]model.Instant{}
			}
			if o.Line > 0 {
				when[path][o.Line] = ch.Effective()
			}
		}
	}
	for _, f := range filesOf(t, name) {
		path := filepath.Base(strings.TrimSuffix(f.Path, ".zst"))
		if !want(path) {
			continue
		}
		text := inputtest.Text(t, f)
		last := model.Instant(0)
		for i, line := range bytes.SplitAfter(text, []byte("\n")) {
			if _, stamp, ok := bytes.Cut(line, []byte(`"stageTimestamp":"`)); ok {
				at, err := time.Parse(time.RFC3339, string(stamp[:bytes.IndexByte(stamp, '"')]))
				if err != nil {
					t.Fatal(err)
				}
				last = model.At(at)
			} else {
				last = max(last, when[path][int32(i+1)])
			}
			d.files[path] = append(d.files[path], datedLine{line, last})
		}
	}
	return d
}

// without opens the incident with what was written in a hole cut out of the files named.
func (d *dated) without(t *testing.T, hole model.Interval, cut func(string) bool) *Opened {
	t.Helper()
	dir := t.TempDir()
	for path, lines := range d.files {
		var out []byte
		for _, l := range lines {
			if !cut(path) || !hole.Contains(l.at) {
				out = append(out, l.text...)
			}
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), out, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Open(t.Context(), []string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestNoHoleIsFound where there is none: in whole logs and watches, of outages too.
func TestNoHoleIsFound(t *testing.T) {
	for _, name := range incidents {
		for what, files := range map[string]func(string) bool{"audit": auditLog, "watch": watchFiles, "both": everything} {
			h := incident(t, name, files).History
			if gaps := h.Gaps(); len(gaps) > 0 {
				t.Errorf("%s, %s: %+v", name, what, gaps)
			}
			for _, s := range h.Sources() {
				if s.Losing != "" {
					t.Errorf("%s, %s: %s", name, s.Path, s.Losing)
				}
			}
		}
	}
}

// invented are reported decisions of consequence that the whole recording does not have, or not at that time.
func invented(whole, holed *infer.Result) (out []string) {
	type fact struct {
		kind model.DecisionKind
		what string
	}
	of := func(d *model.Decision) (f fact, ok bool) {
		switch d.Kind {
		case model.MarkUnknown, model.TaintNoExecute, model.UntaintNoExecute, model.AddNoSchedule, model.RemoveNoSchedule, model.MarkPodsNotReady, model.EvictPod, model.EnterMasterDisruption:
			if d.Pod != (model.Key{}) { // an Event does not tell its node
				return fact{d.Kind, d.Pod.String()}, d.Outcome == model.Did
			}
			return fact{d.Kind, d.Node}, d.Outcome == model.Did
		}
		return f, false
	}
	took := map[fact][]model.Interval{}
	for i := range whole.Decisions {
		if f, ok := of(&whole.Decisions[i]); ok {
			took[f] = append(took[f], whole.Decisions[i].Window)
		}
	}
	for i := range holed.Decisions {
		d := &holed.Decisions[i]
		f, ok := of(d)
		if ok && !slices.ContainsFunc(took[f], func(v model.Interval) bool {
			return v.Earliest.Add(-alike) <= d.Window.Latest && d.Window.Earliest <= v.Latest.Add(alike)
		}) {
			out = append(out, fmt.Sprintf("%s … %s %s %s (%s), and it was %v", d.Window.Earliest, d.Window.Latest, d.Kind, f.what, d.Basis, took[f]))
		}
	}
	return out
}

// alike is how far two accounts of one decision may be apart: each is fitted to other evidence.
const alike = time.Second

// TestAHoleInventsNothing: stretches are cut out of logs and watches of real incidents at every stage. A hole that
// leaves a trace is reported, and no decision is invented.
func TestAHoleInventsNothing(t *testing.T) {
	step := 71 * time.Second
	if testing.Verbose() {
		step = 23 * time.Second
	}
	for _, name := range incidents {
		for what, files := range map[string]func(string) bool{"audit": auditLog, "watch": watchFiles, "both": everything} {
			d := datedIncident(t, name, files)
			whole, _ := shadowed(t, d.whole.History, flags)
			step := step
			if what == "both" {
				step *= 2 // each of the two is looked at alone
			}
			for _, long := range []time.Duration{15 * time.Second, 40 * time.Second, 140 * time.Second} {
				for from := 20 * time.Second; from+long+20*time.Second < whole.Coverage.Width(); from += step {
					hole := model.Interval{Earliest: whole.Coverage.Earliest.Add(from), Latest: whole.Coverage.Earliest.Add(from + long)}
					if what == "watch" && name == "all-dark" && from > 85*time.Second && from < 220*time.Second && (long <= 40*time.Second || from > 175*time.Second) {
						continue // all nodes are silent, and writes of others come in bursts: nothing shows it
					}
					o := d.without(t, hole, files)
					said := fmt.Sprintf("%s, %s of %s cut from +%s", name, long, what, from)
					if !slices.ContainsFunc(o.History.Gaps(), func(g history.Gap) bool { return g.Overlaps(hole) }) {
						t.Errorf("%s: no gap is told", said)
					}
					for _, g := range o.History.Gaps() {
						within := slices.ContainsFunc(o.History.Gaps(), func(x history.Gap) bool { return x.Overlaps(hole) && x.Earliest <= g.Earliest && g.Latest <= x.Latest })
						if !g.Overlaps(hole) && !(g.Possible && within) {
							t.Errorf("%s: a gap where nothing is missing: %+v", said, g)
						}
					}
					holed, v := shadowed(t, o.History, flags)
					for _, line := range invented(whole, holed) {
						t.Errorf("%s: %s", said, line)
					}
					for _, u := range v.Unobserved {
						t.Errorf("%s: not seen: %s %s %s %s", said, u.Time, u.Kind, u.Node, u.Pod)
					}
					for _, u := range v.Unexplained {
						if !hole.Overlaps(u.Time) {
							t.Errorf("%s: unexplained: %s … %s %s %s: %s", said, u.Time.Earliest, u.Time.Latest, u.Kind, u.Subject(), u.Unexplained)
						}
					}
				}
			}
		}
	}
}

// opened opens lines in files of their own.
func (d *dated) opened(t *testing.T, files map[string][]datedLine) *Opened {
	t.Helper()
	return (&dated{d.name, d.whole, files}).without(t, model.Interval{}, func(string) bool { return false })
}

// TestRotatedLogs: pieces of a log that follow each other are one, and one that is missing is a gap.
func TestRotatedLogs(t *testing.T) {
	d := datedIncident(t, "zone-outage", auditLog)
	lines, start := d.files["audit.log"], d.whole.History.Coverage().Earliest
	pieces := map[string][]datedLine{}
	for _, l := range lines {
		name := fmt.Sprintf("audit-%d.log", max(l.at.Sub(start), 0)/(70*time.Second))
		pieces[name] = append(pieces[name], l)
	}
	if gaps := d.opened(t, pieces).History.Gaps(); len(gaps) > 0 {
		t.Errorf("all pieces are there: %+v", gaps)
	}
	missing := model.Interval{Earliest: start.Add(140 * time.Second), Latest: start.Add(210 * time.Second)}
	delete(pieces, "audit-2.log")
	gaps := d.opened(t, pieces).History.Gaps()
	if len(gaps) != 1 || gaps[0].Possible || gaps[0].Earliest > missing.Earliest || gaps[0].Latest < missing.Latest || gaps[0].Width() > missing.Width()+15*time.Second {
		t.Errorf("%v is missing: %+v", missing, gaps)
	}
}

// TestSeveralServers: one of the logs of two API servers has a hole. It is that log's only. The other shows its nodes
// all the time, and no node is declared silent for it.
func TestSeveralServers(t *testing.T) {
	d := datedIncident(t, "node-loss", auditLog)
	whole, _ := shadowed(t, d.whole.History, flags)
	hole := model.Interval{Earliest: whole.Coverage.Earliest.Add(230 * time.Second), Latest: whole.Coverage.Earliest.Add(330 * time.Second)}
	files := map[string][]datedLine{}
	for _, l := range d.files["audit.log"] {
		other := bytes.Contains(l.text, []byte(`"name":"ip-10-0-1-`)) && bytes.Contains(l.text, []byte(`"resource":"leases"`))
		if bytes.Contains(l.text, []byte(`"name":"apiserver-`)) {
			files["two/audit.log"] = append(files["two/audit.log"], datedLine{bytes.ReplaceAll(bytes.ReplaceAll(l.text, []byte("apiserver-"), []byte("apiserver-other")), []byte(`"auditID":"`), []byte(`"auditID":"b`)), l.at})
		}
		switch {
		case !other:
			files["one/audit.log"] = append(files["one/audit.log"], l)
		case !hole.Contains(l.at):
			files["two/audit.log"] = append(files["two/audit.log"], l)
		}
	}
	files["two/audit.log"] = slices.DeleteFunc(files["two/audit.log"], func(l datedLine) bool { return hole.Contains(l.at) })
	slices.SortStableFunc(files["two/audit.log"], func(a, b datedLine) int { return int(a.at - b.at) })
	o := d.opened(t, files)
	gaps, sources := o.History.Gaps(), o.History.Sources()
	if len(gaps) != 1 || gaps[0].Possible || !strings.HasSuffix(sources[gaps[0].Source].Path, "two/audit.log") || !gaps[0].Overlaps(hole) {
		t.Fatalf("%+v", gaps)
	}
	if sources[0].Server == 0 || sources[0].Server == sources[1].Server {
		t.Errorf("servers %d and %d", sources[0].Server, sources[1].Server)
	}
	holed, v := shadowed(t, o.History, flags)
	if list := invented(whole, holed); len(list) > 0 || len(v.Unexplained)+len(v.Unobserved) > 0 {
		t.Errorf("invented %v, unexplained %v, not seen %v", list, v.Unexplained, v.Unobserved)
	}
}

// TestLostAtRandom: a record of which each line is kept by chance proves no silence. That lines are missing is reported
// once, nothing is inferred, and nothing is missed.
func TestLostAtRandom(t *testing.T) {
	for _, name := range incidents {
		for what, files := range map[string]func(string) bool{"audit": auditLog, "watch": watchFiles} {
			d := datedIncident(t, name, files)
			for n, keep := range []float64{.9, .75, .5, .9, .9, .9} {
				r := rand.New(rand.NewPCG(7+uint64(n/3*n), uint64(keep*100)))
				kept, lost, renewals := map[string][]datedLine{}, 0, 0
				for _, path := range slices.Sorted(maps.Keys(d.files)) {
					for _, l := range d.files[path] {
						stays, renewal := r.Float64() < keep, bytes.Contains(l.text, []byte("renewTime"))
						if stays {
							kept[path] = append(kept[path], l)
						}
						if renewal {
							renewals++
						}
						if renewal && !stays {
							lost++
						}
					}
				}
				if what == "watch" && 12*lost < renewals {
					continue // nothing shows the renewal that was replaced: kubelets may be as slow now and then
				}
				o := d.opened(t, kept)
				said := 0
				for _, s := range o.History.Sources() {
					for _, p := range s.Problems {
						if strings.Contains(p.What, past.Losing.String()) {
							said++
						}
					}
				}
				if why, losing := history.LosingIn(o.History, model.KindNodeLease); !losing || said != 1 || !o.Partial {
					t.Errorf("%s, %s, %.2f kept: %q, said %d times", name, what, keep, why, said)
				}
				res, err := infer.Run(o.History, infer.Options{Params: flags})
				if err != nil {
					t.Fatal(err)
				}
				if len(res.Unsupported) == 0 || len(res.Unobserved) > 0 {
					t.Errorf("%s, %s, %.2f kept: judged all the same: %v", name, what, keep, res.Unobserved)
				}
				for _, dec := range res.Decisions {
					if dec.Basis == model.Inferred {
						t.Errorf("%s, %s, %.2f kept: inferred %s %s", name, what, keep, dec.Kind, dec.Node)
					}
				}
			}
		}
	}
}
