// Command corpus runs every command and screen over incidents, scenarios and captures, and prints the changes.
//
//	go run ./internal/corpus                   compares with the hashes in the repository; exit code 1 if one differs
//	go run ./internal/corpus -update           writes the hashes
//	go run ./internal/corpus -texts DIR        writes the texts, one file an output
//	go run ./internal/corpus -since REVISION   prints the outputs that differ from a revision, values before words
//
// Values are words with a digit in them, and all of JSON. They are hashed apart from the text, so that a new wording
// shows as words only. -step sets how far apart the times are.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"kardia/ui/cli/command"
	"kardia/ui/cli/kube"
	"kardia/ui/screens"
)

// hashFile has one line for each command over each input.
const hashFile = "internal/corpus/hashes.txt"

//go:embed hashes.txt
var hashes string

// inputs are what the commands read, each with its length; zero if only one time is of interest.
func inputs() map[string]time.Duration {
	all := map[string]time.Duration{
		"demo:node-loss": 5 * time.Minute, "demo:zone-outage": 6 * time.Minute, "demo:all-dark": 6 * time.Minute,
		"scenario:failover": 5 * time.Minute, "scenario:flapping": 4 * time.Minute, "scenario:small-zone-partial": 5 * time.Minute,
	}
	for _, folder := range []string{"earned", "witness"} {
		paths, _ := filepath.Glob("ui/cli/command/testdata/" + folder + "/*")
		for _, path := range paths {
			all[path] = 0
		}
	}
	return all
}

