package command

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kardia/internal/golden"
	"kardia/model"
	"kardia/model/past"
	"kardia/sources/bookmarks"
	"kardia/sources/open"
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
	Silences []silence
	Zones    []struct {
		Time, Zone, State          string
		Rate                       float64
		Waiting, NotReady, Counted int
		MasterDisruption           bool
	}
	Chain *struct {
		At, Subject string
		Chain       any
	}
	Standing     *struct{ NotKnown []any }
	Verification any
	Decisions    []any
}

// seen counts the declarations, and the pods that were deleted: what was decided, but for what the input would show and
// does not, and what was written that no decision explains.
func (r *told) seen(decisions []toldDecision) (declared int, deleted map[string]bool) {
	v := r.Verification.(map[string]any)
	missing := map[any]bool{}
	for _, x := range v["unobserved"].([]any) {
		missing[x.(map[string]any)["id"]] = true
	}
	deleted = map[string]bool{}
	count := func(kind, pod string) {
		switch kind {
		case "MarkUnknown":
			declared++
		case "EvictPod", "CollectPod":
			deleted[pod] = true
		}
	}
	for _, d := range decisions {
		if pod := d.Pod; !missing[d.ID] {
			count(d.Kind, *cmp.Or(pod, new(string)))
		}
	}
	for _, list := range []string{"unexplained", "notJudged"} {
		for _, x := range v[list].([]any) {
			w := x.(map[string]any)
			count(w["kind"].(string), w["subject"].(string))
		}
	}
	return declared, deleted
}

type silence struct {
	Node, Decision string
	Declared, Last time.Time
	Back           *time.Time
	SilentSeconds  float64
	CountedSeconds float64
}

// reports are those that were made already, by their command line: some tests look at the same. Each
// is a func() result, which makes it the first time.
var reports sync.Map

func reportOf(t *testing.T, line string) result {
	t.Helper()
	made, _ := reports.LoadOrStore(line, sync.OnceValue(func() result { return kardia(t, nil, line) }))
	return made.(func() result)()
}

func readReport(t *testing.T, line string) (r told) {
	t.Helper()
	got := reportOf(t, line)
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

// TestExampleReport: docs has the report of the first demo; -update writes it.
func TestExampleReport(t *testing.T) {
	t.Parallel()
	golden.File(t, "../../../docs/example-report.html", kardia(t, nil, "report demo:shop -o html").out)
}

// TestReportFigures: what a report says is what verify, decisions, why, verdict and get say.
func TestReportFigures(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
	for _, name := range demos {
		whole := readReport(t, "report -o json demo:"+name)
		dir := t.TempDir()
		log := piecesOf(t, name).file(t, dir, "audit.log", 0, 1)
		r, text := readReport(t, "report -o json "+log), reportOf(t, "report "+log).out
		if r.Impact.Deleted != whole.Impact.Deleted || r.Impact.Spared != whole.Impact.Spared || math.Abs(r.Impact.NotReadySeconds-whole.Impact.NotReadySeconds) > 1 {
			t.Errorf("%s: %d deleted, %d spared, %v s; in the whole %d, %d, %v", name, r.Impact.Deleted, r.Impact.Spared, r.Impact.NotReadySeconds,
				whole.Impact.Deleted, whole.Impact.Spared, whole.Impact.NotReadySeconds)
		}
		if !strings.Contains(text, "does not list all pods") || !strings.Contains(text, "at least") || regexp.MustCompile(`[0-9] of `).MatchString(r.Summary[0]) {
			t.Errorf("%s: what the log does not list is told:\n%s", name, text[:2000])
		}
	}
}

// TestWhoSentTheRequests: the timeline has the user, the program and the address of the audit log for all that was
// written, but for heartbeats.
func TestWhoSentTheRequests(t *testing.T) {
	t.Parallel()
	for _, name := range demos {
		sent := map[[3]string]bool{}
		for _, line := range bytes.Split(bytes.TrimSpace(piecesOf(t, name).files["audit.log"]), []byte("\n")) {
			var e struct {
				User      struct{ Username string }
				UserAgent string
				SourceIPs []string
			}
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatal(err)
			}
			sent[[3]string{e.User.Username, e.UserAgent, strings.Join(e.SourceIPs, ", ")}] = true
		}
		var r struct {
			Timeline []struct {
				Kind, Actor, Basis, What string
				Requester                *struct{ User, UserAgent, Address string }
			}
		}
		if err := json.Unmarshal([]byte(reportOf(t, "report -o json demo:"+name).out), &r); err != nil {
			t.Fatal(err)
		}
		people := 0
		for _, row := range r.Timeline {
			observed := row.Kind == "decision" && row.Basis == "observed" || row.Kind == "node" && row.Actor != "kubelet" || row.Kind == "pod"
			if by := row.Requester; observed != (by != nil) || by != nil && !sent[[3]string{by.User, by.UserAgent, by.Address}] {
				t.Errorf("%s: %+v, by %+v", name, row, by)
			}
			if row.Actor == "person" {
				people++
			}
		}
		if text := reportOf(t, "report demo:"+name).out; people > 0 != strings.Contains(text, "| admin with kubectl ") || !strings.Contains(text, "kubernetes/\\$Format/node-controller | 127.0.0.1 |") {
			t.Errorf("%s: %d rows of people:\n%s", name, people, text)
		}
	}
}

