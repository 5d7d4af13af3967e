package volumes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
)

var start = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestVolumes runs the scripts in testdata. Times are durations since the start.
//
//	fold            Changes, one a line, in order of time
//	  AT node STATUS [TAINT]
//	  AT pod NAME claim=CLAIM [running=BOOL] [deleted=AT] [ended] | AT gone NAME [since=AT]
//	  AT volume NAME claim=CLAIM | AT attachment NAME of=VOLUME [attached=BOOL] [asked=AT] | AT detached NAME
//	at T            the volumes of the node
func TestVolumes(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		c := model.NewCluster()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "fold" {
				for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
					fold(t, c, strings.Fields(line))
				}
				return ""
			}
			at := instant(t, d.CmdArgs[0].Key)
			var b strings.Builder
			for _, v := range Of(c, "n", at) {
				fmt.Fprintf(&b, "%s %s %s", v.Attachment, v.Claim, v.State)
				for _, p := range v.By {
					b.WriteString(" " + p.Key.String())
				}
				if v.Detached.Known() {
					fmt.Fprintf(&b, " [%s %s]", since(v.Detached.Earliest), since(v.Detached.Latest))
				}
				b.WriteByte('\n')
			}
			return b.String()
		})
	})
}

// Which volumes are detached by force within a time, of all nodes; those that pods keep are counted.
func TestAhead(t *testing.T) {
	c := model.NewCluster()
	for _, line := range []string{"0s node Unknown", "0s volume pv-1 claim=a", "0s attachment csi-1 of=pv-1 attached=true", "0s volume pv-2 claim=b",
		"0s attachment csi-2 of=pv-2 attached=true", "0s pod going claim=a running=true deleted=10s", "0s pod gone claim=b running=true", "1m gone gone since=30s"} {
		fold(t, c, strings.Fields(line))
	}
	due, stuck := Ahead(c, start.Add(2*time.Minute), start.Add(17*time.Minute))
	if len(due) != 1 || due[0].Node != "n" || due[0].Attachment != "csi-2" || stuck != 1 {
		t.Errorf("%+v, %d stuck; want csi-2 of n, and one", due, stuck)
	}
	if due, _ := Ahead(c, start.Add(2*time.Minute), start.Add(3*time.Minute)); len(due) != 0 {
		t.Errorf("within a minute: %+v", due)
	}
}

func since(t model.Instant) string { return t.Sub(start).String() }

func instant(t *testing.T, text string) model.Instant {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return start.Add(d)
}

func fold(t *testing.T, c *model.Cluster, w []string) {
	t.Helper()
	at := instant(t, w[0])
	args := map[string]string{}
	for _, word := range w[min(3, len(w)):] {
		name, value, _ := strings.Cut(word, "=")
		args[name] = value
	}
	ch := model.Change{Op: model.OpModify, Time: model.Exactly(at), At: at}
	switch w[1] {
	case "node":
		n := &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.ParseStatus(w[2]), Transition: at}}}
		if len(w) > 3 {
			n.Taints = []model.Taint{{Key: w[3], Effect: model.NoExecute}}
		}
		ch.Kind, ch.Key, ch.Node = model.KindNode, model.Key{Name: "n"}, n
	case "pod":
		p := &model.Pod{Key: model.Key{Namespace: "db", Name: w[2]}, Node: "n", Phase: model.PhaseRunning}
		details := []model.Detail{{Name: model.DetailClaim + args["claim"], Value: "data"}, {Name: model.DetailRunning, Value: args["running"]}}
		p.Details = model.Details(model.PackDetails(details, nil))
		if _, ok := args["ended"]; ok {
			p.Phase = model.PhaseFailed
		}
		if args["deleted"] != "" {
			p.Deletion = instant(t, args["deleted"])
		}
		ch.Kind, ch.Key, ch.Pod = model.KindPod, p.Key, p
	case "gone":
		ch.Kind, ch.Op, ch.Key = model.KindPod, model.OpDelete, model.Key{Namespace: "db", Name: w[2]}
		if args["since"] != "" {
			ch.Time.Earliest = instant(t, args["since"])
		}
	case "volume":
		ch.Kind, ch.Key = model.KindPersistentVolume, model.Key{Name: w[2]}
		ch.Related = related(model.Detail{Name: model.DetailClaimOf, Value: "db/" + args["claim"]})
	case "attachment":
		ch.Kind, ch.Key = model.KindVolumeAttachment, model.Key{Name: w[2]}
		ch.Related = related(model.Detail{Name: model.DetailNode, Value: "n"}, model.Detail{Name: model.DetailVolume, Value: args["of"]}, model.Detail{Name: model.DetailAttached, Value: args["attached"]})
		if args["asked"] != "" {
			ch.Related.Deleted = instant(t, args["asked"])
		}
	case "detached":
		ch.Kind, ch.Op, ch.Key = model.KindVolumeAttachment, model.OpDelete, model.Key{Name: w[2]}
	default:
		t.Fatalf("no such Change: %v", w)
	}
	c.Fold(&ch)
}

func related(list ...model.Detail) *model.Related {
	return &model.Related{Details: model.Details(model.PackDetails(list, nil))}
}
