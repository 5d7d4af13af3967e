package topics

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/departure"
	"kardia/model/explain/problem"
	"kardia/model/explain/shutdown"
	"kardia/model/past"
	"kardia/ui/words"
)

// SetBy is who set n nodes not ready.
func SetBy(said model.Said, n int) words.Say {
	return words.Of("set-by.kubelet", "n", n).If(said.By.OfKubelet()).Or(words.Of("set-by.another", "n", n, "who", said.By))
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

// Problem is what is wrong with a node that is Ready, as a part of a sentence.
func Problem(p *problem.Problem) words.Say {
	return words.Of("problem."+problemCode(p), "name", p.Name, "status", p.Status, "owner", cmp.Or(p.Owner, words.Of("problem-owner").String()),
		"for", p.For.Abs(), "n", p.N, "all", p.All)
}

// ProblemShort is a word or two for it.
func ProblemShort(p *problem.Problem) words.Say {
	return words.Of("problem-short."+problemCode(p), "name", p.Name, "times", p.N)
}

// problemCode is the kind, with the side of the time that a clock is on.
func problemCode(p *problem.Problem) string {
	switch {
	case p.Kind != problem.Clock:
		return p.Kind.String()
	case p.Unread:
		return "renewTime ahead"
	case p.For < 0:
		return "clock behind"
	}
	return "clock ahead"
}

// Shutdown is that a kubelet ends its pods in order, since when, and how that is known.
func Shutdown(s *shutdown.Shutdown) words.Say {
	state := words.Of("shutdown.over").If(s.Over).Or(words.Of("shutdown.runs"))
	since := words.Of("shutdown.since", "since", s.Since).If(s.Since.Bounded())
	by := words.Of("shutdown.by-kubelet", "message", s.Message).If(s.Message != "").Or(words.Of("shutdown.by-pods"))
	return words.Of("shutdown.says", "state", state, "since", since, "by", by)
}

// ShutdownShort is how many pods of each lane have ended; pods reports that pods were read.
func ShutdownShort(s *shutdown.Shutdown, pods bool) words.Say {
	var lanes []string
	for i := range s.Lanes {
		l := &s.Lanes[i]
		lanes = append(lanes, words.Of("shutdown.lane-short", "name", l.Name, "ended", len(l.Ended), "all", l.All()).String())
	}
	far := words.Text(strings.Join(lanes, "; "))
	switch {
	case !pods:
		far = words.Of("shutdown.pods-unread")
	case len(lanes) == 0:
		far = words.Of("shutdown.none-left")
	}
	return words.Of("shutdown.short", "far", far)
}

// ShutdownLane is how far a lane has come, with the names of at most so many pods that are left.
func ShutdownLane(l *shutdown.Lane, most int) words.Say {
	var ending, left words.Say
	if n := len(l.Ending); n > 0 {
		ending = words.Of("shutdown.ending", "n", n)
	}
	if len(l.Left) > 0 {
		var names []string
		for _, p := range l.Left[:min(most, len(l.Left))] {
			name := words.Text(p.Key.String())
			if n, known := p.Priority(); known {
				name = words.Of("shutdown.pod", "pod", p.Key.String(), "priority", n)
			}
			names = append(names, name.String())
		}
		if more := len(l.Left) - most; more > 0 {
			names = append(names, words.Of("shutdown.more", "n", more).String())
		}
		left = words.Of("shutdown.left", "n", len(l.Left), "pods", strings.Join(names, ", "))
	}
	return words.Of("shutdown.lane", "ended", len(l.Ended), "all", l.All(), "ending", ending, "left", left)
}

// DepartureWord is what takes a pod away, in a word or two, with what its node was low on.
func DepartureWord(p *model.Pod) string {
	k := departure.Of(p)
	e, _ := p.Ending()
	if k != departure.Pressure || e.Named == "" {
		return words.Of("departure.word." + k.String()).String()
	}
	low := e.Named
	switch low {
	case "ephemeral-storage", "nodefs", "imagefs", "disk":
		low = "disk"
	case "nodefsInodes", "imagefsInodes":
		low = "inodes"
	}
	return words.Of("departure.low", "on", low).String()
}

// Departure is what takes a pod away, with what its own status shows of it.
func Departure(p *model.Pod) words.Say {
	k := departure.Of(p)
	kind := words.Of("departure.kind." + k.String())
	e, known := p.Ending()
	switch {
	case k == departure.Pressure && e.Named != "":
		return words.Of("departure.low-on", "on", e.Named)
	case k == departure.Refused && e.By == model.EndedForCondition:
		return words.Of("departure.refused-for", "kind", kind, "conditions", words.Listed(strings.Split(e.Named, "/")))
	case k == departure.Refused:
		return words.Of("departure.refused-with", "kind", kind, "reason", e.Reason)
	case k == departure.Failed && known:
		return words.Of("departure.failed-with", "reason", e.Reason)
	}
	// Kubelets end pods by ranges of priority, lower ones first. The API shows only the two default ranges.
	switch priority, known := p.Priority(); {
	case k != departure.Shutdown || !known:
		return kind
	case priority >= model.SystemCritical:
		return words.Of("departure.shutdown-last", "kind", kind, "priority", priority)
	default:
		return words.Of("departure.shutdown-before", "kind", kind, "priority", priority)
	}
}

// Field is a part of an object, in words.
func Field(f past.Field) words.Say {
	what := [...]string{"", f.Name, words.Of("field.taint", "name", f.Name).String(), words.Label("cordon"), "renewTime", words.Label("deletion"), words.Label("phase"), "Ready", words.Label("node")}[min(f.Kind, past.PodNodeField)]
	switch {
	case f.Kind >= past.PodDeletionField:
		return words.Of("field.of-pod", "what", what, "name", f.Pod)
	case f.Kind == past.TaintField && f.Name == "":
		what = words.Label("taints")
	}
	return words.Of("field.of-node", "what", what, "name", f.Node)
}
