package command

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/recorder"
	"kardia/sources/open"
	"kardia/sources/recording"
)

// lostWhileNobodyLed: a machine dies whose clock is ahead, and so does the controller manager. The next one has not
// heard the node, and counts from its first sight of it.
const lostWhileNobodyLed = `# A node is lost while nobody leads.
scenario 1
version 1.36
length 8m
nodes a-1..a-5 zone=a
deployment shop/web replicas=10
at 30s skew a-3 by=+90s
at 2m kill a-3
at 2m5s failover for=25s
at 6m return a-3
`

// TestSilencesAreTrue: from when on a node was silent is not when a new controller saw it first, and not what a clock
// says that is off; the incident begins there, in a report and in a comparison.
func TestSilencesAreTrue(t *testing.T) {
	t.Parallel()
	file := put(t, filepath.Join(t.TempDir(), "mine.scenario"), []byte(lostWhileNobodyLed))
	var r struct {
		Zero     time.Time
		Silences []struct {
			Last, Back                                                   time.Time
			ClockOffSeconds, CountedSeconds, SilentSeconds, WholeSeconds float64
			CountedFrom                                                  *string
		}
		Standing struct {
			Clocks struct {
				Known int
				Off   []struct {
					Node    string
					Seconds float64
				}
			}
		}
	}
	ok(t, json.Unmarshal([]byte(reportOf(t, "report -o json "+file).out), &r))
	killed := time.Date(2026, 3, 14, 12, 2, 0, 0, time.UTC)
	between := func(what string, got, least, most float64) {
		if got < least || got > most {
			t.Errorf("%s is %v, not between %v and %v", what, got, least, most)
		}
	}
	if len(r.Silences) != 1 {
		t.Fatalf("%+v", r.Silences)
	}
	s := r.Silences[0]
	if s.CountedFrom == nil || !strings.Contains(*s.CountedFrom, "restarted") {
		t.Errorf("counted from %v", s.CountedFrom)
	}
	between("the last heartbeat by its own clock, after it was killed", s.Last.Sub(killed).Seconds(), 79, 90)
	between("the last heartbeat, after it was killed", r.Zero.Sub(killed).Seconds(), -11, 0)
	between("its clock", s.ClockOffSeconds, 89.5, 90)
	between("the controller's count", s.CountedSeconds, 50, 55)
	between("the silence when it was declared", s.SilentSeconds, 25+50, 25+5+55+11)
	between("the whole silence", s.WholeSeconds, 240, 240+25)
	if c := r.Standing.Clocks; c.Known != 5 || len(c.Off) != 1 || c.Off[0].Node != "a-3" {
		t.Errorf("%+v", c)
	}
	text := reportOf(t, "report "+file).out
	for _, want := range []string{"(1m30s ahead)", ", from the first pass after it restarted |", "a restart, its first sight of the node", "last heartbeat (lease renewal); its clock said 12:03:2", "| a-3 | 1m30s |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in it:\n%s", want, text)
		}
	}
	var d struct{ A, B struct{ Start time.Time } }
	ok(t, json.Unmarshal([]byte(kardia(t, nil, "diff -o json "+file+" "+file).out), &d))
	if !d.A.Start.Equal(r.Zero) || !d.B.Start.Equal(r.Zero) {
		t.Errorf("the comparison begins %v and %v, the report %v", d.A.Start, d.B.Start, r.Zero)
	}
}

// TestAComparisonBeginsWhereAReportDoes: of each incident.
func TestAComparisonBeginsWhereAReportDoes(t *testing.T) {
	t.Parallel()
	for _, name := range demos {
		var r struct{ Zero time.Time }
		ok(t, json.Unmarshal([]byte(reportOf(t, "report -o json demo:"+name).out), &r))
		var d struct{ A, B struct{ Start time.Time } }
		ok(t, json.Unmarshal([]byte(kardia(t, nil, "diff -o json demo:"+name+" demo:node-loss").out), &d))
		if !d.A.Start.Equal(r.Zero) {
			t.Errorf("%s: the comparison begins %v, the report %v", name, d.A.Start, r.Zero)
		}
	}
}

// told by a report of a scenario.
type playedReport struct {
	Summary []string
	Impact  struct {
		Deleted int
		Pods    []struct {
			Pod, Workload string
			Gone          *time.Time
		}
	}
	Silences []struct {
		Last, Declared time.Time
		SilentSeconds  float64
		Unheeded       bool `json:"clockSetBack"`
	}
	Timeline []struct{ Kind, What string }
}

// mine is a scenario with faults.
func mine(faults string) []byte {
	return []byte("# Mine.\nscenario 1\nversion 1.36\nlength 8m\nnodes a-1..a-5 zone=a\ndeployment shop/web replicas=10 tolerate=60s\nstatefulset shop/db replicas=5 tolerate=60s\n" + faults)
}

func reportPlayed(t *testing.T, faults string) (r playedReport, text string) {
	t.Helper()
	return reportOn(t, put(t, filepath.Join(t.TempDir(), "mine.scenario"), mine(faults)))
}

