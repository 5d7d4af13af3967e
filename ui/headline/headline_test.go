package headline_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
	"kardia/model/explain/review"
	"kardia/model/explain/verdict"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/headline"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func said(s *screen.Snapshot, w int) string {
	var lines []string
	for _, r := range headline.Rows(s, screentest.Painters()["dark"], w, 2) {
		lines = append(lines, strings.TrimRight(r.Text, " "))
	}
	return strings.TrimSuffix(screentest.Plain(lines), "\n")
}

// What is wrong, where, since when, and what comes next: through recorded incidents.
func TestHeadlines(t *testing.T) {
	for _, c := range []struct {
		demo  string
		after time.Duration
		width int
		want  string
	}{
		{"zone-outage", 20 * time.Second, 120, " ✓ all 28 nodes renew; the oldest heartbeat is 5s old, grace 50s\n ░ nothing due; later, 23:53:23Z, b-002 is declared Unknown, in 1:06"},
		{"zone-outage", 60 * time.Second, 120, " ▆ us-east-1b: 10 of 10 nodes are late: silent for up to 24s of the 50s grace; 18 others renew     v: fault domain zone\n ◌ next: the first grace period ends in 0:25–0:31, then the node is declared Unknown if it stays silent"},
		{"zone-outage", 95 * time.Second, 120, " ✕ us-east-1b: all 10 nodes silent since 23:52:32Z, declared Unknown 9s ago; 18 others renew       v: fault domain zone\n ◌ next: 2 pods of b-008 deleted in 0:52, 20 pods in all by 23:55:55Z; 9 more nodes queued for a NoExecute taint"},
		{"zone-outage", 200 * time.Second, 160, " ✕ us-east-1b: all 10 nodes silent since 23:52:32Z, declared Unknown 1m54s ago; 18 others renew                                            v: fault domain zone\n ◌ next: 2 pods of b-009 deleted in 0:07, 8 pods in all by 23:55:55Z; 12 pods are Terminating: R lists how they end"},
		{"zone-outage", 200 * time.Second, 80, " ✕ us-east-1b: all 10 nodes silent since 23:52:32Z         v: fault domain zone\n ◌ next: 2 pods of b-009 deleted in 0:07, 8 pods in all by 23:55:55Z"},
		{"zone-outage", 200 * time.Second, 44, " ✕ 1b: all 10 silent since 23:52:32Z\n ◌ next: 2 pods of b-009 deleted in 0:07"},
		{"zone-outage", 302 * time.Second, 120, " ✕ us-east-1b comes back: 6 of 10 nodes, since 23:56:56Z; 4 silent since 23:52:32Z                 v: fault domain zone\n ● nothing more due; 8 pods are Terminating: R lists how they end"},
		{"zone-outage", 302 * time.Second, 80, " ✕ us-east-1b comes back: 6 of 10; 4 silent since 23:52:32Z       v: fault zone\n ● nothing more due; 8 pods are Terminating: R lists how they end"},
		{"zone-outage", 302 * time.Second, 44, " ✕ 1b: 6 of 10 back, 4 silent\n ● nothing more due; 8 pods Terminating"},
		{"zone-outage", 5*time.Minute + 9850*time.Millisecond, 120, " ✕ b-001 in us-east-1b renews again, still Unknown; 27 others renew; 4 pods are still not Ready    v: fault domain node\n ● nothing more due; 2 pods are Terminating until their kubelets end them"},
		{"all-dark", 2 * time.Minute, 120, " ✕ all 11 nodes silent, the first since 00:06:40Z, declared Unknown, the first 50s ago        v: fault domain all nodes\n ◌ next: 4 pods of 2 nodes deleted in 0:35; 11 nodes queued for a NoExecute taint, 2 of them again: taints stopped"},
		{"all-dark", 3 * time.Minute, 160, " ✕ all 11 nodes silent, the first since 00:06:40Z, declared Unknown, the first 1m50s ago                                              v: fault domain all nodes\n ○ taints stopped (master disruption): 11 nodes queued for a NoExecute taint, 2 of them again; 4 pods are Terminating: R lists how they end"},
		{"all-dark", 3*time.Minute + 50*time.Second, 120, " ✕ 8 nodes in 3 zones silent, the first since 00:06:40Z, declared Unknown, the first 2m40s ago         v: fault zone +3\n ◌ next: 14 to 16 pods deleted, the first in 0:54–0:57; 11 nodes queued for a NoExecute taint: taints stopped now"},
		{"all-dark", 3*time.Minute + 50*time.Second, 80, " ✕ 8 nodes in 3 zones silent, the first since 00:06:40Z        v: fault zone +3\n ◌ next: 14 to 16 pods deleted, the first in 0:54–0:57; 11 queued: stopped now"},
		{"all-dark", 3*time.Minute + 50*time.Second, 64, " ✕ 8 nodes silent                  v: fault domain zone, 3 more\n ◌ next: 14 to 16 pods deleted, the first in 0:54–0:57"},
		{"all-dark", 4 * time.Minute, 120, " ✕ 7 nodes silent, the first since 00:06:40Z: 4 of 4 in zone-1, 3 of 3 without a zone      v: fault domain zone, 1 more\n ◌ next: 7 nodes queued for a NoExecute taint, 1 of them again, the next within 1s"},
		{"all-dark", 6*time.Minute + 19*time.Second, 120, " ! all 11 nodes renew, but 6 pods are still not Ready: marked by the controller when their nodes were lost\n ● nothing more due; 2 pods are Terminating until their kubelets end them"},
		{"zone-outage", 350 * time.Second, 120, " ! all 28 nodes renew, but 5 pods are still not Ready: marked by the controller when their nodes were lost\n   nothing due: no eviction pending, no node queued for a taint"},
		{"zone-outage", 350 * time.Second, 80, " ! all 28 nodes renew, but 5 pods are still not Ready: marked by the controller\n   nothing due: no eviction pending, no node queued for a taint"},
		{"zone-outage", 350 * time.Second, 44, " ! 5 pods are still not Ready\n   nothing due"},
		{"node-loss", 528 * time.Second, 160, " ! all 12 nodes renew, but 2 pods are still not Ready: marked by the controller when their nodes were lost; the oldest heartbeat is 4s old, grace 50s\n   nothing due: no eviction pending, no node queued for a taint"},
		{"node-loss", 100 * time.Second, 120, " ✕ ip-10-0-2-003 in eu-west-1b silent since 23:43:14Z, declared Unknown 10s ago; 11 others renew   v: fault domain node\n ◌ next: 1 pod of ip-10-0-2-003 deleted in 0:19, 5 pods in all by 23:49:09Z; 1 pod is Terminating: R lists how it ends"},
		{"node-loss", 7 * time.Minute, 120, " ✕ ip-10-0-2-003 in eu-west-1b silent since 23:43:14Z, declared Unknown 5m30s ago; 11 others renew v: fault domain node\n ● nothing more due; 6 pods are Terminating: R lists how they end"},
	} {
		if got := said(screentest.Recorded(t, "demo:"+c.demo, c.after), c.width); got != c.want {
			t.Errorf("%s +%v in %d cells:\n%s\nwant:\n%s", c.demo, c.after, c.width, got, c.want)
		}
	}
}

