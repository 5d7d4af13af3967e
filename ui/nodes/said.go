package nodes

import (
	"kardia/model"
	"kardia/ui/paint"
)

// SaidNotReady is by whose word a node is not ready in full, with when whoever that is wrote last, where it is not its kubelet
// and managedFields tell.
func SaidNotReady(row *model.NodeRow, p *paint.Painter) string {
	said := row.SaidNotReady()
	if !said.Last.Bounded() {
		return said.Full
	}
	return said.Full + " (it wrote last at " + p.DateTime(said.Last) + ")"
}
