package command

import (
	"github.com/spf13/cobra"

	"kardia/model/history"
	"kardia/ui/report"
)

func (r *run) info() *cobra.Command {
	output := &word{"table", []string{"table", "json"}}
	cmd := &cobra.Command{
		Use:   "info PATH…",
		Short: "Say what recordings hold and cover",
		Long: `Says for every input what was recognised in it, how many changes of which kind it holds,
which time it covers and how well that time is known, and what could not be used.`,
		Example: "  kardia info demo:zone-outage\n  kardia info /var/log/kubernetes/audit.log -o json",
		Args:    wants(1, -1, "at least one PATH: a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			opened, err := r.open(cmd.Context(), paths)
			if err != nil {
				return err
			}
			cursor := history.NewCursor(opened.History)
			if err := cursor.Seek(opened.History.Coverage().Latest); err != nil {
				return err
			}
			info := report.InfoOf(opened.History, cursor.State(), opened.Skipped, opened.ServerVersion)
			info.Passed = opened.Passed
			for _, f := range opened.RecordingsRead() {
				info.Recordings = append(info.Recordings, report.RecordingOf(f))
			}
			return r.print(info, output.value, nil)
		}),
	}
	cmd.Flags().VarP(output, "output", "o", "how to print")
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}
