package open

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// toldOf are the problems and notes of the opened input.
func toldOf(o *Opened) string {
	var all []string
	for _, s := range o.History.Sources() {
		for _, p := range s.Problems {
			all = append(all, p.What)
		}
	}
	return strings.Join(all, "\n")
}

// TestALogInLocalTime: a log whose clock shows local time overlaps no other evidence. That is reported with the offset
// that fits; with it the log is of its time.
func TestALogInLocalTime(t *testing.T) {
	const folder = "testdata/local-time"
	log, err := os.ReadFile(folder + "/kubelet-alpha-2.log")
	if err != nil {
		t.Fatal(err)
	}
	audit, err := filepath.Abs(folder + "/audit.log")
	if err != nil {
		t.Fatal(err)
	}
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		seoul = time.FixedZone("", 9*3600)
	}
	want := model.At(time.Date(2026, 1, 5, 10, 0, 43, 310_000_000, time.UTC))
	for what, c := range map[string]struct {
		text string
		zone *time.Location
		at   model.Instant
		said string // "": nothing of its time
	}{
		"Seoul":         {string(log), nil, want.Add(9 * time.Hour), "give --log-time-zone +09:00"},
		"as given":      {string(log), time.FixedZone("", 9*3600), want, ""},
		"by name":       {string(log), seoul, want, ""},
		"New York":      {strings.ReplaceAll(string(log), "05 19:0", "05 05:0"), nil, want.Add(-5 * time.Hour), "give --log-time-zone -05:00"},
		"Kathmandu":     {strings.NewReplacer("19:00:43", "15:45:43", "19:01:03", "15:46:03").Replace(string(log)), nil, want.Add(5*time.Hour + 45*time.Minute), "give --log-time-zone +05:45"},
		"UTC":           {strings.ReplaceAll(string(log), "05 19:0", "05 10:0"), nil, want, ""},
		"of next week":  {strings.NewReplacer("Jan 05", "Jan 12", "E0105", "E0112").Replace(string(log)), nil, want.Add(7*24*time.Hour + 9*time.Hour), "it overlaps nothing of the other input"},
		"the wrong one": {string(log), time.FixedZone("", 8*3600), want.Add(time.Hour), "it overlaps nothing of the other input"},
	} {
		path := filepath.Join(t.TempDir(), "kubelet.log")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := Open(context.Background(), []string{audit, path}, Options{LogZone: c.zone})
		if err != nil {
			t.Fatal(err)
		}
		said, told := o.History.Statements(), toldOf(o)
		if len(said) != 1 || said[0].What != history.SaidLeaseFailed || said[0].At != c.at {
			t.Errorf("%s: %+v, want it at %s", what, said, c.at)
		}
		if c.said == "" && strings.Contains(told, "overlaps") || !strings.Contains(told, c.said) || strings.Contains(told, "--log-time-zone") != strings.Contains(c.said, "--log-time-zone") {
			t.Errorf("%s: it says %q, want %q", what, told, c.said)
		}
		o.Close()
	}
}

