package forecast

import (
	"cmp"

	"kardia/model"
)

// State says where a pod's eviction stands.
type State uint8

const (
	// Due: its countdown runs.
	Due State = iota
	// WaitingForTaint: its node is lost, or will be, and has not yet the NoExecute taint that
	// will evict it.
	WaitingForTaint
	// Halted: nothing evicts it as things stand, though its node is lost or tainted.
	Halted
	// Forever: it tolerates the taints for ever.
	Forever
	// Terminating: it was deleted, and its grace runs or its kubelet can end it.
	Terminating
	// Stuck: it was deleted, its grace is over, and nobody is there to end it; or its countdown has
	// ended and no deletion was seen, which nobody tries again.
	Stuck
	// Unseen: it fell due while not watched, and is deleted by now if the controllers ran.
	Unseen
)

// String is the word in JSON.
func (s State) String() string {
	return [...]string{"pending", "queued", "blocked", "forever", "terminating", "stuck", "possibly-deleted"}[min(s, Unseen)]
}

// Ahead says that a deletion lies ahead, or may: in a pod's Window, unless that is FarFuture or not known.
func (s State) Ahead() bool { return s == Due || s == WaitingForTaint }

// Eviction is where one pod stands.
type Eviction struct {
	Pod   model.Key
	UID   model.UID
	Node  string
	State State
	// Window is when the pod is deleted (for one deleted already: when its object goes, or when it is
	// deleted once more, which changes nothing); FarFuture is never, and the zero Interval not known.
	Window model.Interval
	// Certain says that the pod is surely deleted within the Window; else it may be then, and at no
	// other time.
	Certain bool
	// Seconds is the toleration that counts; unknown for those that tolerate for ever, and
	// those whose countdown began before the state was known.
	Seconds model.Maybe[int64]
	// Lost says of a Stuck pod that it was not deleted when its countdown ended, which nobody tries again.
	Lost bool
	// tokenless says that its node may be tainted without a token, or nobody can say how many come.
	tokenless bool
	// doubted says that it is not known how its zone gives tokens.
	doubted bool
	// follows says that it surely goes once its node has a token.
	follows bool
	Rule    model.Rule
	Why     Why
}

// inOrder sorts by what comes first. The elements are too large to be moved about.
func inOrder(list []Eviction) []Eviction {
	return model.Sorted(list, func(a, b *Eviction) int {
		if d := cmp.Compare(rank(a), rank(b)); d != 0 {
			return d
		}
		if d := cmp.Compare(a.Window.Earliest, b.Window.Earliest); d != 0 {
			return d
		}
		if d := cmp.Compare(a.Window.Latest, b.Window.Latest); d != 0 {
			return d
		}
		if d := cmp.Compare(a.Pod.Namespace, b.Pod.Namespace); d != 0 {
			return d
		}
		return cmp.Compare(a.Pod.Name, b.Pod.Name)
	})
}

// rank puts first what has a time, then what is held back, then what is under way.
func rank(e *Eviction) int {
	return [...]int{Due: 0, WaitingForTaint: 0, Halted: 1, Unseen: 2, Forever: 5, Terminating: 4, Stuck: 3}[e.State]
}
