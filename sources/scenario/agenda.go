package scenario

import "kardia/model"

// errand is something that a component of the cluster is about to do.
type errand struct {
	at   model.Instant
	what what
	who  int32 // the number of the node, pod or leader
}

// what is the kind of an errand.
type what uint8

const (
	beat    what = iota // a kubelet's loop: who is a node
	lead                // a leader election: who is a leader
	churn               // a pod is replaced by another
	create              // who is a pod whose owner makes another in its place
	advance             // who is a pod on its way into or out of life
)

// agenda is a binary heap of errands, the earliest first.
type agenda []errand

func (a *agenda) push(e errand) {
	*a = append(*a, e)
	s := *a
	for i := len(s) - 1; i > 0; {
		parent := (i - 1) / 2
		if s[parent].at <= s[i].at {
			return
		}
		s[parent], s[i] = s[i], s[parent]
		i = parent
	}
}

func (a *agenda) pop() errand {
	s := *a
	first := s[0]
	last := len(s) - 1
	s[0] = s[last]
	s = s[:last]
	*a = s
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s); child++ {
			if s[child].at < s[least].at {
				least = child
			}
		}
		if least == i {
			return first
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
}
