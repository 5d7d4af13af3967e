package model

import (
	"slices"
	"time"
)

// Said is who set a node not ready. As a rule that is the node's kubelet; but a person may write into a status, too.
type Said struct {
	// By is who wrote it; a write that was not seen is taken for the kubelet's.
	By Writer
	// Manager is the name by which managedFields know a writer that is not the kubelet, and Last when it wrote last; zero where
	// they do not tell.
	Manager string
	Last    Instant
}

// OfKubelet says that a node's own kubelet set it not ready, as far as anything tells, where this is who wrote it.
func (w Writer) OfKubelet() bool { return w == WriterKubelet || w == WriterUnknown }

// SaidNotReady is who set the node not ready.
func (r *NodeRow) SaidNotReady() Said {
	said := Said{By: r.ReadyBy}
	if r.Node == nil || said.By.OfKubelet() {
		return said
	}
	if who, last := r.Node.ReadyManager(); last.Known() && r.ReadyBy == WriterOf(who) {
		said.Manager, said.Last = who, last
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
