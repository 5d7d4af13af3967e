package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
)

// kinds are the words for TYPE in TYPE/NAME, with the flag that takes the name.
var kinds = map[string]string{
	"node": "node", "nodes": "node", "no": "node",
	"zone": "zone", "zones": "zone",
	"pod": "pod", "pods": "pod", "po": "pod",
}

// named replaces kubectl's TYPE/NAME by a flag, unless it is a file: get nodes/b-003 is get nodes --node=b-003.
func named(args []string) []string {
	var out []string
	for i, arg := range args {
		kind, name, is := strings.Cut(arg, "/")
		flag := kinds[kind]
		if _, err := os.Stat(arg); arg == "--" || !is || flag == "" || name == "" || err == nil {
			if out = append(out, arg); arg == "--" {
				return append(out, args[i+1:]...)
			}
			continue
		}
		if i > 0 && args[i-1] == "get" {
			out = append(out, kind)
		}
		out = append(out, "--"+flag+"="+name)
	}
	return out
}

// podNamed is the pod of a namespace/name, or of a name that one pod of the cluster or the decisions has.
func podNamed(text string, c *model.Cluster, decisions []model.Decision) (model.Key, error) {
	if strings.Contains(text, "/") {
		return podKey(text)
	}
	_, _, found := namesOf(c)
	for i := range decisions {
		found = append(found, decisions[i].Pod.String())
	}
	found = slices.DeleteFunc(found, func(pod string) bool { return !strings.HasSuffix(pod, "/"+text) })
	slices.Sort(found)
	switch found = slices.Compact(found); len(found) {
	case 1:
		return podKey(found[0])
	case 0:
		return podKey(text)
	}
	fault := misuse("%d pods are named %q", len(found), text)
	fault.Next = "Name one with its namespace: " + strings.Join(found[:min(len(found), maxNear)], ", ") + "."
	return model.Key{}, fault
}

// otherTools are hints for other tools' commands, by command and word. %s is the program.
var otherTools = map[string]map[string]string{
	"": {
		"describe":   "For one node: '%s why --node NAME'.",
		"top":        "'%s live' shows the nodes.",
		"logs":       "'%s get statements PATH' prints what component logs contain.",
		"events":     "'%s replay PATH --view events' shows Events.",
		"explain":    "'%s learn' teaches the rules, and ? explains a screen.",
		"options":    "'%s --help' lists the flags.",
		"ls":         "'%s info PATH' lists the contents of an input.",
		"tutorial":   "'%s learn tour' shows how to use Kardia.",
		"nodes":      "Did you mean '%s get nodes'?",
		"zones":      "Did you mean '%s get zones'?",
		"pods":       "Did you mean '%s get pods'?",
		"evictions":  "Did you mean '%s get evictions'?",
		"impact":     "Did you mean '%s get impact'?",
		"statements": "Did you mean '%s get statements'?",
	},
	"get": {
		"all":    "'%s get' prints nodes, zones, pods, evictions, impact or statements.",
		"ev":     "'%s replay PATH --view events' shows Events.",
		"events": "'%s replay PATH --view events' shows Events.",
		"event":  "'%s replay PATH --view events' shows Events.",
		"leases": "'%s get nodes' shows the age of each heartbeat.",
		"lease":  "'%s get nodes' shows the age of each heartbeat.",
		"logs":   "'%s get statements PATH' prints what component logs contain.",
	},
	"config": {
		"set":  "'%s config view' names the file. Change it with an editor.",
		"path": "'%s config view' names the file.",
	},
}

// unknownCommand refuses a word that names no command, and offers a command for it.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	program, path := cmd.Root().CommandPath(), cmd.CommandPath()
	fault := misuse("there is no command %q", args[0])
	see := fmt.Sprintf(" See '%s --help'.", path)
	_, err := os.Stat(args[0])
	switch hint := otherTools[strings.TrimSpace(strings.TrimPrefix(path, program))][args[0]]; {
	case hint != "":
		fault.Next = fmt.Sprintf(hint, program) + see
	case !cmd.HasParent() && (err == nil || strings.HasPrefix(args[0], demoPrefix) || strings.HasPrefix(args[0], scenarioPrefix)):
		fault.Next = fmt.Sprintf("'%s replay %s' opens it.", path, strings.Join(args, " ")) + see
	default:
		cmd.SuggestionsMinimumDistance = 2
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			fault.Next = fmt.Sprintf("Did you mean '%s %s'?", path, near[0]) + see
		}
	}
	return fault
}

// instead are hints for other tools' flags. %s is the program.
var instead = map[string]string{
	"selector": "Choose with --node or --zone.", "l": "Choose with --node or --zone.",
	"field-selector": "Choose with --node or --zone.",
	"sort-by":        "Sort with -o json and jq.",
	"watch":          "'%s live' watches a cluster.", "w": "'%s live' watches a cluster.",
	"follow": "'%s live' watches a cluster.",
	"since":  "Use --from: --from -1m starts one minute before the end.",
	"f":      "Use -o.", "format": "Use -o.",
}

// unknownFlag refuses a flag that the command does not have, and offers a near one.
func unknownFlag(cmd *cobra.Command, err error) error {
	fault := misuse("%v", err)
	var none *pflag.NotExistError
	if !errors.As(err, &none) {
		return fault
	}
	name := none.GetSpecifiedName()
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	see := fmt.Sprintf(" See '%s --help'.", cmd.CommandPath())
	if hint := instead[name]; hint != "" {
		fault.Next = strings.ReplaceAll(hint, "%s", cmd.Root().CommandPath()) + see
	} else if near := nearest(name, flags); len(name) > 1 && len(near) > 0 {
		fault.Next = fmt.Sprintf("Did you mean --%s?", strings.Join(near, " or --")) + see
	}
	return fault
}

// liveOnly refuses flags for the cluster beside a PATH.
func liveOnly(cmd *cobra.Command, paths []string) error {
	if len(paths) == 0 || !takesPaths(cmd) {
		return nil
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if in := f.Annotations[groupKey]; len(in) > 0 && in[0] == clusterFlags && err == nil {
			err = misuse("--%s is for a live cluster, and has no meaning for %s", f.Name, paths[0])
		}
	})
	return err
}

// takesPaths reports whether a command's arguments are inputs.
func takesPaths(cmd *cobra.Command) bool { return strings.Contains(cmd.Use, "PATH") }
