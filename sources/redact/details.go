package redact

import (
	"strings"

	"kardia/model"
)

// details keeps what a node runs and how large it is. Labels, addresses, owners and what else a person
// names are taken out.
func (r *Redactor) details(d model.Details) model.Details {
	var kept []model.Detail
	for name, value := range d.All {
		switch {
		case name == model.DetailOSImage, name == model.DetailKernel, name == model.DetailRuntime:
			if r.level == Public {
				value = version(value)
			}
			kept = append(kept, model.Detail{Name: name, Value: value})
		case plain[strings.TrimPrefix(name, model.DetailCapacity)], plain[strings.TrimPrefix(name, model.DetailAllocatable)]:
			kept = append(kept, model.Detail{Name: name, Value: value})
		default:
			r.removed["labels, addresses and other details of nodes"]++
		}
	}
	return model.Details(model.PackDetails(kept, nil))
}

// plain are the resources that every node has.
var plain = map[string]bool{"cpu": true, "memory": true, "pods": true, "ephemeral-storage": true}
