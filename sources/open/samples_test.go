package open

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/infer/testimony"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// sampledBy is what a Prometheus would answer that scraped kube-state-metrics during an incident every so often and
// is asked in steps; with a step of 0 it is asked for the samples as they are, scraped not quite regularly.
func sampledBy(t testing.TB, name string, scrape, step time.Duration) []byte {
	t.Helper()
	o := opening(t, "demo:"+name)
	coverage := o.History.Coverage()
	var scraped []model.Instant
	series := map[string][]float64{} // of each scrape; NaN where it is not there
	cursor := history.NewCursor(o.History)
	for at := coverage.Earliest.Add(7 * time.Second); at < coverage.Latest; at = at.Add(scrape + time.Duration(len(scraped)%7)*time.Millisecond) {
		if err := cursor.Seek(at); err != nil {
			t.Fatal(err)
		}
		put := func(value float64, metric string, labels ...string) {
			text := fmt.Sprintf(`{"__name__":%q,"instance":"10.0.0.9:8080","job":"kube-state-metrics"`, metric)
			for i := 0; i < len(labels); i += 2 {
				text += fmt.Sprintf(",%q:%q", labels[i], labels[i+1])
			}
			text += "}"
			for len(series[text]) < len(scraped) {
				series[text] = append(series[text], math.NaN())
			}
			series[text] = append(series[text], value)
		}
		for n := range cursor.State().Nodes {
			name := n.Name
			if n.Node != nil && n.Node.Ready() != nil {
				for _, status := range []model.Status{model.StatusTrue, model.StatusFalse, model.StatusUnknown} {
					is := 0.0
					if n.Node.Ready().Status == status {
						is = 1
					}
					put(is, "kube_node_status_condition", "node", name, "condition", "Ready", "status", strings.ToLower(status.String()))
				}
				put(1, "kube_node_spec_taint", "node", name, "key", "example.com/always", "effect", "NoSchedule")
				for _, x := range n.Node.Taints {
					put(1, "kube_node_spec_taint", "node", name, "key", x.Key, "effect", x.Effect.String())
				}
			}
			if renewed := n.Lease.Renewed; renewed.Known() {
				put(math.Floor(float64(renewed)/1e9), "kube_lease_renew_time", "lease", name, "namespace", "kube-node-lease")
			}
		}
		scraped = append(scraped, at.Truncate(time.Millisecond))
	}
	asked := scraped
	shows := func(i int) int { return i }
	if step > 0 {
		asked = nil
		for at := scraped[0].Truncate(time.Second).Add(time.Second); at <= scraped[len(scraped)-1]; at = at.Add(step) {
			asked = append(asked, at)
		}
		shows = func(i int) int {
			n, _ := slices.BinarySearch(scraped, asked[i]+1)
			return n - 1
		}
	}
	var result []string
	for _, labels := range slices.Sorted(func(yield func(string) bool) {
		for k := range series {
			if !yield(k) {
				return
			}
		}
	}) {
		var values []string
		for i, at := range asked {
			if n := shows(i); n < len(series[labels]) && !math.IsNaN(series[labels][n]) {
				values = append(values, fmt.Sprintf(`[%.3f,"%g"]`, float64(at)/1e9, series[labels][n]))
			}
		}
		if len(values) > 0 {
			result = append(result, `{"metric":`+labels+`,"values":[`+strings.Join(values, ",")+`]}`)
		}
	}
	document := `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(result, ",") + `]}}`
	if !json.Valid([]byte(document)) {
		t.Fatal("the test makes no JSON")
	}
	return []byte(document)
}

func sampledFile(t testing.TB, document []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answer.json")
	if err := os.WriteFile(path, document, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// unknowns is when each node was declared Unknown, by the incident itself.
func unknowns(t testing.TB, name string) map[string]model.Interval {
	t.Helper()
	o, all := opening(t, "demo:"+name), map[string]model.Interval{}
	coverage := o.History.Coverage()
	if err := historytest.Walk(o.History, coverage.Earliest, coverage.Latest, func(_ int, ch *model.Change) bool {
		if ch.Op == model.OpModify && ch.Node != nil && ch.Node.Ready() != nil && ch.Node.Ready().Status == model.StatusUnknown && !all[ch.Key.Name].Known() {
			all[ch.Key.Name] = ch.Time
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSamplesAloneAreATimeline: Prometheus' answers alone give each node's declaration within a window that holds it,
// as wide as samples are apart. They also give how long each node was not heard, no longer than it was.
func TestSamplesAloneAreATimeline(t *testing.T) {
	for _, c := range []struct {
		name         string
		scrape, step time.Duration
		widest       time.Duration
	}{
		{"zone-outage", 15 * time.Second, 0, 17 * time.Second},
		{"zone-outage", 30 * time.Second, 30 * time.Second, 75 * time.Second},
		{"node-loss", 60 * time.Second, 15 * time.Second, 90 * time.Second},
	} {
		truth := unknowns(t, c.name)
		o := opening(t, sampledFile(t, sampledBy(t, c.name, c.scrape, c.step)))
		res, _ := heard(t, o)
		declared := map[string]int{}
		for _, d := range res.Decisions {
			if d.Kind != model.MarkUnknown {
				continue
			}
			declared[d.Node]++
			if is := truth[d.Node]; !d.Window.Overlaps(is) || d.Window.Width() > c.widest || !d.Told() {
				t.Errorf("%s by %v: %s within %v (%v), it was %v", c.name, c.step, d.Node, d.Window, d.Window.Width(), is)
			}
		}
		if len(declared) != len(truth) {
			t.Errorf("%s by %v: %d nodes are declared, %d were", c.name, c.step, len(declared), len(truth))
		}
		silent := 0
		for _, s := range o.History.Statements() {
			switch {
			case s.What == history.SaidNotRenewed && !truth[s.Node].Known():
				t.Errorf("%s by %v: %s was heard all the time: %+v", c.name, c.step, s.Node, s)
			case s.What == history.SaidNotRenewed:
				silent++
			}
		}
		if silent < len(truth) {
			t.Errorf("%s by %v: %d silences", c.name, c.step, silent)
		}
		if s := o.History.Sources()[0]; s.Format != "prometheus" || s.Changes != 0 || o.History.Coverage() != s.Spoken || s.Coverage.Known() {
			t.Errorf("%+v", s)
		}
	}
}

// TestSamplesBesideAnIncidentAdd: beside what was recorded, samples confirm and change nothing.
func TestSamplesBesideAnIncidentAdd(t *testing.T) {
	alone, err := infer.Run(opening(t, "demo:node-loss").History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	if err != nil {
		t.Fatal(err)
	}
	path := sampledFile(t, sampledBy(t, "node-loss", 15*time.Second, 15*time.Second))
	o, err := Open(context.Background(), []string{"demo:node-loss", path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	res, r := heard(t, o)
	if r.Statements == 0 || len(r.Confirmed) != r.Statements || len(r.Contradicted) > 0 {
		t.Errorf("%d of %d confirmed, %+v", len(r.Confirmed), r.Statements, r.Contradicted)
	}
	if len(res.Decisions) != len(alone.Decisions) {
		t.Errorf("%d decisions, %d without samples", len(res.Decisions), len(alone.Decisions))
	}
}

// TestSamplesAreNoHistory: samples may reach beyond an audit log, up to a capture. The log, the capture and the time
// between are then still not one time in which objects were watched.
func TestSamplesAreNoHistory(t *testing.T) {
	lines := linesOf(textOf(t, "zone-outage", "audit.log"))
	half := inputtest.File("audit.log", []byte(strings.Join(lines[:len(lines)/2], "\n")))
	dump := inputtest.File("nodes.json", asJSON(listOf("List", objects(t, "zone-outage", "nodes"))))
	samples := inputtest.File("answer.json", sampledBy(t, "zone-outage", 30*time.Second, 0))
	judged := func(files ...input.File) (list []string, recorded model.Interval) {
		o, err := openFiles(t.Context(), files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		res, _ := shadowed(t, o.History, flags)
		if n := res.Findings(); n > 0 {
			t.Errorf("%d of %d writes and effects are unexplained", n, len(res.Writes))
		}
		for i := range res.Writes {
			list = append(list, fmt.Sprint(res.Writes[i].Kind, res.Writes[i].Subject()))
		}
		return list, history.Recorded(o.History)
	}
	want, recorded := judged(half, dump)
	if got, is := judged(half, dump, samples); !slices.Equal(got, want) || is != recorded || len(want) < 50 {
		t.Errorf("%d writes within %v, want %d within %v", len(got), is, len(want), recorded)
	}
}

// TestSamplesByAClockThatIsOff: samples of a Prometheus whose clock is off confirm the acts that they show, and the
// offset is reported.
func TestSamplesByAClockThatIsOff(t *testing.T) {
	for _, ahead := range []time.Duration{97 * time.Second, -97 * time.Second} {
		off := stampOfSample.ReplaceAllFunc(sampledBy(t, "zone-outage", 15*time.Second, 0), func(stamp []byte) []byte {
			at, _ := strconv.ParseFloat(string(stamp[1:len(stamp)-1]), 64)
			return fmt.Appendf(nil, "[%.3f,", at+ahead.Seconds())
		})
		o, err := Open(context.Background(), []string{"demo:zone-outage", sampledFile(t, off)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		res, r := heard(t, o)
		if r.Statements < 10 || len(r.Confirmed) != r.Statements || len(r.Contradicted) > 0 {
			t.Errorf("%v: %d of %d confirmed, %+v", ahead, len(r.Confirmed), r.Statements, r.Contradicted)
		}
		if !slices.ContainsFunc(res.Assumptions, func(n infer.Note) bool { return n.Code == infer.SamplesOff && n.Clock != (history.Offset{}) }) {
			t.Errorf("%v: rests on %v", ahead, res.Assumptions)
		}
	}
}

var stampOfSample = regexp.MustCompile(`\[\d+\.\d{3},`)

// TestSamplesThatContradict: samples that show a node Unknown which never was are no decision of the models'.
func TestSamplesThatContradict(t *testing.T) {
	document := strings.ReplaceAll(string(sampledBy(t, "node-loss", 15*time.Second, 0)), "ip-10-0-2-003", "ip-10-0-1-002x")
	document = strings.ReplaceAll(strings.ReplaceAll(document, "ip-10-0-1-002", "ip-10-0-2-003"), "ip-10-0-2-003x", "ip-10-0-1-002")
	o, err := Open(context.Background(), []string{"demo:node-loss", sampledFile(t, []byte(document))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	_, r := heard(t, o)
	if len(r.Contradicted) == 0 || r.Contradicted[0].What != testimony.OnlySample || r.Contradicted[0].Subject != "ip-10-0-1-002" {
		t.Errorf("%+v", r.Contradicted)
	}
}
