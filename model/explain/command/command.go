// Package command writes commands for a person to copy into a shell. Nothing of it is ever run.
package command

import (
	"regexp"
	"strings"
)

// Pipe stands between two commands of one line.
const Pipe = " | "

// Line is a command: its words, each as a shell reads it back. Names come from clusters and files, and
// must not become more than one word.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Word(w)
	}
	return strings.Join(quoted, " ")
}

// Word is a word as a shell reads it back.
func Word(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/:=@+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Object is an object of a cluster as kubectl takes it, TYPE/NAME. A name alone may be a flag: Kubernetes has no name
// that starts with a hyphen, and files can hold any.
func Object(kind, name string) string { return kind + "/" + name }

// kubectls finds where kubectl starts in a Line. What is quoted is matched first, and holds no start.
var kubectls = regexp.MustCompile(`'[^']*'|\\'|^kubectl |\| kubectl `)

// InContext lets the kubectl commands of a Line be of a context.
func InContext(line, context string) string {
	return kubectls.ReplaceAllStringFunc(line, func(found string) string {
		if start, ok := strings.CutSuffix(found, "kubectl "); ok {
			return start + Line("kubectl", "--context", context) + " "
		}
		return found
	})
}

// Fit says that a program other than kubectl, which has no form as Object, takes a name for one and not for a flag.
func Fit(name string) bool { return name != "" && !strings.HasPrefix(name, "-") }

// Is says whether a line that a person reads is a command, and not a sentence.
func Is(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	switch first {
	case "kubectl", "ssh", "ping", "nc", "aws", "gcloud", "az", "openstack", "hcloud", "chronyc":
		return true
	}
	return false
}
