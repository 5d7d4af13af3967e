package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// told is a report as a script reads it.
type told struct {
	Summary  []string
	Verdicts []struct {
		At       string
		Verdicts any
	}
	Impact struct {
		Deletes, Deleted, Spared int
		NotReadySeconds          float64
		Pods                     []struct {
			Pod           string
			Deleted, Gone *time.Time
		}
	}
	Silences []struct {
		Node, Decision string
		Declared, Last time.Time
		Back           *time.Time
		SilentSeconds  float64
		CountedSeconds float64
	}
	Zones []struct {
		Time, Zone, State          string
		Rate                       float64
		Waiting, NotReady, Counted int
		MasterDisruption           bool
	}
	Chain *struct {
		At, Subject string
		Chain       any
	}
	Verification any
	Decisions    []any
}

func readReport(t *testing.T, line string) (r told) {
	t.Helper()
	got := kardia(t, nil, line)
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatalf("%s: %v in %.300s, %s", line, err, got.out, got.err)
	}
	return r
}

func readAny(t *testing.T, line string) (out map[string]any) {
	t.Helper()
	got := kardia(t, nil, line)
	if err := json.Unmarshal([]byte(got.out), &out); err != nil {
		t.Fatalf("%s: %v in %.300s, %s", line, err, got.out, got.err)
	}
	return out
}

var demos = []string{"node-loss", "zone-outage", "all-dark"}

// TestReportFigures: what a report says is what verify, decisions, why, verdict and get say.
func TestReportFigures(t *testing.T) {
	for _, name := range demos {
		demo := " demo:" + name
		r := readReport(t, "report -o json"+demo)
		if v := any(readAny(t, "verify -o json"+demo)); !reflect.DeepEqual(r.Verification, v) {
			t.Errorf("%s: verify says\n%v\nand the report\n%v", name, v, r.Verification)
		}
		if d := readAny(t, "decisions -o json"+demo)["decisions"].([]any); !reflect.DeepEqual(r.Decisions, d) || len(d) == 0 {
			t.Errorf("%s: %d decisions, %d in the report", name, len(d), len(r.Decisions))
		}
		what, who, _ := strings.Cut(r.Chain.Subject, " ")
		if c := readAny(t, "why -o json --"+what+" "+who+" --at "+r.Chain.At+demo)["chain"]; !reflect.DeepEqual(r.Chain.Chain, c) {
			t.Errorf("%s: why says\n%v\nand the report\n%v", name, c, r.Chain.Chain)
		}
		for _, at := range r.Verdicts {
			if v := readAny(t, "verdict -o json --at "+at.At+demo)["verdicts"]; !reflect.DeepEqual(at.Verdicts, v) {
				t.Errorf("%s at %s: verdict says\n%v\nand the report\n%v", name, at.At, v, at.Verdicts)
			}
		}
		checkZones(t, name, &r)
	}
}

// checkZones compares the zones with 'get zones' at each of the instants.
func checkZones(t *testing.T, name string, r *told) {
	t.Helper()
	if len(r.Zones) == 0 {
		t.Errorf("%s: no zones", name)
	}
	at := map[string]map[string]any{}
	for _, z := range r.Zones {
		if at[z.Time] == nil {
			at[z.Time] = readAny(t, "get zones -o json --at "+z.Time+" demo:"+name)
		}
		found := false
		for _, row := range at[z.Time]["zones"].([]any) {
			is := row.(map[string]any)
			place := strings.Trim(fmt.Sprint(is["region"], "/", is["zone"]), "/")
			if place == "" {
				place = "none"
			}
			if place != z.Zone {
				continue
			}
			found = true
			share := float64(float32(z.NotReady) / float32(z.Counted))
			if is["state"] != z.State || is["rate"] != z.Rate || is["queue"] != float64(z.Waiting) || is["masterDisruption"] != z.MasterDisruption ||
				fmt.Sprintf("%.4f", is["unhealthyShare"]) != fmt.Sprintf("%.4f", share) {
				t.Errorf("%s at %s: get zones says %v, the report %+v", name, z.Time, is, z)
			}
		}
		if !found {
			t.Errorf("%s at %s: get zones knows no zone %s", name, z.Time, z.Zone)
		}
	}
}

