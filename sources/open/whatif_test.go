package open

import (
	"errors"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/simulate/whatif"
)

// prepared is an incident, ready to be branched from.
func prepared(t *testing.T, name string, files func(string) bool) (*infer.Result, *whatif.Base, error) {
	t.Helper()
	o := incident(t, name, files)
	res, err := infer.Run(o.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	if err != nil {
		t.Fatal(err)
	}
	b, err := whatif.Prepare(o.History, res, whatif.Options{})
	return res, b, err
}

// With nothing changed, the closed loop reproduces each incident, from any evidence, and no decision
// differs.
func TestTheUnchangedRunReproducesTheRecording(t *testing.T) {
	missed := map[string][2]int{ // recorded and not reproduced, and the reverse
		"node-loss from audit log":  {2, 0}, // a node that is first seen by its cordon
		"notready from watch files": {1, 1}, // one taint, half a second off: no write shows when that pass ran
	}
	for _, name := range []string{"node-loss", "zone-outage", "all-dark", "partial", "notready", "restart"} {
		for evidence, files := range map[string]func(string) bool{"watch files": watchFiles, "audit log": auditLog, "both": everything} {
			what := name + " from " + evidence
			t.Run(what, func(t *testing.T) {
				_, b, err := prepared(t, name, files)
				if what == "partial from audit log" {
					// Nodes without writes are in no audit log, and their zone's share is not known.
					var refusal *whatif.Refusal
					if !errors.As(err, &refusal) {
						t.Fatalf("an answer, where zones are not known: %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				f := b.Fit
				for _, w := range f.Missing {
					t.Logf("missing: %s, within %s", w.String(), w.Window)
				}
				for _, w := range f.Extra {
					t.Logf("extra: %s", w.String())
				}
				if got := [2]int{len(f.Missing), len(f.Extra)}; got[0] > missed[what][0] || got[1] > missed[what][1] || f.Writes == 0 {
					t.Errorf("%d writes, %d missing, %d extra", f.Writes, got[0], got[1])
				}
				a := b.Branch(b.Unchanged())
				for _, c := range a.Changes {
					t.Errorf("nothing was changed, and %s %s", c.Decision().Kind, c.Decision().Subject())
				}
				if n := len(a.Pods.Spared.Certain) + len(a.Pods.Spared.Possible) + len(a.Pods.Lost.Certain) + len(a.Pods.Lost.Possible); n > 0 {
					t.Errorf("nothing was changed, and %d pods are spared or lost", n)
				}
			})
		}
	}
}

// Every recorded decision lies in the window of its like in the unchanged run, races included.
func TestTheUnchangedRunHoldsWhatWasRecorded(t *testing.T) {
	const reaction = 60 * time.Millisecond // between two writes of one decision
	for _, name := range []string{"node-loss", "zone-outage", "all-dark", "restart"} {
		res, b, err := prepared(t, name, everything)
		if err != nil {
			t.Fatal(err)
		}
		a := b.Branch(b.Unchanged())
		held := 0
		for i := range a.Recorded {
			d := &a.Recorded[i]
			found := false
			for k := range a.Branch {
				x := &a.Branch[k]
				if x.Kind == d.Kind && x.Node == d.Node && x.Pod == d.Pod && x.Zone == d.Zone &&
					x.Window.Earliest.Add(-reaction) <= d.Window.Latest && d.Window.Earliest <= x.Window.Latest.Add(reaction) {
					found = true
					break
				}
			}
			if !found {
				t.Errorf("%s: %s of %s at %s is in no window", name, d.Kind, d.Subject(), d.Time)
				continue
			}
			held++
		}
		if held < len(res.Writes)/2 {
			t.Errorf("%s: only %d decisions were compared", name, held)
		}
	}
}

// The longer the grace period, the fewer pods of a zone that comes back are deleted, and none is lost.
func TestALongerGraceSparesMore(t *testing.T) {
	_, b, err := prepared(t, "zone-outage", everything)
	if err != nil {
		t.Fatal(err)
	}
	least, most := 1<<30, 1<<30
	for grace := 20 * time.Second; grace <= 260*time.Second; grace += 60 * time.Second {
		branch := b.Unchanged()
		branch.Params.NodeMonitorGracePeriod.Value = grace
		a := b.Branch(branch)
		if a.Pods.Least > least || a.Pods.Most > most || a.Pods.Least > a.Pods.Most {
			t.Errorf("%s: %d to %d deleted, and %d to %d with less", grace, a.Pods.Least, a.Pods.Most, least, most)
		}
		if n := len(a.Pods.Lost.Certain) + len(a.Pods.Lost.Possible); n > 0 {
			t.Errorf("%s: %d pods lost", grace, n)
		}
		least, most = a.Pods.Least, a.Pods.Most
	}
	if most != 0 {
		t.Errorf("%d pods are deleted although the zone was back within the grace period", most)
	}
}
