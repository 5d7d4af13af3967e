package postmortem

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/ui/report"
)

// nodeChange takes in a Node, and tells what of it no decision tells.
func (s *scan) nodeChange(ch *model.Change, told bool) {
	n := s.node(ch.Key.Name)
	was := n.node
	if ch.Op == model.OpDelete {
		s.about(ch, n, "node", nodeDeleted)
		if n.open > 0 {
			s.silences[n.open-1].Gone = report.Stamp(ch.Effective())
			n.open = 0
		}
		n.node, n.exists = nil, false
		return
	}
	if ch.Node == nil {
		return
	}
	n.node, n.exists, n.zone = ch.Node, true, model.Some(ch.Node.Zone)
	switch {
	case !ch.Node.Unschedulable:
		n.cordonedAt, n.cordonedBy = 0, author{}
	case was != nil && !was.Unschedulable:
		n.cordonedAt, n.cordonedBy = ch.Effective(), author{ch.Writer, ch.Requester}
	}
	if was == nil && !n.lost && status(ch.Node) == model.StatusUnknown && !told && s.scope.about(n.name, n.zone) {
		s.unknown++
	}
	if ready := ch.Node.Ready(); ready != nil && ready.Status == model.StatusTrue {
		if n.lost && was != nil && status(was) != model.StatusTrue {
			s.readyAgain(n, ch)
		}
		if n.open > 0 && ready.Heartbeat.Bounded() {
			s.heard(n, loss.Beat{Says: ready.Heartbeat, Status: true, Off: s.silences[n.open-1].last.Off}, ch.Op == model.OpBaseline)
		}
	}
	s.saysReady(n, was, ch)
	if ch.Op == model.OpBaseline || told {
		return
	}
	switch {
	case was == nil && ch.Op == model.OpAdd:
		s.about(ch, n, "node", "Node object created")
		return
	case was == nil && ch.Writer != model.WriterKubelet:
		s.about(ch, n, "node", "Node object written; earlier versions are not in the input")
		return
	case was == nil: // its kubelet posts its status
		return
	}
	for _, what := range nodeNews(was, ch.Node) {
		s.about(ch, n, "node", what)
	}
}

// saysReady notes from when to when somebody says that a node is not ready.
func (s *scan) saysReady(n *nodeTrack, was *model.Node, ch *model.Change) {
	before, from := model.StatusAbsent, ch.Effective()
	if was != nil {
		before = status(was)
	}
	switch is := status(ch.Node); {
	case is == before || !s.scope.about(n.name, n.zone) || from > s.scope.To:
	case was == nil && ch.Op != model.OpBaseline: // it registers
	case is == model.StatusFalse:
		by := ch.WroteReady(was)
		if was == nil && ch.Node.Ready().Transition.Bounded() {
			by, from = ch.Node.ReadyWriter(), ch.Node.Ready().Transition // nobody saw it written
		}
		s.unready = append(s.unready, unready{node: n.name, by: by, from: from})
	case before == model.StatusFalse:
		for i := range slices.Backward(s.unready) {
			if s.unready[i].node == n.name {
				s.unready[i].to = ch.Effective()
				break
			}
		}
	}
}

// wasUnready says that the kubelet of a node itself had said that it was not ready, by an instant.
func (s *scan) wasUnready(node string, by model.Instant) bool {
	return slices.ContainsFunc(s.unready, func(u unready) bool { return u.node == node && u.from <= by && u.by.OfKubelet() })
}

func status(n *model.Node) model.Status {
	if c := n.Ready(); c != nil {
		return c.Status
	}
	return model.StatusAbsent
}

// readyAgain notes when a node that was declared is Ready again.
func (s *scan) readyAgain(n *nodeTrack, ch *model.Change) {
	for i := len(s.silences) - 1; i >= 0; i-- {
		if is := &s.silences[i]; is.Node == n.name {
			if model.Instant(is.ReadyAgain) == 0 {
				is.ReadyAgain, is.ready = report.Stamp(ch.Effective()), ch.Effective()
			}
			return
		}
	}
}

// shortened is as much of a message as a row has room for.
func shortened(s string) string {
	const room = 160
	if r := []rune(s); len(r) > room {
		return string(r[:room-1]) + "…"
	}
	return s
}

// nodeNews is what is new in a version of a Node.
func nodeNews(was, is *model.Node) (list []string) {
	if a, b := status(was), status(is); a != b {
		what := "Ready " + cmp.Or(a.String(), "absent") + " → " + cmp.Or(b.String(), "absent")
		if c := is.Ready(); c != nil && c.Reason != "" {
			what += " (" + c.Reason
			if b == model.StatusFalse && c.Message != "" {
				what += ": " + shortened(c.Message)
			}
			what += ")"
		}
		list = append(list, what)
	}
	for i := range is.Conditions { // of the others, what is bad, or was
		c := &is.Conditions[i]
		if old := was.Condition(c.Type); c.Type != model.ConditionReady && old != nil && old.Status != c.Status && (old.Status == model.StatusTrue || c.Status == model.StatusTrue) {
			list = append(list, c.Type+" "+old.Status.String()+" → "+c.Status.String())
		}
	}
	switch {
	case is.Unschedulable && !was.Unschedulable:
		list = append(list, "cordoned")
	case !is.Unschedulable && was.Unschedulable:
		list = append(list, "uncordoned")
	}
	has := func(n *model.Node, t *model.Taint) bool {
		return slices.ContainsFunc(n.Taints, func(u model.Taint) bool { return u.Key == t.Key && u.Effect == t.Effect })
	}
	for i := range is.Taints {
		if t := &is.Taints[i]; !has(was, t) {
			list = append(list, "taint "+t.Key+":"+t.Effect.String())
		}
	}
	for i := range was.Taints {
		if t := &was.Taints[i]; !has(is, t) {
			list = append(list, "untaint "+t.Key+":"+t.Effect.String())
		}
	}
	return list
}
