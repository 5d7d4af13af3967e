package tainteviction

import (
	"cmp"

	"kardia/model"
)

// due is one entry of the order in which timers fire. Entries of timers that were
// cancelled stay until they come up.
type due struct {
	at  model.Instant
	pod model.Key
}

func compare(a, b due) int {
	if d := cmp.Compare(a.at, b.at); d != 0 {
		return d
	}
	if d := cmp.Compare(a.pod.Namespace, b.pod.Namespace); d != 0 {
		return d
	}
	return cmp.Compare(a.pod.Name, b.pod.Name)
}

// heap is a binary heap, the earliest first.
type heap []due

func (h *heap) push(d due) {
	*h = append(*h, d)
	s := *h
	for i := len(s) - 1; i > 0; {
		parent := (i - 1) / 2
		if compare(s[parent], s[i]) <= 0 {
			return
		}
		s[parent], s[i] = s[i], s[parent]
		i = parent
	}
}

func (h *heap) pop() due {
	s := *h
	first := s[0]
	last := len(s) - 1
	s[0] = s[last]
	s = s[:last]
	*h = s
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s); child++ {
			if compare(s[child], s[least]) < 0 {
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
