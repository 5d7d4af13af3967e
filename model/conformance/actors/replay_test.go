package actors

import (
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kardia/model"
	"kardia/sources/scenario"
)

// heard is a Change of a scenario, with its time since the start.
type heard struct {
	at time.Duration
	model.Change
}

func changes(t *testing.T, text string) (*scenario.Scenario, []heard) {
	t.Helper()
	s, err := scenario.Parse("file", text)
	if err != nil {
		t.Fatal(err)
	}
	var list []heard
	for ch := range s.Changes() {
		list = append(list, heard{ch.Arrival.Sub(s.Start), *ch})
	}
	return s, list
}

// node is a node of a scenario, as far as the cloud's controllers read or write it.
func node(name string, n *model.Node) *v1.Node {
	o := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(n.UID.String()), Labels: map[string]string{}},
		Spec: v1.NodeSpec{ProviderID: n.ProviderID, Unschedulable: n.Unschedulable}}
	for key, value := range map[string]string{v1.LabelTopologyZone: n.Zone.Zone, v1.LabelTopologyRegion: n.Zone.Region} {
		if value != "" {
			o.Labels[key] = value
		}
	}
	for _, c := range n.Conditions {
		o.Status.Conditions = append(o.Status.Conditions, v1.NodeCondition{Type: v1.NodeConditionType(c.Type), Status: v1.ConditionStatus(c.Status.String()), Reason: c.Reason})
	}
	for _, t := range n.Taints {
		o.Spec.Taints = append(o.Spec.Taints, v1.Taint{Key: t.Key, Value: t.Value, Effect: v1.TaintEffect(t.Effect.String())})
	}
	return o
}

// pod is a pod of a scenario, as far as the Eviction API and the disruption controller read it.
func pod(p *model.Pod) *v1.Pod {
	o := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name, UID: types.UID(p.UID.String()), Labels: map[string]string{}},
		Spec: v1.PodSpec{NodeName: p.Node}, Status: v1.PodStatus{Phase: v1.PodPhase(p.Phase.String())}}
	for name, value := range p.Details.All {
		if key, ok := strings.CutPrefix(name, model.DetailLabel); ok {
			o.Labels[key] = value
		}
	}
	if p.Owner != nil {
		yes := true
		o.OwnerReferences = []metav1.OwnerReference{{APIVersion: apiVersions[p.Owner.Kind], Kind: p.Owner.Kind, Name: p.Owner.Name, UID: types.UID(p.Owner.Name), Controller: &yes}}
	}
	if p.Deletion.Known() {
		o.DeletionTimestamp = &metav1.Time{Time: p.Deletion.Time()}
	}
	if status := p.Ready.String(); status != "" {
		o.Status.Conditions = append(o.Status.Conditions, v1.PodCondition{Type: v1.PodReady, Status: v1.ConditionStatus(status)})
	}
	if p.Disrupted.Known() {
		o.Status.Conditions = append(o.Status.Conditions, v1.PodCondition{Type: v1.DisruptionTarget, Status: v1.ConditionTrue, Reason: p.DisruptionReason})
	}
	return o
}

var apiVersions = map[string]string{"ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "Job": "batch/v1", "Deployment": "apps/v1"}
