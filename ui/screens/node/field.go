package node

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/timeline"
	"kardia/ui/screen"
)

// Field implements screen.Fielder: what the cursor of the pane in front stands on.
func (v *View) Field(s *screen.Snapshot) (f timeline.Field, ok bool) {
	if v.name == "" {
		return f, false
	}
	if fields := v.readFields(s); len(fields) > 0 {
		return fields[v.fieldPlace], true
	}
	switch v.focus {
	case paneTaints:
		return timeline.Field{Kind: timeline.TaintField, Node: v.name}, true
	case paneFacts:
		return timeline.Field{Kind: timeline.CordonField, Node: v.name}, true
	}
	return f, false
}

// fields are what the rows of a pane say: the conditions and the lease, or the taints, one by
// one; nil where a pane has no cursor of this kind.
func (v *View) fields(s *screen.Snapshot, of pane) (list []timeline.Field) {
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
			list = append(list, timeline.Field{Kind: timeline.ConditionField, Node: v.name, Name: c.Type})
		}
		return append(list, timeline.Field{Kind: timeline.RenewalField, Node: v.name})
	case paneTaints:
		for _, t := range taintsOf(row) {
			list = append(list, timeline.Field{Kind: timeline.TaintField, Node: v.name, Name: t.Key + ":" + t.Effect.String()})
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

// readFields brings the cursor among the fields of the pane in front up to a Snapshot: it stays
// on its field, or at the place where that was.
func (v *View) readFields(s *screen.Snapshot) []timeline.Field {
	fields := v.fields(s, v.focus)
	if i := slices.Index(fields, v.field); i >= 0 {
		v.fieldPlace = i
	} else if len(fields) > 0 {
		if v.field.Kind != fields[0].Kind && v.field.Kind != fields[len(fields)-1].Kind {
			v.fieldPlace = 0 // it was in another pane
		}
		v.fieldPlace = min(max(v.fieldPlace, 0), len(fields)-1)
		v.field = fields[v.fieldPlace]
	}
	return fields
}

// moveField moves the cursor among the fields; false if there is none, or the action is none that
// moves.
func (v *View) moveField(action screen.Action, s *screen.Snapshot) bool {
	fields := v.readFields(s)
	if len(fields) == 0 {
		return false
	}
	to, ok := moved(action, v.fieldPlace, len(fields), v.page[v.focus])
	if ok {
		v.fieldPlace, v.field = to, fields[to]
		v.scroll[v.focus] = min(v.scroll[v.focus], to)
	}
	return ok
}

// clickField puts the cursor on the field in a line of the pane in front, if there is one.
func (v *View) clickField(y int, s *screen.Snapshot) {
	fields := v.readFields(s)
	line := y - v.firstRow[v.focus]
	if i := line + v.scroll[v.focus]; line >= 0 && line < v.page[v.focus] && i < len(fields) {
		v.fieldPlace, v.field = i, fields[i]
	}
}

// pick lets a pane show its cursor while it is in front. On the last field, what stands below it
// is in sight.
func (c *canvas) pick(l *list) {
	if c.focus != l.pane {
		return
	}
	fields := c.readFields(c.s)
	if len(fields) == 0 {
		return
	}
	l.hasCursor, l.cursor = true, c.fieldPlace
	if c.fieldPlace == len(fields)-1 {
		l.cursor = l.n - 1
	}
}

// picked says that the cursor stands on a row of a pane.
func (c *canvas) picked(of pane, i int) bool {
	return c.focus == of && i == c.fieldPlace
}

// moved is where an action that moves brings a cursor among n rows; ok is false for others.
func moved(action screen.Action, place, n, page int) (to int, ok bool) {
	by, ok := action.Motion(page)
	return min(max(place+by, 0), n-1), ok
}
