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

// helpCommand is "kardia help COMMAND". Unlike cobra's own, it refuses unknown commands. "kardia help topics" lists
// the topics.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND|TOPIC]",
		Short:  "Print help for a command or a topic",
		Hidden: true,
		RunE: does(func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "topics" {
				writeGroup(cmd.OutOrStdout(), cmd.Root(), topicGroup, topicGroup)
				return nil
			}
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
		fmt.Fprintf(w, "\nThe flags of '%s live' work here too. '%[1]s help TOPIC' prints a help topic.\n", cmd.CommandPath())
		return nil
	}
	writeFlags(w, cmd.LocalFlags(), whatIfFlags)
	writeFlags(w, cmd.LocalFlags(), controllerFlags)
	writeFlags(w, cmd.LocalFlags(), clusterFlags)
	return nil
}

// writeCommands lists the commands by group, or all together if they have none.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	for _, group := range cmd.Groups() {
		fmt.Fprintln(w)
		writeGroup(w, cmd, group.ID, group.Title)
	}
	if len(cmd.Groups()) == 0 {
		fmt.Fprintln(w)
		writeGroup(w, cmd, "", "Commands")
	}
}

func writeGroup(w io.Writer, cmd *cobra.Command, id, title string) {
	longest := 0
	for _, sub := range cmd.Commands() {
		longest = max(longest, len(sub.Name()))
	}
	fmt.Fprintf(w, "%s:\n", title)
	for _, sub := range cmd.Commands() {
		if (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand()) && sub.GroupID == id {
			fmt.Fprintf(w, "  %-*s  %s\n", longest, sub.Name(), sub.Short)
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
