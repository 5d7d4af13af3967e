package open

import (
	"bytes"
	"fmt"
	"regexp"

	"kardia/sources/read/watchstream"
)

// lead may come before a line in a paste: a quotation's mark.
const lead = `(?m)^[> \t]*`

// refusals are texts that look like a dump and are none. They are kubectl's output for people, which is incomplete and
// inexact, and other things that are saved under the names of dumps.
var refusals = []struct {
	begins *regexp.Regexp
	why    string
	other  bool // also of JSON and YAML
}{
	{regexp.MustCompile(lead + `NAME +STATUS +ROLES +AGE +VERSION`), printed("get nodes", "heartbeats, taints and times", "nodes -o json"), false},
	{regexp.MustCompile(lead + `(NAMESPACE +)?NAME +READY +STATUS +RESTARTS +AGE`), printed("get pods", "tolerations and times", "pods -A -o json"), false},
	{regexp.MustCompile(lead + `(NAMESPACE +)?NAME +HOLDER +AGE`), printed("get leases", "renewTime", "leases -n kube-node-lease -o json"), false},
	{regexp.MustCompile(lead + `(NAMESPACE +)?(LAST SEEN|FIRST SEEN) +`), printed("get events", "exact times", "events -A -o json"), false},
	{regexp.MustCompile(lead + `((NAMESPACE +)?NAME +MIN AVAILABLE|(Min a|Max una)vailable:)`), printed("get pdb' or 'kubectl describe pdb", "times and versions", "pdb -A -o json"), false},
	{regexp.MustCompile(lead + `(Node:[ \t]+\S+/[0-9a-fA-F.:]+|Priority:[ \t]+-?\d|QoS Class:|PodScheduled )`), printed("describe pod", "since when the pod is Ready or Terminating, and its version", "pods -A -o json"), false},
	{regexp.MustCompile(lead + `Name:[ \t]+\S+\s*\n` + lead + `Namespace:[ \t]`), printed("describe", "times and versions", "nodes,leases,pods,events -A -o json"), false},
	{regexp.MustCompile(`(?i)^(<!doctype|<html|<\?xml|<head|<body)`), "it is a web page, which a proxy or a login sends in place of an answer; capture it again, signed in", true},
	{regexp.MustCompile(`^No resources found`), "kubectl found nothing to list, and printed no objects; capture what exists, with -A for all namespaces", true},
	{regexp.MustCompile(`^([Ee]rror: |Error from server|Unable to connect to the server|The connection to the server|You must be logged in|Unauthorized|Forbidden)`), "it holds an error that kubectl printed, and no objects; capture it again once kubectl answers", true},
}

// printed is why what a kubectl command prints is refused, with the command to capture.
func printed(what, lacks, instead string) string {
	return "it is what 'kubectl " + what + "' prints for people, which lacks " + lacks + "; capture it with: kubectl get " + instead + "; 'kardia capture-script' prints a script that captures everything"
}

// instead is why a text that looks like a dump is none, and what to do; "" for others.
func instead(head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	_, structured := shows(head)
	for _, r := range refusals {
		switch {
		case !r.other && (structured || watchstream.IsYAML(head)), !r.begins.Match(head):
		case r.other:
			line, _, _ := bytes.Cut(head, []byte("\n"))
			return fmt.Sprintf("it begins %q: %s", line[:min(len(line), 80)], r.why)
		default:
			return r.why
		}
	}
	return ""
}
