package actors

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
)

var now = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestActors runs the fixtures in testdata: what a Node and its Events tell, and who acts on it. Ages are
// durations; an underscore is a blank.
//
//	of [notready=N of=N]
//	label KEY=VALUE
//	taint KEY[=VALUE] [AGE|NoExecute]
//	ready STATUS AGE [MESSAGE]
//	condition TYPE STATUS REASON AGE
//	event REASON AGE|- MESSAGE [COMPONENT]
//	provider ID
//	deleted AGE
//	cordoned [MANAGER]
//	pod NAME [OWNER] [Terminating|Ended|NotReady]   with the label app=NAME
//	evict POD AGE CODE USER|- AGENT|- [ANSWER]      a request to the Eviction API
//	gone POD
//	has KIND NAME [deleted AGE]   an object of somebody else; its details follow, one a line:
//	  - NAME=VALUE
func TestActors(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			all := Share{NotReady: 1, Of: 100}
			d.MaybeScanArgs(t, "notready", &all.NotReady)
			d.MaybeScanArgs(t, "of", &all.Of)
			var b strings.Builder
			c, r := row(t, d.Input)
			list := Of(c, r, now, all)
			if a, ok := unplaced(c, now); ok {
				list = append(list, a)
			}
			for _, a := range list {
				fmt.Fprintf(&b, "%s %s", cmp.Or(a.Name, string(a.Who)), a.Does)
				if a.Reason != "" {
					fmt.Fprintf(&b, " for %s", a.Reason)
				}
				if a.Remain != nil {
					fmt.Fprintf(&b, ", %d remain, %d Terminating", a.Remain.Pods, a.Remain.Terminating)
				}
				if a.When.Latest == model.FarFuture {
					fmt.Fprintf(&b, " [from %s]", a.When.Earliest.Sub(now))
				} else if a.When.Known() {
					fmt.Fprintf(&b, " [%s to %s]", a.When.Earliest.Sub(now), a.When.Latest.Sub(now))
				}
				fmt.Fprintln(&b)
				for _, is := range a.Because {
					fmt.Fprintf(&b, "  because %s\n", strings.Join(strings.Fields(traced(&is)), " "))
				}
				for _, h := range a.Halts {
					fmt.Fprintf(&b, "  halts: %s\n", strings.Join(strings.Fields(halted(&h)), " "))
				}
				if a.Assumes != "" {
					fmt.Fprintf(&b, "  assumes %s", a.Assumes)
					if a.Notice > 0 {
						fmt.Fprintf(&b, " of %s", a.Notice)
					}
					fmt.Fprintln(&b)
				}
			}
			if b.Len() == 0 {
				return "nobody\n"
			}
			return b.String()
		})
	})
}

// traced is a trace as its code and values.
func traced(t *Trace) string {
	at := ""
	switch {
	case t.At.Known() && t.At.Width() == 0:
		at = "at " + t.At.Latest.Clock()
	case t.At.Known():
		at = "from " + t.At.Earliest.Clock() + " to " + t.At.Latest.Clock()
	}
	pods := ""
	if t.Pods > 0 {
		pods = fmt.Sprintf("pods=%d refused=%d code=%d", t.Pods, t.Refused, t.Code)
	}
	return fmt.Sprint(t.Of, " ", t.Name, " ", t.Text, " ", at, " ", pods)
}

// halted is a halt as its code and values.
func halted(h *Halt) string {
	text := fmt.Sprint(h.Why, " ", h.Text)
	if h.For > 0 {
		text += " " + h.For.String()
	}
	if h.Pods > 0 {
		text += fmt.Sprintf(" by=%d %s %s pods=%d last %s", h.Answer.By, h.Answer.Name, h.Answer.Says(), h.Pods, h.At.Clock())
	}
	return text
}

