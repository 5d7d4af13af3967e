package live

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"kardia/model"
)

// details packs the parts of a Node beyond its health, as sources/read/object does from JSON.
func (c *converter) details(o *corev1.Node, taints []model.Taint) model.NodeDetails {
	var list []model.Detail
	add := func(name, value string) { list = append(list, model.Detail{Name: name, Value: value}) }
	for key, value := range o.Labels {
		if !model.HasField(key) {
			add(model.DetailLabel+key, value)
		}
	}
	for i := range o.OwnerReferences {
		add(model.DetailOwner, o.OwnerReferences[i].Kind+" "+o.OwnerReferences[i].Name)
	}
	cidrs := o.Spec.PodCIDR
	if len(o.Spec.PodCIDRs) > 1 { // the first of them is podCIDR
		cidrs += " " + strings.Join(o.Spec.PodCIDRs[1:], " ")
	}
	add(model.DetailPodCIDR, cidrs)
	info := &o.Status.NodeInfo
	add(model.DetailOSImage, info.OSImage)
	add(model.DetailKernel, info.KernelVersion)
	add(model.DetailRuntime, info.ContainerRuntimeVersion)
	add(model.DetailBootID, info.BootID)
	add(model.DetailMachineID, info.MachineID)
	add(model.DetailSystemUUID, info.SystemUUID)
	add(model.DetailFeatures, strings.Join(o.Status.DeclaredFeatures, " "))
	var managed model.Managed
	for i := range o.ManagedFields {
		m := &o.ManagedFields[i]
		e := model.ManagedEntry{Manager: m.Manager, Subresource: m.Subresource, Fields: m.FieldsV1.GetRawString()}
		if m.Time != nil {
			e.Time = m.Time.UTC().Format(time.RFC3339)
		}
		managed.Entry(e, func(manager, last string) { add(model.DetailWriter+manager, last) })
	}
	managed.Details(o.Spec.Unschedulable, taints, add)
	for _, a := range o.Status.Addresses {
		add(model.DetailAddress+string(a.Type), a.Address)
	}
	for name, quantity := range o.Status.Capacity {
		add(model.DetailCapacity+string(name), quantity.String())
	}
	for name, quantity := range o.Status.Allocatable {
		add(model.DetailAllocatable+string(name), quantity.String())
	}
	c.packed = model.PackDetails(list, c.packed[:0])
	return model.SplitDetails(c.packed, c.Bytes)
}
