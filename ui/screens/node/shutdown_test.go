package node

import (
	"strings"
	"testing"

	"kardia/model"
	"kardia/ui/screen/screentest"
)

// A node that is shut down in order shows its pods by lanes of priority, those that have ended and the others, and why
// there is no deadline. Another node shows nothing of it. Names from the cluster are cleaned.
func TestANodeThatIsShutDown(t *testing.T) {
	s := screentest.WithModels(screentest.Incident())
	shown := func(message string) string {
		row := s.Cluster.Node(screentest.Victim)
		n := *row.Node
		n.Taints = nil
		n.Conditions = []model.Condition{{Type: model.ConditionReady, Status: model.StatusFalse, Reason: "KubeletNotReady", Message: message, Transition: s.At}}
		like := *s
		like.Cluster = s.Cluster.Clone()
		like.Cluster.Fold(&model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: row.Name}, UID: n.UID, Version: 1 << 40, Time: model.Exactly(s.At), Node: &n})
		for i, p := range []struct{ name, priority, ended string }{{"ended", "0", "Terminated"}, {"web\x1b[31m", "1000", ""}, {"dns", "2000000000", ""}} {
			key, phase := model.Key{Namespace: "a", Name: p.name}, model.PhaseRunning
			if p.ended != "" {
				phase = model.PhaseFailed
			}
			like.Cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, Version: 1<<40 + 1 + uint64(i), Time: model.Exactly(s.At),
				Pod: &model.Pod{Key: key, Node: row.Name, Phase: phase, Details: model.Details(model.PackDetails([]model.Detail{{Name: model.DetailPriority, Value: p.priority}, {Name: model.DetailEnded, Value: p.ended}}, nil))}})
		}
		return draw(show(screentest.Victim), &like, 200, 120)
	}
	text := shown("node is shutting down")
	for _, want := range []string{"critical       0 of 1 ended; 1 not: a/dns (2000000000)", "1 of 2 ended; 1 not: a/web", "by when        no deadline is in the API: ", "shutdownGracePeriodByPodPriority", "shut down in order, by priority: not critical: 1 of 2 ended; critical: 0 of 1 ended"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Error("an escape sequence reaches the screen")
	}
	if text = shown("PLEG is not healthy"); strings.Contains(text, "by priority") || strings.Contains(text, "shutdownGrace") {
		t.Errorf("of another:\n%s", text)
	}
}
