package command

import (
	"github.com/spf13/cobra"

	"kardia/model/history"
	"kardia/ui/contract"
)

func (r *run) info() *cobra.Command {
	return r.command(command{
		use:   "info PATH…",
		short: "Print what recordings contain and cover",
		long: `Prints for every input its format, the number of changes of each kind, the time
it covers and the quality of that time, and the parts that could not be used.`,
		example: "  kardia info demo:zone-outage\n  kardia info /var/log/kubernetes/audit.log -o json",
		args:    somePaths,
		shares:  captures,
		forms:   forms(),
		run: func(k *call) error {
			opened, err := r.open(k.cmd.Context(), k.args)
			if err != nil {
				return err
			}
			end, err := history.StateAt(opened.History, opened.History.Coverage().Latest)
			if err != nil {
				return err
			}
			info := contract.InfoOf(opened.History, end, opened.Skipped, opened.ServerVersion)
			info.Passed = opened.Passed
			for _, f := range opened.RecordingsRead() {
				info.Recordings = append(info.Recordings, contract.RecordingOf(f))
			}
			return k.print(info, nil)
		},
	})
}
