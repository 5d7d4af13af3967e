package open

import (
	"bytes"
	"regexp"
)

// printed is what kubectl prints for people. It leaves out what a judgement rests on, and no time in it is exact;
// so it is refused, with the command that captures the same.
var printed = []struct {
	begins  *regexp.Regexp
	what    string
	instead string
}{
	{regexp.MustCompile(`^NAME +STATUS +ROLES +AGE +VERSION`), "kubectl get nodes", "kubectl get nodes -o json"},
	{regexp.MustCompile(`^(NAMESPACE +)?NAME +READY +STATUS +RESTARTS +AGE`), "kubectl get pods", "kubectl get pods -A -o json"},
	{regexp.MustCompile(`^(NAMESPACE +)?NAME +HOLDER +AGE`), "kubectl get leases", "kubectl get leases -n kube-node-lease -o json"},
	{regexp.MustCompile(`^(NAMESPACE +)?(LAST SEEN|FIRST SEEN) +`), "kubectl get events", "kubectl get events -A -o json"},
	{regexp.MustCompile(`(?m)^Name: +\S+\s(?:.*\n)*?Namespace: +`), "kubectl describe pod", "kubectl get pods -A -o json"},
	{regexp.MustCompile(`(?m)^Name: +\S+\s+Roles: +`), "kubectl describe node", "kubectl get nodes -o json (and: kubectl get events -A -o json)"},
}

// forPeople says what a file is that kubectl printed for people, and what captures the same; empty for others.
func forPeople(head []byte) (what, instead string) {
	head = bytes.TrimLeft(head, " \t\r\n")
	for _, p := range printed {
		if p.begins.Match(head) {
			return p.what, p.instead
		}
	}
	return "", ""
}
