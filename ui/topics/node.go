package topics

import (
	"slices"
	"strings"

	"kardia/model"
	"kardia/ui/words"
)

// SetBy is who set n nodes not ready.
func SetBy(said model.Said, n int) words.Say {
	if said.By.OfKubelet() {
		return words.Of("set-by.kubelet", "n", n)
	}
	return words.Of("set-by.another", "n", n, "who", said.By)
}

// SetByFull is who set one node not ready, and how that is known.
func SetByFull(said model.Said) words.Say {
	switch {
	case said.By == model.WriterKubelet:
		return words.Of("set-by-full.kubelet")
	case said.By == model.WriterUnknown:
		return words.Of("set-by-full.unseen")
	case said.Manager != "":
		return words.Of("set-by-full.manager", "who", said.Manager)
	}
	return words.Of("set-by-full.another", "who", said.By)
}

// NotReady is who set a node not ready, since when, and why.
func NotReady(row *model.NodeRow) words.Say {
	ready, said := row.Node.Ready(), row.SaidNotReady()
	by := SetByFull(said)
	if said.Last.Bounded() {
		by = words.Of("node.said-at", "by", by, "at", words.Date(said.Last))
	}
	since := words.Of("node.time-unknown")
	if at := row.ReadySince(); at.Bounded() {
		since = words.Of("node.since", "at", words.Date(at))
	}
	return words.Of("node.not-ready", "by", by, "since", since, "reason", strings.Trim(ready.Reason+": "+ready.Message, ": "))
}

// SetUnknown is who set a node's Ready Unknown, when, and why. A time after now is left out.
func SetUnknown(row *model.NodeRow, now model.Instant) words.Say {
	var at words.Say
	if set := row.ReadySince(); set.Bounded() && set <= now {
		at = words.Of("node.set-at", "at", set, "ago", now.Sub(set))
	}
	switch who, _ := row.Node.ReadyManager(); {
	case row.Node.Ready().DeclaredUnknown() && row.Lease.Renewed.Bounded():
		return words.Of("node.set-unknown-since", "by", model.ControllerManager, "at", at, "renewed", row.Lease.Renewed)
	case row.Node.Ready().DeclaredUnknown():
		return words.Of("node.set-unknown", "by", model.ControllerManager, "at", at)
	case who != "":
		return words.Of("node.set-by-manager", "by", who, "at", at)
	}
	return words.Of("node.set-by-unknown", "at", at)
}

// Cordoned is who keeps new pods off a node by a cordon, and since when, as far as it is known.
func Cordoned(n *model.Node, now model.Instant) words.Say {
	cordon := words.Of("node.cordoned")
	taint := slices.IndexFunc(n.Taints, func(t model.Taint) bool { return t.Key == model.TaintUnschedulable && t.Added.Bounded() })
	switch who, last := n.CordonedBy(); {
	case who != "" && last.Bounded():
		cordon = words.Of("node.cordoned-by", "who", who, "ago", now.Sub(last))
	case who != "":
		cordon = words.Of("node.cordoned-who", "who", who)
	case taint >= 0:
		cordon = words.Of("node.cordoned-ago", "ago", now.Sub(n.Taints[taint].Added))
	}
	return words.Of("node.cordon-keeps", "cordon", cordon)
}
