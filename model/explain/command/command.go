// Package command writes commands for a person to copy into a shell. It never runs any.
package command

import (
	"regexp"
	"strings"
)

const Pipe = " | "

// Line is a command of several words, each quoted for a shell, since names come from clusters and files.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Word(w)
	}
	return strings.Join(quoted, " ")
}

// Word quotes a word for a shell.
func Word(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/:=@+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Object is TYPE/NAME for kubectl. A name alone may be a flag: files can hold any name.
func Object(kind, name string) string { return kind + "/" + name }

// kubectls finds where kubectl starts in a Line. It matches quoted parts first, which hold no start.
var kubectls = regexp.MustCompile(`'[^']*'|\\'|^kubectl |\| kubectl `)

// InContext adds a context to the kubectl commands of a Line.
func InContext(line, context string) string {
	return kubectls.ReplaceAllStringFunc(line, func(found string) string {
		if start, ok := strings.CutSuffix(found, "kubectl "); ok {
			return start + Line("kubectl", "--context", context) + " "
		}
		return found
	})
}

// Fit reports whether a program without a form like Object takes the name as a name, not as a flag.
func Fit(name string) bool { return name != "" && !strings.HasPrefix(name, "-") }

// Is reports whether a line for people is a command, and not a sentence.
func Is(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	switch first {
	case "kubectl", "ssh", "ping", "nc", "aws", "gcloud", "az", "openstack", "hcloud", "chronyc":
		return true
	}
	return false
}
