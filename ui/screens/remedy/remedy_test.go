package remedy

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

// about is a screen of a node.
func about(of screen.Screen, node string) *View {
	v := of.New().(*View)
	v.Visit(screen.Subject{Kind: screen.NodeSubject, Node: node}, screen.OfSelected, nil)
	return v
}

func TestFrames(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	for _, of := range Screens() {
		screentest.Goldens(t, of.ID, s, func() screen.View { return about(of, "ip-10-0-2-003") })
	}
}

// Recovery's commands are there to copy; who acts has none, and says whom it cannot ask.
func TestWhatIsThereToCopy(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	list := about(Screens()[0], "ip-10-0-2-003").Commands(s)
	if len(list) < 2 || list[0] != "kubectl get volumeattachments" || list[1] != "kubectl taint nodes node/ip-10-0-2-003 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute" {
		t.Errorf("commands %q", list)
	}
	v := about(Screens()[1], "ip-10-0-2-003")
	if text := screentest.Shown(v, s); !strings.Contains(text, "show no other actor") || len(v.Commands(s)) > 0 {
		t.Errorf("who acts:\n%s", text)
	}
}

// Which pods are stuck, how they go, whether the node may be declared out of service and what that does: all of it is
// read in a small window without scrolling.
func TestASmallWindowHasTheAnswers(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	area := screen.Arrange(80, 24).Area()
	text := screentest.Plain(about(Screens()[0], "ip-10-0-2-003").Render(s, screentest.Painters()["dark"], area))
	for _, want := range []string{"4 pods without an owner", "1 the node returns", "4 delete the pods by force", "both write", "? the machine is off",
		"control plane supports the taint", "3 pods deleted at once, 1 tolerates it, 4 stuck gone within 20 s", "you must remove the taint yourself"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Without a node, and at an instant at which it does not exist, that is said.
func TestNoNode(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	for name, want := range map[string]string{"": "No node chosen", "nobody": "no node nobody exists at"} {
		v := about(Screens()[0], name)
		if text := screentest.Shown(v, s); !strings.Contains(text, want) || len(v.Commands(s)) > 0 {
			t.Errorf("%q: no %q in\n%s", name, want, text)
		}
	}
}

// Whoever may not be asked is named, with the reason.
func TestForbidden(t *testing.T) {
	s := *screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	s.Mode, s.Kinds = screen.Live, map[model.Kind]bool{model.KindNode: true, model.KindPod: true}
	for _, kind := range screen.Acting {
		s.Status = append(s.Status, stream.Status{Kind: kind, State: stream.Forbidden, Why: "no right to " + kind.String()})
	}
	text := screentest.Shown(about(Screens()[1], "ip-10-0-2-003"), &s)
	for _, want := range []string{"NodeClaims (Karpenter): forbidden: no right to NodeClaim", "NodeHealthChecks (medik8s): forbidden: no right to NodeHealthCheck", "the autoscaler's ConfigMap: forbidden: no right to"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Who may not read pods is not told that none is stuck.
func TestPodsThatMayNotBeRead(t *testing.T) {
	s := *screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	s.Mode, s.Kinds = screen.Live, map[model.Kind]bool{model.KindNode: true}
	s.Status = []stream.Status{{Kind: model.KindPod, State: stream.Forbidden}, {Kind: model.KindEvent, State: stream.Forbidden}}
	if text := screentest.Shown(about(Screens()[0], "ip-10-0-2-003"), &s); !strings.Contains(text, "stuck pods unknown: pods are forbidden") || strings.Contains(text, "no pod of this node") {
		t.Errorf("recovery:\n%s", text)
	}
	if text := screentest.Shown(about(Screens()[1], "ip-10-0-2-003"), &s); !strings.Contains(text, "Events: forbidden") {
		t.Errorf("who acts:\n%s", text)
	}
}

func TestAnyFrame(t *testing.T) {
	for _, of := range Screens() {
		screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
			name := "nobody"
			if s.Cluster != nil {
				s.Cluster.Nodes(func(row *model.NodeRow) bool { name = row.Name; return rapid.Bool().Draw(t, "another") })
			}
			return about(of, name)
		}, func(*rapid.T, *View, screentest.Frame) {})
	}
}

// Of a node without such pods it is said where those are of which the headline tells.
func TestStuckElsewhere(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	if text := screentest.Shown(about(Screens()[0], "ip-10-0-2-001"), s); !strings.Contains(text, "4 pods are on ip-10-0-2-003: put the cursor there") {
		t.Errorf("it is not said where they are:\n%s", text)
	}
}

// Where deletions lie ahead it is said which key tries what would halt them.
func TestWhatHaltsDeletionsIsElsewhere(t *testing.T) {
	s := screentest.Recorded(t, "demo:node-loss", 100*time.Second)
	if text := screentest.Shown(about(Screens()[0], "ip-10-0-2-003"), s); !strings.Contains(text, "may be deleted: I tries what would stop that") {
		t.Errorf("it is not said what halts the deletions to come:\n%s", text)
	}
	late := screentest.Recorded(t, "demo:node-loss", 500*time.Second)
	if text := screentest.Shown(about(Screens()[0], "ip-10-0-2-003"), late); strings.Contains(text, "would halt that") {
		t.Errorf("there is nothing to halt:\n%s", text)
	}
}

// Where no pods are recorded nobody can say how many the taint deletes: 0 would be an answer.
func TestPodsThatAreNotRecorded(t *testing.T) {
	s := *screentest.Recorded(t, "demo:node-loss", 350*time.Second)
	s.Kinds = map[model.Kind]bool{model.KindNode: true, model.KindNodeLease: true}
	text := screentest.Plain(about(Screens()[0], "ip-10-0-2-003").Render(&s, screentest.Painters()["dark"], screen.Arrange(160, 60).Area()))
	if !strings.Contains(text, "the taint: number of deleted pods unknown: pods are not recorded") || strings.Contains(text, "deleted at once") {
		t.Errorf("it says\n%s", text)
	}
}

// A drain that a budget blocks is there, and says so in the words of 'kardia verdict'; past, it has its time.
func TestADrainThatABudgetBlocks(t *testing.T) {
	of := func(ago time.Duration) string {
		s := *screentest.Recorded(t, "demo:node-loss", 350*time.Second)
		s.Cluster = s.Cluster.Clone()
		row := s.Cluster.Node("ip-10-0-2-001")
		n := *row.Node
		n.Unschedulable = true
		s.Cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: row.Name}, Time: model.Exactly(s.At), Node: &n})
		for _, since := range []time.Duration{ago + time.Minute, ago} {
			s.Cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAttempt, Key: row.Pods()[0].Key, Time: model.Exactly(s.At.Add(-since)), Code: 429,
				Note: model.EvictNote("TooManyRequests: The disruption budget web needs 2 healthy pods"), Requester: &model.Requester{User: "ops", Agent: "kubectl/v1.36"}})
		}
		return screentest.Plain(about(Screens()[1], row.Name).Render(&s, screentest.Painters()["dark"], screen.Arrange(200, 40).Area()))
	}
	for ago, want := range map[time.Duration][]string{
		5 * time.Second: {"ops with kubectl", "drains the node:", "for 1m05s", "blocked by PodDisruptionBudget ", "/web, which refused to evict 1 pod", "a taint eviction ignores budgets", "PodDisruptionBudgets: not recorded"},
		5 * time.Minute: {"tried to drain the node:", "blocked by PodDisruptionBudget", "/web, which refused to evict 1 pod", "from 23:42:28Z to 23:43:28Z"},
	} {
		text := strings.Join(strings.Fields(of(ago)), " ")
		for _, want := range want {
			if !strings.Contains(text, want) {
				t.Errorf("%s ago: no %q in\n%s", ago, want, of(ago))
			}
		}
	}
}