// Zones that come back at the same time are named, as far as there is room; one that is back as a whole is none of them any more.
func TestZonesThatComeBack(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		width int
		want  string
	}{
		{310 * time.Second, 200, "2 zones come back: 4 of 6 nodes in us-east-1b, 3 of 6 in us-east-1c, since 12:05:00Z; 5 silent since 12:00:52Z, declared Unknown 3m23s ago; 16 others renew"},
		{310 * time.Second, 120, "us-east-1b and us-east-1c come back: 7 of 12 nodes, since 12:05:00Z; 5 silent since 12:00:52Z  "},
		{310 * time.Second, 80, "1b and 1c come back: 7 of 12; 5 silent since 12:00:52Z  "},
		{310 * time.Second, 44, "1b and 1c: 7 of 12 back, 5 silent"},
		{440 * time.Second, 120, "us-east-1b comes back: 4 of 6 nodes, since 12:05:00Z; 2 silent since 12:00:52Z  "},
		{510 * time.Second, 90, "us-east-1b comes back: 4 of 6; 2 silent since 12:00:52Z; 4 late"},
	} {
		if got := said(screentest.Recorded(t, "testdata/return.scenario", c.after), c.width); !strings.HasPrefix(got, " ✕ "+c.want) {
			t.Errorf("+%v in %d cells:\n%s\nwant:\n%s", c.after, c.width, got, c.want)
		}
	}
}