// TestReportIsTrue: what a report says of nodes and pods is what the recordings' own files hold.
func TestReportIsTrue(t *testing.T) {
	for _, name := range demos {
		r, p := readReport(t, "report -o json demo:"+name), piecesOf(t, name)
		asked, gone := map[string]bool{}, map[string]bool{}
		for _, e := range p.events["pods"] {
			if meta := e.object["metadata"].(map[string]any); meta["deletionTimestamp"] != nil {
				asked[e.key] = true
			}
			if e.deleted {
				gone[e.key] = true
			}
		}
		deleted := map[string]bool{}
		for _, pod := range r.Impact.Pods {
			if pod.Deleted == nil {
				continue
			}
			deleted[pod.Pod] = true
			if !asked[pod.Pod] || (pod.Gone != nil) != gone[pod.Pod] {
				t.Errorf("%s: %s is said to be deleted and gone %v; its deletion was asked for: %v, it went: %v", name, pod.Pod, pod.Gone, asked[pod.Pod], gone[pod.Pod])
			}
		}
		if len(deleted) != r.Impact.Deleted || len(deleted) != len(asked) {
			t.Errorf("%s: %d pods are said to be deleted, %d are listed, and of %d it was asked", name, r.Impact.Deleted, len(deleted), len(asked))
		}
		for _, s := range r.Silences {
			var before, after string
			for _, e := range p.events["leases"] {
				if is := e.renewed(); strings.HasSuffix(e.key, "/"+s.Node) {
					if is <= s.Declared.Format(time.RFC3339Nano) {
						before = max(before, is)
					} else if after == "" {
						after = is
					}
				}
			}
			if got := s.Last.Format("2006-01-02T15:04:05.000000Z"); got != before {
				t.Errorf("%s: %s was heard last at %s, not %s", name, s.Node, before, got)
			}
			if s.Back == nil || s.Back.Format("2006-01-02T15:04:05.000000Z") != after {
				t.Errorf("%s: %s was heard again at %s, not %v", name, s.Node, after, s.Back)
			}
			if silent := s.Declared.Sub(s.Last).Seconds(); silent-s.SilentSeconds > 0.001 || silent < s.SilentSeconds || s.CountedSeconds > silent || s.CountedSeconds <= 50 {
				t.Errorf("%s: %s was silent for %v, counted %v, %v between its times", name, s.Node, s.SilentSeconds, s.CountedSeconds, silent)
			}
		}
	}
}

// TestReportOfAnAuditLog: an audit log alone shows no pod before it is written to, and tells the same
// of those that were on nodes that were lost.
func TestReportOfAnAuditLog(t *testing.T) {
	for _, name := range demos {
		whole := readReport(t, "report -o json demo:"+name)
		dir := t.TempDir()
		log := piecesOf(t, name).file(t, dir, "audit.log", 0, 1)
		r, text := readReport(t, "report -o json "+log), kardia(t, nil, "report "+log).out
		if r.Impact.Deleted != whole.Impact.Deleted || r.Impact.Spared != whole.Impact.Spared || math.Abs(r.Impact.NotReadySeconds-whole.Impact.NotReadySeconds) > 1 {
			t.Errorf("%s: %d deleted, %d spared, %v s; in the whole %d, %d, %v", name, r.Impact.Deleted, r.Impact.Spared, r.Impact.NotReadySeconds,
				whole.Impact.Deleted, whole.Impact.Spared, whole.Impact.NotReadySeconds)
		}
		if !strings.Contains(text, "does not list all pods") || !strings.Contains(text, "at least") || regexp.MustCompile(`[0-9] of `).MatchString(r.Summary[0]) {
			t.Errorf("%s: what the log does not list is told:\n%s", name, text[:2000])
		}
	}
}