func main() {
	update := flag.Bool("update", false, "write the hashes")
	texts := flag.String("texts", "", "write the texts to this `folder`")
	since := flag.String("since", "", "print what changed since this `revision`")
	step := flag.Duration("step", time.Minute, "time between two outputs of a command")
	flag.Parse()
	if err := run(*update, *texts, *since, *step); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(update bool, texts, since string, step time.Duration) error {
	switch {
	case since != "":
		return compare(since, step)
	case texts != "":
		return write(texts, step)
	}
	var lines []string
	for _, input := range slices.Sorted(maps.Keys(inputs())) {
		lines = append(lines, hashed(outputs(input, step))...)
	}
	got := strings.Join(lines, "\n") + "\n"
	if update {
		return os.WriteFile(hashFile, []byte(got), 0o644)
	}
	return differences(hashes, got)
}

type output struct{ input, at, words, text string }

func outputs(input string, step time.Duration) (all []output) {
	for _, words := range []string{"verify", "decisions", "margin", "report", "report -o json", "info", "whatif --node-monitor-grace-period=40s"} {
		all = append(all, output{input, "", words, kardia(input, "", words)})
	}
	times := []string{""}
	if length := inputs()[input]; length > 0 {
		times = nil
		for at := step / 2; at < length; at += step {
			times = append(times, "+"+at.String())
		}
	}
	for _, at := range times {
		words := []string{"verdict", "verdict -o json", "check", "why --node " + node(input, at), "why -o json --node " + node(input, at)}
		for _, what := range []string{"nodes", "zones", "pods", "evictions", "impact"} {
			words = append(words, "get "+what, "get "+what+" -o json")
		}
		for _, view := range screens.Names() {
			words = append(words, "replay --once --theme no-colour --size 80x24 --view "+view)
		}
		for _, size := range []string{"40x12", "200x60"} {
			words = append(words, "replay --once --theme no-colour --size "+size)
		}
		for _, w := range words {
			all = append(all, output{input, at, w, kardia(input, at, w)})
		}
	}
	return all
}

// kardia is a command's output, messages and exit code.
func kardia(input, at, words string) string {
	args := append([]string{"kardia"}, strings.Fields(words)...)
	args = append(args, input)
	if at != "" {
		args = append(args, "--at", at)
	}
	var out, messages bytes.Buffer
	code := command.Run(context.Background(), command.World{Args: args, In: strings.NewReader(""), Out: &out, Err: &messages, Kube: kube.New(&messages)})
	return fmt.Sprintf("%s%sexit code %d\n", out.String(), messages.String(), code)
}

// node is a subject of why: the first node that is not Ready, else the first.
func node(input, at string) string {
	text := kardia(input, at, "get nodes -o json")
	var list struct {
		Nodes []struct{ Name, Ready string }
	}
	_ = json.NewDecoder(strings.NewReader(text)).Decode(&list)
	if len(list.Nodes) == 0 {
		return "none"
	}
	for _, n := range list.Nodes {
		if n.Ready != "True" {
			return n.Name
		}
	}
	return list.Nodes[0].Name
}

var (
	value = regexp.MustCompile(`\S*\d\S*`)
	// ownVersion differs from build to build.
	ownVersion = regexp.MustCompile(`(?m)^.*kardia (version|\(devel\)).*$`)
	chosen     = regexp.MustCompile(`--node \S+`)
)

// values are an output's values, without the words.
func values(words, text string) string {
	if strings.Contains(words, "-o json") {
		return text
	}
	return strings.Join(value.FindAllString(text, -1), " ")
}

// hashed is a line for each command: input, command, number of outputs, hash of their values, hash of their texts.
func hashed(all []output) (lines []string) {
	groups := map[string][]output{}
	for _, o := range all {
		name := o.input + "  " + chosen.ReplaceAllString(o.words, "--node NODE")
		groups[name] = append(groups[name], o)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		v, w := fnv.New64a(), fnv.New64a()
		for _, o := range groups[name] {
			text := ownVersion.ReplaceAllString(o.text, "")
			fmt.Fprintln(v, values(o.words, text))
			fmt.Fprintln(w, text)
		}
		lines = append(lines, fmt.Sprintf("%s  %d  %016x  %016x", name, len(groups[name]), v.Sum64(), w.Sum64()))
	}
	return lines
}

// differences is an error with the commands whose hashes differ.
func differences(want, got string) error {
	before := map[string][]string{}
	split := func(line string) (string, []string) {
		parts := strings.Split(line, "  ")
		return strings.Join(parts[:len(parts)-3], "  "), parts[len(parts)-3:]
	}
	for line := range strings.Lines(want) {
		name, is := split(strings.TrimSpace(line))
		before[name] = is
	}
	var list []string
	for line := range strings.Lines(got) {
		name, is := split(strings.TrimSpace(line))
		was := before[name]
		delete(before, name)
		switch {
		case was == nil:
			list = append(list, "new     "+name)
		case is[0] != was[0] || is[1] != was[1]:
			list = append(list, "values  "+name)
		case is[2] != was[2]:
			list = append(list, "words   "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		list = append(list, "gone    "+name)
	}
	if list == nil {
		return nil
	}
	return fmt.Errorf("%d commands print something else:\n%s\n-since REVISION prints what; -update accepts it", len(list), strings.Join(list, "\n"))
}

func write(folder string, step time.Duration) error {
	for _, input := range slices.Sorted(maps.Keys(inputs())) {
		for _, o := range outputs(input, step) {
			name := strings.NewReplacer("/", "_", " ", "_").Replace(o.words)
			path := filepath.Join(folder, strings.NewReplacer("/", "_", ":", "_").Replace(o.input), o.at, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(ownVersion.ReplaceAllString(o.text, "")), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare prints the differences from a revision, which is built in a work tree with this command in it.
func compare(revision string, step time.Duration) error {
	folder, err := os.MkdirTemp("", "kardia-corpus-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	tree, was, is := filepath.Join(folder, "tree"), filepath.Join(folder, "was"), filepath.Join(folder, "is")
	if err := do("", "git", "worktree", "add", "--quiet", "--detach", tree, revision); err != nil {
		return err
	}
	defer func() { _ = do("", "git", "worktree", "remove", "--force", tree) }()
	if err := os.CopyFS(filepath.Join(tree, "internal/corpus-now"), os.DirFS("internal/corpus")); err != nil {
		return err
	}
	if err := do(tree, "go", "run", "./internal/corpus-now", "-texts", was, "-step", step.String()); err != nil {
		return err
	}
	if err := write(is, step); err != nil {
		return err
	}
	if err := kinds(was, is); err != nil {
		return err
	}
	_ = do("", "diff", "-ru", was, is) // exit code 1: they differ
	return nil
}

// kinds lists the outputs that differ, those with other values first.
func kinds(was, is string) error {
	var stated, words []string
	err := filepath.WalkDir(is, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(is, path)
		if err != nil {
			return err
		}
		now, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		before, _ := os.ReadFile(filepath.Join(was, name)) // a new one has none
		switch base := filepath.Base(name); {
		case values(strings.ReplaceAll(base, "_", " "), string(before)) != values(strings.ReplaceAll(base, "_", " "), string(now)):
			stated = append(stated, "values  "+name)
		case !bytes.Equal(before, now):
			words = append(words, "words   "+name)
		}
		return nil
	})
	for _, line := range append(stated, words...) {
		fmt.Println(line)
	}
	fmt.Printf("%d outputs differ in values, %d in words only\n\n", len(stated), len(words))
	return err
}

func do(folder, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir, c.Stdout, c.Stderr = folder, os.Stdout, os.Stderr
	return c.Run()
}
