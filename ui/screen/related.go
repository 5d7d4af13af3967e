package screen

import (
	"kardia/model"
	"kardia/model/explain/recovery"
	"kardia/model/explain/volumes"
	"kardia/sources/capture/stream"
	"kardia/ui/words"
)

// Volumed are the kinds that show volumes.
var Volumed = []model.Kind{model.KindVolumeAttachment, model.KindPersistentVolume}

// Acting are the kinds that show other actors on nodes, Served those of affected things besides workloads. Serving are
// the kinds that show API servers alive.
var (
	Acting  = []model.Kind{model.KindNodeClaim, model.KindNodeHealthCheck, model.KindAutoscalerStatus, model.KindPodDisruptionBudget}
	Serving = []model.Kind{model.KindServerLease}
	Served  = append([]model.Kind{model.KindPodDisruptionBudget, model.KindEndpointSlice}, Volumed...)
)

// Lacks is why nothing is known of a related kind; "" if it is known. Only a fresh answer of a live cluster shows that
// no object of a kind exists.
func (s *Snapshot) Lacks(kind model.Kind) string {
	if s.Cluster != nil {
		for range s.Cluster.RelatedOf(kind) {
			return ""
		}
	}
	switch {
	case !s.Mode.Watches() && s.Kinds[kind]:
		return words.Of("unread.not-seen").String()
	case !s.Mode.Watches():
		return words.Label("not recorded")
	case s.Mode != Live && s.Kinds[kind]:
		return words.Of("unread.not-seen").String()
	case s.Kinds[kind]:
		return ""
	}
	for i := range s.Status {
		if st := &s.Status[i]; st.Kind == kind && st.State != stream.Waiting && st.State != stream.Loading {
			return st.Reason()
		}
	}
	return words.Of("unread.asked").String()
}

// Attached are the volumes of a node.
func (s *Snapshot) Attached(node string) recovery.Attached {
	if s.Cluster == nil {
		return recovery.Attached{Unread: words.Label("nothing was seen")}
	}
	if why := s.Lacks(model.KindVolumeAttachment); why != "" {
		return recovery.Attached{Unread: why}
	}
	return recovery.Attached{List: volumes.Of(s.Cluster, node, s.From())}
}
