package metrics

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/infer"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// served is what a Snapshot is served as.
func served(t interface {
	Fatalf(string, ...any)
}, s *screen.Snapshot) string {
	e := New("v1")
	e.Recorded(4096, 17)
	if s != nil {
		e.Show(s)
	}
	request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	request.Header.Set("Accept", "application/openmetrics-text; version=1.0.0")
	answer := httptest.NewRecorder()
	e.Handler().ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		t.Fatalf("%d: %s", answer.Code, answer.Body)
	}
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

// Where nodes and pods were not listed, the reasons are served, nodes known by a lease are no fine ones, and no 0 is of pods.
func TestNotKnown(t *testing.T) {
	text := served(t, screentest.Recorded(t, screentest.IncidentPath("../../../demo/zone-outage")+"/audit.log.zst", 30*time.Second))
	for _, want := range []string{`kardia_not_known{reason="nodes-not-listed"} 1.0`, `kardia_not_known{reason="pods-not-listed"} 1.0`, `state="lease-only"`} {
		if !strings.Contains(text, want) {
			t.Errorf("not served: %s\n%s", want, text)
		}
	}
	for _, not := range []string{"kardia_predicted_evictions{", `kardia_nodes{state="healthy",zone="unknown"} 28`} {
		if strings.Contains(text, not) {
			t.Errorf("served: %s\n%s", not, text)
		}
	}
	if text := served(t, screentest.Recorded(t, "demo:zone-outage", 30*time.Second)); strings.Contains(text, "kardia_not_known{") {
		t.Errorf("all is watched:\n%s", text)
	}
}

// The figures are those of the screens: a zone is dark, six pods wait for their nodes' taint, and the next
// pod is deleted in a moment.
func TestAZoneOutage(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Status = []stream.Status{{Kind: model.KindPod, State: stream.Live, Last: s.At}, {Kind: model.KindEvent, State: stream.Forbidden}}
	text := served(t, &s)
	for _, want := range []string{
		`kardia_nodes{state="unknown",zone="us-east-1/us-east-1b"} 10.0`,
		`kardia_nodes{state="healthy",zone="us-east-1/us-east-1a"} `,
		`kardia_zone_state{state="FullDisruption",zone="us-east-1/us-east-1b"} 1.0`,
		`kardia_zone_queue_nodes{zone="us-east-1/us-east-1b"} 3.0`,
		`kardia_verdict_nodes{scope="zone"} 10.0`,
		`kardia_stuck_terminating_pods{zone="us-east-1/us-east-1b"} 2.0`,
		`kardia_predicted_evictions{certain="true",zone="us-east-1/us-east-1b"} 18.0`,
		`kardia_watch_up{kind="Pod"} 1.0`, `kardia_watch_up{kind="Event"} 0.0`,
		"kardia_recording_changes_total 17.0", "kardia_recording_size_bytes 4096.0", `kardia_build_info{version="v1"} 1.0`, "# EOF",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not served: %s\n%s", want, text)
		}
	}
	at := regexp.MustCompile(`kardia_next_eviction_timestamp_seconds\{zone="us-east-1/us-east-1b"\} (\S+)`).FindString(text)
	if at == "" {
		t.Error("when the next pod is deleted is not served")
	}
}

// Under a flag that is contradicted nothing is inferred, and which flag it is, and what fits, is served.
func TestAContradictedFlag(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Judged = &outlook.Judgement{Missing: outlook.Missing{Reason: outlook.Contradicted, Result: &infer.Result{Contradicted: []infer.Contradiction{{Flag: "node-monitor-grace-period", Given: "20s", Fits: "50s"}}}}}
	text := served(t, &s)
	if !strings.Contains(text, `kardia_flag_contradicted{fits="50s",flag="node-monitor-grace-period",given="20s"} 1.0`) || strings.Contains(text, "\nkardia_zone_state") || strings.Contains(text, "\nkardia_predicted") {
		t.Error(text)
	}
}

// Prometheus' own linter has nothing to say of names, types and helps.
func TestTheFormat(t *testing.T) {
	e := New("v1")
	e.Recorded(4096, 17)
	e.Show(screentest.Recorded(t, "demo:zone-outage", 150*time.Second))
	answer := httptest.NewRecorder()
	e.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	problems, err := promlint.New(answer.Body).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

// While nothing is known nothing is invented: there is no zone, and no time.
func TestNothingShown(t *testing.T) {
	if text := served(t, nil); strings.Contains(text, "kardia_nodes") || strings.Contains(text, "kardia_next") {
		t.Errorf("served:\n%s", text)
	}
	calm := screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	if text := served(t, calm); strings.Contains(text, "kardia_next_eviction_timestamp_seconds{") || strings.Contains(text, "kardia_verdict_nodes{") {
		t.Errorf("calm, and served:\n%s", text)
	}
}

// Names of zones are foreign: whatever they are, the served text can be read, and no series is there twice.
func TestAnySnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := served(t, screentest.Random(t))
		seen := map[string]bool{}
		for _, line := range strings.Split(text, "\n") {
			name, _, _ := strings.Cut(line, "} ")
			if strings.HasPrefix(line, "#") || line == "" {
				continue
			}
			if seen[name] && strings.Contains(line, "{") {
				t.Fatalf("twice: %s", line)
			}
			seen[name] = true
			if strings.ContainsAny(line, "\x1b\x00\r") {
				t.Fatalf("a control character: %q", line)
			}
		}
	})
}

// docs/metrics.md lists every metric, and no other.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("metrics.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`"(kardia_[a-z_]+)"`)
	known := map[string]bool{}
	for _, m := range names.FindAllStringSubmatch(string(code), -1) {
		known[m[1]] = true
		if !strings.Contains(string(doc), "`"+m[1]+"`") {
			t.Errorf("docs/metrics.md does not list %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("`(kardia_[a-z_]+)`").FindAllStringSubmatch(string(doc), -1) {
		if !known[m[1]] {
			t.Errorf("docs/metrics.md lists %s, which is not served", m[1])
		}
	}
}
