package screentest

import (
	"kardia/model"
	"kardia/ui/screen"
)

// Heard is a Snapshot in which nodes were heard a moment later, after what the models have read.
func Heard(s *screen.Snapshot, nodes ...string) *screen.Snapshot {
	is := *s
	is.At++
	is.Cluster = s.Cluster.Clone()
	for _, name := range nodes {
		lease := is.Cluster.Node(name).Lease
		lease.Renewed = is.At
		is.Cluster.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Version: lease.Version + 1,
			Time: model.Exactly(is.At), Arrival: is.At, Lease: lease.Lease})
	}
	is.Revision++
	return &is
}
