package hostile_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/recording"
)

// A recording whose own times cannot be true ends every command well.
func TestARecordingOfAbsurdTimes(t *testing.T) {
	noon := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for i, far := range []model.Instant{model.FarFuture, model.FarFuture - 1, model.FarPast, model.FarPast + 1, -1, 1, model.At(time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC))} {
		for j, change := range []func(*model.Change){
			func(ch *model.Change) { ch.Arrival, ch.At, ch.Time = far, far, model.Exactly(far) },
			func(ch *model.Change) { ch.Lease.Renewed, ch.Lease.Acquired = far, far },
			func(ch *model.Change) {
				if ch.Node != nil {
					ch.Node.Created, ch.Node.Conditions[0].Heartbeat, ch.Node.Conditions[0].Transition = far, far, far
				}
			},
		} {
			t.Run(strconv.Itoa(i)+"/"+strconv.Itoa(j), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "in.mcap")
				file, err := os.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				w, err := recording.Create(file, recording.Meta{}, recording.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for n := range 8 {
					at := noon.Add(time.Duration(n) * 10 * time.Second)
					ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: "alpha-1"}, Version: uint64(100 + n), Arrival: at, At: at, Time: model.Exactly(at),
						Lease: model.Lease{Renewed: at, Holder: "alpha-1", Seconds: 40}}
					if n < 2 {
						ch.Kind, ch.Key, ch.Lease = model.KindNode, model.Key{Name: "alpha-" + strconv.Itoa(n+1)}, model.Lease{}
						ch.Node = &model.Node{Created: at, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: at, Transition: at}}}
					}
					if n == 1 || n == 7 {
						change(&ch)
					}
					if err := w.Add(&ch); err != nil {
						t.Skip("it cannot be recorded: ", err)
					}
				}
				if err := w.Close(); err != nil {
					t.Skip("it cannot be recorded: ", err)
				}
				for _, words := range [][]string{{"check"}, {"get", "nodes"}, {"get", "zones"}, {"decisions"}, {"report"}, {"margin"}, {"verdict"}, {"replay", "--once"}, {"info"}} {
					endsWell(t, append(words, path)...)
				}
			})
		}
	}
}