// Pods whose nodes are declared, or will be, and that nobody is known to queue yet, are due; and where no pods were to
// be had, nobody says that none is.
func TestWhoWaitsForATaintIsDue(t *testing.T) {
	s := screentest.Recorded(t, screentest.IncidentPath("partial")+"/audit.log.zst", 74*time.Second+200*time.Millisecond)
	if got := said(s, 120); !strings.Contains(got, "next: 11 nodes declared Unknown in 0:00–0:06, then ") {
		t.Errorf("as they are declared:\n%s", got)
	}
	for after, want := range map[time.Duration]string{
		20 * time.Second:               "no node queued for a taint; later, 23:53:23Z, b-002 is declared Unknown",
		5*time.Minute + 40*time.Second: "no node queued for a taint; pods unknown",
	} {
		calm := *screentest.Recorded(t, "demo:zone-outage", after)
		calm.Kinds = map[model.Kind]bool{model.KindNode: true, model.KindNodeLease: true}
		if got := said(&calm, 120); !strings.Contains(got, want) {
			t.Errorf("without pods, +%v:\n%s", after, got)
		}
	}
}

// What stands for nodes whose zone is not known is no zone, and neither are those without the label one that has a name.
func TestNodesOfNoNamedZone(t *testing.T) {
	audit := screentest.IncidentPath("partial") + "/audit.log.zst"
	for after, want := range map[time.Duration]string{
		60 * time.Second:         " ▆ 11 of 24 nodes of unknown zone are late",
		74200 * time.Millisecond: " ✕ 11 of 24 nodes of unknown zone silent since 05:06:20Z",
	} {
		if got := said(screentest.Recorded(t, audit, after), 80); !strings.HasPrefix(got, want) {
			t.Errorf("+%v: %s, want %q", after, got, want)
		}
	}
	one := `{"kind":"List","apiVersion":"v1","items":[` + dumped("a", "True", "zone-a") + "," + dumped("b", "Unknown", "") + "]}"
	if got := said(recordedText(t, one), 80); !strings.HasPrefix(got, " ✕ b without a zone silent") {
		t.Errorf("without a label: %s", got)
	}
}

// A dump shows no queue, and who has no taint yet comes to it all the same: that is not denied, neither where no pods are to be had.
func TestWhoIsNotTaintedYetInADump(t *testing.T) {
	dump := `{"kind":"List","apiVersion":"v1","items":[` + dumped("a", "True", "zone-a") + "," + dumped("b", "Unknown", "zone-b") + "]}"
	if got := said(recordedText(t, dump), 80); !strings.Contains(got, "next: 1 node gets a NoExecute taint in ") {
		t.Error(got)
	}
}

// dumped is a Node as kubectl get prints it.
func dumped(name, ready, zone string) string {
	label := ""
	if zone != "" {
		label = `"topology.kubernetes.io/zone":"` + zone + `"`
	}
	return `{"apiVersion":"v1","kind":"Node","metadata":{"name":"` + name + `","uid":"u-` + name + `","resourceVersion":"` + strconv.Itoa(int(name[0])) + `","creationTimestamp":"2026-03-14T11:00:00Z","labels":{` + label + `}},"spec":{},
"status":{"conditions":[{"type":"Ready","status":"` + ready + `","reason":"NodeStatusUnknown","lastHeartbeatTime":"2026-03-14T12:00:00Z","lastTransitionTime":"2026-03-14T12:01:00Z"}]}}`
}