// TestReportGolden holds a report as people read it; its figures stand in the text, too.
func TestReportGolden(t *testing.T) {
	t.Parallel()
	got := reportOf(t, "report demo:node-loss")
	if got.code != OK || got.err != "" {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	ok(t, os.MkdirAll("testdata/report", 0o755))
	golden.Compare(t, "report/node-loss.md", got.out)
	for _, name := range demos {
		r, text := readReport(t, "report -o json demo:"+name), reportOf(t, "report demo:"+name).out
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
	t.Parallel()
	for _, line := range []string{"report demo:all-dark -o json", "report demo:node-loss -o html"} {
		if again := kardia(t, nil, line); again != reportOf(t, line) {
			t.Errorf("%s differs from run to run", line)
		}
	}
}

// By when a taint was put on that does not say it is told by managedFields.
func TestReportByWhenATaintWasPutOn(t *testing.T) {
	t.Parallel()
	const want = "tainted example.com/repair:NoExecute, by 2026-11-20 11:53:10Z at the latest"
	if got := kardia(t, nil, "report ../../app/testdata/cordoned.json"); !strings.Contains(got.out, want) {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
}

// TestReportInScope: a report of one node or time tells of that, and the other nodes are not in it.
func TestReportInScope(t *testing.T) {
	t.Parallel()
	one := readReport(t, "report -o json demo:zone-outage --node b-003")
	if len(one.Silences) != 1 || one.Silences[0].Node != "b-003" || one.Impact.Deleted != 2 {
		t.Errorf("%+v", one)
	}
	early := readReport(t, "report -o json demo:zone-outage --to 23:54:00")
	if len(early.Silences) != 10 || early.Impact.Deleted != 0 || early.Impact.Spared != 25 || early.Silences[0].Back != nil || !strings.Contains(strings.Join(early.Summary, " "), "10 nodes were still silent at the end of the report, 23:54:00Z.") ||
		strings.Contains(reportOf(t, "report demo:zone-outage --to 23:54:00").out, "were spared.") {
		t.Errorf("%+v\n%q", early.Impact, early.Summary)
	}
	if calm := readReport(t, "report -o json demo:zone-outage --zone us-east-1a"); len(calm.Silences) != 0 || !strings.Contains(calm.Summary[0], "no node was declared Unknown") {
		t.Errorf("%+v", calm.Summary)
	}
	if got := reportOf(t, "report demo:zone-outage --node nobody"); got.code != Misused || got.out != "" {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	if got := reportOf(t, "report demo:node-loss --node-monitor-grace-period 20s"); got.code != Found || got.out != "" {
		t.Errorf("of a flag that is contradicted: exit %d, %s", got.code, got.err)
	}
}

// TestReportOfAPart: of an input that tells a part of an incident a report says what it does not know,
// and its figures are no others than those of the decisions that are known.
func TestReportOfAPart(t *testing.T) {
	t.Parallel()
	for i, c := range partials {
		if c.refused || i%3 != 0 && !testing.Verbose() { // what is told at all, TestNothingIsInvented asks of each
			continue
		}
		if c.of == "" {
			c.of = "zone-outage"
		}
		t.Run(c.what, func(t *testing.T) {
			args := strings.Join(c.make(t, piecesOf(t, c.of), t.TempDir()), " ")
			r, text := readReport(t, "report -o json "+args), reportOf(t, "report -o json "+args)
			if c.captured {
				text = reportOf(t, "report "+args)
			}
			decided := kardia(t, nil, "decisions -o json "+args)
			doubtful := r.Standing != nil && len(r.Standing.NotKnown) > 0 && text.code == Partial
			if judged := kardia(t, nil, "verify "+args); text.code != judged.code && text.code != decided.code && !doubtful {
				t.Errorf("exit %d, verify exits with %d and decisions with %d", text.code, judged.code, decided.code)
			}
			if (i%9 == 0 || testing.Verbose()) && !strings.Contains(args, "--") && !strings.Contains(args, "@") {
				checkForms(t, inAllForms(t, "", "", strings.Fields(args)...))
			}
			declared, deleted := r.seen(decisionsIn(t, decided))
			if len(r.Silences) != declared || r.Impact.Deleted != len(deleted) {
				t.Errorf("%d silences, %d deleted; of decisions %d, %d", len(r.Silences), r.Impact.Deleted, declared, len(deleted))
			}
			if c.captured {
				if !strings.Contains(text.out, "ot known") || len(r.Zones) > 0 || r.Impact.Spared > 0 && !strings.Contains(text.out, "that time was not watched") {
					t.Errorf("what a capture does not tell is told:\n%s", text.out)
				}
				for _, s := range r.Silences {
					if s.CountedSeconds != 0 {
						t.Errorf("nobody saw what the controller counted: %+v", s)
					}
				}
			}
			for _, nonsense := range []string{"∞", "1970-01", "2562047h", "NaN", "%!", "0001-01"} {
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
	t.Parallel()
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
		switch form {
		case "md":
			for line := range strings.Lines(got.out) {
				checkMarkdown(t, line)
			}
		case "html", "svg":
			checkMarkup(t, form, got.out)
		case "csv":
			checkCSV(t, got.out)
		}
	}
}

// checkCSV: a row a decision, and no cell that a spreadsheet computes.
func checkCSV(t *testing.T, text string) (rows [][]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	ok(t, err)
	for _, row := range rows {
		for _, cell := range row {
			if _, err := strconv.ParseFloat(cell, 64); err != nil && strings.IndexAny(cell, "=+-@") == 0 {
				t.Errorf("a formula: %s", cell)
			}
		}
	}
	return rows
}

// checkMarkup: well-formed, nothing that runs, and nothing from elsewhere. It returns the cells of tables.
func checkMarkup(t *testing.T, form, text string) (cells []string) {
	t.Helper()
	known := strings.Fields("html head meta title style body h1 h2 nav a p ul li div table thead tbody tr th td pre figure svg desc defs pattern line rect g path circle text dl dt dd")
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "<!DOCTYPE html>\n")))
	in := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			return cells
		}
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		switch is := token.(type) {
		case xml.StartElement:
			if in = is.Name.Local; !slices.Contains(known, in) {
				t.Errorf("%s: an element %s", form, in)
			}
			if in == "td" {
				cells = append(cells, "")
			}
			for _, a := range is.Attr {
				elsewhere := strings.Contains(a.Value, "//") && a.Value != "http://www.w3.org/2000/svg"
				if name := a.Name.Local; strings.HasPrefix(name, "on") || name == "src" || name == "href" && !strings.HasPrefix(a.Value, "#c") || elsewhere {
					t.Errorf("%s: %s has %s=%q", form, in, name, a.Value)
				}
			}
		case xml.CharData:
			if in == "td" && len(cells) > 0 {
				cells[len(cells)-1] += string(is)
			}
			if in == "style" && strings.Contains(string(is), "url(") {
				t.Errorf("%s: a style from elsewhere", form)
			}
		case xml.EndElement:
			in = ""
		}
	}
}

// TestReportForms: each form holds the same.
func TestReportForms(t *testing.T) {
	t.Parallel()
	for _, name := range demos {
		r := readReport(t, "report -o json demo:"+name)
		rows := checkCSV(t, reportOf(t, "report -o csv demo:"+name).out)
		if len(rows) != len(r.Decisions)+1 {
			t.Fatalf("%s: %d rows, %d decisions", name, len(rows), len(r.Decisions))
		}
		for i, d := range r.Decisions {
			if is := d.(map[string]any); rows[i+1][0] != is["id"] || rows[i+1][1] != is["time"] || rows[i+1][6] != is["kind"] {
				t.Errorf("%s: row %v is not %v", name, rows[i+1], is)
			}
		}
		page := reportOf(t, "report -o html demo:"+name).out
		cells := checkMarkup(t, "html", page)
		for _, s := range r.Silences {
			if i := slices.Index(cells, s.Last.Format("15:04:05.000Z")); i < 2 || !slices.Contains(cells, fmt.Sprintf("%.2f s", s.CountedSeconds)) {
				t.Errorf("%s: the silence of %s is not in the page", name, s.Node)
			}
		}
		for _, pod := range r.Impact.Pods {
			if !slices.Contains(cells, pod.Pod) {
				t.Errorf("%s: %s is not in the page", name, pod.Pod)
			}
		}
		picture := reportOf(t, "report -o svg demo:"+name).out
		checkMarkup(t, "svg", picture)
		if !strings.Contains(page, picture) {
			t.Errorf("%s: the page has another picture", name)
		}
		// a taint each and a deletion each, and the three of the legend
		shapes := 0
		for _, d := range r.Decisions {
			if is := d.(map[string]any); is["kind"] == "TaintNoExecute" || is["kind"] == "EvictPod" {
				shapes++
			}
		}
		if got := strings.Count(picture, "<path "); got != shapes+3 {
			t.Errorf("%s: %d shapes of %d decisions", name, got-3, shapes)
		}
	}
	if calm := reportOf(t, "report -o svg demo:zone-outage --zone us-east-1a").out; !strings.HasPrefix(calm, "<svg") {
		t.Error(calm)
	}
}

// TestReportWhatIf: what other grace periods would have done is what whatif says.
func TestReportWhatIf(t *testing.T) {
	t.Parallel()
	type between struct{ Least, Most int }
	for _, name := range demos {
		got := reportOf(t, "report -o json demo:"+name)
		var r struct {
			WhatIf struct {
				Writes, Reproduced int
				Graces             []struct {
					GraceSeconds        float64
					PodsDeleted, Spared between
					Lost                between `json:"additional"`
				}
			}
		}
		ok(t, json.Unmarshal([]byte(got.out), &r))
		for _, g := range r.WhatIf.Graces {
			var w struct {
				Fit  struct{ Writes, Reproduced int }
				Pods struct {
					DeletedBranch, Spared between
					Lost                  between `json:"additional"`
				}
			}
			ok(t, json.Unmarshal([]byte(kardia(t, nil, fmt.Sprintf("whatif -o json demo:%s --node-monitor-grace-period %vs", name, g.GraceSeconds)).out), &w))
			if w.Pods.DeletedBranch != g.PodsDeleted || w.Pods.Spared != g.Spared || w.Pods.Lost != g.Lost || w.Fit.Writes != r.WhatIf.Writes || w.Fit.Reproduced != r.WhatIf.Reproduced {
				t.Errorf("%s with %vs: whatif says %+v, the report %+v", name, g.GraceSeconds, w, g)
			}
		}
		if len(r.WhatIf.Graces) != 3 {
			t.Errorf("%s: %+v", name, r.WhatIf)
		}
	}
}

// TestReportOfHalfAnOutage: nodes whose pods are still to be deleted where the report ends have lost none yet, and a longer grace
// spares some, though a race decides which; the states of a zone stand in their order.
func TestReportOfHalfAnOutage(t *testing.T) {
	t.Parallel()
	if text := reportOf(t, "report demo:zone-outage --to +185s").out; !strings.Contains(text, "| Eviction start | first pod of the node deleted − last heartbeat | 4 | 1m51s | 2m1s | – | 2m21s | 6 |") {
		t.Errorf("nodes that have lost no pod yet are not counted:\n%s", text)
	}
	path := filepath.Join(t.TempDir(), "waves.scenario")
	ok(t, os.WriteFile(path, []byte("scenario 1\nseed 31\nlength 9m\nnodes x-01..x-12 zone=x\nnodes y-01..y-12 zone=y\ndeployment shop/web replicas=40\n"+
		"deployment shop/cart replicas=30 tolerate=60s\nat 1m30s kill x-01..x-08\nat 2m kill x-09..x-12\n"), 0o600))
	text := reportOf(t, "report "+path).out
	for _, want := range []string{"zone x went into PartialDisruption; zone x went into FullDisruption", " fewer | "} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
}

// TestReportNotes: what people marked beside a recording stands in its report, and not in one that is
// redacted.
func TestReportNotes(t *testing.T) {
	dir := t.TempDir()
	log := piecesOf(t, "node-loss").file(t, dir, "audit.log", 0, 1)
	at := model.At(time.Date(2026, 11, 20, 23, 45, 0, 0, time.UTC))
	put(t, log+bookmarks.Suffix, past.AppendMark(nil, past.Bookmark{At: at, Note: "paged, @alice <looks>"}, false))
	for form, want := range map[string]string{"md": "| 2026-11-20 23:45:00Z | +1m46s | ` paged, @alice <looks> ` |", "html": "<td>paged, @alice &lt;looks&gt;</td>", "svg": "⚑ paged, @alice &lt;looks&gt;"} {
		if got := kardia(t, nil, "report "+log+" -o "+form); !strings.Contains(got.out, want) {
			t.Errorf("%s: %q is not in it\n%s", form, want, got.err)
		}
	}
	if got := kardia(t, nil, "report "+log+" --redact share"); !strings.Contains(got.out, "Notes that people made") || strings.Contains(got.out, "alice") {
		t.Error(got.out[:1000], got.err)
	}
}

// TestReportRedacted: of names nothing stays, of figures all; the same key gives the same bytes.
func TestReportRedacted(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	line := "report demo:node-loss --redact share --key " + key
	if got := kardia(t, nil, line); got.code != OK || !strings.Contains(got.err, "a new key") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	for _, form := range []string{"json", "html"} {
		got := reportOf(t, line+" -o "+form)
		if got.code != OK || strings.Contains(got.err, "new key") {
			t.Errorf("%s: exit %d, %s", form, got.code, got.err)
		}
		for _, name := range []string{"ip-10", "app-", "daemon", "demo:", "node-loss"} {
			if strings.Contains(got.out, name) {
				t.Errorf("%s: %s is in it", form, name)
			}
		}
	}
	if kardia(t, nil, line+" -o json") != reportOf(t, line+" -o json") {
		t.Error("the same key gives other bytes")
	}
	r, plain := readReport(t, line+" -o json"), readReport(t, "report -o json demo:node-loss")
	if len(r.Silences) != len(plain.Silences) || r.Impact.Deleted != plain.Impact.Deleted || r.Impact.Spared != plain.Impact.Spared || r.Impact.NotReadySeconds != plain.Impact.NotReadySeconds ||
		len(r.Decisions) != len(plain.Decisions) || len(r.Summary) != len(plain.Summary) {
		t.Errorf("%+v\n%+v", r.Impact, plain.Impact)
	}
	if one := readReport(t, line+" -o json --node ip-10-0-2-003"); len(one.Silences) != 1 || one.Silences[0].Node != r.Silences[0].Node {
		t.Errorf("%+v", one.Silences)
	}
	if got := reportOf(t, "report demo:zone-outage --key "+key); got.code != Misused {
		t.Errorf("a key for nothing: exit %d", got.code)
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

// TestReportFromWithin: what e writes while a recording is shown is what report prints, and says nothing meanwhile.
func TestReportFromWithin(t *testing.T) {
	t.Parallel()
	paths := []string{"demo:node-loss"}
	opened, err := open.Open(t.Context(), paths, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	r := &run{World: World{Out: &said, Err: &said}, program: "kardia"}
	text, err := r.reporter(&paramFlags{}, opened, paths)("md")
	if want := reportOf(t, "report demo:node-loss").out; err != nil || text != want || said.Len() > 0 {
		t.Errorf("%v, said %q, %d bytes, not %d", err, said.String(), len(text), len(want))
	}
}

// TestReportChapters: every chapter is there, each once, in the order that people know.
func TestReportChapters(t *testing.T) {
	text := reportOf(t, "report demo:node-loss").out
	var titles []string
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			titles = append(titles, strings.TrimSpace(title))
		}
	}
	want := []string{"Summary", "What happened", "Impact", "Silence, node by node", "What the lost nodes have in common", "Timeline", "Zones, rates and queue", "Why the first pod was deleted", "Margin and near misses",
		"What another grace period would have done", "State at the end", "Detection and recovery times", "The controller manager: starts and flags", "Not known, and what would have shown it", "For people to fill in",
		"Appendix: inputs, and how to see it yourself"}
	if !slices.Equal(titles, want) {
		t.Errorf("%q", titles)
	}
}

// TestReportStanding: where the report ends, it tells which nodes take no pods, by whose hand, and which pods wait
// for a node that is not heard.
func TestReportStanding(t *testing.T) {
	t.Parallel()
	text := reportOf(t, "report demo:node-loss --to 23:45:00").out
	for _, want := range []string{
		"| ip-10-0-1-001 | eu-west-1/eu-west-1a | cordoned since 2026-11-20 23:43:48Z by person (admin, kubectl/v1.32.4, from 127.0.0.1) | then |",
		"| ip-10-0-3-002 | eu-west-1/eu-west-1c | MemoryPressure=True",
		"| default/quick-ip-10-0-2-003-0 | ip-10-0-2-003 | 2026-11-20 23:44:39Z | its node, which is silent |",
		"- the node returns, and its kubelet ends them",
		"| Before it is declared out of service | Must be so | Is it? | What would show it |\n",
		"4 pods were pending or blocked",
		"| default/mixed-ip-10-0-2-003-0 | ip-10-0-2-003 | 23:45:38Z",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing: %s\n%s", want, text[strings.Index(text, "## State at the end"):])
		}
	}
}

// TestWhyPodsWereSpared: the reasons of the recordings, and none is left out of the count.
func TestWhyPodsWereSpared(t *testing.T) {
	t.Parallel()
	for name, by := range map[string]string{"node-loss": "tolerated-forever", "zone-outage": "tolerated-forever", "all-dark": "taints-stopped"} {
		var r struct {
			Impact struct {
				Spared  int
				Reasons []struct {
					By, Why string
					Pods    int
				}
			}
		}
		ok(t, json.Unmarshal([]byte(reportOf(t, "report -o json demo:"+name).out), &r))
		if is := r.Impact.Reasons; len(is) != 1 || is[0].By != by || is[0].Pods != r.Impact.Spared || is[0].Why == "" {
			t.Errorf("%s: %d spared by %+v", name, r.Impact.Spared, is)
		}
	}
}

// TestReportSchema: every key of the JSON is in docs/report-json.md.
func TestReportSchema(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/report-json.md")
	ok(t, err)
	for _, key := range slices.Sorted(maps.Keys(readAny(t, "report -o json demo:node-loss"))) {
		if !strings.Contains(string(docs), "| `"+key+"`") && !strings.Contains(string(docs), ", `"+key+"`") {
			t.Errorf("docs/report-json.md does not have %s", key)
		}
	}
}

// TestZonesAreJudgedWhenGetZonesSays: the report has a zone's state from the instant on from which 'get zones' does, and not
// only from when the queue has followed.
func TestZonesAreJudgedWhenGetZonesSays(t *testing.T) {
	t.Parallel()
	const incident, at, zone = "../../../sources/open/testdata/incidents/partial", "2026-11-21T05:07:15.349Z", "local/zone-a"
	if got := kardia(t, nil, "get zones --at "+at+" "+incident); !regexp.MustCompile(zone + ".*PartialDisruption +0/s").MatchString(got.out) {
		t.Fatal(got.out)
	}
	state := ""
	for _, z := range readReport(t, "report -o json "+incident).Zones {
		if z.Zone == zone && z.Time <= at {
			state = z.State
		}
	}
	if state != "PartialDisruption" {
		t.Errorf("it is %s for the report", state)
	}
}

// TestTheQueueIsToldWhole: a zone's queue falls by one with each taint that was seen; and where tainting is halted
// everywhere, whoever was silent waits again from the next pass on.
func TestTheQueueIsToldWhole(t *testing.T) {
	t.Parallel()
	var waiting []int
	for _, z := range readReport(t, "report -o json demo:zone-outage").Zones {
		if z.Zone == "us-east-1/us-east-1b" {
			waiting = append(waiting, z.Waiting)
		}
	}
	if got := fmt.Sprint(waiting); got != "[0 10 9 8 7 6 5 4 3 2 1 0 0 0]" {
		t.Errorf("%s waited", got)
	}
	halted := 0
	for _, z := range readReport(t, "report -o json demo:all-dark").Zones {
		if z.MasterDisruption {
			halted = max(halted, z.Waiting)
		}
	}
	if halted != 4 {
		t.Errorf("%d wait at most while tainting is halted", halted)
	}
	if text := reportOf(t, "report demo:all-dark").out; !strings.Contains(text, "p-003 | 2 pods marked not ready on each |") {
		t.Error("what is counted of each node of four reads as if it were of all")
	}
}

// TestTheQuestionsHaveTheirChapters: each question that people ask of an incident is answered in a chapter, and in the
// words, that docs/report.md names; of each embedded incident that chapter is there, and so are these words, in it or in
// the report of a time while nodes are silent.
func TestTheQuestionsHaveTheirChapters(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../../../docs/report.md")
	ok(t, err)
	_, table, _ := strings.Cut(string(docs), "| Question | Chapter |\n|---|---|\n")
	table, _, _ = strings.Cut(strings.ReplaceAll(table, "`", ""), "\n\n")
	questions := strings.Split(table, "\n")
	if len(questions) != 20 {
		t.Fatalf("%d questions", len(questions))
	}
	var all string
	for _, name := range demos {
		page := reportOf(t, "report -o html demo:"+name).out
		all += page
		for _, q := range questions {
			cells := strings.Split(q, " | ")
			for _, part := range strings.Split(strings.TrimSuffix(cells[1], " |"), "; ") {
				title, _, _ := strings.Cut(part, ": \"")
				title, _, _ = strings.Cut(title, ": the verdicts")
				if !strings.Contains(strings.ToLower(page), strings.ToLower(">"+title)) {
					t.Errorf("%s: no chapter %q for %s", name, title, cells[0])
				}
			}
		}
	}
	all = strings.ReplaceAll(all+reportOf(t, "report -o html demo:node-loss --to 23:45:00").out+reportOf(t, "report -o html demo:zone-outage --to 23:54:00").out, "&#43;", "+")
	for _, quoted := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(table, -1) {
		if words := quoted[1]; !strings.Contains(all, words) && words != "Node object deleted" && words != "Ready True → False" { // of none of them
			t.Errorf("nowhere: %s", words)
		}
	}
}
