package nodelifecycle

import (
	"slices"

	"kardia/model"
	"kardia/model/control/informer"
)

// ownNoSchedule reports whether the controller removes NoSchedule taints of this key.
func ownNoSchedule(key string) bool {
	return key == model.TaintUnschedulable ||
		slices.ContainsFunc(model.ConditionTaints[:], func(of model.ConditionTaint) bool { return of.Taint == key })
}

// NodeEvent handles a Node that was added or updated: its NoSchedule taints follow its conditions and the cordon (S2).
// Each taint is a decision, with its own reason.
// Source: kubernetes: doNoScheduleTaintingPass.
func (c *Controller) NodeEvent(at model.Instant, name string, view *informer.Cache, h Hidden) []model.Decision {
	row := view.Find(name)
	if row == nil || row.Node == nil {
		return nil
	}
	node := row.Node
	var buffer [8]string
	wanted := buffer[:0]
	for i := range node.Conditions {
		for k := range model.ConditionTaints {
			t := &model.ConditionTaints[k]
			if t.Condition == node.Conditions[i].Type && t.Status == node.Conditions[i].Status {
				wanted = append(wanted, t.Taint)
			}
		}
	}
	if node.Unschedulable {
		wanted = append(wanted, model.TaintUnschedulable)
	}
	c.begin(at, view)
	for _, key := range wanted {
		if node.Taint(key, model.NoSchedule) == nil {
			w := model.Write{Kind: model.WriteTaint, Node: name, At: at, Taint: model.Taint{Key: key, Effect: model.NoSchedule, Added: at}}
			if h.refuses(&w) {
				return c.finish() // S2: the next event repairs it
			}
			c.emit(c.noSchedule(model.AddNoSchedule, row, w))
		}
	}
	for i := range node.Taints {
		t := &node.Taints[i]
		if t.Effect != model.NoSchedule || !ownNoSchedule(t.Key) || slices.Contains(wanted, t.Key) {
			continue
		}
		w := untaint(name, t.Key, model.NoSchedule, at)
		if h.refuses(&w) {
			return c.finish()
		}
		c.emit(c.noSchedule(model.RemoveNoSchedule, row, w))
	}
	return c.finish()
}

func (c *Controller) noSchedule(kind model.DecisionKind, row *informer.Row, w model.Write) model.Decision {
	what, of, left := model.ComparedCordon, "", model.Text("false")
	if row.Node.Unschedulable {
		left = model.Text("true")
	}
	right := model.Text("true")
	holds := row.Node.Unschedulable
	var cause model.DecisionID // no controller cordons
	for i := range model.ConditionTaints {
		if t := &model.ConditionTaints[i]; t.Taint == w.Taint.Key {
			status := model.StatusAbsent
			if have := row.Node.Condition(t.Condition); have != nil {
				status = have.Status
			}
			cause = row.ConditionsBy
			what, of, left, right, holds = model.ComparedCondition, t.Condition, model.Text(status.String()), model.Text(t.Status.String()), status == t.Status
		}
	}
	return model.Decision{
		Kind: kind, Node: row.Name, Zone: model.Some(row.Node.Zone), Rule: model.RuleConditionTaints,
		Checks: []model.Check{{What: what, Of: of, Left: left, Op: model.Equals, Right: right, Holds: holds}},
		Inputs: []model.Input{nodeInput(row)}, Causes: causes(cause), Writes: []model.Write{w},
	}
}
