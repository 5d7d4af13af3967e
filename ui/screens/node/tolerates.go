package node

import (
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/control/tainteviction"
	"kardia/ui/words"
)

// The values of a tolerance other than seconds.
const (
	toleratesNot     = int64(-1)
	toleratesForever = int64(1<<63 - 1)
)

// tolerance is how many seconds tolerations bear a NoExecute taint of the node-lifecycle controller, which has no
// value. The first matching toleration counts.
func tolerance(list []model.Toleration, key string) int64 {
	taint := model.Taint{Key: key, Effect: model.NoExecute}
	i := slices.IndexFunc(list, func(t model.Toleration) bool { return tainteviction.Tolerates(&t, &taint, false) })
	switch {
	case i < 0:
		return toleratesNot
	case list[i].Seconds.Known:
		return max(list[i].Seconds.Value, 0)
	}
	return toleratesForever
}

// Tolerates is how long tolerations bear a node that is unreachable or not ready: one word if both are the same.
func Tolerates(list []model.Toleration) string {
	notReady, unreachable := tolerance(list, model.TaintNotReady), tolerance(list, model.TaintUnreachable)
	if notReady == unreachable {
		return toleranceWord(notReady)
	}
	return words.Of("node.tolerance.both", "unreachable", toleranceWord(unreachable), "not-ready", toleranceWord(notReady)).String()
}

func toleranceWord(seconds int64) string {
	switch seconds {
	case toleratesNot:
		return words.Of("node.tolerance.none").String()
	case toleratesForever:
		return words.Of("node.tolerance.forever").String()
	}
	return fmt.Sprintf("%ds", seconds)
}
