package verdict

import (
	"strings"

	"kardia/model"
	"kardia/model/explain/command"
)

// decide are the commands that would tell the Parts of a node apart that are not excluded, each with what
// its answer means.
func (n *node) decide(causes []Cause) (list []string) {
	if strings.HasPrefix(n.name, "-") || strings.HasPrefix(n.address(), "-") {
		return []string{"the node's name is none that a program would take for a name: there is no command to copy"}
	}
	for i := range causes {
		c := &causes[i]
		if c.Standing == Excluded {
			continue
		}
		switch c.Part {
		case Machine:
			list = append(list, n.askProvider())
		case Network:
			list = append(list, command.Line("kubectl", "get", "--raw", "/api/v1/nodes/"+n.name+"/proxy/healthz")+"  # ok: machine and kubelet run; its way to the API server, or its certificate, does not")
			if ip := n.address(); ip != "" {
				list = append(list, command.Line("nc", "-vz", "-w", "3", ip, "10250")+"  # opens: machine and kubelet run; refused: the machine runs; nothing: off, or the network")
			}
		case Process:
			list = append(list, n.ssh("systemctl status kubelet; journalctl -u kubelet -n 50 --no-pager"))
		case Credentials:
			list = append(list, n.ssh("openssl x509 -noout -enddate -in /var/lib/kubelet/pki/kubelet-client-current.pem"),
				command.Line("kubectl", "auth", "can-i", "update", "leases/"+n.name, "-n", model.NodeLeaseNamespace, "--as", "system:node:"+n.name, "--as-group", "system:nodes"))
		}
	}
	return list
}

// ssh is a command on the node.
func (n *node) ssh(what string) string {
	to := n.address()
	if to == "" {
		to = n.name
	}
	return command.Line("ssh", to, what)
}

// address is the node's internal address; "" where none is known.
func (n *node) address() string {
	if n.object == nil {
		return ""
	}
	ip, _ := n.object.Details.Get(model.DetailAddress + "InternalIP")
	return ip
}

// askProvider asks whoever runs the machine whether it runs.
// Source: each cloud provider's form of spec.providerID.
func (n *node) askProvider() string {
	if n.object == nil || n.object.ProviderID == "" {
		return "look at the machine's console: the Node names no provider"
	}
	id := n.object.ProviderID
	scheme, rest, _ := strings.Cut(id, "://")
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	last := parts[len(parts)-1]
	switch {
	case scheme == "aws" && strings.HasPrefix(last, "i-"):
		words := []string{"aws", "ec2", "describe-instance-status", "--include-all-instances", "--instance-ids", last}
		if region := n.object.Place.Region; region != "" {
			words = append(words, "--region", region)
		}
		return command.Line(words...)
	case scheme == "gce" && len(parts) == 3:
		return command.Line("gcloud", "compute", "instances", "describe", last, "--project", parts[0], "--zone", parts[1], "--format", "value(status,lastStartTimestamp)")
	case scheme == "azure" && strings.Contains(rest, "/virtualMachineScaleSets/"):
		return command.Line("az", "vmss", "get-instance-view", "--ids", "/"+strings.TrimLeft(rest, "/"))
	case scheme == "azure":
		return command.Line("az", "vm", "get-instance-view", "--ids", "/"+strings.TrimLeft(rest, "/"))
	case scheme == "openstack":
		return command.Line("openstack", "server", "show", last)
	case scheme == "hcloud":
		return command.Line("hcloud", "server", "describe", last)
	}
	return "ask the provider whether it runs: " + id
}