// recordedText is a file of that text, opened.
func recordedText(t *testing.T, text string) *screen.Snapshot {
	path := filepath.Join(t.TempDir(), "nodes.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return screentest.Recorded(t, path, 0)
}

// An audit log of a level at which no object is in it shows heartbeats alone: whoever opens it calm is told where they stop,
// and that a node is declared is not promised for ever, for nobody would see it.
func TestHeartbeatsAlone(t *testing.T) {
	calm := *screentest.Recorded(t, screentest.IncidentPath("partial")+"/audit.log.zst", 20*time.Second)
	calm.Timeline = &screen.Timeline{Anomalies: review.Anomalies{List: []review.Anomaly{{At: calm.At.Add(time.Minute), Kind: review.LateBeat, Node: "n1"}}}}
	judged, result := *calm.Judged, *calm.Judged.Result
	result.Decisions, judged.Result, calm.Judged = nil, &result, &judged
	if got := said(&calm, 80); !strings.Contains(got, "n1 is late: n goes there") {
		t.Error(got)
	}
}

// Where nothing was received, the headline says that first.
func TestInAGap(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	s.Blind = true
	if got := said(&s, 120); !strings.HasPrefix(got, " ┄ nothing was received at this time") {
		t.Errorf("in a gap: %s", got)
	}
}

// Live, while nothing arrives from the API server, that comes first, and what comes next is as of the last
// sign of life: nothing is denied.
func TestWhileEverythingIsSilent(t *testing.T) {
	for after, want := range map[time.Duration]string{
		20 * time.Second:  " ┄ everything silent since 23:52:17Z: the API server, or the path to it\n   nothing due (as of 23:52:17Z)",
		200 * time.Second: " ┄ everything silent since 23:55:17Z: the API server, or the path to it\n ◌ next: 2 pods of b-009 deleted in 0:07 (as of 23:55:17Z)",
	} {
		s := *screentest.Recorded(t, "demo:zone-outage", after)
		s.Mode, s.Blind, s.Lost, s.AsOf = screen.Live, true, "connection refused", s.At
		s.At, s.Revision = s.At.Add(12*time.Second), s.Revision+1
		if got := said(&s, 80); !strings.HasPrefix(got, want) {
			t.Errorf("+%v:\n%s\nwant:\n%s", after, got, want)
		}
	}
}

// While nobody leads the controllers nothing is said to come by itself, whether anything is overdue already or not.
func TestNothingComesWhileNobodyLeads(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 95*time.Second)
	j := *s.Judged
	state := *j.State
	s.Judged, j.State = &j, &state
	state.Unled = s.At.Add(-20 * time.Second)
	const nobody = "kube-controller-manager has no leader; nothing happens until it has one, then countdowns restart"
	if got := said(&s, 120); !strings.Contains(got, " "+nobody) {
		t.Errorf("it says\n%s", got)
	}
	other := state
	j.State, s.Revision = &other, s.Revision+1
	other.Overdue.Since = s.At.Add(-5 * time.Second)
	if got := said(&s, 120); !strings.Contains(got, " overdue 5s: "+nobody) {
		t.Errorf("overdue it says\n%s", got)
	}
}

// From when the leader of the controllers has given its lease up, what comes is said under that condition, at any width.
func TestPerhapsNobodyLeads(t *testing.T) {
	for after, want := range map[time.Duration][3]string{
		200 * time.Second: {"2 pods of b-009 deleted in 0:07, if kube-controller-manager still has a leader (lease 14s old)", "2 pods of b-009 deleted in 0:07, if there is a leader (lease 14s old)", "possibly no leader (lease 14s old)"},
		5 * time.Second:   {"nothing due; kube-controller-manager may have no leader (lease 14s old)", "nothing due; kube-controller-manager may have no leader (lease 14s old)", "possibly no leader (lease 14s old)"},
	} {
		for i, w := range []int{160, 80, 44} {
			s := *screentest.Recorded(t, "demo:zone-outage", after)
			j := *s.Judged
			state := *j.State
			s.Judged, j.State = &j, &state
			state.Unrenewed, s.Revision = s.At.Add(-14*time.Second), s.Revision+1
			if got := said(&s, w); !strings.Contains(got, " ! "+want[i]) {
				t.Errorf("+%v, %d columns: it says\n%s\nwant %s", after, w, got, want[i])
			}
		}
	}
}

// Just after an outage nodes are not called late for a silence that nobody could have broken.
func TestNotHeardAgainYet(t *testing.T) {
	for ago, want := range map[time.Duration]string{
		2 * time.Second:  " ▆ 28 nodes have not renewed again yet, 2s after nothing was received for 22s",
		20 * time.Second: " ▆ us-east-1b: 10 of 10 nodes are late: silent for up to 20s of the 50s grace",
	} {
		s := *screentest.Recorded(t, "demo:zone-outage", 60*time.Second)
		s.Mode = screen.Live
		ended := s.At.Add(-ago)
		s.Revision++
		s.Unwatched = history.Unwatched{model.KindNodeLease: {{Interval: model.Interval{Earliest: ended.Add(-22 * time.Second), Latest: ended}}}}
		if got := said(&s, 120); !strings.HasPrefix(got, want) {
			t.Errorf("%v after: %s", ago, got)
		}
	}
}

// Every node silent and nobody declared: that may be the record, not the nodes.
func TestAllSilentAndUndeclared(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	s.At = s.At.Add(2 * time.Minute)
	s.Revision++
	if got := said(&s, 160); !strings.Contains(got, "all 28 nodes silent") || !strings.Contains(got, "the recording may simply end here") {
		t.Errorf("all silent: %s", got)
	}
}

