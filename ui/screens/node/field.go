package node

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// Field implements screen.Fielder: the field under the cursor of the pane in front.
func (v *View) Field(s *screen.Snapshot) (f past.Field, ok bool) {
	if v.name == "" {
		return f, false
	}
	if s.Cluster != nil && s.Cluster.Node(v.name) == nil { // the author of its removal
		return past.Field{Kind: past.ConditionField, Node: v.name, Name: model.ConditionReady}, true
	}
	if v.focus != panePods && len(v.follow(s)) > 0 {
		return v.at[v.focus].(past.Field), true
	}
	switch v.focus {
	case paneTaints:
		return past.Field{Kind: past.TaintField, Node: v.name}, true
	case paneFacts:
		return past.Field{Kind: past.CordonField, Node: v.name}, true
	}
	return f, false
}

// keys are what the rows of a pane are about: its conditions and the lease, taints, or pods. It is nil without a cursor.
func (v *View) keys(s *screen.Snapshot, of pane) (list []any) {
	row := s.Node(v.name)
	if row == nil {
		return nil
	}
	switch of {
	case paneConditions:
		for _, same := range v.conditionsOf(s) {
			list = append(list, past.Field{Kind: past.ConditionField, Node: v.name, Name: same[0].Type})
		}
		return append(list, past.Field{Kind: past.RenewalField, Node: v.name})
	case paneTaints:
		for _, t := range taintsOf(row) {
			list = append(list, past.Field{Kind: past.TaintField, Node: v.name, Name: t.Key + ":" + t.Effect.String()})
		}
	case panePods:
		for _, p := range v.podRows(s) {
			list = append(list, p.Key)
		}
	}
	return list
}

// grouped is the conditions of a node in a Snapshot, those with one history together.
type grouped struct {
	cluster  *model.Cluster
	revision uint64
	at       model.Instant
	list     [][]model.Condition
}

// conditionsOf are the node's conditions in the order shown, those with one history together.
func (v *View) conditionsOf(s *screen.Snapshot) [][]model.Condition {
	row := s.Cluster.Node(v.name)
	if row == nil || row.Node == nil {
		return nil
	}
	is := &v.conditions
	if is.list != nil && is.cluster == s.Cluster && is.revision == s.Revision && is.at == s.At {
		return is.list
	}
	track := &past.Track{}
	if s.Track != nil && s.At.Bounded() {
		track = s.Track(v.name, model.Interval{Earliest: s.At.Add(-lookBack(s)), Latest: s.At})
	}
	list := slices.Clone(row.Node.Conditions)
	slices.SortStableFunc(list, func(a, b model.Condition) int { return cmp.Compare(order(a.Type), order(b.Type)) })
	*is = grouped{s.Cluster, s.Revision, s.At, nil}
	for _, c := range list {
		i := slices.IndexFunc(is.list, func(same []model.Condition) bool { return oneHistory(row.Node, &same[0], &c, track) })
		if i < 0 {
			is.list = append(is.list, []model.Condition{c})
		} else {
			is.list[i] = append(is.list[i], c)
		}
	}
	return is.list
}

// oneHistory reports whether two conditions were equal at all known times, for the same reason unless both are healthy.
func oneHistory(n *model.Node, a, b *model.Condition, track *past.Track) bool {
	x, y := trackOf(track, a.Type), trackOf(track, b.Type)
	good := a.Status != model.StatusUnknown && !widget.Bad(a.Type, a.Status) && !widget.Bad(b.Type, b.Status)
	if a.Status != b.Status || n.StaleBy(a) != n.StaleBy(b) || began(*a, x).Sub(began(*b, y)).Abs() >= time.Second ||
		!good && (a.Reason != b.Reason || a.Message != b.Message && a.Status != model.StatusUnknown) {
		return false
	}
	return slices.EqualFunc(x.Spans, y.Spans, func(s, t past.Span) bool { // that Ready is True is as good as that others are False
		return widget.Bad(a.Type, s.Status) == widget.Bad(b.Type, t.Status) &&
			(s.Status == model.StatusUnknown) == (t.Status == model.StatusUnknown) && (s == x.Spans[0] || s.From.Sub(t.From).Abs() < time.Second)
	})
}

// label names conditions in one row: Memory-, Disk-, PIDPressure.
func label(same []model.Condition) string {
	const pressure = "Pressure"
	last := 0
	for i, c := range same {
		if strings.HasSuffix(c.Type, pressure) {
			last = i
		}
	}
	names := make([]string, len(same))
	for i, c := range same {
		if names[i] = c.Type; i < last && strings.HasSuffix(c.Type, pressure) {
			names[i] = strings.TrimSuffix(c.Type, pressure) + "-"
		}
	}
	return strings.Join(names, ", ")
}

func taintsOf(row *model.NodeRow) []model.Taint {
	if row.Node == nil {
		return nil
	}
	list := slices.Clone(row.Node.Taints)
	slices.SortStableFunc(list, func(a, b model.Taint) int { return cmp.Compare(b.Effect, a.Effect) })
	return list
}

func (c *rendering) picked(of pane, i int) bool {
	return c.focus == of && i == c.scroll[of].Cursor
}
