package day

import (
	"container/heap"

	"kardia/model"
)

type task struct {
	at   model.Instant
	what what
	who  int32 // the number of the node, pod or leader
}

// what is the kind of a task, and the meaning of who.
type what uint8

const (
	beat    what = iota // a kubelet's loop: who is a node
	lead                // a leader election: who is a leader
	churn               // a pod is replaced by another
	create              // who is a pod whose owner makes another in its place
	advance             // who is a pod on its way into or out of life
)

// agenda is the pending tasks, the earliest first: a container/heap.
type agenda []task

func (a agenda) Len() int           { return len(a) }
func (a agenda) Less(i, j int) bool { return a[i].at < a[j].at }
func (a agenda) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }

// Push and Pop are for container/heap only: call push and pop.
func (a *agenda) Push(e any) { *a = append(*a, e.(task)) }
func (a *agenda) Pop() any {
	last := len(*a) - 1
	e := (*a)[last]
	*a = (*a)[:last]
	return e
}

func (a *agenda) push(e task) { heap.Push(a, e) }
func (a *agenda) pop() task   { return heap.Pop(a).(task) }
