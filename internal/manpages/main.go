// Manpages writes the man pages and shell completions of all commands into a directory, for the packages of a release.
// For example, DIR/man/kardia-get-nodes.1 and DIR/completions/kardia.fish. The program itself links no generator.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"kardia/ui/cli/command"
	"kardia/ui/cli/kube"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manpages DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

// write writes DIR/man and DIR/completions. The date of the pages is SOURCE_DATE_EPOCH if it is set.
func write(dir string) error {
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	if err := errors.Join(os.MkdirAll(man, 0o755), os.MkdirAll(completions, 0o755)); err != nil {
		return err
	}
	// A World without directories has no path of this machine.
	root := command.Tree(command.World{Args: []string{"kardia"}, Kube: kube.New(io.Discard)})
	root.DisableAutoGenTag = true
	err := errors.Join(
		root.GenBashCompletionFileV2(filepath.Join(completions, "kardia.bash"), true),
		root.GenZshCompletionFile(filepath.Join(completions, "_kardia")),
		root.GenFishCompletionFile(filepath.Join(completions, "kardia.fish"), true),
		root.GenPowerShellCompletionFileWithDesc(filepath.Join(completions, "kardia.ps1")),
	)
	paged(root)
	return errors.Join(err, doc.GenManTree(root, &doc.GenManHeader{Source: "Kardia", Manual: "Kardia"}, man))
}

// paged prepares a command and those below it: cobra reads texts as Markdown, and has pages only for what runs.
func paged(cmd *cobra.Command) {
	if cmd.IsAdditionalHelpTopicCommand() {
		cmd.Run, cmd.DisableFlagsInUseLine = func(*cobra.Command, []string) {}, true
	}
	var text strings.Builder
	fenced := false
	for line := range strings.Lines(cmd.Long + "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != fenced {
			text.WriteString("\n```\n")
			fenced = indented
		}
		text.WriteString(line)
	}
	cmd.Long = text.String()
	for _, sub := range cmd.Commands() {
		paged(sub)
	}
}