func reportOn(t *testing.T, file string) (r playedReport, text string) {
	t.Helper()
	ok(t, json.Unmarshal([]byte(reportOf(t, "report -o json "+file).out), &r))
	return r, reportOf(t, "report "+file).out
}

// TestAKubeletsOwnWordIsTold: a node that its kubelet calls not ready was not lost; its pods have their workloads and
// their ends all the same.
func TestAKubeletsOwnWordIsTold(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, "at 1m notready a-2 \"PLEG is not healthy\"\nat 6m ready a-2\n")
	if !strings.HasPrefix(r.Summary[0], "The kubelet of a-2 itself posted that the node was not ready, at 12:01:0") || len(r.Silences) != 0 || r.Impact.Deleted == 0 {
		t.Errorf("%q, %d silences, %d deleted", r.Summary, len(r.Silences), r.Impact.Deleted)
	}
	for _, p := range r.Impact.Pods {
		if !strings.Contains(p.Workload, "(ReplicaSet)") && p.Workload != "shop/db (StatefulSet)" || p.Gone == nil {
			t.Errorf("%+v", p)
		}
	}
	if !strings.Contains(text, "Ready True → False (KubeletNotReady: PLEG is not healthy)") || !strings.Contains(text, "of which their own kubelets said that they were not ready") {
		t.Error(text)
	}
}

// allSilent is that nobody leads any more, and then nobody is heard any more.
const allSilent = "at 1m controllers-off\nat 2m kill a-1\nat 2m kill a-2\nat 2m kill a-3\nat 2m kill a-4\nat 2m kill a-5\n"

// TestNobodyIsDeclaredWhereNobodyLeads: where the leader's lease shows that nobody leads any more, nothing is expected of
// anybody, and the report says why nobody was declared.
func TestNobodyIsDeclaredWhereNobodyLeads(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, allSilent)
	if len(r.Silences) != 0 || r.Impact.Deleted != 0 || !strings.Contains(r.Summary[0], "no node was declared Unknown. From 12:01:1") ||
		!strings.Contains(r.Summary[0], "Z on the controllers had no leader, by their lease: 5 nodes were silent at the end and not declared.") {
		t.Errorf("%q", r.Summary)
	}
	if strings.Contains(text, "the models expect") || strings.Contains(text, "master disruption starts") {
		t.Error(text)
	}
}

// TestNothingIsToldThatWouldHaveBeenSeen: where nobody leads any more nobody is declared, whatever the models expect that
// do not see the leader's lease.
func TestNothingIsToldThatWouldHaveBeenSeen(t *testing.T) {
	t.Parallel()
	played, err := open.Open(t.Context(), []string{put(t, filepath.Join(t.TempDir(), "played.scenario"), mine(allSilent))}, open.Options{})
	ok(t, err)
	var changes []model.Change
	ok(t, history.Walk(played.History, model.FarPast+1, model.FarFuture-1, &history.Condensed{Full: true}, func(_ int, ch *model.Change) bool {
		if ch.Kind != model.KindLeaderLease {
			changes = append(changes, *ch)
		}
		return true
	}))
	covered := played.History.Coverage()
	h := history.NewMemory(changes, covered, nil, played.History.Sources())
	delete(h.Sources()[0].Kinds, model.KindLeaderLease)
	file := filepath.Join(t.TempDir(), "mine.mcap")
	ok(t, recorder.Save(h, recording.Meta{}, nil, covered, file))
	r, text := reportOn(t, file)
	if len(r.Silences) != 0 || r.Impact.Deleted != 0 || !strings.Contains(r.Summary[0], "no node was declared Unknown. The models expect that 5 nodes were declared") {
		t.Errorf("%q", r.Summary)
	}
	if strings.Contains(strings.Join(r.Summary, " "), "every zone was dark") || !strings.Contains(text, "this rests on declarations that the models expect") || !strings.Contains(text, "master disruption starts (expected by the models, not seen)") {
		t.Error(text)
	}
}

// TestNobodyDecidesWithoutALeader: while the API server answers nobody the leader loses its lease, and nothing is expected
// of it.
func TestNobodyDecidesWithoutALeader(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, "at 2m stall for=90s\n")
	if len(r.Silences) != 0 || r.Impact.Deleted != 0 || !strings.Contains(r.Summary[0], "no node was declared Unknown.") || strings.Contains(text, "The models expect") || strings.Contains(text, "master disruption starts") {
		t.Error(text)
	}
}

// TestARefusedLeaseIsNoSilence: a node that posts its status, and may not renew its lease, was heard by its status, again
// and again.
func TestARefusedLeaseIsNoSilence(t *testing.T) {
	t.Parallel()
	r, _ := reportPlayed(t, "at 1m deny-leases a-2\nat 6m allow-leases a-2\n")
	for i, s := range r.Silences {
		if s.SilentSeconds < 50 || s.SilentSeconds > 66 || i > 0 && !s.Last.After(r.Silences[i-1].Declared) {
			t.Errorf("%+v", s)
		}
	}
	if len(r.Silences) < 3 {
		t.Errorf("%d silences", len(r.Silences))
	}
}

