package model_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
)

// TestScenarios runs the scripts in testdata/scenarios: facts are folded, and the state is printed.
//
//	fold            one fact a line: TIME WHAT NAME key=value…
//	nodes at=TIME   every node, with its ages
//	zones at=TIME   every zone
//	pods            every pod, by node
//	counts          what was folded, stale, refused
//	clone           go on with a clone, and keep the original for `original`
//	original        go back to the original
//
// TIME is seconds after noon: +30s.
func TestScenarios(t *testing.T) {
	datadriven.Walk(t, "testdata/scenarios", func(t *testing.T, path string) {
		s := &script{cluster: model.NewCluster()}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "fold":
				for _, line := range strings.Split(d.Input, "\n") {
					ch := s.change(t, line)
					s.cluster.Fold(&ch)
				}
				return "ok"
			case "nodes":
				return s.nodes(at(t, d))
			case "zones":
				return s.zones(at(t, d))
			case "pods":
				return s.pods()
			case "counts":
				c := s.cluster
				return fmt.Sprintf("folded %d  stale %d  attempts %d  gaps %d  pods %d", c.Folded, c.Stale, c.Attempts, c.Gaps, c.PodCount())
			case "clone":
				s.original, s.cluster = s.cluster, s.cluster.Clone()
				return "ok"
			case "original":
				s.cluster = s.original
				return "ok"
			}
			t.Fatalf("unknown command %q", d.Cmd)
			return ""
		})
	})
}

type script struct {
	cluster, original *model.Cluster
	intern            model.Interner
}

func at(t *testing.T, d *datadriven.TestData) model.Instant {
	var text string
	d.ScanArgs(t, "at", &text)
	return instant(t, text)
}

func instant(t *testing.T, text string) model.Instant {
	t.Helper()
	after, err := time.ParseDuration(strings.TrimPrefix(text, "+"))
	if err != nil {
		t.Fatal(err)
	}
	return noon.Add(after)
}

// change reads a fact.
func (s *script) change(t *testing.T, line string) model.Change {
	t.Helper()
	words := strings.Fields(line)
	if len(words) < 3 {
		t.Fatalf("a fact is TIME WHAT NAME key=value…, got %q", line)
	}
	when, what, name := instant(t, words[0]), words[1], words[2]
	has := map[string]string{}
	for _, w := range words[3:] {
		k, v, _ := strings.Cut(w, "=")
		has[k] = v
	}
	ch := model.Change{Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(when), Writer: model.WriterUnknown}
	ch.Version, _ = strconv.ParseUint(has["version"], 10, 64)
	ch.UID = s.intern.UID(has["uid"])
	for op := model.OpBaseline; op <= model.OpGap; op++ {
		if op.String() == has["op"] {
			ch.Op = op
		}
	}
	if _, ok := has["arrival"]; ok {
		ch.Arrival = when
	}
	switch what {
	case "node":
		ch.Kind = model.KindNode
		if ch.Op == model.OpPatch {
			ch.Writer = model.WriterKubelet
		} else {
			ch.Node = s.node(ch.UID, when, has)
		}
	case "lease":
		ch.Kind, ch.Key.Namespace = model.KindNodeLease, "kube-node-lease"
		if text, ok := has["renewed"]; ok {
			ch.Lease = model.Lease{UID: ch.UID, Renewed: instant(t, text), Seconds: 40}
		}
	case "leader":
		ch.Kind, ch.Key.Namespace = model.KindLeaderLease, "kube-system"
		ch.Lease = model.Lease{Holder: has["holder"], Renewed: when}
	case "pod":
		ch.Kind, ch.Key.Namespace = model.KindPod, "default"
		ch.Pod = &model.Pod{Key: ch.Key, UID: ch.UID, Node: has["node"], Phase: model.PhaseRunning}
	case "event":
		ch.Kind = model.KindEvent
		ch.Event = &model.Event{UID: ch.UID, Reason: has["reason"], Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: has["node"]}}}
	default:
		t.Fatalf("unknown kind of fact %q", what)
	}
	return ch
}

