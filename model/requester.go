package model

import "strings"

// Requester is who sent a request, as the API server's audit log tells it. The zero value is nobody
// that is known. Requesters are interned: many Changes share one.
type Requester struct {
	// User is who the API server found the requester to be (user.username); of one who acts as another both:
	// "alice as system:node:a" (impersonatedUser.username).
	User string
	// Agent is what the program called itself (userAgent). Whoever sends a request writes there what
	// they like.
	Agent string
	// Address is where the request came from (sourceIPs), the addresses separated by ", ". All but the
	// last, that of the connection, are what the sender or a proxy says.
	// Source: kubernetes: staging/src/k8s.io/apiserver/pkg/apis/audit, Event.SourceIPs.
	Address string
}

// Program is the program by the user agent: "kubectl" of "kubectl/v1.36.3 (linux/amd64) kubernetes/6f1a2b3".
func (r *Requester) Program() string {
	program, _, _ := strings.Cut(r.Agent, "/")
	return program
}

// Who is the user with the program, in short: "alice with kubectl"; the program alone where the user is not known.
func (r *Requester) Who() string {
	switch program := r.Program(); {
	case r.User == "" || program == "":
		return r.User + program
	default:
		return r.User + " with " + program
	}
}

// Kubectl says that a person's program sent it, which is no kubelet.
func (r *Requester) Kubectl() bool { return r != nil && r.Program() == "kubectl" }

// Client is the name that a part of a program gives itself at the end of the user agent, behind the commit:
// "node-controller" of "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/6f1a2b3/node-controller".
// It is empty where there is none, also where the agent is cut short.
// Source: kubernetes: client-go/rest, AddUserAgent.
func (r *Requester) Client() string {
	if at := strings.LastIndexByte(r.Agent, ' '); at >= 0 {
		if parts := strings.SplitN(r.Agent[at+1:], "/", 3); len(parts) == 3 {
			return strings.TrimPrefix(parts[2], ControllerAccounts)
		}
	}
	return ""
}

// String is the requester in short: "alice, kubectl/v1.36.3, from 10.0.0.5"; empty of nil.
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

// ControllerAccounts begins the user names of the service accounts that controllers have.
const ControllerAccounts = "system:serviceaccount:kube-system:"
