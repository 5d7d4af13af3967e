package impact

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

var now = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestImpact runs the scripts in testdata: pods, what is predicted of them, and what is left of whom.
// Times are seconds from now.
//
//	pod OWNERKIND/OWNER NAME NODE [ready] [deleted] [ended] [due=FROM-TO] [perhaps=FROM-TO] [stuck] [halted] [requests=CPU/MEMORY]
//	node NAME [cpu=N memory=N pods=N] [cordoned] [tainted] [unready]
//
// A pod on node - waits for one.
func TestImpact(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			c, f := model.NewCluster(), &forecast.Forecast{At: now}
			for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				if w := strings.Fields(line); w[0] == "node" {
					node(t, c, w)
				} else {
					pod(t, c, f, w)
				}
			}
			f.Index()
			if d.HasArg("unforeseen") {
				f = nil
			}
			if d.Cmd == "room" {
				r := RoomFor(c, f)
				if r == nil {
					return "nothing is known of what comes\n"
				}
				return fmt.Sprintf("%s: waiting %d, going %d, may go %d; needs %s in %d, %d unshown; %d nodes, %d unsized, free %s in %d; %d zones, %d unfit, %d left\n", r.Verdict(), r.Waiting,
					r.Going, r.MayGo, requests(r.Need), r.Need.Pods, r.Unshown, r.Nodes, r.Unsized, requests(r.Free), r.Free.Pods, len(r.Zones), r.Unfit, r.Left)
			}
			var b strings.Builder
			for _, w := range Of(c, f) {
				fmt.Fprintf(&b, "%s/%s %s: %d of %d ready, then %d to %d", w.Namespace, w.Name, w.Kind, w.Ready, w.Pods, w.ReadyLeast, w.ReadyMost)
				if w.First.Known() {
					fmt.Fprintf(&b, " (%.0fs to %.0fs)", w.First.Sub(now).Seconds(), w.Last.Sub(now).Seconds())
				}
				fmt.Fprintf(&b, "; %d go, %d may, %d deleted, %d stuck %v suffers %v\n", w.Going, w.MayGo, w.Deleted, w.Stuck, w.Nodes, w.Suffers())
			}
			return b.String()
		})
	})
}

func requests(a Amount) string { return a.CPU.Cores() + " CPU, " + a.Memory.Bytes() }

func pod(t *testing.T, c *model.Cluster, f *forecast.Forecast, w []string) {
	t.Helper()
	key := model.Key{Namespace: "shop", Name: w[2]}
	p := &model.Pod{Key: key, Node: strings.TrimPrefix(w[3], "-"), Phase: model.PhaseRunning, Ready: model.StatusFalse}
	if kind, name, ok := strings.Cut(w[1], "/"); ok {
		p.Owner = &model.Owner{Kind: kind, Name: name}
	}
	e := forecast.Eviction{Pod: key, Node: w[3]}
	listed := false
	for _, arg := range w[4:] {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "ready":
			p.Ready = model.StatusTrue
		case "deleted":
			p.Deletion = now.Add(-time.Minute)
		case "ended":
			p.Phase = model.PhaseSucceeded
		case "due", "perhaps":
			from, to, _ := strings.Cut(value, "-")
			a, _ := strconv.Atoi(from)
			z, _ := strconv.Atoi(to)
			e.State, e.Certain = forecast.Due, name == "due"
			e.Window = model.Interval{Earliest: now.Add(time.Duration(a) * time.Second), Latest: now.Add(time.Duration(z) * time.Second)}
			listed = true
		case "stuck":
			e.State, listed = forecast.Stuck, true
			e.Window = model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}
		case "halted":
			e.State, listed = forecast.Halted, true
			e.Window = model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}
		case "requests":
			asks, ok := model.ParseRequests(strings.Replace(value, "/", " ", 1))
			if !ok {
				t.Fatalf("%q requests nothing", arg)
			}
			p.Details = model.Details(model.PackDetails([]model.Detail{{Name: model.DetailRequests, Value: asks.String()}}, nil))
		default:
			t.Fatalf("%q says nothing", arg)
		}
	}
	c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, Time: model.Exactly(now), Pod: p})
	if listed {
		f.Evictions = append(f.Evictions, e)
	}
}

func node(t *testing.T, c *model.Cluster, w []string) {
	t.Helper()
	n := &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue}}}
	var details []model.Detail
	for _, arg := range w[2:] {
		switch name, value, _ := strings.Cut(arg, "="); name {
		case "cpu", "memory", "pods":
			details = append(details, model.Detail{Name: model.DetailAllocatable + name, Value: value})
		case "zone":
			n.Zone.Zone = value
		case "cordoned":
			n.Unschedulable = true
		case "tainted":
			n.Taints = []model.Taint{{Key: "dedicated", Effect: model.NoSchedule}}
		case "unready":
			n.Conditions[0].Status = model.StatusFalse
		default:
			t.Fatalf("%q says nothing", arg)
		}
	}
	n.Details = model.PackNode(details...)
	c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: w[1]}, Time: model.Exactly(now), Node: n})
}
