package kubelet

import (
	"time"

	"kardia/model"
)

// Well posts a healthy kubelet's conditions on a node. Conditions of other components stay.
func Well(n *model.Node, at model.Instant) {
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if want, ok := WellWhen(c.Type); ok {
			if c.Heartbeat = at; c.Status != want {
				c.Status, c.Transition = want, at.Truncate(time.Second)
			}
		}
	}
}

// WellWhen is a condition's status from a healthy kubelet; ok is false for other components' conditions.
func WellWhen(condition string) (s model.Status, ok bool) {
	switch condition {
	case model.ConditionReady:
		return model.StatusTrue, true
	case model.ConditionMemoryPressure, model.ConditionDiskPressure, model.ConditionPIDPressure:
		return model.StatusFalse, true
	}
	return model.StatusAbsent, false
}
