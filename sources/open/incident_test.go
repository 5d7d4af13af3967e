package open

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/sources/demo"
	"kardia/sources/read/input"
)

func auditLog(path string) bool { return strings.HasSuffix(path, "audit.log") }
func everything(string) bool    { return true }

// stateAt is the state some time after the start of coverage.
func stateAt(t *testing.T, o *Opened, after time.Duration) (*model.Cluster, model.Instant) {
	t.Helper()
	at := o.History.Coverage().Earliest.Add(after)
	cursor := history.NewCursor(o.History)
	if err := cursor.Seek(at); err != nil {
		t.Fatal(err)
	}
	return cursor.State(), at
}

// TestTheZoneOutageFromAnyEvidence: 200 s into zone-outage the ten nodes of us-east-1b are Unknown and about 160 s
// silent, by watch files, the audit log, or both. The audit log alone shows no object of the other eighteen: it shows
// only that they renew.
func TestTheZoneOutageFromAnyEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		files  func(string) bool
		others model.Health
		from   model.AgeFrom
	}{
		"watch files": {watchFiles, model.HealthReady, model.AgeRenewTime},
		"audit log":   {auditLog, model.HealthUnseen, model.AgeHeard},
		"both":        {everything, model.HealthReady, model.AgeHeard},
	} {
		t.Run(name, func(t *testing.T) {
			o := incident(t, "zone-outage", c.files)
			if o.Partial {
				t.Errorf("partial: %v", o.History.Sources())
			}
			if name == "both" && o.ServerVersion != "v1.36.3" {
				t.Errorf("server version %q", o.ServerVersion)
			}
			state, at := stateAt(t, o, 200*time.Second)
			silent, fresh := 0, 0
			state.Nodes(func(r *model.NodeRow) bool {
				age := r.Ages(at)
				if strings.HasPrefix(r.Name, "b-") {
					silent++
					if r.Health() != model.HealthUnknown || age.Age.Value < 155*time.Second || age.Age.Value > 170*time.Second || age.From != c.from {
						t.Errorf("%s: %s, age %s from %s", r.Name, r.Health(), age.Age.Value, age.From)
					}
					if w := r.ReadySet; !w.Bounded() || w.Width() > 2100*time.Millisecond {
						t.Errorf("%s: declared between %s and %s", r.Name, w.Earliest, w.Latest)
					}
					return true
				}
				fresh++
				if r.Health() != c.others || !age.Age.Known || age.Age.Value < 0 || age.Age.Value > 12*time.Second || age.From != c.from {
					t.Errorf("%s: %s, age %v from %s", r.Name, r.Health(), age.Age, age.From)
				}
				return true
			})
			if silent != 10 || fresh != 18 {
				t.Errorf("%d silent and %d others", silent, fresh)
			}
		})
	}
}

// TestControllerWritesAreTold counts the writes of each controller by their Writer, and compares with the independent
// count of the audit logs.
func TestControllerWritesAreTold(t *testing.T) {
	for incidentName, want := range map[string]string{
		"node-loss":   "unknown 1, pods not ready 8, evicted 6",
		"zone-outage": "unknown 10, pods not ready 25, evicted 20",
		"all-dark":    "unknown 11, pods not ready 22, evicted 16",
	} {
		o := incident(t, incidentName, everything)
		declared, notReady, evicted := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, ch := range changesOf(t, o.History) {
			switch {
			case ch.Op == model.OpAttempt || ch.Op == model.OpRepeat:
			case ch.Writer == model.WriterNodeLifecycle && ch.Node != nil && ch.Node.Ready() != nil && ch.Node.Ready().Status == model.StatusUnknown:
				declared[ch.Key.String()] = true
			case ch.Writer == model.WriterNodeLifecycle && ch.Pod != nil && ch.Pod.Ready == model.StatusFalse:
				notReady[ch.Key.String()] = true
			case ch.Writer == model.WriterTaintEviction && ch.Pod != nil && ch.Pod.Deletion.Known():
				evicted[ch.Key.String()] = true
			}
		}
		if got := fmt.Sprintf("unknown %d, pods not ready %d, evicted %d", len(declared), len(notReady), len(evicted)); got != want {
			t.Errorf("%s: %s, want %s", incidentName, got, want)
		}
	}
}

// TestADemoBeginsBeforeTheFirstDeclaration: 20 s before the first node is declared Unknown.
func TestADemoBeginsBeforeTheFirstDeclaration(t *testing.T) {
	o, err := Open(t.Context(), []string{"demo:zone-outage"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	cursor := history.NewCursor(o.History)
	unknown := func(at model.Instant) (n int) {
		if err := cursor.Seek(at); err != nil {
			t.Fatal(err)
		}
		for _, z := range cursor.State().Zones(at) {
			n += z.Unknown
		}
		return n
	}
	if before, after := unknown(o.Start.Add(19*time.Second)), unknown(o.Start.Add(21*time.Second)); before != 0 || after == 0 {
		t.Errorf("%d nodes Unknown 19 s after the start, %d after 21 s", before, after)
	}
}

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(b.Context(), []string{"demo:zone-outage"}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestAStreamedLogSaysTheSame: a log that is too large for memory is dated a batch at a time and
// lies on disk, and says what it says when read whole.
func TestAStreamedLogSaysTheSame(t *testing.T) {
	for _, name := range []string{"zone-outage", "node-loss", "all-dark"} {
		whole := incident(t, name, auditLog)
		files, err := demo.Files(name)
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(f input.File) bool { return !auditLog(f.Path) })
		streamed, err := openFiles(t.Context(), files, Options{StreamFrom: 1, batch: 150})
		if err != nil {
			t.Fatal(err)
		}
		defer streamed.Close()
		if len(streamed.merged) == 0 {
			t.Fatal("not streamed: the test tests nothing")
		}
		for _, c := range []struct {
			from     int64
			streamed bool
		}{{9 * files[0].Size, true}, {11 * files[0].Size, false}} { // the log is compressed
			if o, err := openFiles(t.Context(), files, Options{StreamFrom: c.from}); err != nil || (len(o.merged) > 0) != c.streamed {
				t.Errorf("%s, from %d bytes on: streamed %v, %v", name, c.from, len(o.merged) > 0, err)
			}
		}
		if err := historytest.Promises(streamed.History); err != nil {
			t.Fatal(err)
		}
		want, got := changesOf(t, whole.History), changesOf(t, streamed.History)
		if len(want) != len(got) {
			t.Fatalf("%s: %d changes streamed, %d read whole", name, len(got), len(want))
		}
		for i := range want {
			if !reflect.DeepEqual(want[i], got[i]) {
				t.Fatalf("%s: change %d is\n%+v\nstreamed, and\n%+v\nread whole", name, i, got[i], want[i])
			}
		}
		if a, b := whole.History.Coverage(), streamed.History.Coverage(); a != b {
			t.Errorf("%s: covers %v streamed, %v read whole", name, b, a)
		}
	}
}
