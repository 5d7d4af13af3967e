package conformance

import (
	"strconv"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"kardia/model"
)

func (a *agreement) node(n *v1.Node) *model.Node {
	label := func(key string) (string, bool) { v, ok := n.Labels[key]; return v, ok }
	m := &model.Node{
		UID: a.uid(string(n.UID)), Created: model.At(n.CreationTimestamp.Time),
		Zone: model.ZoneKeyOf(label), ExcludeDisruption: model.ExcludedFromDisruption(label),
		Unschedulable: n.Spec.Unschedulable,
	}
	for _, c := range n.Status.Conditions {
		m.Conditions = append(m.Conditions, model.Condition{
			Type: string(c.Type), Status: model.ParseStatus(string(c.Status)), Reason: c.Reason, Message: c.Message,
			Heartbeat: model.At(c.LastHeartbeatTime.Time), Transition: model.At(c.LastTransitionTime.Time),
		})
	}
	for _, t := range n.Spec.Taints {
		effect, _ := model.ParseEffect(string(t.Effect))
		m.Taints = append(m.Taints, model.Taint{Key: t.Key, Value: t.Value, Effect: effect, Added: optional(t.TimeAdded)})
	}
	return m
}

func (a *agreement) pod(p *v1.Pod) *model.Pod {
	m := &model.Pod{
		Key: model.Key{Namespace: p.Namespace, Name: p.Name}, UID: a.uid(string(p.UID)), Node: p.Spec.NodeName,
		Created: model.At(p.CreationTimestamp.Time), Deletion: optional(p.DeletionTimestamp), Phase: model.ParsePhase(string(p.Status.Phase)),
	}
	for _, c := range p.Status.Conditions {
		switch {
		case c.Type == v1.PodReady:
			m.Ready, m.ReadySince = model.ParseStatus(string(c.Status)), model.At(c.LastTransitionTime.Time)
		case c.Type == v1.DisruptionTarget && c.Status == v1.ConditionTrue:
			m.Disrupted, m.DisruptionReason = model.At(c.LastTransitionTime.Time), c.Reason
		}
	}
	var list []model.Toleration
	for _, t := range p.Spec.Tolerations {
		effect, _ := model.ParseEffect(string(t.Effect))
		have := model.Toleration{Key: t.Key, Value: t.Value, Operator: string(t.Operator), Effect: effect}
		if t.TolerationSeconds != nil {
			have.Seconds = model.Some(*t.TolerationSeconds)
		}
		list = append(list, have)
	}
	m.Tolerations = a.interner.Tolerations(list)
	return m
}

func (a *agreement) uid(s string) model.UID { return a.interner.UID(s) }

func optional(t *metav1.Time) model.Instant {
	if t == nil {
		return 0
	}
	return model.At(t.Time)
}

func version(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		panic(err) // the APIServer counts versions
	}
	return v
}

func (f Flags) params(v model.Version) model.Params {
	p := model.Defaults(v)
	p.NodeMonitorPeriod.Value, p.NodeStartupGracePeriod.Value, p.NodeMonitorGracePeriod.Value = f.Period, f.Startup, f.Grace
	p.NodeEvictionRate.Value, p.SecondaryNodeEvictionRate.Value = f.Rate, f.Secondary
	p.LargeClusterSizeThreshold.Value, p.UnhealthyZoneThreshold.Value = f.Large, f.Threshold
	return p
}
