package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Groups of flags; help lists them under these names after the command's own.
const (
	controllerFlags = "Flags of kube-controller-manager, as the cluster has them"
	clusterFlags    = "Flags for the cluster, as kubectl has them"
)

const groupKey = "kardia/group"

// inGroup adds flags as one group.
func inGroup(flags *pflag.FlagSet, group string, add func(*pflag.FlagSet)) {
	some := pflag.NewFlagSet(group, pflag.ContinueOnError)
	add(some)
	some.VisitAll(func(f *pflag.Flag) {
		f.Annotations = map[string][]string{groupKey: {group}}
	})
	flags.AddFlagSet(some)
}

// helpCommand is "kardia help COMMAND". Unlike cobra's own, it refuses unknown commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  "Print help for a command",
		Hidden: true,
		RunE: does(func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return misuse("there is no command %q", strings.Join(args, " "))
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		}),
	}
}

// helpWidth is where help texts wrap.
const helpWidth = 100

// usage prints cobra's usage, with the flags in groups.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		// Examples have the usual name, which a plugin replaces.
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.ReplaceAll(cmd.Example, "  kardia ", "  "+cmd.Root().CommandPath()+" "))
	}
	if cmd.HasAvailableSubCommands() {
		writeCommands(w, cmd)
	}
	writeFlags(w, cmd.LocalFlags(), "")
	if !cmd.HasParent() {
		fmt.Fprintf(w, "\nThe flags of '%s live' work here too. '%[1]s help exit-codes' lists the exit codes.\n", cmd.CommandPath())
		return nil
	}
	writeFlags(w, cmd.LocalFlags(), whatIfFlags)
	writeFlags(w, cmd.LocalFlags(), controllerFlags)
	writeFlags(w, cmd.LocalFlags(), clusterFlags)
	return nil
}

// writeCommands lists the commands by group, or all together if they have none.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	longest := 0
	for _, sub := range cmd.Commands() {
		longest = max(longest, len(sub.Name()))
	}
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for _, group := range groups {
		fmt.Fprintf(w, "\n%s:\n", group.Title)
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() && sub.GroupID == group.ID {
				fmt.Fprintf(w, "  %-*s  %s\n", longest, sub.Name(), sub.Short)
			}
		}
	}
}

func writeFlags(w io.Writer, all *pflag.FlagSet, group string) {
	some := pflag.NewFlagSet(group, pflag.ContinueOnError)
	all.VisitAll(func(f *pflag.Flag) {
		if in := f.Annotations[groupKey]; (len(in) > 0 && in[0] == group) || (len(in) == 0 && group == "") {
			some.AddFlag(f)
		}
	})
	if !some.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(w, "\n%s:\n%s", cmp.Or(group, "Flags"), some.FlagUsagesWrapped(helpWidth))
}
