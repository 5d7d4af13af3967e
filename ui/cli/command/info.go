package command

import (
	"github.com/spf13/cobra"

	"kardia/model/history"
	"kardia/ui/report"
)

func (r *run) info() *cobra.Command {
	output := forms()
	cmd := &cobra.Command{
		Use:   "info PATH…",
		Short: "Print what recordings contain and cover",
		Long: `Prints for every input its format, the number of changes of each kind, the time
it covers and the quality of that time, and the parts that could not be used.`,
		Example: "  kardia info demo:zone-outage\n  kardia info /var/log/kubernetes/audit.log -o json",
		Args:    wants(1, -1, "at least one PATH: a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			opened, err := r.open(cmd.Context(), paths)
			if err != nil {
				return err
			}
			end, err := history.StateAt(opened.History, opened.History.Coverage().Latest)
			if err != nil {
				return err
			}
			info := report.InfoOf(opened.History, end, opened.Skipped, opened.ServerVersion)
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
