package node

import (
	"fmt"

	"kardia/model"
)

// The taints that the node-lifecycle controller sets on unhealthy nodes.
const (
	taintNotReady    = model.TaintNotReady
	taintUnreachable = model.TaintUnreachable
)

// The values of a tolerance other than seconds.
const (
	toleratesNot     = int64(-1)
	toleratesForever = int64(1<<63 - 1)
)

// tolerance is how many seconds tolerations bear a NoExecute taint of the node-lifecycle controller, which has no
// value. The first matching toleration counts.
// Source: kubernetes: component-helpers/scheduling/corev1, GetMatchingTolerations.
func tolerance(list []model.Toleration, key string) int64 {
	for i := range list {
		t := &list[i]
		if t.Effect != model.EffectAny && t.Effect != model.NoExecute {
			continue
		}
		exists := t.Operator == "Exists"
		equal := (t.Operator == "" || t.Operator == "Equal") && t.Value == ""
		if !(t.Key == "" && exists) && !(t.Key == key && (exists || equal)) {
			continue
		}
		if t.Seconds.Known {
			return max(t.Seconds.Value, 0)
		}
		return toleratesForever
	}
	return toleratesNot
}

// Tolerates is how long tolerations bear a node that is unreachable or not ready: one word if both are the same.
func Tolerates(list []model.Toleration) string {
	notReady, unreachable := tolerance(list, taintNotReady), tolerance(list, taintUnreachable)
	if notReady == unreachable {
		return toleranceWord(notReady)
	}
	return toleranceWord(unreachable) + "; not ready: " + toleranceWord(notReady)
}

func toleranceWord(seconds int64) string {
	switch seconds {
	case toleratesNot:
		return "no"
	case toleratesForever:
		return "forever"
	}
	return fmt.Sprintf("%ds", seconds)
}
