package open

import (
	"bytes"
	"fmt"
	"regexp"

	"kardia/sources/read/watchstream"
)

// lead may come before a line in a paste: a quotation's mark.
const lead = `(?m)^[> \t]*`

// printed is kubectl's output for people: incomplete and inexact, so it is refused with the command to capture.
var printed = []struct {
	begins  *regexp.Regexp
	what    string
	lacks   string
	instead string
}{
	{regexp.MustCompile(lead + `NAME +STATUS +ROLES +AGE +VERSION`), "get nodes", "heartbeats, taints and times", "nodes -o json"},
	{regexp.MustCompile(lead + `(NAMESPACE +)?NAME +READY +STATUS +RESTARTS +AGE`), "get pods", "tolerations and times", "pods -A -o json"},
	{regexp.MustCompile(lead + `(NAMESPACE +)?NAME +HOLDER +AGE`), "get leases", "renewTime", "leases -n kube-node-lease -o json"},
	{regexp.MustCompile(lead + `(NAMESPACE +)?(LAST SEEN|FIRST SEEN) +`), "get events", "exact times", "events -A -o json"},
	{regexp.MustCompile(lead + `((NAMESPACE +)?NAME +MIN AVAILABLE|(Min a|Max una)vailable:)`), "get pdb' or 'kubectl describe pdb", "times and versions", "pdb -A -o json"},
	{regexp.MustCompile(lead + `(Node:[ \t]+\S+/[0-9a-fA-F.:]+|Priority:[ \t]+-?\d|QoS Class:|PodScheduled )`), "describe pod", "since when the pod is Ready or Terminating, and its version", "pods -A -o json"},
	{regexp.MustCompile(lead + `Name:[ \t]+\S+\s*\n` + lead + `Namespace:[ \t]`), "describe", "times and versions", "nodes,leases,pods,events -A -o json"},
}

// others are other things that are saved under the names of dumps.
var others = []struct {
	begins *regexp.Regexp
	why    string
}{
	{regexp.MustCompile(`(?i)^(<!doctype|<html|<\?xml|<head|<body)`), "it is a web page, which a proxy or a login sends in place of an answer; capture it again, signed in"},
	{regexp.MustCompile(`^No resources found`), "kubectl found nothing to list, and printed no objects; capture what exists, with -A for all namespaces"},
	{regexp.MustCompile(`^([Ee]rror: |Error from server|Unable to connect to the server|The connection to the server|You must be logged in|Unauthorized|Forbidden)`), "it holds an error that kubectl printed, and no objects; capture it again once kubectl answers"},
}

// instead is why a text that looks like a dump is none, and what to do; "" for others.
func instead(head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	_, structured := shows(head)
	for _, p := range printed {
		if !structured && !watchstream.IsYAML(head) && p.begins.Match(head) {
			return "it is what 'kubectl " + p.what + "' prints for people, which lacks " + p.lacks + "; capture it with: kubectl get " + p.instead + "; 'kardia capture-script' prints a script that captures everything"
		}
	}
	for _, o := range others {
		if o.begins.Match(head) {
			line, _, _ := bytes.Cut(head, []byte("\n"))
			return fmt.Sprintf("it begins %q: %s", line[:min(len(line), 80)], o.why)
		}
	}
	return ""
}
