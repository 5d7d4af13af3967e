package shutdown

import (
	"fmt"
	"testing"
	"time"

	"kardia/model"
)

var noon = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// pod is one of a node: its priority ("-" for one that is not shown), its phase, why it ended, and whether it is being
// deleted.
func pod(name, priority string, phase model.Phase, ended string, deleted bool) *model.Pod {
	var list []model.Detail
	if priority != "-" {
		list = append(list, model.Detail{Name: model.DetailPriority, Value: priority})
	}
	if ended != "" {
		list = append(list, model.Detail{Name: model.DetailEnded, Value: ended})
	}
	p := &model.Pod{Key: model.Key{Namespace: "shop", Name: name}, Node: "a", Phase: phase, Details: model.Details(model.PackDetails(list, nil))}
	if ended == "Terminated" {
		p.ReadySince = noon.Add(-time.Minute)
	}
	if deleted {
		p.Deletion = noon
	}
	return p
}

// of is a node's shutdown in words.
func of(status model.Status, reason, message string, pods ...*model.Pod) string {
	c := model.NewCluster()
	c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpAdd, Key: model.Key{Name: "a"}, Version: 1, Time: model.Exactly(noon),
		Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: status, Reason: reason, Message: message, Transition: noon}}}})
	for i, p := range pods {
		c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: p.Key, Version: uint64(i + 2), Time: model.Exactly(noon), Pod: p})
	}
	s, ok := Of(c.Node("a"))
	if !ok {
		return "none"
	}
	text := fmt.Sprintf("%s, since %v, over %v, %d late", s.Message, s.Since == noon, s.Over, s.Refused)
	for i := range s.Lanes {
		l := &s.Lanes[i]
		text += fmt.Sprintf("\n%s: %d of %d ended, %d ending, left", l.Name, len(l.Ended), l.All(), len(l.Ending))
		for _, p := range l.Left {
			text += " " + p.Name
		}
	}
	return text
}

// Pods are told by lanes of priority, those that have not ended by name; what ended of something else is none of them.
func TestLanes(t *testing.T) {
	pods := []*model.Pod{
		pod("batch", "0", model.PhaseFailed, "Terminated", false),
		pod("web-1", "1000", model.PhaseRunning, "", false),
		pod("web-2", "0", model.PhaseRunning, "", false),
		pod("web-3", "0", model.PhaseRunning, "", true),
		pod("web-4", "100000", model.PhaseRunning, "", false),
		pod("job", "0", model.PhaseSucceeded, "", false),
		pod("oom", "0", model.PhaseFailed, "Evicted resource memory", false),
		pod("late", "0", model.PhaseFailed, "NodeShutdown", false),
		pod("dns", "2000000000", model.PhaseRunning, "", false),
		pod("almost", "1999999999", model.PhaseRunning, "", false),
		pod("static", "2000001000", model.PhaseFailed, "Terminated", false),
		pod("odd", "-", model.PhaseRunning, "", false),
	}
	earlier := pod("batch", "0", model.PhaseFailed, "Terminated", false)
	earlier.ReadySince = noon.Add(-time.Hour)
	const says = "node is shutting down"
	lanes := "\nnot critical: 1 of 6 ended, 1 ending, left web-2 web-1 web-4 almost" +
		"\ncritical: 1 of 2 ended, 0 ending, left dns\npriority not shown: 0 of 1 ended, 0 ending, left odd"
	for _, c := range []struct {
		name, got, want string
	}{
		{"under way", of(model.StatusFalse, "KubeletNotReady", says, pods...), says + ", since true, over false, 1 late" + lanes},
		{"not heard any more", of(model.StatusUnknown, model.ReasonUnknown, "Kubelet stopped posting node status.", pods...), ", since false, over true, 1 late" + lanes},
		{"it has no pods", of(model.StatusFalse, "KubeletNotReady", "[container runtime is down, "+says+"]"), "[container runtime is down, " + says + "], since true, over false, 0 late"},
		{"back", of(model.StatusTrue, "KubeletReady", "", pods...), "none"},
		{"not ready for something else", of(model.StatusFalse, "KubeletNotReady", "PLEG is not healthy", pods[1:7]...), "none"},
		{"silent, of an earlier shutdown", of(model.StatusUnknown, model.ReasonUnknown, "", earlier), "none"},
		{"not ready, of an earlier shutdown", of(model.StatusFalse, "KubeletNotReady", "PLEG is not healthy", pods...), "none"},
		{"silent", of(model.StatusUnknown, model.ReasonUnknown, says, pods[1:7]...), "none"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
}
