package live

import (
	"cmp"
	"maps"
	"strconv"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"kardia/model"
)

// converter trims objects to the model. Repeated strings share memory; of the object itself only strings are kept.
type converter struct {
	model.Interner

	packed []byte // memory for packing details of pods
}

// change is an object version as a Change without Op and Arrival; ok is false for another kind. Time.Earliest is the
// newest timestamp of the version, by the API server's clock.
func (c *converter) change(kind model.Kind, obj runtime.Object) (ch model.Change, ok bool) {
	ch.Kind = kind
	switch o := obj.(type) {
	case *corev1.Node:
		c.meta(&ch, &o.ObjectMeta)
		ch.Node = c.node(o)
		return ch, kind == model.KindNode
	case *coordinationv1.Lease:
		c.meta(&ch, &o.ObjectMeta)
		ch.Lease = c.lease(o)
		return ch, kind == model.KindNodeLease || kind == model.KindLeaderLease
	case *corev1.Pod:
		c.meta(&ch, &o.ObjectMeta)
		ch.Pod = c.pod(ch.Key, o)
		return ch, kind == model.KindPod
	case *corev1.Event:
		c.meta(&ch, &o.ObjectMeta)
		ch.Event = c.event(o)
		return ch, kind == model.KindEvent
	}
	return ch, false
}

func (c *converter) meta(ch *model.Change, m *metav1.ObjectMeta) {
	ch.Key = model.Key{Namespace: c.String(m.Namespace), Name: m.Name}
	ch.UID = c.UID(string(m.UID))
	ch.Version = versionOf(m.ResourceVersion)
	newest := at(m.CreationTimestamp)
	for i := range m.ManagedFields {
		newest = max(newest, at(ptr.Deref(m.ManagedFields[i].Time, metav1.Time{})))
	}
	ch.Time.Earliest = newest
}

func versionOf(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return v
}

func at(t metav1.Time) model.Instant { return model.At(t.Time) }

func (c *converter) node(o *corev1.Node) *model.Node {
	look := func(key string) (string, bool) {
		v, ok := o.Labels[key]
		return c.String(v), ok
	}
	n := &model.Node{
		UID:               c.UID(string(o.UID)),
		Created:           at(o.CreationTimestamp),
		Deleted:           at(ptr.Deref(o.DeletionTimestamp, metav1.Time{})),
		Zone:              model.ZoneKeyOf(look),
		ExcludeDisruption: model.ExcludedFromDisruption(look),
		Unschedulable:     o.Spec.Unschedulable,
		ProviderID:        o.Spec.ProviderID,
		InstanceType:      c.String(cmp.Or(o.Labels[corev1.LabelInstanceTypeStable], o.Labels[corev1.LabelInstanceType])),
		KubeletVersion:    c.String(o.Status.NodeInfo.KubeletVersion),
		OS:                c.String(o.Status.NodeInfo.OperatingSystem),
		Arch:              c.String(o.Status.NodeInfo.Architecture),
	}
	n.Conditions = make([]model.Condition, 0, len(o.Status.Conditions))
	for i := range o.Status.Conditions {
		s := &o.Status.Conditions[i]
		n.Conditions = append(n.Conditions, model.Condition{
			Type: c.String(string(s.Type)), Reason: c.String(s.Reason), Message: c.String(s.Message),
			Status:     model.ParseStatus(string(s.Status)),
			Transition: at(s.LastTransitionTime),
			Heartbeat:  at(s.LastHeartbeatTime),
		})
	}
	for i := range o.Spec.Taints {
		s := &o.Spec.Taints[i]
		t := model.Taint{Key: c.String(s.Key), Value: c.String(s.Value), Added: at(ptr.Deref(s.TimeAdded, metav1.Time{}))}
		t.Effect, _ = model.ParseEffect(string(s.Effect))
		n.Taints = append(n.Taints, t)
	}
	n.Details = c.details(o, n.Taints)
	return n
}

func (c *converter) lease(o *coordinationv1.Lease) model.Lease {
	return model.Lease{
		UID:         c.UID(string(o.UID)),
		Created:     at(o.CreationTimestamp),
		Renewed:     model.At(ptr.Deref(o.Spec.RenewTime, metav1.MicroTime{}).Time),
		Acquired:    model.At(ptr.Deref(o.Spec.AcquireTime, metav1.MicroTime{}).Time),
		Holder:      c.String(ptr.Deref(o.Spec.HolderIdentity, "")),
		Seconds:     ptr.Deref(o.Spec.LeaseDurationSeconds, 0),
		Transitions: ptr.Deref(o.Spec.LeaseTransitions, 0),
	}
}

func (c *converter) pod(key model.Key, o *corev1.Pod) *model.Pod {
	p := &model.Pod{
		Key:          key,
		UID:          c.UID(string(o.UID)),
		Node:         c.String(o.Spec.NodeName),
		Created:      at(o.CreationTimestamp),
		Deletion:     at(ptr.Deref(o.DeletionTimestamp, metav1.Time{})),
		GraceSeconds: int32(ptr.Deref(o.DeletionGracePeriodSeconds, 0)),
		Phase:        model.ParsePhase(string(o.Status.Phase)),
		Tolerations:  c.tolerations(o.Spec.Tolerations),
		Details:      c.podDetails(o),
	}
	if owner := metav1.GetControllerOfNoCopy(o); owner != nil {
		p.Owner = c.Owner(owner.Kind, owner.Name)
	}
	for i := range o.Status.Conditions {
		s := &o.Status.Conditions[i]
		switch s.Type {
		case corev1.PodReady:
			p.Ready, p.ReadySince = model.ParseStatus(string(s.Status)), at(s.LastTransitionTime)
		case corev1.DisruptionTarget:
			if s.Status == corev1.ConditionTrue {
				p.Disrupted, p.DisruptionReason = at(s.LastTransitionTime), c.String(s.Reason)
			}
		}
	}
	return p
}