// TestReportGolden holds a report as people read it; its figures stand in the text, too.
func TestReportGolden(t *testing.T) {
	got := kardia(t, nil, "report demo:node-loss")
	if got.code != OK || got.err != "" {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	ok(t, os.MkdirAll("testdata/report", 0o755))
	golden(t, "report/node-loss.md", got.out)
	for _, name := range demos {
		r, text := readReport(t, "report -o json demo:"+name), kardia(t, nil, "report demo:"+name).out
		for _, sentence := range r.Summary {
			if len(r.Summary) > 5 || !strings.Contains(text, strings.ReplaceAll(sentence, "_", `\_`)) {
				t.Errorf("%s: %d sentences; not in the text: %s", name, len(r.Summary), sentence)
			}
		}
		rows := 0
		for line := range strings.Lines(text) {
			for _, s := range r.Silences {
				if strings.HasPrefix(line, "| "+s.Node+" |") && strings.Contains(line, s.Last.Format("15:04:05.000Z")) && strings.Contains(line, fmt.Sprintf(" %.2f s ", s.CountedSeconds)) {
					rows++
				}
			}
		}
		if rows != len(r.Silences) {
			t.Errorf("%s: %d of %d silences are in the text", name, rows, len(r.Silences))
		}
	}
}

// TestReportIsTheSame: the same input gives the same bytes.
func TestReportIsTheSame(t *testing.T) {
	for _, form := range reportForms {
		line := "report demo:all-dark -o " + form
		first := kardia(t, nil, line)
		for range 3 {
			if again := kardia(t, nil, line); again != first {
				t.Fatalf("%s differs from run to run", line)
			}
		}
	}
}

// TestReportInScope: a report of one node or time tells of that, and the other nodes are not in it.
func TestReportInScope(t *testing.T) {
	one := readReport(t, "report -o json demo:zone-outage --node b-003")
	if len(one.Silences) != 1 || one.Silences[0].Node != "b-003" || one.Impact.Deleted != 2 {
		t.Errorf("%+v", one)
	}
	early := readReport(t, "report -o json demo:zone-outage --to 23:54:00")
	if len(early.Silences) != 10 || early.Impact.Deleted != 0 {
		t.Errorf("%+v", early.Impact)
	}
	if calm := readReport(t, "report -o json demo:zone-outage --zone us-east-1a"); len(calm.Silences) != 0 || !strings.Contains(calm.Summary[0], "no node was declared Unknown") {
		t.Errorf("%+v", calm.Summary)
	}
	if got := kardia(t, nil, "report demo:zone-outage --node nobody"); got.code != Misused || got.out != "" {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	if got := kardia(t, nil, "report demo:node-loss --node-monitor-grace-period 20s"); got.code != Found || got.out != "" {
		t.Errorf("of a flag that is contradicted: exit %d, %s", got.code, got.err)
	}
}

// TestReportOfAPart: of an input that tells a part of an incident a report says what it does not know,
// and its figures are no others than those of the decisions that are known.
func TestReportOfAPart(t *testing.T) {
	for _, c := range partials {
		if c.refused {
			continue
		}
		if c.of == "" {
			c.of = "zone-outage"
		}
		t.Run(c.what, func(t *testing.T) {
			args := strings.Join(c.make(t, piecesOf(t, c.of), t.TempDir()), " ")
			r, text := readReport(t, "report -o json "+args), kardia(t, nil, "report "+args)
			decided := kardia(t, nil, "decisions -o json "+args)
			if text.code != decided.code && text.code != Found {
				t.Errorf("exit %d, decisions exits with %d", text.code, decided.code)
			}
			declared, deleted := 0, map[string]bool{}
			for _, d := range decisionsIn(t, decided) {
				switch d.Kind {
				case "MarkUnknown":
					declared++
				case "EvictPod", "CollectPod":
					deleted[*d.Pod] = true
				}
			}
			if len(r.Silences) != declared || r.Impact.Deleted != len(deleted) {
				t.Errorf("%d silences, %d deleted; of decisions %d, %d", len(r.Silences), r.Impact.Deleted, declared, len(deleted))
			}
			if c.captured {
				if !strings.Contains(text.out, "ot known") || len(r.Zones) > 0 || r.Impact.Spared > 0 && !strings.Contains(text.out, "nobody watched") {
					t.Errorf("what a capture does not tell is told:\n%s", text.out)
				}
				for _, s := range r.Silences {
					if s.CountedSeconds != 0 {
						t.Errorf("nobody saw what the controller counted: %+v", s)
					}
				}
			}
			for _, nonsense := range []string{"∞", "1970", "2562047h", "NaN", "%!", "0001-01"} {
				if strings.Contains(text.out, nonsense) {
					t.Errorf("%q stands in it:\n%s", nonsense, text.out)
				}
			}
		})
	}
}

// hostile is a name that means something to Markdown, HTML, spreadsheets, shells and terminals.
const hostile = "=b<script>alert(1)</script>|`@team`[x](//y)&amp;$(z)'"

// TestReportOfHostileNames: foreign text makes no markup, no formula and no escape sequence.
func TestReportOfHostileNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a`b'|c")
	ok(t, os.Mkdir(dir, 0o755))
	inJSON, err := json.Marshal(hostile + "\x1b[2J\u202e")
	ok(t, err)
	for name, text := range piecesOf(t, "zone-outage").files {
		put(t, filepath.Join(dir, name), []byte(strings.ReplaceAll(string(text), "b-003", string(inJSON[1:len(inJSON)-1]))))
	}
	for _, form := range reportForms {
		got := kardiaIn(t.Context(), nil, "kardia", "report", dir, "-o", form)
		if !strings.Contains(got.out, "alert(1)") {
			t.Fatalf("%s: exit %d, %s\n%.2000s", form, got.code, got.err, got.out)
		}
		if strings.ContainsAny(got.out, "\x1b\u202e") {
			t.Errorf("%s: an escape sequence got through", form)
		}
		if form == "md" {
			for line := range strings.Lines(got.out) {
				checkMarkdown(t, line)
			}
		}
	}
}

// checkMarkdown: what is hostile stands in code spans, or is escaped; a table's row has its cells.
func checkMarkdown(t *testing.T, line string) {
	t.Helper()
	if strings.HasPrefix(line, "|") && !strings.HasSuffix(line, "|\n") {
		t.Errorf("a row does not end: %s", line)
	}
	if i := strings.Index(line, "@team"); i >= 0 && strings.HasPrefix(line, "|") && !strings.Contains(line[:i], "`` ") {
		t.Errorf("somebody is mentioned: %s", line)
	}
}

// TestReportChapters: every chapter is there, each once, in the order that people know.
func TestReportChapters(t *testing.T) {
	text := kardia(t, nil, "report demo:node-loss").out
	var titles []string
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			titles = append(titles, strings.TrimSpace(title))
		}
	}
	want := []string{"Summary", "Impact", "Silence, node by node", "Timeline", "Zones, rates and queue", "Why the first pod was deleted", "Margin and near misses",
		"Detection and recovery times", "Flags of the controller manager", "What is not known, and what would have told", "For people to fill in",
		"Appendix: what was read, and how to see it for oneself"}
	if !slices.Equal(titles, want) {
		t.Errorf("%q", titles)
	}
}

// TestReportSchema: every key of the JSON is in docs/report.md.
func TestReportSchema(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/report.md")
	ok(t, err)
	for _, key := range slices.Sorted(maps.Keys(readAny(t, "report -o json demo:node-loss"))) {
		if !strings.Contains(string(docs), "| `"+key+"`") && !strings.Contains(string(docs), ", `"+key+"`") {
			t.Errorf("docs/report.md does not tell what %s is", key)
		}
	}
}
