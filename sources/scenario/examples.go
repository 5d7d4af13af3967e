package scenario

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed examples/*.scenario
var examples embed.FS

// Suffix ends scenario files' names; file types are detected by content.
const Suffix = ".scenario"

// Examples are the names of the embedded scenarios.
func Examples() (names []string) {
	entries, _ := examples.ReadDir("examples")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), Suffix))
	}
	return names
}

// Example is the text of an embedded scenario.
func Example(name string) (string, error) {
	text, err := examples.ReadFile("examples/" + name + Suffix)
	if err != nil {
		return "", fmt.Errorf("no embedded scenario is called %q; there are %s", name, strings.Join(Examples(), ", "))
	}
	return string(text), nil
}