func TestAnyHeadline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := screentest.Random(t)
		w := rapid.IntRange(1, 220).Draw(t, "w")
		for _, p := range screentest.Painters() {
			rows := headline.Rows(s, p, w, 2)
			screentest.CheckFrame(t, paint.Fill(rows, len(rows)), p, w, 2)
		}
	})
}

// After an outage of the API server nothing is denied flatly: the controller's cache may be behind.
func TestNothingIsDueOnlyIfTheControllerHasCaughtUp(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	judged, state := *s.Judged, *s.Judged.State
	state.Behind = s.At.Add(40 * time.Second)
	judged.State, s.Judged = &state, &judged
	for w, want := range map[int]string{
		160: "nothing due if the controller's cache is current; until 23:52:57Z it may still taint or delete on stale data",
		80:  "nothing due if the controller's cache is current; until 23:52:57Z it may lag",
		60:  "nothing due if the controller's cache is current",
	} {
		if got := said(&s, w); !strings.Contains(got, want) {
			t.Errorf("in %d cells: %s", w, got)
		}
	}
}

// Who opens an incident is told at once where it begins, though nothing is wrong yet: it is later, and the curtain hides it.
func TestWhereTheIncidentBeginsIsSaid(t *testing.T) {
	s := *screentest.Recorded(t, "demo:node-loss", 2*time.Second)
	for w, want := range map[int]string{
		80: "░ nothing due; later, 23:44:08Z, ip-10-0-2-003 is declared Unknown, in 1:27",
		77: "░ nothing due; later, 23:44:08Z, ip-10-0-2-003 is declared Unknown",
		63: "░ nothing due; later, 23:44:08Z, a node is declared Unknown",
	} {
		if got := said(&s, w); !strings.Contains(got, want) {
			t.Errorf("in %d cells: %s", w, got)
		}
	}
	judged, result := *s.Judged, *s.Judged.Result
	result.Decisions, judged.Result, s.Judged = nil, &result, &judged
	if got := said(&s, 80); !strings.Contains(got, "nothing due: no eviction pending") {
		t.Errorf("where nothing is later: %s", got)
	}
}

// losing is an incident whose due deletions are lost, as many as are said.
func losing(t *testing.T, most int) *screen.Snapshot {
	s := *screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	judged, foreseen := *s.Judged, *s.Judged.Forecast
	foreseen.Evictions = slices.Clone(foreseen.Evictions)
	for i := range foreseen.Evictions {
		if e := &foreseen.Evictions[i]; e.State == forecast.Due && most > 0 {
			e.State, e.Lost, e.Window = forecast.Stuck, true, model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}
			most--
		}
	}
	judged.Forecast, s.Judged = &foreseen, &judged
	s.Revision++
	return &s
}

// What is said of the pods that stay gives way to the room there is one by one: the lost ones last.
func TestALostDeletionIsSaidWhereThereIsRoom(t *testing.T) {
	for w, want := range map[int]string{
		200: "4 pods in all by 23:55:55Z; 4 pods' deletions were lost, and nothing retries them; 12 pods are Terminating: R lists how they end",
		140: "4 pods in all by 23:55:55Z; 4 pods' deletions were lost, and nothing retries them",
		110: "; 4 pods' deletions were lost, and nothing retries them",
	} {
		if got := said(losing(t, 4), w); !strings.HasSuffix(got, want) {
			t.Errorf("in %d cells: %s", w, got)
		}
	}
}

// What fell due while not watched is said: it may be gone.
func TestWhatFellDueUnseenIsSaid(t *testing.T) {
	s := losing(t, 4)
	for i := range s.Judged.Forecast.Evictions {
		if e := &s.Judged.Forecast.Evictions[i]; e.Lost {
			e.State, e.Lost = forecast.Unseen, false
		}
	}
	if got := said(s, 120); !strings.HasSuffix(got, "4 pods in all by 23:55:55Z; 4 pods fell due unseen; 12 pods Terminating") {
		t.Error(got)
	}
}

// A deletion that was lost is said beside those who wait: nothing retries it.
func TestALostDeletionIsSaid(t *testing.T) {
	s := *losing(t, 1000)
	if got := said(&s, 160); !strings.Contains(got, "8 pods' deletions were lost, and nothing retries them; 12 pods are Terminating: R lists how they end") {
		t.Errorf("%s", got)
	}
}

