package open

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/testimony"
	"kardia/sources/read/input/inputtest"
	"kardia/sources/recording"
)

// controllerLog is the real log of the controller manager during an incident.
func controllerLog(t testing.TB, name string) []byte {
	t.Helper()
	return inputtest.ReadAll(t, "../read/klog/testdata/"+name+".log.zst")
}

// besides opens an incident together with a log.
func besides(t testing.TB, name string, log []byte) *Opened {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kcm.log")
	if err := os.WriteFile(path, log, 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := Open(context.Background(), []string{"demo:" + name, path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	return o
}

func heard(t testing.TB, o *Opened) (*infer.Result, *testimony.Report) {
	t.Helper()
	res, err := infer.Run(o.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	if err != nil || res.Testimony == nil {
		t.Fatal(err, res)
	}
	return res, res.Testimony
}

// TestTheControllersOwnWordsConfirmTheModels: whatever the real controllers said that they decided during the three
// incidents, the models say too, within the windows they give, and nothing else that would have been said.
func TestTheControllersOwnWordsConfirmTheModels(t *testing.T) {
	for name, statements := range map[string]int{"node-loss": 10, "zone-outage": 62, "all-dark": 78} {
		_, r := heard(t, besides(t, name, controllerLog(t, name)))
		if r.Statements != statements || len(r.Confirmed) != statements || len(r.Contradicted) > 0 || r.NotCompared > 0 || r.Shifted != 0 {
			t.Errorf("%s: %d of %d confirmed, %d not compared, shifted %v: %+v", name, len(r.Confirmed), r.Statements, r.NotCompared, r.Shifted, r.Contradicted)
		}
		if o := r.Clock.Ahead.Value; !r.Clock.Ahead.Known || o.Least > 0 || o.Least < -10*time.Millisecond || o.Most < 0 || o.Most > 50*time.Millisecond {
			t.Errorf("%s: clocks of one machine: %v", name, r.Clock)
		}
	}
}

// TestAForgedLogIsContradicted: events in the log that did not happen, events that it lacks, and events that it dates
// to another time.
func TestAForgedLogIsContradicted(t *testing.T) {
	log := controllerLog(t, "zone-outage")
	deletion := regexp.MustCompile(`(?m)^I1120 23:54:33\..*Deleting pod.*"default/app-b-003-1".*\n`)
	if len(deletion.FindAll(log, -1)) != 1 {
		t.Fatal("the log is another one")
	}
	for what, c := range map[string]struct {
		log  []byte
		want string
	}{
		"a deletion is not told of": {deletion.ReplaceAll(log, nil), "EvictPod default/app-b-003-1: only-models"},
		"it is told of another pod": {bytes.ReplaceAll(log, []byte(`pod="default/app-b-003-1"`), []byte(`pod="default/nobody"`)), "EvictPod default/nobody: only-log"},
		"ten seconds earlier": {deletion.ReplaceAllFunc(log, func(l []byte) []byte { return bytes.Replace(l, []byte("23:54:33."), []byte("23:54:23."), 1) }),
			"EvictPod default/app-b-003-1: time"},
		"another state": {bytes.Replace(log, []byte(`newState="FullDisruption"`), []byte(`newState="PartialDisruption"`), 1),
			"ZoneState us-east-1/us-east-1b: state"},
	} {
		_, r := heard(t, besides(t, "zone-outage", c.log))
		found := false
		for _, x := range r.Contradicted {
			found = found || strings.HasPrefix(x.Kind.String()+" "+x.Subject+": "+string(x.What), c.want)
		}
		if !found || len(r.Contradicted) > 4 {
			t.Errorf("%s: %+v", what, r.Contradicted)
		}
	}
}

// TestAClockThatIsOffIsSaid: a log of a machine whose clock is 37 s behind is compared with that subtracted, and the
// offset is reported.
func TestAClockThatIsOffIsSaid(t *testing.T) {
	header := regexp.MustCompile(`(?m)^I1120 (\d\d:\d\d:\d\d)`)
	log := header.ReplaceAllFunc(controllerLog(t, "zone-outage"), func(head []byte) []byte {
		at, _ := time.Parse("15:04:05", string(head[6:]))
		return []byte("I1120 " + at.Add(-37*time.Second).Format("15:04:05"))
	})
	_, r := heard(t, besides(t, "zone-outage", log))
	if off := -r.Shifted; off < 36900*time.Millisecond || off > 37100*time.Millisecond || len(r.Confirmed) != 62 || len(r.Contradicted) > 0 {
		t.Errorf("shifted %v, %d confirmed, %+v", r.Shifted, len(r.Confirmed), r.Contradicted)
	}
}

// TestALogWithoutItsBeginning: a log that was rotated away has neither flags nor the start of its process, and begins
// in the middle of an incident and of a line. The rest of it is confirmed, nothing earlier is missed in it, and alone
// it is a timeline of the rest.
func TestALogWithoutItsBeginning(t *testing.T) {
	for name, cuts := range map[string][]int{"node-loss": {5, 20, 50, 95}, "zone-outage": {3, 30, 60}} {
		log := controllerLog(t, name)
		whole := 0
		for _, percent := range cuts {
			left := log[len(log)*percent/100:]
			if left[0] == 'I' && left[5] == ' ' {
				t.Fatal("the cut is between two lines")
			}
			_, r := heard(t, besides(t, name, left))
			if r.Statements == 0 || len(r.Confirmed) != r.Statements || len(r.Contradicted) > 0 || r.NotCompared > 0 {
				t.Errorf("%s without %d %%: %d of %d confirmed, %d not compared: %+v", name, percent, len(r.Confirmed), r.Statements, r.NotCompared, r.Contradicted)
			}
			if whole > 0 && r.Statements > whole {
				t.Errorf("%s without %d %% says %d things, and %d with more of it", name, percent, r.Statements, whole)
			}
			whole = r.Statements
			alone, a := heard(t, opening(t, logFile(t, left)))
			if len(alone.Decisions) != r.Statements || a.NotCompared != r.Statements {
				t.Errorf("%s without %d %%, alone: %d decisions, want %d", name, percent, len(alone.Decisions), r.Statements)
			}
		}
	}
}

// logFile is a log on the disk.
func logFile(t *testing.T, log []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kcm.log")
	if err := os.WriteFile(path, log, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestALogAloneIsATimeline: of a log alone the decisions are what it says, observed, and no model says anything.
func TestALogAloneIsATimeline(t *testing.T) {
	o, err := Open(context.Background(), []string{"../read/klog/testdata/zone-outage.log.zst"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	res, r := heard(t, o)
	if len(res.Decisions) != 62 || r.NotCompared != 62 || len(r.Contradicted) > 0 {
		t.Errorf("%d decisions, %+v", len(res.Decisions), r)
	}
	for _, d := range res.Decisions {
		if d.Basis != model.Observed || d.Window.Width() != 0 || d.Observed == nil {
			t.Fatalf("%+v", d)
		}
	}
	if s := o.History.Sources()[0]; s.Format != "klog" || s.Spoken != o.History.Coverage() || s.Coverage.Known() || s.Statements == 0 {
		t.Errorf("%+v", s)
	}
}

// TestARecordingKeepsWhatWasSaid: a recording of an incident and a log says the same as the two.
func TestARecordingKeepsWhatWasSaid(t *testing.T) {
	for _, paths := range [][]string{{"demo:all-dark", "../read/klog/testdata/all-dark.log.zst"}, {"../read/klog/testdata/all-dark.log.zst"}} {
		o, err := Open(context.Background(), paths, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		path := filepath.Join(t.TempDir(), "both.mcap")
		w, err := recording.CreateFile(path, recording.Meta{Sources: o.History.Sources()}, recording.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Copy(o.History); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := Open(context.Background(), []string{path}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if got, want := again.History.Statements(), o.History.Statements(); !reflect.DeepEqual(got, want) || len(want) == 0 {
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("statement %d of %d, %d:\n got %+v\nwant %+v", i, len(want), len(got), got[min(i, len(got)-1)], want[i])
				}
			}
		}
		if a, b := testimonyOf(t, o), testimonyOf(t, again); a != b {
			t.Errorf("%v: %v in the recording, want %v", paths, b, a)
		}
	}
}

func testimonyOf(t *testing.T, o *Opened) [3]int {
	_, r := heard(t, o)
	return [3]int{len(r.Confirmed), len(r.Contradicted), r.NotCompared}
}

// TestALogSharpensWhatEventsTell: from a capture with Events and a log, each deletion is listed once, at the log's
// time; a capture stays a capture.
func TestALogSharpensWhatEventsTell(t *testing.T) {
	dir := t.TempDir()
	nodes, pods, events := objects(t, "zone-outage", "nodes"), objects(t, "zone-outage", "pods"), objects(t, "zone-outage", "events")
	for name, list := range map[string][]map[string]any{"nodes.json": nodes, "pods.json": pods, "events.json": events} {
		data, err := json.Marshal(listOf("List", list))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "kcm.log"), controllerLog(t, "zone-outage"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := opening(t, dir)
	res, r := heard(t, o)
	if res.Instants == nil || r.NotCompared != 62 {
		t.Errorf("instants %v, %+v", res.Instants, r)
	}
	deleted := map[model.Key]int{}
	for _, d := range res.Decisions {
		if d.Kind == model.EvictPod {
			deleted[d.Pod]++
			if d.Basis != model.Observed || d.Window.Width() != 0 {
				t.Errorf("%+v", d)
			}
		}
	}
	if len(deleted) != 20 {
		t.Errorf("%d pods deleted", len(deleted))
	}
	for pod, n := range deleted {
		if n != 1 {
			t.Errorf("%s is deleted %d times", pod, n)
		}
	}
}

// TestTheControllersCountOfALogAlone: for how long the controller had counted a node as silent, its log alone shows.
func TestTheControllersCountOfALogAlone(t *testing.T) {
	res, _ := heard(t, opening(t, "../read/klog/testdata/zone-outage.log.zst"))
	declared := 0
	for i := range res.Decisions {
		d := &res.Decisions[i]
		if d.Kind != model.MarkUnknown {
			continue
		}
		declared++
		if len(d.Checks) != 1 || d.Checks[0].Left.Int < 50e9 || d.Checks[0].Left.Int > 55.1e9 {
			t.Errorf("%s is declared by %v", d.Node, d.Checks)
		}
	}
	if declared != 10 {
		t.Errorf("%d nodes are declared", declared)
	}
}

// replicas are the logs of two controller managers: the first leads until it loses the lease, the second waits for it,
// and leads from then on.
func replicas(t *testing.T, name, handover string) (first, second []byte) {
	t.Helper()
	log := controllerLog(t, name)
	head := func(at, file, text string) []byte {
		return []byte("I1120 " + at + "       1 " + file + "] " + text + "\n")
	}
	flag := head("23:50:00.000001", "flags.go:64", `FLAG: --node-monitor-period="5s"`)
	at := bytes.Index(log, []byte("I1120 "+handover[:7]))
	if at < 0 {
		t.Fatal("no notices at " + handover)
	}
	first = bytes.Join([][]byte{flag, head("23:50:01.000001", "leaderelection.go:258", `"Successfully acquired lease" lock="kube-system/kube-controller-manager"`), log[:at],
		head(handover+".000001", "controllermanager.go:333", `"leaderelection lost"`)}, nil)
	second = bytes.Join([][]byte{flag, head("23:50:01.000001", "leaderelection.go:254", `"Attempting to acquire leader lease..." lock="kube-system/kube-controller-manager"`),
		head(handover+".000002", "leaderelection.go:258", `"Successfully acquired lease" lock="kube-system/kube-controller-manager"`), log[at:]}, nil)
	return first, second
}

// TestLogsOfTwoReplicas: one of two controller managers leads. What it does is no contradiction to the log of the other,
// which says nothing of it: alone, beside it, or where the lead passes from one to the other.
func TestLogsOfTwoReplicas(t *testing.T) {
	const handover = "23:55:00" // behind the last declaration
	first, second := replicas(t, "zone-outage", handover)
	waits := second[:bytes.Index(second, []byte("Successfully"))]
	waits = waits[:bytes.LastIndexByte(waits, '\n')+1]
	for what, c := range map[string]struct {
		logs [][]byte
		want [3]int
	}{
		"the one that waits":       {[][]byte{waits}, [3]int{}},
		"the leader and the other": {[][]byte{controllerLog(t, "zone-outage"), waits}, [3]int{62, 0, 0}},
		"one after the other":      {[][]byte{first, second}, [3]int{62, 0, 0}},
		"the first alone":          {[][]byte{first}, [3]int{}},
		"the second alone":         {[][]byte{second}, [3]int{}},
	} {
		paths := []string{"demo:zone-outage"}
		for i, log := range c.logs {
			path := filepath.Join(t.TempDir(), "kcm-"+string(rune('a'+i))+".log")
			if err := os.WriteFile(path, log, 0o600); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		res, err := infer.Run(opening(t, paths...).History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
		if err != nil {
			t.Fatal(err)
		}
		got := [3]int{}
		if r := res.Testimony; r != nil {
			got = [3]int{len(r.Confirmed), len(r.Contradicted), r.NotCompared}
		}
		if got[1] > 0 || c.want != [3]int{} && got != c.want {
			t.Errorf("%s: confirmed, contradicted, not compared: %v, want %v: %+v", what, got, c.want, res.Testimony.Contradicted)
		}
	}
}

// TestAKubeletsJournal: a kubelet's statements are beside the controllers' decisions, and contradict nothing; alone
// they are a timeline without decisions.
func TestAKubeletsJournal(t *testing.T) {
	const text = `Nov 20 23:52:40 b-002 kubelet[1203]: E1120 23:52:40.000001    1203 controller.go:251] "Failed to update lease" err="Put \"https://10.0.0.1:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/b-002?timeout=10s\": context deadline exceeded"
Nov 20 23:52:50 b-002 kubelet[1203]: E1120 23:52:50.000001    1203 kubelet_node_status.go:479] "Error updating node status, will retry" err="error getting node \"b-002\": timeout"
Nov 20 23:57:50 b-002 kubelet[1203]: E1120 23:57:50.000001    1203 kubelet.go:2646] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m4s ago; threshold is 3m0s"
`
	path := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, r := heard(t, opening(t, "demo:zone-outage", path))
	if r.Statements != 0 || len(r.Contradicted) > 0 {
		t.Errorf("beside: %d compared, %+v", r.Statements, r.Contradicted)
	}
	o, err := Open(t.Context(), []string{path}, Options{Year: 2026})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	res, r := heard(t, o)
	if len(res.Decisions) > 0 || len(r.Contradicted) > 0 || len(o.History.Statements()) != 3 {
		t.Errorf("alone: %d decisions, %d statements, %+v", len(res.Decisions), len(o.History.Statements()), r.Contradicted)
	}
	for _, s := range o.History.Statements() {
		if s.Node != "b-002" || s.By != "kubelet" {
			t.Errorf("%+v", s)
		}
	}
}