func (s *script) node(uid model.UID, when model.Instant, has map[string]string) *model.Node {
	labels := map[string]string{}
	for _, key := range []string{"topology.kubernetes.io/zone", "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/zone"} {
		if v, ok := has[key[strings.LastIndex(key, "/")+1:]]; ok && strings.HasPrefix(key, "topology") {
			labels[key] = v
		}
	}
	if v, ok := has["betazone"]; ok {
		labels["failure-domain.beta.kubernetes.io/zone"] = v
	}
	n := &model.Node{UID: uid, Zone: model.ZoneKeyOf(func(k string) (string, bool) { v, ok := labels[k]; return v, ok })}
	if ready, ok := has["ready"]; ok {
		n.Conditions = []model.Condition{{Type: "Ready", Status: model.ParseStatus(ready), Transition: when, Heartbeat: when}}
		if back, err := time.ParseDuration(has["declared"]); err == nil {
			n.Conditions[0].Transition = noon.Add(back)
		}
		if made, err := time.ParseDuration(has["made"]); err == nil {
			n.Created = noon.Add(made)
			n.Conditions[0].Reason, n.Conditions[0].Heartbeat = model.ReasonNeverUpdated, n.Created
		}
	}
	_, n.Unschedulable = has["cordoned"]
	return n
}

func span(d model.Maybe[time.Duration]) string {
	if !d.Known {
		return "?"
	}
	return d.Value.String()
}

func since(i model.Instant) string {
	if !i.Bounded() {
		return "before"
	}
	return "+" + i.Sub(noon).String()
}

func (s *script) nodes(at model.Instant) string {
	var lines []string
	s.cluster.Nodes(func(r *model.NodeRow) bool {
		place := "?"
		if p := r.Zone(); p.Known {
			place = p.Value.String()
		}
		a := r.Ages(at)
		line := fmt.Sprintf("%s  zone %s  %s  age %s from %q  heard %s  says %s  skew %s", r.Name, place, r.Health(), span(a.Age), a.Measured(), span(a.Heard), span(a.Says), span(a.Skew))
		if r.Node != nil {
			line += "  ready set " + since(r.ReadySet.Earliest)
		}
		if r.Lease.Seen {
			line += fmt.Sprintf("  renewals %d refused %d", r.Lease.Renewals, r.Lease.Refused)
		}
		for _, e := range r.Events() {
			line += "  event " + e.Reason
		}
		lines = append(lines, line)
		return true
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (s *script) zones(at model.Instant) string {
	var b strings.Builder
	for _, z := range s.cluster.Zones(at) {
		place := "unknown"
		if z.Zone.Known {
			place = fmt.Sprintf("%s %q", z.Zone.Value, z.Zone.Value.Raw())
		}
		fmt.Fprintf(&b, "%s  nodes %d  ready %d (late %d)  not ready %d  unknown %d  never %d  unseen %d  cordoned %d  oldest %s  median %s  heard %s/%s\n",
			place, z.Nodes, z.Ready, z.Late, z.NotReady, z.Unknown, z.Never, z.Unseen, z.Cordoned,
			span(z.Oldest), span(z.Median), span(z.OldestHeard), span(z.MedianHeard))
	}
	return b.String()
}

func (s *script) pods() string {
	var b strings.Builder
	for _, p := range s.cluster.Pods() {
		fmt.Fprintf(&b, "%s on %q\n", p.Key, p.Node)
	}
	for _, name := range []string{"a", "b"} {
		if r := s.cluster.Node(name); r != nil {
			var names []string
			for _, p := range r.Pods() {
				names = append(names, p.Name)
			}
			slices.Sort(names)
			fmt.Fprintf(&b, "node %s: %v\n", name, names)
		}
	}
	return b.String()
}