// Whose fault it is stands at the end of the first line, in every width that has room for what is wrong.
func TestVerdict(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 75*time.Second)
	for _, w := range []int{60, 80, 120, 200} {
		if got := said(s, w); !strings.Contains(got, "v: fault domain zone") || !strings.Contains(got, "10 of 10 nodes are late") {
			t.Errorf("in %d cells: %s", w, got)
		}
	}
	if got := said(s, 40); strings.Contains(got, "fault") {
		t.Errorf("no room, and said: %s", got)
	}
	if got := said(screentest.Recorded(t, "demo:zone-outage", 5*time.Second), 160); strings.Contains(got, "fault") {
		t.Errorf("calm, and a fault: %s", got)
	}
}

// Countdowns run as long as a node is tainted, whether it beats again or not: nothing is denied flatly while
// they do, and when a controller that does not act goes on, those that have ended go at once.
func TestCountdownsRunUntilTheTaintIsOff(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 200*time.Second)
	judged, foreseen, state := *s.Judged, *s.Judged.Forecast, *s.Judged.State
	foreseen.Evictions = slices.DeleteFunc(slices.Clone(foreseen.Evictions), func(e forecast.Eviction) bool {
		return e.State == forecast.Due || e.State == forecast.WaitingForTaint
	})
	judged.Forecast, judged.State, s.Judged = &foreseen, &state, &judged
	s.Revision++
	if got := said(&s, 160); !strings.Contains(got, "nothing due if the controller removes the taints before 23:55:23Z; until then 8 pods' countdowns keep running") {
		t.Errorf("%s", got)
	}
	state.Overdue = infer.Overdue{Since: s.At.Add(-40 * time.Second), Held: s.At.Add(-45 * time.Second)}
	s.At, s.Revision = s.At.Add(15*time.Second), s.Revision+1
	if got := said(&s, 160); !strings.Contains(got, "the controller does not act; when it does, 2 pods may be deleted at once") {
		t.Errorf("%s", got)
	}
}

// Between which rules it is undecided is said where there is room.
func TestUndecidedBetween(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 95*time.Second)
	judged := *s.Judged
	judged.Verdicts = []verdict.Verdict{{Rule: verdict.ControlPlane, Or: []verdict.Rule{verdict.AllDark}}}
	s.Judged = &judged
	for width, want := range map[int]string{120: " v: fault domain control plane or all nodes", 100: "  v: fault undecided"} {
		if got, _, _ := strings.Cut(said(&s, width), "\n"); !strings.HasSuffix(got, want) {
			t.Errorf("%d wide: %q, want %q", width, got, want)
		}
	}
}

// The fault that stands beside silent nodes is theirs, and not that of others of which a more urgent verdict speaks.
func TestTheFaultOfWhomTheLineNames(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 95*time.Second)
	judged := *s.Judged
	judged.Verdicts = []verdict.Verdict{{Rule: verdict.Kubelet, Nodes: []string{"a-001"}}, {Rule: verdict.SingleNode, Nodes: []string{"b-001"}}}
	s.Judged = &judged
	if got, _, _ := strings.Cut(said(&s, 140), "\n"); !strings.HasSuffix(got, "v: fault domain node, 1 more") {
		t.Errorf("%q", got)
	}
	judged.Verdicts[1].Nodes = []string{"a-002"} // of none that the line names
	s.Revision++
	if got, _, _ := strings.Cut(said(&s, 140), "\n"); !strings.HasSuffix(got, "v: fault domain kubelet, 1 more") {
		t.Errorf("%q", got)
	}
}

// Where heartbeats come too slowly from nearly everywhere that is said, and not which nodes are silent: in a minute it is others.
func TestHeartbeatsComeTooSlowly(t *testing.T) {
	for after, want := range map[time.Duration]map[int]string{
		95 * time.Second: {
			160: " ✕ heartbeats come too slowly, one in 1m30s from a node: 10 of 28 nodes late, 10 of them past their grace",
			80:  " ✕ heartbeats come too slowly: 10 of 28 nodes late",
		},
		60 * time.Second: {120: " ▆ heartbeats come too slowly, one in 1m30s from a node: 10 of 28 nodes late, in turns"},
		20 * time.Second: {120: " ✓ all 28 nodes renew"},
	} {
		s := *screentest.Recorded(t, "demo:zone-outage", after)
		judged := *s.Judged
		judged.Verdicts = []verdict.Verdict{{Rule: verdict.ControlPlane, Every: 90 * time.Second}}
		s.Judged = &judged
		for width, want := range want {
			if got, _, _ := strings.Cut(said(&s, width), "\n"); !strings.HasPrefix(got, want) {
				t.Errorf("+%v, %d wide: %q, want %q", after, width, got, want)
			}
		}
	}
}
