package verdict

import (
	"cmp"
	"net/url"

	"kardia/model"
	"kardia/model/explain/command"
)

// decide lists commands whose answers would show which of the Parts that are not excluded failed.
func (n *node) decide(causes []Cause) (list []Fact) {
	if ip := n.address(); !command.Fit(n.name) || ip != "" && !command.Fit(ip) {
		return []Fact{{Code: "no-command"}}
	}
	for i := range causes {
		c := &causes[i]
		if c.State == Excluded {
			continue
		}
		switch c.Part {
		case Machine:
			list = append(list, askMachine(command.MachineOf(n.object)))
		case Network:
			list = append(list, Fact{Code: "ask-proxy", Text: command.Line("kubectl", "get", "--raw", "/api/v1/nodes/"+url.PathEscape(n.name)+"/proxy/healthz")})
			if ip := n.address(); ip != "" {
				list = append(list, Fact{Code: "ask-port", Text: command.Line("nc", "-vz", "-w", "3", ip, "10250")})
			}
		case Process:
			list = append(list, n.ssh("systemctl status kubelet; journalctl -u kubelet -n 50 --no-pager"))
		case Credentials:
			list = append(list, n.ssh("openssl x509 -noout -enddate -in /var/lib/kubelet/pki/kubelet-client-current.pem"),
				run(command.Line("kubectl", "auth", "can-i", "update", "leases/"+n.name, "-n", model.NodeLeaseNamespace, "--as", "system:node:"+n.name, "--as-group", "system:nodes")))
		}
	}
	return list
}

// askMachine is the command that shows whether a machine runs, or advice if its provider has none.
func askMachine(m command.Machine) Fact {
	if m.Line == "" {
		return Fact{Code: "ask-machine", Text: m.Provider}
	}
	return run(m.Line)
}

func (n *node) ssh(what string) Fact {
	return run(command.Line("ssh", cmp.Or(n.address(), n.name), what))
}

func (n *node) address() string { return command.Address(n.object) }
