package model

import (
	"slices"
	"time"
)

// Said is by whose word a node is not ready, in words that follow upon that.
type Said struct {
	// Short is of one node, Many of several, and Full of one where there is room for what it rests on.
	Short, Many, Full string
	// Kubelet says that it is its kubelet's own word, as far as anything tells.
	Kubelet bool
	// Last is when whoever says it wrote last, where managedFields tell; unknown of its kubelet.
	Last Instant
}

// SaysNotReady is by whose word a node is not ready, where this is who wrote it. As a rule it is the node's kubelet that does;
// but a person may write into a status, too. Where the write was not seen it is taken for the kubelet's, and that is said.
func (w Writer) SaysNotReady() Said {
	switch w {
	case WriterKubelet:
		return Said{"set by its kubelet", "set by their kubelets", "set by its own kubelet", true, 0}
	case WriterUnknown:
		return Said{"set by its kubelet", "set by their kubelets", "set by its own kubelet (assumed: the write was not seen)", true, 0}
	}
	return Said{"set by a " + w.String() + ", not its kubelet", "set by others, not their kubelets", "set by a " + w.String() + ", not its own kubelet", false, 0}
}

// InFull is Full with when whoever says it wrote last, in such words, where that is told.
func (s Said) InFull(words func(Instant) string) string {
	if !s.Last.Bounded() {
		return s.Full
	}
	return s.Full + " (last write " + words(s.Last) + ")"
}

// SaidNotReady is by whose word the node is not ready: of somebody else than its kubelet with the name by which managedFields
// know it.
func (r *NodeRow) SaidNotReady() Said {
	said := r.ReadyBy.SaysNotReady()
	if r.Node == nil || said.Kubelet {
		return said
	}
	if who, last := r.Node.ReadyManager(); last.Known() && r.ReadyBy == WriterOf(who) {
		said.Full = "set by " + who + " (managedFields), not its own kubelet"
		said.Last = last
	}
	return said
}

// WroteReady is who wrote Ready into this version of a Node, where it differs from what it was before; WriterUnknown where neither
// that tells nor the managedFields. Who wrote a version did not write all that is new in it where versions between were not seen: a person's
// write counts only if nothing speaks for another, and only kubelets and persons write that a node is not ready.
func (c *Change) WroteReady(was *Node) Writer {
	is := c.Node.Ready()
	switch {
	case c.Writer == WriterKubelet, c.Writer != WriterUnknown && is != nil && is.Status == StatusUnknown:
		return c.Writer
	case c.Writer != WriterPerson || was == nil || is == nil || was.Unschedulable != c.Node.Unschedulable || !slices.Equal(was.Taints, c.Node.Taints):
		return c.Node.ReadyWriter()
	}
	if before := was.Ready(); before == nil || before.Heartbeat != is.Heartbeat && is.Heartbeat < c.Time.Earliest.Truncate(time.Second) {
		return c.Node.ReadyWriter()
	}
	return WriterPerson
}
