package node

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/past"
	"kardia/ui/screen"
)

// Field implements screen.Fielder: the field under the cursor of the pane in front.
func (v *View) Field(s *screen.Snapshot) (f past.Field, ok bool) {
	if v.name == "" {
		return f, false
	}
	if s.Cluster != nil && s.Cluster.Node(v.name) == nil { // what wrote that it is gone
		return past.Field{Kind: past.ConditionField, Node: v.name, Name: model.ConditionReady}, true
	}
	if v.focus != panePods && v.cursors(s) > 0 {
		v.follow(s)
		return v.field, true
	}
	switch v.focus {
	case paneTaints:
		return past.Field{Kind: past.TaintField, Node: v.name}, true
	case paneFacts:
		return past.Field{Kind: past.CordonField, Node: v.name}, true
	}
	return f, false
}

// fields are the rows of a pane: the conditions and the lease, or the taints, one by one. It is nil if a pane has no
// cursor of this kind.
func (v *View) fields(s *screen.Snapshot, of pane) (list []past.Field) {
	if s.Cluster == nil {
		return nil
	}
	row := s.Cluster.Node(v.name)
	if row == nil {
		return nil
	}
	switch of {
	case paneConditions:
		for _, c := range conditionsOf(row) {
			list = append(list, past.Field{Kind: past.ConditionField, Node: v.name, Name: c.Type})
		}
		return append(list, past.Field{Kind: past.RenewalField, Node: v.name})
	case paneTaints:
		for _, t := range taintsOf(row) {
			list = append(list, past.Field{Kind: past.TaintField, Node: v.name, Name: t.Key + ":" + t.Effect.String()})
		}
	}
	return list
}

// conditionsOf are a node's conditions in the order in which they are shown.
func conditionsOf(row *model.NodeRow) []model.Condition {
	if row.Node == nil {
		return nil
	}
	list := slices.Clone(row.Node.Conditions)
	slices.SortStableFunc(list, func(a, b model.Condition) int { return cmp.Compare(order(a.Type), order(b.Type)) })
	return list
}

// taintsOf are a node's taints, NoExecute first.
func taintsOf(row *model.NodeRow) []model.Taint {
	if row.Node == nil {
		return nil
	}
	list := slices.Clone(row.Node.Taints)
	slices.SortStableFunc(list, func(a, b model.Taint) int { return cmp.Compare(b.Effect, a.Effect) })
	return list
}

// picked reports that the cursor is on a row of a pane.
func (c *rendering) picked(of pane, i int) bool {
	return c.focus == of && i == c.scroll[of].Cursor
}
