package incident

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/model/past"
)

// nodeChange takes a version of a Node, and records the differences that no decision covers.
func (s *scan) nodeChange(ch *model.Change, told bool) {
	n := s.nodes.Of(ch.Key.Name)
	was := n.node
	if ch.Op == model.OpDelete {
		s.nodeEvent(ch, n, What{Code: NodeDeleted})
		if n.open > 0 {
			s.Silences[n.open-1].Gone = ch.Effective()
			n.open = 0
		}
		n.node, n.exists = nil, false
		return
	}
	if ch.Node == nil {
		if ch.Writer == model.WriterPerson { // of the request only the sender is shown
			s.nodeEvent(ch, n, What{Code: NodeWritten})
		}
		return
	}
	s.NodeObjects = true
	n.node, n.exists, n.zone = ch.Node, true, model.Some(ch.Node.Zone)
	switch {
	case !ch.Node.Unschedulable:
		n.cordoned, n.cordonedBy = 0, Author{}
	case was != nil && !was.Unschedulable:
		n.cordoned, n.cordonedBy = ch.Effective(), Author{ch.Writer, ch.Requester}
	}
	if was == nil && !n.lost && ch.Node.ReadyStatus() == model.StatusUnknown && !told && s.about(n.name, n.zone) {
		s.UnknownBefore++
	}
	if ready := ch.Node.Ready(); ready != nil && ready.Status == model.StatusTrue {
		if n.lost && was != nil && !was.IsReady() {
			s.readyAgain(n, ch)
		}
		if n.open > 0 && ready.Heartbeat.Bounded() {
			s.heard(n, loss.Beat{Says: ready.Heartbeat, Status: true, Off: s.Silences[n.open-1].Last.Off}, ch.Op == model.OpBaseline)
		}
	}
	s.saysReady(n, was, ch)
	switch {
	case ch.Op == model.OpBaseline || told:
	case was != nil:
		for _, what := range news(was, ch.Node) {
			s.nodeEvent(ch, n, what)
		}
	case ch.Op == model.OpAdd:
		s.nodeEvent(ch, n, What{Code: NodeCreated})
	case ch.Writer != model.WriterKubelet: // the kubelet posts its status
		s.nodeEvent(ch, n, What{Code: NodeWritten})
	}
}

func (s *scan) saysReady(n *node, was *model.Node, ch *model.Change) {
	before, from := was.ReadyStatus(), ch.Effective()
	switch is := ch.Node.ReadyStatus(); {
	case is == before || !s.about(n.name, n.zone) || from > s.To:
	case was == nil && ch.Op != model.OpBaseline: // it registers
	case is == model.StatusFalse:
		by := ch.WroteReady(was)
		if was == nil && ch.Node.Ready().Transition.Bounded() {
			by, from = ch.Node.ReadyWriter(), ch.Node.Ready().Transition // its write was not seen
		}
		s.Unready = append(s.Unready, Unready{Node: n.name, By: by, From: from})
	case before == model.StatusFalse:
		for i := range slices.Backward(s.Unready) {
			if s.Unready[i].Node == n.name {
				s.Unready[i].To = ch.Effective()
				break
			}
		}
	}
}

func (s *scan) readyAgain(n *node, ch *model.Change) {
	for i := range slices.Backward(s.Silences) {
		if is := &s.Silences[i]; is.Node == n.name {
			is.ReadyAgain = cmp.Or(is.ReadyAgain, ch.Effective())
			return
		}
	}
}

// news lists the differences of a version of a Node: Ready, other conditions that are or were True, cordons and taints.
func news(was, is *model.Node) (list []What) {
	const others = 2 // the place of conditions
	place := map[past.DifferenceKind]int{past.ConditionStatus: others, past.Cordoned: 3, past.Uncordoned: 3, past.TaintAdded: 4, past.TaintRemoved: 5}
	for _, d := range past.NodeDifferences(was, is) {
		what := What{Code: Differs, Difference: d}
		switch ready := d.Name == model.ConditionReady; {
		case place[d.Kind] == 0:
			continue
		case d.Kind == past.ConditionStatus && ready:
			if c := is.Ready(); c != nil && c.Reason != "" && c.Status == model.StatusFalse {
				what.Message = c.Message
			}
		case d.Kind == past.ConditionStatus:
			if bad := model.StatusTrue.String(); d.Before == "" || d.After == "" || d.Before != bad && d.After != bad {
				continue
			}
			what.Difference.Reason = ""
		}
		list = append(list, what)
	}
	slices.SortStableFunc(list, func(a, b What) int { return place[a.Difference.Kind] - place[b.Difference.Kind] })
	return list
}