// TestALogThatIsHoursOff overlaps the other input, and shows the same events hours later. That is reported with the
// offset that fits. If anything is of the same time, nothing is off.
func TestALogThatIsHoursOff(t *testing.T) {
	day := func(clock string) string {
		return "I0105 00:00:01.000000       1 node_lifecycle_controller.go:1209] Controller detected that all Nodes are not-Ready. Entering master disruption mode.\n" +
			"I0105 " + clock + ".400000       1 event.go:307] \"Event occurred\" object=\"n1\" kind=\"Node\" type=\"Normal\" reason=\"NodeNotReady\" message=\"Node n1 status is now: NodeNotReady\"\n" +
			"I0105 23:59:59.000000       1 node_lifecycle_controller.go:1236] Controller detected that some Nodes are Ready. Exiting master disruption mode.\n"
	}
	nodes := []byte(`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"u","resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z"},
		"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown","lastHeartbeatTime":"2026-01-05T09:54:00Z","lastTransitionTime":"2026-01-05T09:55:30Z"}]}}]}`)
	for clock, want := range map[string]string{"18:55:30": "give --log-time-zone +09:00", "04:55:30": "give --log-time-zone -05:00", "15:25:31": "give --log-time-zone +05:30", "09:55:31": "", "18:42:11": ""} {
		o, err := openFiles(t.Context(), []input.File{inputtest.File("kcm.log", []byte(day(clock))), inputtest.File("nodes.json", nodes)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		told := toldOf(o)
		if strings.Contains(told, "--log-time-zone") != (want != "") || !strings.Contains(told, want) {
			t.Errorf("%s: it says %q, want %q", clock, told, want)
		}
		for _, s := range o.History.Statements() {
			if !s.ZoneAssumed {
				t.Errorf("%s: %+v is taken for certain", clock, s)
			}
		}
		o.Close()
	}
}

// TestTwoTimesOnALine that differ by whole hours are of two time zones; which of them is UTC is not known. Where the first
// names its zone it is.
func TestTwoTimesOnALine(t *testing.T) {
	const klog = `I0105 19:00:43.310000       1 event.go:307] "Event occurred" object="n1" kind="Node" type="Normal" reason="NodeNotReady" message="Node n1 status is now: NodeNotReady"`
	for before, want := range map[string]string{
		"Jan 05 10:00:43 alpha-2 kube-controller-manager[900]: ":          "the first is 9h earlier; if the first is UTC, give --log-time-zone +09:00",
		"Jan  6 00:30:43 alpha-2 kube-controller-manager[900]: ":          "the first is 5h30m later; if the first is UTC, give --log-time-zone -05:30",
		"Jan 05 19:00:43 alpha-2 kube-controller-manager[900]: ":          "",
		"2026-01-05T10:00:43+0000 alpha-2 kube-controller-manager[900]: ": "",
		"2026-01-05T10:00:43.411000000Z stderr F ":                        "",
		"2026-01-05T19:00:43.411000000+09:00 stderr F ":                   "",
	} {
		o, err := openFiles(t.Context(), []input.File{inputtest.File("kubelet.log", []byte(before+klog+"\n"))}, Options{Year: 2026})
		if err != nil {
			t.Fatal(err)
		}
		if told := toldOf(o); strings.Contains(told, "two times") != (want != "") || !strings.Contains(told, want) {
			t.Errorf("%q: it says %q, want %q", before, told, want)
		}
		s := o.History.Statements()
		named := strings.HasPrefix(before, "2026")
		if at := model.At(time.Date(2026, 1, 5, 10, 0, 43, 310_000_000, time.UTC)); len(s) != 1 || s[0].ZoneAssumed == named || named && s[0].At != at {
			t.Errorf("%q: %+v", before, s)
		}
		o.Close()
	}
}

// TestALogThatIsNotUnderstood is refused for how many of its lines are unknown, and never for their contents.
func TestALogThatIsNotUnderstood(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kcm.log")
	const text = "I0311 09:20:10.100000       1 node_lifecycle_controller.go:1] In words of a later release: b\n" +
		"I0311 09:20:11.100000       1 garbagecollector.go:2] \"Processing item\"\n" +
		"I0311 09:20:12.100000       1 event.go:307] \"Event occurred\" object=\"b\" kind=\"Node\" reason=\"RegisteredNode\" message=\"Node b event: Registered Node b in Controller\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(context.Background(), []string{path}, Options{Year: 2021})
	if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "2 lines were not understood, the first at line 1: I0311") || !strings.Contains(err.Error(), "1 line was understood") {
		t.Error(err)
	}
}

// eventsOf are the Events that the controllers recorded besides the lines of their log, as it holds them at its default
// verbosity.
func eventsOf(log []byte) []byte {
	const event = "%s event.go:307] \"Event occurred\" object=%q fieldPath=\"\" kind=%q apiVersion=\"v1\" type=\"Normal\" reason=%q message=%q\n"
	lost := regexp.MustCompile(`^(I\d+ \S+ +\d+) .*"Node hasn't been updated" node="([^"]+)".* nodeConditionType="Ready" .*,Status:True,`)
	deleting := regexp.MustCompile(`^(I\d+ \S+ +\d+) .*"Deleting pod".* pod="([^"]+)"`)
	var out bytes.Buffer
	for text := range strings.Lines(string(log)) {
		if m := lost.FindStringSubmatch(text); m != nil {
			fmt.Fprintf(&out, event, m[1], m[2], "Node", "NodeNotReady", "Node "+m[2]+" status is now: NodeNotReady")
		} else if m := deleting.FindStringSubmatch(text); m != nil {
			fmt.Fprintf(&out, event, m[1], m[2], "Pod", "TaintManagerEviction", "Marking for deletion Pod "+m[2])
		}
	}
	return out.Bytes()
}

// TestEventsInTheLogConfirmTheModels: an extract of only the Events in a log is confirmed, and nothing is missed in it;
// with the other lines it adds nothing to them.
func TestEventsInTheLogConfirmTheModels(t *testing.T) {
	for name, statements := range map[string][2]int{"node-loss": {7, 10}, "zone-outage": {30, 62}, "all-dark": {29, 78}} {
		log := controllerLog(t, name)
		var both bytes.Buffer
		for text := range strings.Lines(string(log)) {
			both.WriteString(text)
			both.Write(eventsOf([]byte(text)))
		}
		for i, document := range [][]byte{eventsOf(log), both.Bytes()} {
			_, r := heard(t, besides(t, name, document))
			if r.Statements != statements[i] || len(r.Confirmed) != statements[i] || len(r.Contradicted) > 0 || r.NotCompared > 0 {
				t.Errorf("%s: %d of %d confirmed, want %d; %d not compared: %+v", name, len(r.Confirmed), r.Statements, statements[i], r.NotCompared, r.Contradicted)
			}
		}
	}
}
