package nodelifecycle

import (
	"kardia/model"
	"kardia/model/informer"
)

const taintUnschedulable = "node.kubernetes.io/unschedulable"

// conditionTaints says which NoSchedule taint a condition asks for (5.1).
// Source: kubernetes: nodeConditionToTaintKeyStatusMap.
var conditionTaints = [...]struct {
	condition string
	status    model.Status
	key       string
}{
	{"Ready", model.StatusFalse, taintNotReady},
	{"Ready", model.StatusUnknown, taintUnreachable},
	{"MemoryPressure", model.StatusTrue, "node.kubernetes.io/memory-pressure"},
	{"DiskPressure", model.StatusTrue, "node.kubernetes.io/disk-pressure"},
	{"PIDPressure", model.StatusTrue, "node.kubernetes.io/pid-pressure"},
	{"NetworkUnavailable", model.StatusTrue, "node.kubernetes.io/network-unavailable"},
}

// ownNoSchedule says whether a NoSchedule taint of this key is the controller's to remove.
func ownNoSchedule(key string) bool {
	if key == taintUnschedulable {
		return true
	}
	for i := range conditionTaints {
		if conditionTaints[i].key == key {
			return true
		}
	}
	return false
}

// NodeEvent handles a Node that was added or updated: its NoSchedule taints follow its
// conditions and the cordon (S2). Additions are one write, removals another; each taint is
// a decision of its own, because each has its own reason.
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
		for k := range conditionTaints {
			t := &conditionTaints[k]
			if t.condition == node.Conditions[i].Type && t.status == node.Conditions[i].Status {
				wanted = append(wanted, t.key)
			}
		}
	}
	if node.Unschedulable {
		wanted = append(wanted, taintUnschedulable)
	}
	c.begin(at, view)
	for _, key := range wanted {
		if !hasNoSchedule(node, key) {
			w := model.Write{Kind: model.WriteTaint, Node: name, At: at, Taint: model.Taint{Key: key, Effect: model.NoSchedule, Added: at}}
			if h.refuses(&w) {
				return c.finish() // S6: not queued again; the next event repairs it
			}
			c.emit(c.noSchedule(model.AddNoSchedule, row, w))
		}
	}
	for i := range node.Taints {
		t := &node.Taints[i]
		if t.Effect != model.NoSchedule || !ownNoSchedule(t.Key) || contains(wanted, t.Key) {
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

// noSchedule is the decision that writes one NoSchedule taint.
func (c *Controller) noSchedule(kind model.DecisionKind, row *informer.Row, w model.Write) model.Decision {
	what, left := "unschedulable", model.Text("false")
	if row.Node.Unschedulable {
		left = model.Text("true")
	}
	right := model.Text("true")
	holds := row.Node.Unschedulable
	var cause model.DecisionID // a cordon is no controller's
	for i := range conditionTaints {
		if t := &conditionTaints[i]; t.key == w.Taint.Key {
			status := model.StatusAbsent
			if have := row.Node.Condition(t.condition); have != nil {
				status = have.Status
			}
			cause = row.ConditionsBy
			what, left, right, holds = t.condition, model.Text(status.String()), model.Text(t.status.String()), status == t.status
		}
	}
	return model.Decision{
		Kind: kind, Node: row.Name, Place: model.Some(row.Node.Place), Rule: "S2",
		Checks: []model.Check{{What: what, Left: left, Op: model.Equals, Right: right, Holds: holds}},
		Inputs: []model.Input{nodeInput(row)}, Causes: causes(cause), Writes: []model.Write{w},
	}
}

func hasNoSchedule(n *model.Node, key string) bool {
	for i := range n.Taints {
		if n.Taints[i].Effect == model.NoSchedule && n.Taints[i].Key == key {
			return true
		}
	}
	return false
}

func contains(list []string, s string) bool {
	for i := range list {
		if list[i] == s {
			return true
		}
	}
	return false
}