// Who takes a node away, or its pods, as things stand.
func TestLeaving(t *testing.T) {
	for script, want := range map[string]string{
		"ready True 5m": "", "ready Unknown 40m\nlabel karpenter.sh/nodepool=spot": "", // it may, and has not begun
		"taint DeletionCandidateOfClusterAutoscaler": "", "taint ToBeDeletedByClusterAutoscaler": "autoscaler removes",
		"deleted 3s": "unnamed deletes", "taint karpenter.sh/disrupted": "karpenter removes", "taint aws-node-termination-handler/spot-itn 20s": "provider takes-back",
		"taint node.cloudprovider.kubernetes.io/shutdown": "cloud-controller found-off", "ready False 9s node_is_shutting_down": "kubelet ends-pods",
		"condition DrainInProgress True AdminRequested 1m": "maintainer removes-pods",
	} {
		_, r := row(t, script)
		a, ok := Leaving(r)
		if got := fmt.Sprint(a.Who, " ", a.Does); ok != (want != "") || ok && (got != want || len(a.Because) == 0) {
			t.Errorf("%s: %v, %+v, want %q", script, ok, a, want)
		}
	}
}

// Who acts ahead, within a time: the soonest first, with the nodes of which the same is said. Who acts already, or could
// have before, and who acts later is not in it.
func TestAhead(t *testing.T) {
	c := model.NewCluster()
	add := func(name string, n model.Node) {
		c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: name}, Time: model.Exactly(now), Node: &n})
	}
	lost := func(ago time.Duration) []model.Condition {
		return []model.Condition{{Type: model.ConditionReady, Status: model.StatusUnknown, Transition: now.Add(-ago)}}
	}
	well := []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Transition: now.Add(-time.Hour)}}
	add("b", model.Node{Conditions: lost(5 * time.Minute)})
	add("a", model.Node{Conditions: lost(5 * time.Minute)})
	add("since long", model.Node{Conditions: lost(20 * time.Minute)})
	add("spot", model.Node{Conditions: well, Taints: []model.Taint{{Key: "aws-node-termination-handler/spot-itn", Added: now.Add(-time.Minute)}}})
	add("well", model.Node{Conditions: well})
	var told []string
	for _, d := range Ahead(c, now, now.Add(15*time.Minute)) {
		told = append(told, fmt.Sprintf("%s %s %s %s", d.When.Latest.Sub(now).Truncate(time.Hour*24*365), d.Who, d.Does, strings.Join(d.Nodes, " ")))
	}
	want := []string{"0s provider takes-back spot", "alert pages a b"}
	if len(told) != 2 || told[0] != want[0] || !strings.HasSuffix(told[1], want[1]) {
		t.Errorf("%q, want %q", told, want)
	}
	if list := Ahead(c, now, now.Add(9*time.Minute)); len(list) != 1 {
		t.Errorf("within nine minutes: %+v", list)
	}
}

