package conformance

import (
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// forgeries are writes under the controllers' identity that no controller makes. Nothing may explain them.
var forgeries = []string{"taint", "untaint", "mark", "pressure", "unready", "evict"}

// forge makes one of the forgeries, or the next possible one in the list, if it is certain that no controller would. It
// takes the first node from a name on, or the first pod on it.
func (w *world) forge(what, from string) {
	first := slices.Index(forgeries, what)
	for i := range forgeries {
		kind := forgeries[(first+i)%len(forgeries)]
		for _, n := range w.server.list() {
			if n.Name >= from && w.forgeOn(kind, n) {
				w.server.trace.Forged = &Forged{What: kind, Node: n.Name, At: time.Now()}
				return
			}
		}
	}
}

// Forged is the write of a forgery.
type Forged struct {
	What, Node, Pod string
	At              time.Time
}

func (w *world) forgeOn(what string, n *v1.Node) bool {
	tainted := false
	for _, t := range n.Spec.Taints {
		tainted = tainted || t.Effect == v1.TaintEffectNoExecute
	}
	ready, k := readyOf(n), w.kubelets[n.Name]
	calm := ready == v1.ConditionTrue && !tainted && k != nil && k.alive && k.renew > 0 && !k.frozen && !k.mute
	now := metav1.Time{Time: time.Now()}
	switch what {
	case "taint":
		if calm {
			w.server.EditNode(Tick, n.Name, func(n *v1.Node) {
				n.Spec.Taints = append(n.Spec.Taints, v1.Taint{Key: v1.TaintNodeUnreachable, Effect: v1.TaintEffectNoExecute, TimeAdded: &now})
			})
		}
		return calm
	case "untaint":
		if !tainted || ready == v1.ConditionTrue || k != nil && k.alive {
			return false
		}
		w.server.EditNode(Pass, n.Name, func(n *v1.Node) {
			kept := n.Spec.Taints[:0]
			for _, t := range n.Spec.Taints {
				if t.Effect != v1.TaintEffectNoExecute || !strings.HasPrefix(t.Key, "node.kubernetes.io/") {
					kept = append(kept, t)
				}
			}
			n.Spec.Taints = kept
		})
		return true
	case "mark":
		if calm {
			w.server.EditNode(Pass, n.Name, func(n *v1.Node) {
				for i := range n.Status.Conditions {
					if c := &n.Status.Conditions[i]; c.Type == v1.NodeReady {
						c.Status, c.Reason, c.LastTransitionTime = v1.ConditionUnknown, "NodeStatusUnknown", now
					}
				}
			})
		}
		return calm
	case "pressure":
		if calm {
			w.server.EditNode(NoSchedule, n.Name, func(n *v1.Node) {
				n.Spec.Taints = append(n.Spec.Taints, v1.Taint{Key: v1.TaintNodeMemoryPressure, Effect: v1.TaintEffectNoSchedule, TimeAdded: &now})
			})
		}
		return calm
	}
	return calm && w.forgeOnPod(what, n.Name)
}

func (w *world) forgeOnPod(what, node string) bool {
	for _, p := range w.server.listPods() {
		if p.Spec.NodeName != node || p.DeletionTimestamp != nil || p.Status.Phase != v1.PodRunning {
			continue
		}
		if what == "evict" {
			key := podKey(p)
			w.server.EditPod(Eviction, key, func(p *v1.Pod) {
				p.Status.Conditions = append(p.Status.Conditions, v1.PodCondition{Type: v1.DisruptionTarget, Status: v1.ConditionTrue,
					Reason: "DeletionByTaintManager", LastTransitionTime: metav1.Time{Time: time.Now()}})
			})
			_ = w.server.DeletePod(Eviction, key, false)
			return true
		}
		for i := range p.Status.Conditions {
			if p.Status.Conditions[i].Type == v1.PodReady && p.Status.Conditions[i].Status == v1.ConditionTrue {
				w.server.EditPod(Pass, podKey(p), func(p *v1.Pod) { p.Status.Conditions[i].Status = v1.ConditionFalse })
				return true
			}
		}
	}
	return false
}

func readyOf(n *v1.Node) v1.ConditionStatus {
	for _, c := range n.Status.Conditions {
		if c.Type == v1.NodeReady {
			return c.Status
		}
	}
	return ""
}

func (s *APIServer) list() []*v1.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nodes.sorted()
}

func (s *APIServer) listPods() []*v1.Pod {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pods.sorted()
}
