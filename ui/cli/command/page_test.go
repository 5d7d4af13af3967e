package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/internal/golden"
)

// TestPageListsTheCommands: docs/cli.md lists the commands and flags that the program has; -update writes it.
func TestPageListsTheCommands(t *testing.T) {
	root := Tree(World{Args: []string{"kardia"}, Kube: &fakeKube{}})
	var page strings.Builder
	page.WriteString("# Command line\n\nThis page lists every command with its flags, and has the help topics. `kardia COMMAND --help` has the details and examples.\n")
	for _, group := range root.Groups() {
		if group.ID == topicGroup {
			continue
		}
		fmt.Fprintf(&page, "\n## %s\n\n| Command | What it does | Flags of its own |\n|---|---|---|\n", group.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID {
				rows(&page, cmd)
			}
		}
	}
	for _, topic := range root.Commands() {
		if topic.IsAdditionalHelpTopicCommand() {
			name := strings.ReplaceAll(topic.Name(), "-", " ")
			fmt.Fprintf(&page, "\n## %s\n\n```text\n%s\n```\n", strings.ToUpper(name[:1])+name[1:], topic.Long)
		}
	}
	golden.File(t, "../../../docs/cli.md", page.String())
}

// dating are the flags for input that does not date itself, which every command with a PATH has.
var dating = []string{"captured-at", "log-time-zone", "prometheus-lookback", "year"}

// rows are a command and those below it, a row each.
func rows(page *strings.Builder, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			rows(page, sub)
		}
	}
	if cmd.HasAvailableSubCommands() {
		return
	}
	var flags []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if len(f.Annotations[groupKey]) == 0 && !f.Hidden && f.Name != "help" && !slices.Contains(dating, f.Name) {
			flags = append(flags, "`--"+f.Name+"`")
		}
	})
	fmt.Fprintf(page, "| `%s` | %s | %s |\n", cmd.CommandPath(), cmd.Short, strings.Join(flags, " "))
}
