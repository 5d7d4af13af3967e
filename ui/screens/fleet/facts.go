package fleet

import (
	"cmp"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/problem"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// taint is an entry's first NoExecute taint; nil without one.
func taint(e *nodes.Entry) *model.Taint {
	if e.Taint < 0 {
		return nil
	}
	return &e.Row.Node.Taints[e.Taint]
}

// since is the start of the state in the READY column, as declared. That is Ready while it is not True, the cordon if
// its taint has a time, or the other state in the column. Unknown for a node that is simply ready.
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
			if n.Taints[i].Key == model.TaintUnschedulable && n.Taints[i].Added.Known() {
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

func shortKey(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// facts are the observed facts of a node that needs attention, in a few words, without decisions.
func facts(e *nodes.Entry, p *paint.Painter, grace time.Duration, short bool) string {
	var list []string
	say := func(long, brief words.Say) {
		if short {
			long = brief
		}
		list = append(list, p.Text(long.In(p)))
	}
	silent := e.Then.Age.Known && e.Then.Age.Value >= grace && e.Then.From != model.AgeStatus
	n := e.Row.Node
	switch {
	case e.Health == model.HealthNotReady:
		says := kubeletSays(n.Ready(), p)
		say(words.Text(says), words.Text(cmp.Or(inShort(says), says)))
	case silent:
		say(words.Of("fleet.silent", "grace", words.Setting(grace)), words.Of("fleet.short.silent", "grace", words.Setting(grace)))
	case e.Health == model.HealthUnknown && e.Ages.Age.Known && e.Ages.From != model.AgeStatus && !e.Ages.AtMost:
		say(words.Of("fleet.back"), words.Of("fleet.short.back"))
	case e.Health == model.HealthUnknown && n.Ready().Reason == model.ReasonUnknown: // adds nothing to Unknown
		say(words.Of("fleet.unposted"), words.Of("fleet.short.unposted"))
	case e.Health == model.HealthUnknown:
		list = append(list, cmp.Or(p.Text(n.Ready().Reason), words.Of("decision.what.MarkUnknown").In(p)))
	case e.Health == model.HealthNever:
		say(words.Of("fleet.never"), words.Of("fleet.short.never"))
	case e.Health == model.HealthUnseen:
		say(words.Of("fleet.unseen"), words.Of("fleet.short.unseen"))
	case e.Then.Unposted():
		say(words.Of("fleet.no-status", "for", paint.Age(e.Then.Age)), words.Of("fleet.short.no-status"))
	case e.Late:
		say(words.Of("fleet.late", "n", e.Missed()), words.Of("fleet.short.late", "n", e.Missed()))
	}
	if n == nil {
		return strings.Join(list, ", ")
	}
	if e.Leaving != nil {
		say(topics.Leaving(e.Leaving), topics.LeavingShort(e.Leaving))
	}
	for i := range n.Taints { // by hand, or by another program: for it pods are deleted as well
		t := &n.Taints[i]
		if t.Effect != model.NoExecute {
			continue
		}
		key := p.Text(shortKey(t.Key))
		if !t.OfNodeLifecycle() {
			say(words.Of("fleet.tainted", "key", key), words.Text(key))
			break
		}
		if e.Health == model.HealthReady { // else its state shows why it is tainted
			say(words.Of("fleet.still-tainted", "key", key), words.Of("fleet.short.still-tainted"))
			break
		}
	}
	for i := range e.Problems {
		say(topics.Problem(&e.Problems[i]), topics.ProblemShort(&e.Problems[i]))
	}
	if n.Unschedulable {
		cordoned := words.Of("fleet.cordoned")
		if who, _ := n.CordonedBy(); who != "" {
			say(words.Of("fleet.cordoned-by", "who", p.Text(who)), cordoned)
		} else {
			say(cordoned, cordoned)
		}
	}
	if e.LastKnown.Known() {
		say(words.Of("fleet.last-known", "at", e.LastKnown), words.Of("fleet.short.last-known"))
	}
	return strings.Join(list, ", ")
}

// kubeletSays is the kubelet's reason for not being ready, or its message if the reason has no meaning.
func kubeletSays(c *model.Condition, p *paint.Painter) string {
	if c.Reason == "KubeletNotReady" || c.Reason == "" {
		return cmp.Or(p.Text(c.Message), p.Text(c.Reason), words.Of("fleet.says-not-ready").In(p))
	}
	return p.Text(c.Reason)
}

// saying is the parts of kubelets' not-ready messages, and the key of the short form.
// Source: kubernetes: pkg/kubelet/kubelet.go, pkg/kubelet/runtime.go.
var saying = [...][2]string{
	{"container runtime is down", "runtime-down"},
	{"network not ready", "network-not-ready"},
	{"container runtime not ready", "runtime-not-ready"},
	{"container runtime status check", "runtime-unchecked"},
	{"PLEG is not healthy", "pleg"},
	{"CSINode is not", "csinode"},
	{"node is shutting", "shutdown"},
}

// inShort is the short form of a kubelet's usual message, which is longer than a column; "" for others.
func inShort(message string) string {
	var short []string
	for _, s := range saying {
		if strings.Contains(message, s[0]) {
			short = append(short, words.Of("fleet.kubelet."+s[1]).String())
		}
	}
	return strings.Join(short, ", ")
}

// healthTokens are the colours of the READY column.
var healthTokens = [...]themes.Token{model.HealthUnseen: themes.Dim, model.HealthNever: themes.Text, model.HealthReady: themes.Dim,
	model.HealthNotReady: themes.NotReady, model.HealthUnknown: themes.Unknown}
