package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kardia/sources/demo"
)

func (r *run) demo() *cobra.Command {
	f := &showFlags{}
	cmd := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Replay a real incident; no cluster needed",
		Long: "Replays an incident that was recorded from a real control plane. It starts 20 seconds\nbefore the first node is declared Unknown.\n\n" +
			demoList() + "\n\nWherever a PATH is taken, demo:NAME names one of them.",
		Example:   "  kardia demo\n  kardia demo node-loss --at +470s",
		Args:      wants(0, 1, "one NAME at most"),
		ValidArgs: demoNames(),
		RunE: does(func(cmd *cobra.Command, args []string) error {
			name := demoNames()[0]
			if len(args) > 0 {
				name = strings.TrimPrefix(args[0], demoPrefix)
			}
			return r.showRecording(cmd, f, []string{demoPrefix + name})
		}),
	}
	f.add(cmd.Flags(), r)
	f.addAt(cmd.Flags())
	completeWords(cmd)
	return cmd
}

func demoList() string {
	var lines []string
	for _, d := range demo.List() {
		lines = append(lines, fmt.Sprintf("  %-14s%s", d.Name, d.Title))
	}
	return strings.Join(lines, "\n")
}
