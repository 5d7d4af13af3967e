// Package subjects keeps one thread for each node while a History is read once. The reader says what a thread is: its
// heartbeats, its versions, its silences. For example, a Nodes[int] counts the renewals of each node:
//
//	*nodes.OfLease(page, renewal.Lease)++
package subjects

import (
	"iter"
	"maps"

	"kardia/model/history"
)

// Nodes are threads by node. The zero value has none.
type Nodes[T any] struct {
	// New is the start of a node's thread; the zero value of T if it is not set.
	New    func(name string) T
	byName map[string]*T
	leases history.ByLease[*T]
}

// Of is a node's thread, made if there is none.
func (n *Nodes[T]) Of(name string) *T {
	if thread := n.byName[name]; thread != nil {
		return thread
	}
	if n.byName == nil {
		n.byName = map[string]*T{}
	}
	thread := new(T)
	if n.New != nil {
		*thread = n.New(name)
	}
	n.byName[name] = thread
	return thread
}

// OfLease is the thread of the node of a page's lease. It searches the name once for each lease.
func (n *Nodes[T]) OfLease(page *history.Condensed, lease int32) *T {
	return n.leases.Of(page, lease, n.Of)
}

// Find is a node's thread; nil if there is none.
func (n *Nodes[T]) Find(name string) *T { return n.byName[name] }

// Len counts the threads.
func (n *Nodes[T]) Len() int { return len(n.byName) }

// All yields the threads by node, in no order.
func (n *Nodes[T]) All() iter.Seq2[string, *T] { return maps.All(n.byName) }
