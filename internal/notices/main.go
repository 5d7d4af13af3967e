// Notices prints the licences of all modules in the program, on each released system. Each text is printed once, after
// the names of its modules. It reads the module cache and needs no network.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

var systems = []string{"linux", "darwin", "windows", "freebsd"}

// licence matches names of files that must accompany copies of their module.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([._-].*)?$`)

// pack is the output of go list for a package.
type pack struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	goes, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	owners := map[string][]string{} // by text
	if err := add(owners, "the Go standard library", strings.TrimSpace(string(goes))); err != nil {
		return err
	}
	for _, system := range systems {
		packages, err := built(system)
		if err != nil {
			return err
		}
		for _, p := range packages {
			if p.Standard || p.Module == nil || p.Module.Main {
				continue
			}
			for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
				if err := add(owners, p.Module.Path+" "+p.Module.Version, dir); err != nil {
					return err
				}
			}
		}
	}
	texts := make([]string, 0, len(owners))
	for text, of := range owners {
		slices.Sort(of)
		owners[text] = of
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return slices.Compare(append(owners[a], a), append(owners[b], b)) })
	fmt.Fprintln(out, "Kardia is built with the modules below. Each list of modules is followed by the licence of all of them.")
	for _, text := range texts {
		fmt.Fprintf(out, "\n%s\n\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(owners[text], "\n"), text)
	}
	return nil
}

func built(system string) (list []pack, err error) {
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", ".")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+runtime.GOARCH, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	data, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(data)); ; {
		var p pack
		if err := decoder.Decode(&p); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}

// add adds the licences in a folder to an owner.
func add(owners map[string][]string, owner, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !licence.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		text := plain(string(data))
		if !slices.Contains(owners[text], owner) {
			owners[text] = append(owners[text], owner)
		}
	}
	return nil
}

// plain is a text without spaces at the ends of lines, and empty lines around it.
func plain(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