func row(t *testing.T, script string) (*model.Cluster, *model.NodeRow) {
	t.Helper()
	n := &model.Node{}
	c := model.NewCluster()
	var details []model.Detail
	var events []*model.Event
	var objects []model.Change
	var said []model.Detail // of the object before
	ago := func(text string) model.Instant {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return now.Add(-d)
	}
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		w := append(strings.Fields(line), "", "", "", "")
		key, value, _ := strings.Cut(w[1], "=")
		if w[0] != "-" {
			said = nil
		}
		switch w[0] {
		case "label":
			details = append(details, model.Detail{Name: model.DetailLabel + key, Value: value})
		case "taint":
			if strings.HasPrefix(value, "-") {
				d, _ := time.ParseDuration(value[1:])
				value = strconv.FormatInt(now.Add(-d).Time().Unix(), 10)
			}
			taint := model.Taint{Key: key, Value: value, Effect: model.NoSchedule}
			if w[2] == "NoExecute" {
				taint.Effect = model.NoExecute
			} else if w[2] != "" {
				taint.Added = ago(w[2])
			}
			n.Taints = append(n.Taints, taint)
		case "ready":
			n.Conditions = append(n.Conditions, model.Condition{Type: model.ConditionReady, Status: model.ParseStatus(w[1]), Transition: ago(w[2]), Message: strings.ReplaceAll(w[3], "_", " ")})
		case "condition":
			n.Conditions = append(n.Conditions, model.Condition{Type: w[1], Status: model.ParseStatus(w[2]), Reason: w[3], Transition: ago(w[4])})
		case "event":
			events = append(events, &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "a"}}, Reason: w[1], Message: strings.ReplaceAll(w[3], "_", " "), Component: w[4]})
			if w[2] != "-" {
				events[len(events)-1].Last = ago(w[2])
			}
		case "provider":
			n.ProviderID = w[1]
		case "cordoned":
			if n.Unschedulable = true; w[1] != "" {
				details = append(details, model.Detail{Name: model.DetailCordoned, Value: w[1]})
			}
		case "pod":
			p := &model.Pod{Key: model.Key{Namespace: "shop", Name: w[1]}, Node: "a", Ready: model.StatusTrue, Details: model.Details(model.PackDetails([]model.Detail{{Name: model.DetailLabel + "app", Value: w[1]}}, nil))}
			if w[2] != "" {
				p.Owner = &model.Owner{Kind: w[2], Name: "owner"}
			}
			switch w[3] {
			case "Terminating":
				p.Deletion = now
			case "Ended":
				p.Phase = model.PhaseSucceeded
			case "NotReady":
				p.Ready = model.StatusFalse
			}
			objects = append(objects, model.Change{Kind: model.KindPod, Op: model.OpBaseline, Key: p.Key, Time: model.Exactly(now.Add(-time.Hour)), Pod: p})
		case "evict":
			code, _ := strconv.Atoi(w[3])
			ch := model.Change{Kind: model.KindPod, Op: model.OpModify, Key: model.Key{Namespace: "shop", Name: w[1]}, Time: model.Exactly(ago(w[2])), Code: int16(code), Note: model.EvictNote(strings.ReplaceAll(w[6], "_", " "))}
			if code >= 300 {
				ch.Op = model.OpAttempt
			}
			if user := strings.TrimPrefix(w[4], "-"); user+w[5] != "" {
				ch.Requester = &model.Requester{User: user, Agent: strings.TrimPrefix(w[5], "-")}
			}
			objects = append(objects, ch)
		case "gone":
			objects = append(objects, model.Change{Kind: model.KindPod, Op: model.OpDelete, Key: model.Key{Namespace: "shop", Name: w[1]}, Time: model.Exactly(now)})
		case "has":
			o := &model.Related{}
			if w[3] == "deleted" {
				o.Deleted = ago(w[4])
			}
			kind := slices.IndexFunc(model.RelatedKinds[:], func(k model.Kind) bool { return k.String() == w[1] })
			objects = append(objects, model.Change{Kind: model.RelatedKinds[kind], Op: model.OpBaseline, Key: keyOf(w[2]), Time: model.Exactly(now), Related: o})
		case "-":
			o := objects[len(objects)-1].Related
			name, value, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "-")), "=")
			said = append(said, model.Detail{Name: name, Value: value})
			o.Details = model.Details(model.PackDetails(slices.Clone(said), nil))
		case "deleted":
			n.Deleted = ago(w[1])
		default:
			t.Fatalf("%q says nothing", line)
		}
	}
	n.Details = model.PackNode(details...)
	c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "a"}, Time: model.Exactly(now), Node: n})
	for _, e := range events {
		c.Fold(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: e.Reason}, Time: model.Exactly(now), Event: e})
	}
	for i := range objects {
		c.Fold(&objects[i])
	}
	return c, c.Node("a")
}

func keyOf(text string) model.Key {
	if namespace, name, both := strings.Cut(text, "/"); both {
		return model.Key{Namespace: namespace, Name: name}
	}
	return model.Key{Name: text}
}

// TestLeavingNeedsNoMemory holds a fleet's frame to its cost: every node is asked at each.
func TestLeavingNeedsNoMemory(t *testing.T) {
	_, r := row(t, "ready True 1m\nlabel karpenter.sh/nodepool=spare\ntaint example.com/reserved 1m")
	if n := testing.AllocsPerRun(100, func() { Leaving(r) }); n != 0 {
		t.Errorf("%v allocations to find out that nobody takes a node away", n)
	}
}

// Who asks to evict pods of a node that nothing else tells of is in the list of all, and whose pods have no known node.
func TestStandingHasEvictions(t *testing.T) {
	c, _ := row(t, "ready True 5h\npod web-0\nevict web-0 10s 429 ops kubectl/v1.36\nevict elsewhere 10s 429 ops kubectl/v1.36")
	var told []string
	for _, d := range Standing(c, now) {
		told = append(told, string(d.Does)+" "+strings.Join(d.Nodes, " "))
	}
	want := []string{"evicts a", "evicts "}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