// podDetails are PersistentVolumeClaims, requests, priority, why it ended, and labels.
func (c *converter) podDetails(o *corev1.Pod) model.Details {
	var list []model.Detail
	for i := range o.Spec.Volumes {
		v := &o.Spec.Volumes[i]
		switch {
		case v.PersistentVolumeClaim != nil:
			list = append(list, model.Detail{Name: model.DetailClaim + v.PersistentVolumeClaim.ClaimName, Value: v.Name})
		case v.Ephemeral != nil:
			list = append(list, model.Detail{Name: model.DetailClaim + o.Name + "-" + v.Name, Value: v.Name})
		}
	}
	if len(list) > 0 {
		list = append(list, model.Detail{Name: model.DetailRunning, Value: strconv.FormatBool(runs(&o.Status))})
	}
	if len(o.Spec.Containers) > 0 {
		list = append(list, model.Detail{Name: model.DetailRequests, Value: requests(&o.Spec).String()})
	}
	if p := o.Spec.Priority; p != nil {
		list = append(list, model.Detail{Name: model.DetailPriority, Value: strconv.Itoa(int(*p))})
	}
	if s := &o.Status; s.Phase == corev1.PodFailed || s.Phase == corev1.PodSucceeded {
		if e, ok := model.EndingOf(s.Reason, s.Message); ok {
			list = append(list, model.Detail{Name: model.DetailEnded, Value: e.String()})
		}
	}
	c.packed = model.PackDetails(model.WithLabels(list, maps.All(o.Labels)), c.packed[:0])
	return model.Details(c.Bytes(c.packed))
}

func requests(s *corev1.PodSpec) model.Requests {
	of := func(list corev1.ResourceList) model.Requests {
		return model.Requests{CPU: model.Quantity(list.Cpu().MilliValue()), Memory: model.Quantity(list.Memory().MilliValue())}
	}
	containers := make([]model.ContainerRequests, 0, len(s.Containers)+len(s.InitContainers))
	for i := range s.Containers {
		containers = append(containers, model.ContainerRequests{Requests: of(s.Containers[i].Resources.Requests)})
	}
	for i := range s.InitContainers {
		c := &s.InitContainers[i]
		containers = append(containers, model.ContainerRequests{Requests: of(c.Resources.Requests), Init: true,
			Sidecar: ptr.Deref(c.RestartPolicy, "") == corev1.ContainerRestartPolicyAlways})
	}
	var whole model.WholeRequests
	if s.Resources != nil {
		asks := of(s.Resources.Requests)
		if _, ok := s.Resources.Requests[corev1.ResourceCPU]; ok {
			whole.CPU = model.Some(asks.CPU)
		}
		if _, ok := s.Resources.Requests[corev1.ResourceMemory]; ok {
			whole.Memory = model.Some(asks.Memory)
		}
	}
	return model.PodRequests(containers, of(s.Overhead), whole)
}

func runs(s *corev1.PodStatus) bool {
	for _, statuses := range [...][]corev1.ContainerStatus{s.InitContainerStatuses, s.ContainerStatuses, s.EphemeralContainerStatuses} {
		for i := range statuses {
			if state := &statuses[i].State; state.Terminated == nil && state.Waiting == nil {
				return true
			}
		}
	}
	return false
}

func (c *converter) tolerations(list []corev1.Toleration) *model.Tolerations {
	out := make([]model.Toleration, 0, len(list))
	for i := range list {
		s := &list[i]
		t := model.Toleration{Key: s.Key, Value: s.Value, Operator: string(s.Operator)}
		t.Effect, _ = model.ParseEffect(string(s.Effect))
		if s.TolerationSeconds != nil {
			t.Seconds = model.Some(*s.TolerationSeconds)
		}
		out = append(out, t)
	}
	return c.Tolerations(out)
}

func (c *converter) event(o *corev1.Event) *model.Event {
	e := &model.Event{
		UID:     c.UID(string(o.UID)),
		Created: at(o.CreationTimestamp),
		Regarding: model.Reference{
			Kind: c.String(o.InvolvedObject.Kind),
			Key:  model.Key{Namespace: c.String(o.InvolvedObject.Namespace), Name: c.String(o.InvolvedObject.Name)},
			UID:  c.UID(string(o.InvolvedObject.UID)),
		},
		Reason:    c.String(o.Reason),
		Message:   o.Message,
		Component: c.String(cmp.Or(o.Source.Component, o.ReportingController)),
		Warning:   o.Type == corev1.EventTypeWarning,
		Count:     o.Count,
		First:     cmp.Or(at(o.FirstTimestamp), model.At(o.EventTime.Time)),
		Last:      at(o.LastTimestamp),
	}
	if s := o.Series; s != nil && !s.LastObservedTime.IsZero() {
		e.Last, e.Count = model.At(s.LastObservedTime.Time), s.Count
	}
	e.Last = cmp.Or(e.Last, e.First)
	return e
}
