package node

import (
	"cmp"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
)

// pods are the node's pods with what they tolerate: those being deleted first, then by
// how long they tolerate a silent node, then by name.
func (c *canvas) pods(w int) list {
	pods := slices.Clone(c.row.Pods())
	slices.SortFunc(pods, comparePods)
	l := list{pane: panePods, title: "PODS " + itoa(len(pods)), n: len(pods)}
	if !c.s.Has(model.KindPod) {
		l.title, l.n = "PODS ?", 1
		l.draw = func(int) paint.Row { return c.quiet(w, "no pods to be had: which run here is not known") }
		return l
	}
	if len(pods) == 0 {
		l.n = 1
		l.draw = func(int) paint.Row { return c.quiet(w, "no pods on this node") }
		return l
	}
	l.note = podCounts(pods)
	const state, tolerates = 12, 18
	longest := 0
	for _, p := range pods {
		longest = max(longest, len(p.Namespace)+1+len(p.Name))
	}
	name := max(min(longest, w-2-1-state-1-tolerates), 16)
	head := c.p.Line(w).Skip(2).Left(themes.Faint, "POD", name).Skip(1).Left(themes.Faint, "STATE", state).Skip(1)
	l.head = []paint.Row{head.Put(themes.Faint, "TOLERATES").Row()}
	l.draw = func(i int) paint.Row {
		pod := pods[i]
		line := c.p.Line(w).Skip(2).Left(themes.Text, c.p.Middle(c.p.Text(pod.Key.String()), name), name).Skip(1)
		word, token := c.podState(pod)
		line.Left(token, word, state).Skip(1)
		return line.Put(themes.Dim, Tolerates(pod.Tolerations.List())).Row()
	}
	return l
}

func comparePods(a, b *model.Pod) int {
	deleting := func(p *model.Pod) int {
		if p.Deletion.Known() {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(deleting(a), deleting(b)), compareTolerance(a, b), model.ComparePods(a, b))
}

// compareTolerance puts the less patient pod first.
func compareTolerance(a, b *model.Pod) int {
	x, y := tolerance(a.Tolerations.List(), taintUnreachable), tolerance(b.Tolerations.List(), taintUnreachable)
	return cmp.Compare(x, y)
}

func podCounts(pods []*model.Pod) string {
	terminating, forever := 0, 0
	for _, p := range pods {
		if p.Deletion.Known() {
			terminating++
		}
		if tolerance(p.Tolerations.List(), taintUnreachable) == toleratesForever {
			forever++
		}
	}
	text := ""
	if terminating > 0 {
		text = fmt.Sprintf("%d terminating   ", terminating)
	}
	return text + fmt.Sprintf("%d tolerate silence forever", forever)
}

// podState is what the pod's object says: that it is being deleted, or its phase.
func (c *canvas) podState(p *model.Pod) (string, themes.Token) {
	switch {
	case p.Deletion.Known():
		// deletionTimestamp is the request's time plus the grace period.
		asked := p.Deletion.Add(-duration(p.GraceSeconds) * second)
		return "ending " + c.since(asked), themes.Evict
	case p.Phase == model.PhaseRunning && p.Ready == model.StatusFalse:
		return "not ready", themes.Warn
	case p.Phase == model.PhaseNone:
		return "?", themes.Dim
	}
	return p.Phase.String(), themes.Dim
}

const second = duration(1e9)

// The taints that the node-lifecycle controller sets on nodes that are not well.
const (
	taintNotReady    = "node.kubernetes.io/not-ready"
	taintUnreachable = "node.kubernetes.io/unreachable"
)

// What a tolerance may be besides seconds.
const (
	toleratesNot     = int64(-1)
	toleratesForever = int64(1<<63 - 1)
)

// tolerance is how many seconds a list of tolerations bears a NoExecute taint of the
// node-lifecycle controller, which has no value. The first toleration that matches counts.
// Source: kubernetes: component-helpers/scheduling/corev1, GetMatchingTolerations.
func tolerance(list []model.Toleration, key string) int64 {
	for i := range list {
		t := &list[i]
		if t.Effect != model.EffectAny && t.Effect != model.NoExecute {
			continue
		}
		exists := t.Operator == "Exists"
		equal := (t.Operator == "" || t.Operator == "Equal") && t.Value == ""
		if !(t.Key == "" && exists) && !(t.Key == key && (exists || equal)) {
			continue
		}
		if t.Seconds.Known {
			return max(t.Seconds.Value, 0)
		}
		return toleratesForever
	}
	return toleratesNot
}

// Tolerates says how long tolerations bear a node that is not ready or unreachable: one
// word where both are the same.
func Tolerates(list []model.Toleration) string {
	notReady, unreachable := tolerance(list, taintNotReady), tolerance(list, taintUnreachable)
	if notReady == unreachable {
		return toleranceWord(notReady)
	}
	return "nr " + toleranceWord(notReady) + " un " + toleranceWord(unreachable)
}

func toleranceWord(seconds int64) string {
	switch seconds {
	case toleratesNot:
		return "not"
	case toleratesForever:
		return "forever"
	}
	return fmt.Sprintf("%ds", seconds)
}
