package model

import "strings"

// Requester is the sender of a request by the audit log; zero if unknown. Requesters are interned.
type Requester struct {
	// User is user.username. With impersonation (impersonatedUser.username) it has both: "alice as system:node:a".
	User string
	// Agent is userAgent. The sender can write anything there.
	Agent string
	// Address is sourceIPs, separated by ", ". Only the last, of the connection, is certain.
	// Source: kubernetes: staging/src/k8s.io/apiserver/pkg/apis/audit, Event.SourceIPs.
	Address string
}

// Program is the program in the user agent: "kubectl" for "kubectl/v1.36.3 (linux/amd64) kubernetes/6f1a2b3".
func (r *Requester) Program() string {
	program, _, _ := strings.Cut(r.Agent, "/")
	return program
}

// Who is the user with the program: "alice with kubectl"; the program alone if the user is unknown.
func (r *Requester) Who() string {
	switch program := r.Program(); {
	case r.User == "" || program == "":
		return r.User + program
	default:
		return r.User + " with " + program
	}
}

// Kubectl reports whether kubectl sent it: a person, not a kubelet.
func (r *Requester) Kubectl() bool { return r != nil && r.Program() == "kubectl" }

// Client is the name of a program's part, behind the commit: "node-controller" for "kube-controller-manager/v1.36.3
// (linux/amd64) kubernetes/6f1a2b3/node-controller". It is empty if there is none, or if the agent is cut short.
// Source: kubernetes: client-go/rest, AddUserAgent.
func (r *Requester) Client() string {
	if at := strings.LastIndexByte(r.Agent, ' '); at >= 0 {
		if parts := strings.SplitN(r.Agent[at+1:], "/", 3); len(parts) == 3 {
			return strings.TrimPrefix(parts[2], ControllerAccounts)
		}
	}
	return ""
}

// String is the requester in short: "alice, kubectl/v1.36.3, from 10.0.0.5"; empty for nil.
func (r *Requester) String() string {
	if r == nil {
		return ""
	}
	agent, _, _ := strings.Cut(r.Agent, " ")
	if client := r.Client(); client != "" {
		agent += "/" + client
	}
	var parts []string
	for _, part := range [...]string{r.User, agent} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if r.Address != "" {
		parts = append(parts, "from "+r.Address)
	}
	return strings.Join(parts, ", ")
}

// ControllerAccounts begins the user names of the controllers' service accounts.
const ControllerAccounts = "system:serviceaccount:kube-system:"
