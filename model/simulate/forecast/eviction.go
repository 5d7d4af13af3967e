package forecast

import (
	"cmp"

	"kardia/model"
)

// State is the state of a pod's eviction.
type State uint8

const (
	// Due: its countdown runs.
	Due State = iota
	// WaitingForTaint: its node is declared Unknown, or will be, without the NoExecute taint that evicts the pod.
	WaitingForTaint
	// Halted: nothing evicts it at present, though its node is declared Unknown or tainted.
	Halted
	// Forever: it tolerates the taints forever.
	Forever
	// Terminating: it was deleted; its termination grace runs, or its kubelet can end it.
	Terminating
	// Stuck: it was deleted, its termination grace is over, and its kubelet is silent. Or its countdown ended, and its
	// deletion failed for good.
	Stuck
	// Unseen: it became due in a gap, and is deleted by now if the controllers ran.
	Unseen
)

// String is the word in JSON.
func (s State) String() string {
	return [...]string{"pending", "queued", "blocked", "forever", "terminating", "stuck", "possibly-deleted"}[min(s, Unseen)]
}

// Ahead reports whether a deletion is ahead, or may be: in the Window, unless that is FarFuture or unknown.
func (s State) Ahead() bool { return s == Due || s == WaitingForTaint }

// Eviction is the forecast for one pod.
type Eviction struct {
	Pod   model.Key
	UID   model.UID
	Node  string
	State State
	// Window is when the pod is deleted, or a deleted one goes or is deleted again. FarFuture is never, zero unknown.
	Window model.Interval
	// Certain: the pod is surely deleted within the Window; otherwise it may be then, and at no other time.
	Certain bool
	// Seconds is the toleration that counts; unknown if forever, or if the start of the countdown is unknown.
	Seconds model.Maybe[int64]
	// Lost: the Stuck pod was not deleted when its countdown ended, which is not tried again.
	Lost bool
	// tokenless: its node may be tainted without a token, or the number of tokens is not known.
	tokenless bool
	// doubted: its zone's tokens are not known.
	doubted bool
	// follows: it is surely deleted once its node has a token.
	follows bool
	Rule    model.Rule
	Why     Why
}

// inOrder sorts by rank and time. The elements are too large to be moved.
func inOrder(list []Eviction) []Eviction {
	return model.Sorted(list, func(a, b *Eviction) int {
		if d := cmp.Compare(rank(a), rank(b)); d != 0 {
			return d
		}
		if d := a.Window.Compare(b.Window); d != 0 {
			return d
		}
		return model.CompareKeys(a.Pod, b.Pod)
	})
}

// rank is first for pods with a time, then blocked ones, then those that were deleted.
func rank(e *Eviction) int {
	return [...]int{Due: 0, WaitingForTaint: 0, Halted: 1, Unseen: 2, Forever: 5, Terminating: 4, Stuck: 3}[e.State]
}
