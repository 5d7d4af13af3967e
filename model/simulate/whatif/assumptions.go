package whatif

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
)

// assumptions says in words what an answer rests on.
func (b *Base) assumptions(branch *Branch, h *hull, a *Answer) (list []string) {
	say := func(format string, x ...any) { list = append(list, fmt.Sprintf(format, x...)) }
	if b.From < b.recordedUntil {
		say("kubelets and people do what they were recorded to do from %s on, whatever the branch does to nodes and pods", shown(b.From))
	}
	b.assumeUnchanged(say)
	if b.Fit.Since.Known() {
		say("nothing was recorded after the start of the branch: compared is the time before it, from %s on", shown(b.Fit.Since))
	}
	if branch.Params != b.Params {
		say("the controllers keep what they remember at %s, as if the flags had always been the branch's", shown(b.From))
	}
	if b.Until > b.recordedUntil {
		say("the recording ends at %s; after that kubelets continue as last seen, and no other actor does anything", shown(b.recordedUntil))
	} else {
		say("nothing is stated about the time after %s, the end of the recording", shown(b.Until))
	}
	say("%d ways were tried in which passes, ticks and the order of queues may go", h.courses)
	if h.sampled {
		say("too many nodes wait at the same time to try each place in the queue: more may be possible than listed, and less certain")
	}
	if t := branch.Tolerations; t != nil {
		say("pods that tolerate not-ready or unreachable for a while, or not at all, tolerate them for %d s; those that do forever still do", t.Seconds)
	}
	b.assumeEdits(branch, say)
	b.assumePods(a, say)
	return list
}

func (b *Base) assumeEdits(branch *Branch, say func(string, ...any)) {
	for _, e := range branch.Edits {
		switch e.Kind {
		case Kill:
			say("the kubelet of %s falls silent at %s and stays so; people and other controllers go on doing to the node what was recorded", e.Node, shown(e.At))
		case Return, ReturnUnready:
			says := kubelet.SaysReady
			if e.Kind == ReturnUnready {
				says = kubelet.SaysUnready
			}
			say("the kubelet of %s is back at %s, renews its lease every 10.2 s and %s; of its pods it ends those that were deleted", e.Node, shown(e.At), says)
		case Rezone:
			say("the labels of %s say from %s on that its zone is %s, whatever they were recorded to say", e.Node, shown(e.At), e.Zone)
		}
	}
}

// shown is an instant as far as a person reads it.
func shown(t model.Instant) model.Instant { return t.Truncate(time.Millisecond) }

// deleted says of which pods it is told that the branch does otherwise: nothing is recorded of what is to come.
func (b *Base) deleted() string {
	if b.From < b.recordedUntil {
		return "were recorded as deleted"
	}
	return "are deleted if nothing is changed"
}

// assumePods names what the recording does not show of pods: who makes them anew, and where they find
// room.
func (b *Base) assumePods(a *Answer, say func(string, ...any)) {
	lost, ownerless := append(append([]Pod{}, a.Pods.Lost.Certain...), a.Pods.Lost.Possible...), 0
	for _, p := range lost {
		if p.Owner == (model.Owner{}) {
			ownerless++
		}
	}
	if len(lost) > 0 {
		what := "of the pods that only the branch deletes, nothing says where there is room for others in their place: none are supposed"
		if ownerless > 0 {
			what += fmt.Sprintf(", and of %d nothing says what controller would make them", ownerless)
		}
		say("%s", what)
	}
	if b.world.replaced > 0 {
		say("%d pods were recorded that came in place of deleted ones of the same owner: they come when they were recorded to, and only if the others are deleted by then", b.world.replaced)
	}
	if n := len(a.Pods.Open); n > 0 {
		names := []string{}
		for _, p := range a.Pods.Open[:min(n, 3)] {
			names = append(names, p.Key.String())
		}
		if n > 3 {
			names = append(names, "…")
		}
		say("%d pods that %s may not be by %s, and are still threatened then (%s): that they are spared is not said", n, b.deleted(), shown(b.Until), strings.Join(names, ", "))
	}
}
