package recovery

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/model/explain/volumes"
)

var answers = [...]string{Unasked: "unknown", Yes: "yes", No: "no"}

var now = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestRecovery runs the scripts in testdata: a node and its pods, and what is left to be done. Ages are
// durations.
//
//	of NAME [version=MAJOR.MINOR] [volumes=N]
//	node STATUS AGE [TAINT]
//	lease AGE
//	provider ID
//	pod [NAMESPACE/]NAME [deleted=AGE] [tolerates]
func TestRecovery(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			c, params := model.NewCluster(), model.Params{}
			if d.HasArg("version") {
				var text string
				d.ScanArgs(t, "version", &text)
				v, _ := model.ParseVersion(text)
				params = model.Defaults(v)
			}
			fold(t, c, d.CmdArgs[0].Key, d.Input)
			attached := Attached{Unread: "forbidden"}
			if d.HasArg("volumes") {
				var n int
				d.ScanArgs(t, "volumes", &n)
				attached = Attached{List: make([]volumes.Volume, n)}
			}
			o := Of(c.Node(d.CmdArgs[0].Key), model.Watched(now), now, params, attached)
			var b strings.Builder
			for _, s := range o.Stuck {
				fmt.Fprintf(&b, "stuck %s for %s\n", s.Pod.Key, now.Sub(s.Since))
			}
			for _, e := range o.Exits {
				fmt.Fprintf(&b, "exit: %s, %d pods\n", e.Way, e.Pods)
				for _, line := range e.Commands {
					fmt.Fprintf(&b, "  $ %s\n", line)
				}
			}
			for _, k := range o.Checks {
				fmt.Fprintf(&b, "[%s] %s", answers[k.Answer], k.Finding)
				if k.For > 0 {
					fmt.Fprintf(&b, " for %s", k.For)
				}
				if k.Volumes > 0 {
					fmt.Fprintf(&b, ", %d volumes", k.Volumes)
				}
				if k.Command != "" {
					fmt.Fprintf(&b, "\n  $ %s", k.Command)
				}
				b.WriteByte('\n')
			}
			if d.HasArg("effects") {
				fmt.Fprintf(&b, "deletes %d, spares %d\n$ %s\n$ %s\n", o.Deleted, o.Tolerating, o.Taint, o.Untaint)
			}
			return b.String()
		})
	})
}

func fold(t *testing.T, c *model.Cluster, name, script string) {
	t.Helper()
	n := &model.Node{}
	seen := false
	ago := func(text string) model.Instant {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return now.Add(-d)
	}
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		w := strings.Fields(line)
		switch w[0] {
		case "node":
			seen = true
			n.Conditions = append(n.Conditions, model.Condition{Type: model.ConditionReady, Status: model.ParseStatus(w[1]), Transition: ago(w[2])})
			if len(w) > 3 {
				n.Taints = append(n.Taints, model.Taint{Key: w[3], Effect: model.NoExecute})
			}
		case "provider":
			n.ProviderID = w[1]
		case "lease":
			c.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name},
				Time: model.Exactly(ago(w[1])), Arrival: ago(w[1]), Lease: model.Lease{Renewed: ago(w[1])}})
		case "pod":
			key := model.Key{Namespace: "shop", Name: w[1]}
			if namespace, pod, is := strings.Cut(w[1], "/"); is {
				key = model.Key{Namespace: namespace, Name: pod}
			}
			p := &model.Pod{Key: key, Node: name, Phase: model.PhaseRunning}
			for _, arg := range w[2:] {
				if age, ok := strings.CutPrefix(arg, "deleted="); ok {
					p.Deletion = ago(age)
				} else {
					p.Tolerations = &model.Tolerations{{Operator: "Exists"}}
				}
			}
			c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, Time: model.Exactly(now), Pod: p})
		default:
			t.Fatalf("%q says nothing", line)
		}
	}
	if seen {
		c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, Time: model.Exactly(now), Node: n})
	}
}
