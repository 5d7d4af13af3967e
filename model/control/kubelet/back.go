package kubelet

import (
	"time"

	"kardia/model"
)

// Well has a kubelet that is well post its conditions of a node, at an instant. Those of others stay.
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

// WellWhen is the status of a kubelet's condition where nothing is wrong; ok is false for conditions of others.
func WellWhen(condition string) (s model.Status, ok bool) {
	switch condition {
	case model.ConditionReady:
		return model.StatusTrue, true
	case model.ConditionMemoryPressure, model.ConditionDiskPressure, model.ConditionPIDPressure:
		return model.StatusFalse, true
	}
	return model.StatusAbsent, false
}
