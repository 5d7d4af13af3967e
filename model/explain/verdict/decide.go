package verdict

import (
	"net/url"

	"kardia/model"
	"kardia/model/explain/command"
)

// decide are the commands that would tell the Parts of a node apart that are not excluded, each with what
// its answer means.
func (n *node) decide(causes []Cause) (list []string) {
	if ip := n.address(); !command.Fit(n.name) || ip != "" && !command.Fit(ip) {
		return []string{"the node's name is none that a program would take for a name: there is no command to copy"}
	}
	for i := range causes {
		c := &causes[i]
		if c.State == Excluded {
			continue
		}
		switch c.Part {
		case Machine:
			list = append(list, command.MachineState(n.object))
		case Network:
			list = append(list, command.Line("kubectl", "get", "--raw", "/api/v1/nodes/"+url.PathEscape(n.name)+"/proxy/healthz")+"  # ok: machine and kubelet run; its way to the API server, or its certificate, does not")
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
func (n *node) address() string { return command.Address(n.object) }
