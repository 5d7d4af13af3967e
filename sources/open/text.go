package open

import (
	"bytes"
	"fmt"
	"regexp"

	"kardia/sources/read/watchstream"
)

// lead is the text that may come before a line in a paste: a quotation's mark.
const lead = `(?m)^[> \t]*`

// printed is what kubectl prints for people. It leaves out what a judgement rests on, and no time in it is exact;
// so it is refused, with the command that captures the same.
var printed = []struct {
	begins  *regexp.Regexp
	what    string
	instead string
}{
	{regexp.MustCompile(lead + `NAME +STATUS +ROLES +AGE +VERSION`), "kubectl get nodes", "kubectl get nodes -o json"},
	{regexp.MustCompile(lead + `(NAMESPACE +)?NAME +READY +STATUS +RESTARTS +AGE`), "kubectl get pods", "kubectl get pods -A -o json"},
	{regexp.MustCompile(lead + `(NAMESPACE +)?NAME +HOLDER +AGE`), "kubectl get leases", "kubectl get leases -n kube-node-lease -o json"},
	{regexp.MustCompile(lead + `(NAMESPACE +)?(LAST SEEN|FIRST SEEN) +`), "kubectl get events", "kubectl get events -A -o json"},
	{regexp.MustCompile(lead + `Name: +\S+\s(?:.*\n)*?Namespace: +`), "kubectl describe pod", "kubectl get pods -A -o json"},
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

// instead describes a text that looks like a dump, and is none, with what to do; empty for others.
func instead(head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	_, structured := shows(head)
	for _, p := range printed {
		if !structured && !watchstream.IsYAML(head) && p.begins.Match(head) {
			return "it is what '" + p.what + "' prints for people, which leaves out what a judgement rests on; capture it with: " + p.instead + "; 'kardia capture-script' prints a script that captures everything"
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
