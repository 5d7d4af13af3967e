package model

import (
	"slices"
	"time"
)

// Said is the writer that set a node NotReady: mostly its kubelet, but a person may write into a status too.
type Said struct {
	// By is the writer; an unseen write counts as the kubelet's.
	By Writer
	// Manager is the field manager of a writer that is not the kubelet, and Last when it last wrote; zero if unknown.
	Manager string
	Last    Instant
}

// OfKubelet reports whether this writer of NotReady is the kubelet, or unknown and so taken for it.
func (w Writer) OfKubelet() bool { return w == WriterKubelet || w == WriterUnknown }

// SaidNotReady is the writer that set the node NotReady.
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

// WroteReady is the writer of Ready in this version of a Node, if that changed; WriterUnknown if neither the write nor
// managedFields show it. If versions between were missed, this writer did not make all changes. So a person's write
// counts only if nothing contradicts it. Only kubelets and persons write NotReady.
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
