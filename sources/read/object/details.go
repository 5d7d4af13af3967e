package object

import (
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

// details packs the parts of a Node beyond its health; what the object does not show is empty.
func (d *Decoder) details(meta *metadata, spec, status gjson.Result, taints []model.Taint) model.NodeDetails {
	list := d.list[:0]
	add := func(name, value string) { list = append(list, model.Detail{Name: name, Value: value}) }
	named := func(prefix, name string) string {
		d.name = append(append(d.name[:0], prefix...), name...)
		return d.Bytes(d.name)
	}
	amounts := func(of gjson.Result, prefix string) {
		members(of, func(name string, value gjson.Result) { add(named(prefix, name), value.String()) })
	}
	members(meta.labels, func(name string, value gjson.Result) {
		if !model.HasField(name) {
			add(named(model.DetailLabel, name), value.String())
		}
	})
	items(meta.owners, func(owner gjson.Result) {
		add(model.DetailOwner, owner.Get("kind").String()+" "+owner.Get("name").String())
	})
	cidrs := spec.Get("podCIDR").String()
	if list := spec.Get("podCIDRs").Array(); len(list) > 1 { // the first of them is podCIDR
		for _, cidr := range list[1:] {
			cidrs += " " + cidr.String()
		}
	}
	add(model.DetailPodCIDR, cidrs)
	info := status.Get("nodeInfo")
	for _, name := range [...]string{model.DetailOSImage, model.DetailKernel, model.DetailRuntime, model.DetailBootID, model.DetailMachineID, model.DetailSystemUUID} {
		add(name, info.Get(name).String())
	}
	var features []string
	for _, f := range status.Get(model.DetailFeatures).Array() {
		features = append(features, f.String())
	}
	add(model.DetailFeatures, strings.Join(features, " "))
	var managed model.Managed
	items(meta.managers, func(entry gjson.Result) {
		managed.Entry(model.ManagedEntry{Manager: entry.Get("manager").String(), Subresource: entry.Get("subresource").String(), Time: entry.Get("time").String(), Fields: entry.Get("fieldsV1").Raw},
			func(manager, last string) { add(named(model.DetailWriter, manager), last) })
	})
	managed.Details(spec.Get("unschedulable").Bool(), taints, add)
	items(status.Get("addresses"), func(a gjson.Result) {
		add(named(model.DetailAddress, a.Get("type").String()), a.Get("address").String())
	})
	amounts(status.Get("capacity"), model.DetailCapacity)
	amounts(status.Get("allocatable"), model.DetailAllocatable)
	d.packed = model.PackDetails(list, d.packed[:0])
	clear(list) // it holds text of the document
	d.list = list[:0]
	return model.SplitDetails(d.packed, d.Bytes)
}
