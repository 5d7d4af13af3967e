package postmortem

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/ui/report"
)

// nodeChange takes in a Node, and tells what of it no decision tells.
func (s *scan) nodeChange(ch *model.Change, told bool) {
	n := s.node(ch.Key.Name)
	was := n.node
	if ch.Op == model.OpDelete {
		s.about(ch, n, "node", "Node object deleted")
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
			s.heard(n, ready.Heartbeat, ch.Op == model.OpBaseline)
		}
	}
	if ch.Op == model.OpBaseline || told {
		return
	}
	if was == nil {
		s.about(ch, n, "node", "Node object created")
		return
	}
	for _, what := range nodeNews(was, ch.Node) {
		s.about(ch, n, "node", what)
	}
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

// nodeNews is what is new in a version of a Node.
func nodeNews(was, is *model.Node) (list []string) {
	if a, b := status(was), status(is); a != b {
		what := "Ready " + cmp.Or(a.String(), "absent") + " → " + cmp.Or(b.String(), "absent")
		if c := is.Ready(); c != nil && c.Reason != "" {
			what += " (" + c.Reason + ")"
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
