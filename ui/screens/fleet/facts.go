package fleet

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/problem"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// graceTime is the node monitor grace period.
type graceTime = time.Duration

// taint is an entry's first NoExecute taint; nil if it has none.
func taint(e *nodes.Entry) *model.Taint {
	if e.Taint < 0 {
		return nil
	}
	return &e.Row.Node.Taints[e.Taint]
}

// taintCordon is the taint that the control plane sets for spec.unschedulable.
const taintCordon = model.TaintUnschedulable

// since is when the state in the READY column began, as declared. That is Ready while it is not True, the cordon if its
// taint has a time, or the other state in the column. Unknown for a node that is simply ready.
func since(e *nodes.Entry) model.Instant {
	n := e.Row.Node
	if n == nil {
		return 0
	}
	if r := n.Ready(); r != nil && r.Status != model.StatusTrue {
		return e.Row.ReadySince()
	}
	if n.Unschedulable {
		for i := range n.Taints {
			if n.Taints[i].Key == taintCordon && n.Taints[i].Added.Known() {
				return n.Taints[i].Added
			}
		}
		_, last := n.CordonedBy()
		return last
	}
	switch {
	case e.Leaving != nil:
		return e.Leaving.When.Earliest
	case len(e.Problems) > 0 && e.Problems[0].Kind == problem.Flapping:
		return e.Row.ReadySince() // since it flaps it was other things as well
	case len(e.Problems) > 0:
		return e.Problems[0].Since
	}
	return 0
}

// shortKey is a taint's key without its domain.
func shortKey(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// facts are the observed facts of a node that needs attention, in a few words. They are no decisions.
func facts(e *nodes.Entry, p *paint.Painter, grace graceTime, short bool) string {
	var words []string
	add := func(long, brief string) {
		if short {
			long = brief
		}
		words = append(words, long)
	}
	silent := e.Then.Age.Known && e.Then.Age.Value >= grace && e.Then.From != model.AgeStatus
	n := e.Row.Node
	switch {
	case e.Health == model.HealthNotReady:
		says := kubeletSays(n.Ready(), p)
		add(says, cmp.Or(inShort(says), says))
	case silent:
		limit := paint.Duration(grace)
		add("silent past "+limit, "past "+limit)
	case e.Health == model.HealthUnknown && e.Ages.Age.Known && e.Ages.From != model.AgeStatus && !e.Ages.AtMost:
		add("heartbeat is back", "is back")
	case e.Health == model.HealthUnknown && n.Ready().Reason == model.ReasonUnknown: // adds nothing to Unknown
		add("no status is posted", "no status posted")
	case e.Health == model.HealthUnknown:
		words = append(words, cmp.Or(p.Text(n.Ready().Reason), "declared Unknown"))
	case e.Health == model.HealthNever:
		add("never posted a status", "no status yet")
	case e.Health == model.HealthUnseen:
		add("Node object not seen", "object unseen")
	case e.Then.Unposted():
		add("no status for "+paint.Age(e.Then.Age), "no status")
	case e.Late:
		missed := strconv.Itoa(e.Missed())
		add("late, "+missed+" missed", missed+" missed")
	}
	if n == nil {
		return strings.Join(words, ", ")
	}
	if e.Leaving != nil {
		add(p.Text(topics.Leaving(e.Leaving).In(p)), p.Text(topics.LeavingShort(e.Leaving).In(p)))
	}
	for i := range n.Taints { // by hand, or by another program: for it pods are deleted as well
		t := &n.Taints[i]
		if t.Effect != model.NoExecute {
			continue
		}
		key := p.Text(shortKey(t.Key))
		if !t.OfNodeLifecycle() {
			add("tainted "+key, key)
			break
		}
		if e.Health == model.HealthReady { // else its state shows why it is tainted
			add("still tainted "+key, "still tainted")
			break
		}
	}
	for i := range e.Problems {
		add(p.Text(topics.Problem(&e.Problems[i]).In(p)), p.Text(topics.ProblemShort(&e.Problems[i]).In(p)))
	}
	if n.Unschedulable {
		if who, _ := n.CordonedBy(); who != "" {
			add("cordoned by "+p.Text(who), "cordoned")
		} else {
			words = append(words, "cordoned")
		}
	}
	if e.LastKnown.Known() {
		add("last known "+p.Clock(e.LastKnown), "last known")
	}
	return strings.Join(words, ", ")
}

// kubeletSays is the kubelet's reason for not being ready, or its message if the reason has no meaning.
func kubeletSays(c *model.Condition, p *paint.Painter) string {
	if c.Reason == "KubeletNotReady" || c.Reason == "" {
		return cmp.Or(p.Text(c.Message), p.Text(c.Reason), "kubelet says not ready")
	}
	return p.Text(c.Reason)
}

// saying is kubelets' messages when they are not ready, and the same in short.
// Source: kubernetes: pkg/kubelet/kubelet.go, pkg/kubelet/runtime.go.
var saying = [...][2]string{
	{"container runtime is down", "runtime down"},
	{"container runtime network not ready", "network not ready"},
	{"container runtime not ready", "runtime not ready"},
	{"container runtime status check may not have completed yet", "runtime unchecked"},
	{"PLEG is not healthy", "PLEG not healthy"},
	{"CSINode is not yet initialized", "CSINode not ready"},
	{"node is shutting down", "shutting down"},
}

// inShort is the short form of a kubelet's usual message, which is longer than a column; "" for others.
func inShort(message string) string {
	var words []string
	for _, s := range saying {
		if strings.Contains(message, s[0]) {
			words = append(words, s[1])
		}
	}
	return strings.Join(words, ", ")
}

// readyWord is the READY column: the state, and the mark of a cordon.
func readyWord(e *nodes.Entry) (string, themes.Token) {
	switch e.Health {
	case model.HealthUnknown:
		return "Unknown", themes.Unknown
	case model.HealthNotReady:
		return "NotReady", themes.NotReady
	case model.HealthReady:
		return "Ready", themes.Dim
	case model.HealthNever:
		return "Never", themes.Text
	}
	return "unseen", themes.Dim
}
