package headline

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/ui/decision"
)

// stays is what is said of pods that were to be deleted and are still there; each empty where there are none.
type stays struct {
	lost   string // whose deletion was lost
	unseen string // that fell due while not watched
	stuck  string // that were deleted: of silent nodes they cannot go, of others it is up to the kubelet
	brief  string // the same, where there is little room
}

// stays counts the pods that are still there.
func (t *tally) stays() (is stays) {
	silent, ending, never, due := 0, 0, 0, 0 // pods
	for i := range t.nodes.Entries {
		node := t.controllers.Node(t.nodes.Entries[i].Row.Name)
		if node == nil {
			continue
		}
		never, due = never+node.Lost, due+node.Count[forecast.Unseen]
		for _, e := range node.Evictions {
			switch {
			case e.State == forecast.Stuck && !e.Lost, e.State == forecast.Terminating && e.Window.Earliest == model.FarFuture:
				silent++
			case e.State == forecast.Terminating:
				ending++
			}
		}
	}
	if due > 0 {
		is.unseen = decision.Counted(due, "pod") + " fell due unseen"
	}
	switch {
	case never == 1:
		is.lost = "1 pod's deletion was lost, and nothing retries it"
	case never > 1:
		is.lost = fmt.Sprintf("%d pods' deletions were lost, and nothing retries them", never)
	}
	switch {
	case silent == 1:
		is.stuck = "1 pod is Terminating: R lists how it ends"
	case silent > 1:
		is.stuck = fmt.Sprintf("%d pods are Terminating: R lists how they end", silent)
	case ending == 1:
		is.stuck = "1 pod is Terminating until its kubelet ends it"
	case ending > 1:
		is.stuck = fmt.Sprintf("%d pods are Terminating until their kubelets end them", ending)
	default:
		return is
	}
	is.brief = decision.Counted(silent+ending, "pod") + " Terminating"
	switch {
	case silent == 0:
	case ending == 1:
		is.stuck += ", 1 more until the kubelet ends it"
	case ending > 1:
		is.stuck += fmt.Sprintf(", %d more until the kubelet ends them", ending)
	}
	return is
}

// stuck is what stays, in one piece, and the same where there is little room; empty where nothing does.
func (t *tally) stuck() (text, brief string) {
	is := t.stays()
	join := func(parts ...string) string {
		return strings.Join(slices.DeleteFunc(parts, func(text string) bool { return text == "" }), "; ")
	}
	return join(is.lost, is.unseen, is.stuck), join(is.lost, is.unseen, is.brief)
}