// TestAClockThatWasSetBackIsNoSilence: the node renews, and the controllers take no older time for a heartbeat.
func TestAClockThatWasSetBackIsNoSilence(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, "at 2m skew a-2 by=-90s\n")
	if len(r.Silences) != 1 || !r.Silences[0].Unheeded || !strings.Contains(r.Summary[0], "Yet a-2 was not silent") || !strings.Contains(text, ", then by a clock that was set back |") {
		t.Errorf("%+v\n%s", r.Silences, text)
	}
}

// TestWhoLedBeforeIsNoPartOfTheIncident: that the controller began days before the recording makes no picture of days.
func TestWhoLedBeforeIsNoPartOfTheIncident(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, "at 2m kill a-2\n")
	if r.Timeline[0].Kind != "heartbeat" || !strings.Contains(text, "Before the report starts they had started last at 2026-03-05") {
		t.Errorf("%+v\n%s", r.Timeline[0], text)
	}
}

// TestWhatWasWrittenIsTold: nobody led for minutes, and the next leader declared the node: as a process does that begins
// anew.
func TestWhatWasWrittenIsTold(t *testing.T) {
	t.Parallel()
	r, text := reportPlayed(t, "at 1m controllers-off\nat 2m kill a-1\nat 4m controllers-on\n")
	if len(r.Silences) != 1 || r.Silences[0].SilentSeconds < 160 || !strings.Contains(r.Summary[0], "1 of 5 nodes (a-1) fell silent") || strings.Contains(text, "no decision explains it") {
		t.Errorf("%+v\n%s", r.Silences, text)
	}
}

// TestAReportThatBeginsLate: of a node that was lost before the recording begins, its lease still tells when it was heard
// last, and it is none that was late and not declared.
func TestAReportThatBeginsLate(t *testing.T) {
	t.Parallel()
	late := filepath.Join(t.TempDir(), "late.mcap")
	if got := kardia(t, nil, "cut demo:node-loss --from 23:47:30 -o "+late); got.code != OK {
		t.Fatal(got.err)
	}
	whole, r := readReport(t, "report -o json demo:node-loss"), readReport(t, "report -o json "+late)
	if len(r.Silences) != 1 || !r.Silences[0].Last.Equal(whole.Silences[0].Last) || !r.Silences[0].Back.Equal(*whole.Silences[0].Back) || r.Impact.Deleted != 6 {
		t.Errorf("%+v", r.Silences)
	}
	if text := reportOf(t, "report "+late).out; strings.Contains(text, "Late, and not declared") || !strings.Contains(text, "What came before the input starts is not played") {
		t.Error(text)
	}
}

// TestNodesAlone: without leases nobody knows who was silent when, and no verdict says that all were; what was written is
// known all the same.
func TestNodesAlone(t *testing.T) {
	t.Parallel()
	file := piecesOf(t, "zone-outage").file(t, t.TempDir(), "nodes.watch.jsonl", 0, 1)
	r, text := readReport(t, "report -o json "+file), reportOf(t, "report "+file).out
	if len(r.Silences) != 10 || !strings.HasPrefix(r.Summary[0], "10 of 28 nodes fell silent: all 10 in zone us-east-1/us-east-1b; their last heartbeats are not known.") {
		t.Errorf("%q", r.Summary)
	}
	for _, s := range r.Silences {
		if s.CountedSeconds != 0 || !s.Last.IsZero() {
			t.Errorf("%+v", s)
		}
	}
	if strings.Contains(text, "every node is silent") {
		t.Error(text)
	}
}

// TestAComparisonOfLittle: of a capture it is not known whether a node was lost; who led days before is no difference; and
// beside an incident in which nothing was lost the other begins as ever.
func TestAComparisonOfLittle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dump := piecesOf(t, "zone-outage").dump(t, filepath.Join(dir, "dump"), calm, "nodes")
	quiet := put(t, filepath.Join(dir, "quiet.scenario"), []byte("# Quiet.\nscenario 1\nlength 2m\nnodes a-1..a-3 zone=a\n"))
	unled := put(t, filepath.Join(dir, "unled.scenario"), []byte("# Nobody leads.\nscenario 1\nversion 1.36\nlength 8m\nnodes a-1..a-3 zone=a\ndeployment web replicas=6\nat 1m controllers-off\nat 2m kill a-1\nat 4m controllers-on\n"))
	for other, wants := range map[string][]string{
		dump:  {"A  zone-outage: begins 2026-11-20T23:52:32.494Z with b-003\n", ": whether a node was declared Unknown is not known\n"},
		quiet: {"A  zone-outage: begins 2026-11-20T23:52:32.494Z with b-003\n", ": no node was declared Unknown\n"},
		unled: {"MarkUnknown        10   1 ", "MarkPodsNotReady   10   1 ", "ControllerStart    0    1   -           +1"},
	} {
		got := kardia(t, nil, "diff demo:zone-outage "+other)
		for _, want := range wants {
			if !strings.Contains(got.out, want) {
				t.Errorf("%q is not in it:\n%.1500s", want, got.out)
			}
		}
	}
}
