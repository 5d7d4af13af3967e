// Package demo has real incidents of a real control plane, as files of kubectl and the API server's audit log. For
// example: Files("shop").
package demo

import (
	"embed"
	"fmt"
	"strings"

	"kardia/sources/read/input"
)

//go:embed shop zone-outage node-loss all-dark
var files embed.FS

type Demo struct {
	Name, Title string
}

var demos = []Demo{
	{"shop", "A web shop loses a zone"},
	{"zone-outage", "A zone goes silent"},
	{"node-loss", "One node is lost"},
	{"all-dark", "Every node goes silent"},
}

// List is every incident, the first one to start with.
func List() []Demo { return demos }

// Files are the files of an incident.
func Files(name string) ([]input.File, error) {
	for _, d := range demos {
		if d.Name == name {
			return input.FromFS(files, name, "demo:"+name+"/")
		}
	}
	var names []string
	for _, d := range demos {
		names = append(names, d.Name)
	}
	return nil, fmt.Errorf("there is no demo %q: there are %s", name, strings.Join(names, ", "))
}
