package command

import (
	"slices"
	"strings"

	"kardia/model"
)

// Address is a node's internal address; "" if unknown.
func Address(n *model.Node) string {
	if n == nil {
		return ""
	}
	return n.Details.Value(model.DetailAddress + "InternalIP")
}

// Machine is how to find out whether a node's machine runs.
type Machine struct {
	// Line is a command; "" if none is known. Provider is spec.providerID.
	Line, Provider string
}

// MachineOf is how to find out whether the machine of a node runs.
func MachineOf(n *model.Node) Machine {
	if n == nil {
		return Machine{}
	}
	return Machine{machineLine(n), n.ProviderID}
}

// machineLine is the command of a node's provider; "" if none is known.
// Source: each cloud provider's form of spec.providerID.
func machineLine(n *model.Node) string {
	scheme, rest, _ := strings.Cut(n.ProviderID, "://")
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	last := parts[len(parts)-1]
	switch {
	case slices.ContainsFunc(parts, func(part string) bool { return !Fit(part) }):
	case scheme == "aws" && strings.HasPrefix(last, "i-"):
		words := []string{"aws", "ec2", "describe-instance-status", "--include-all-instances", "--instance-ids", last}
		if region := n.Zone.Region; Fit(region) {
			words = append(words, "--region", region)
		}
		return Line(words...)
	case scheme == "gce" && len(parts) == 3:
		return Line("gcloud", "compute", "instances", "describe", last, "--project", parts[0], "--zone", parts[1], "--format", "value(status,lastStartTimestamp)")
	case scheme == "azure" && strings.Contains(rest, "/virtualMachineScaleSets/"):
		return Line("az", "vmss", "get-instance-view", "--ids", "/"+strings.TrimLeft(rest, "/"))
	case scheme == "azure":
		return Line("az", "vm", "get-instance-view", "--ids", "/"+strings.TrimLeft(rest, "/"))
	case scheme == "openstack":
		return Line("openstack", "server", "show", last)
	case scheme == "hcloud":
		return Line("hcloud", "server", "describe", last)
	}
	return ""
}
