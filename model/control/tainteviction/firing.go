package tainteviction

import (
	"cmp"

	"kardia/model"
)

// due is one entry of the order in which timers fire. Entries of cancelled timers stay until they come first.
type due struct {
	at  model.Instant
	pod model.Key
}

func compare(a, b due) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.pod.Namespace, b.pod.Namespace), cmp.Compare(a.pod.Name, b.pod.Name))
}

// firing implements container/heap: the earliest entry comes first.
type firing []due

func (t firing) Len() int           { return len(t) }
func (t firing) Less(i, j int) bool { return compare(t[i], t[j]) < 0 }
func (t firing) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *firing) Push(d any)        { *t = append(*t, d.(due)) }

func (t *firing) Pop() any {
	last := len(*t) - 1
	d := (*t)[last]
	*t = (*t)[:last]
	return d
}
